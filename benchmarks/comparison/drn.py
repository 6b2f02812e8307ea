"""Storm's explicit format as HiGHS' side reads it: what the library writes, with rewards of actions and one start."""

from itertools import chain

import numpy as np
import scipy.sparse as sp


class File:
    """A model: `state_of` the pairs, `signals` by pair (the reward, then the costs), `kernel` of pairs × states."""

    def __init__(self, path):
        state_of, signals, firsts, nexts, chances = [], [], [], [], []
        states, self.start = 0, None
        with open(path) as lines:
            for line in after_header(lines):
                if line.startswith("\t\t"):
                    successor, _, chance = line.partition(" : ")
                    nexts.append(int(successor))
                    chances.append(float(chance))
                elif line.startswith("\t"):
                    state_of.append(states - 1)
                    signals.append(line[line.index("[") + 1 : line.rindex("]")].split(","))
                    firsts.append(len(nexts))
                elif line.startswith("state"):
                    self.start = states if "init" in line.split()[2:] else self.start
                    states += 1
        self.states, self.pairs = states, len(state_of)
        self.state_of = np.array(state_of)
        width = len(signals[0])
        self.signals = np.fromiter(chain.from_iterable(signals), float).reshape(-1, width).T
        firsts.append(len(nexts))
        self.kernel = sp.csr_array((chances, nexts, firsts), (self.pairs, states))

    def reachable(self):
        """The states that can be reached from the start, and whether the start can be reached from all of them."""
        leaving = sp.csr_array((np.ones(self.pairs), (self.state_of, np.arange(self.pairs))), (self.states, self.pairs))
        graph = leaving @ self.kernel
        seen = sp.csgraph.breadth_first_order(graph, self.start, return_predecessors=False)
        back = sp.csgraph.breadth_first_order(graph.T.tocsr(), self.start, return_predecessors=False)
        return seen, np.isin(seen, back).all()


def after_header(lines):
    for line in lines:
        if line.startswith("@model"):
            break
    return lines
