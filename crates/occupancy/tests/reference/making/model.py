"""A constrained MDP, and Storm's explicit format, in which it is written and read again."""

import math
import re

import numpy as np


class Model:
    """actions[s] is a list of (row, r, costs): row maps successors to probabilities."""

    def __init__(self, name, actions, init=0):
        self.name, self.actions, self.init = name, actions, init
        self.n = len(actions)
        self.m = len(actions[0][0][2])
        self.pairs = [(s, row, r, c) for s in range(self.n) for row, r, c in actions[s]]
        assert 0 <= init < self.n
        for s, row, r, c in self.pairs:
            assert len(c) == self.m
            assert all(0 <= j < self.n and p > 0 for j, p in row.items())
            assert abs(math.fsum(row.values()) - 1) <= 1e-12, (name, s)
        self.r = np.array([r for _, _, r, _ in self.pairs], float)
        self.c = np.array([c for _, _, _, c in self.pairs], float).reshape(len(self.pairs), self.m)

    def scale(self, i):
        """Largest |c_i|, the unit in which violations of budget i are measured."""
        return float(np.abs(self.c[:, i]).max()) or 1.0

    def drn(self):
        """Text in Storm's explicit format, numbers with 17 significant digits."""
        g = lambda v: format(v + 0.0, ".17g")  # + 0.0 turns -0 into 0
        names = ["r"] + [f"c{i}" for i in range(self.m)]
        zeros = ", ".join(["0"] * len(names))
        out = ["@type: MDP", "@parameters", "", "@reward_models", " ".join(names)]
        out += ["@nr_states", str(self.n), "@nr_choices", str(len(self.pairs)), "@model"]
        for s in range(self.n):
            out.append(f"state {s} [{zeros}]" + (" init" if s == self.init else ""))
            for a, (row, r, c) in enumerate(self.actions[s]):
                out.append(f"\taction {a} [{', '.join(g(v) for v in (r, *c))}]")
                out += [f"\t\t{j} : {g(row[j])}" for j in sorted(row)]
        return "\n".join(out) + "\n"


def read_drn(name, text):
    """The inverse of Model.drn: all values are computed from what the files say."""
    actions, init = [], None
    for line in text[text.index("@model") :].splitlines()[1:]:
        if line.startswith("state"):
            if line.endswith("init"):
                assert init is None
                init = len(actions)
            actions.append([])
        elif line.startswith("\taction"):
            r, *c = (float(v) for v in re.search(r"\[(.*)\]", line)[1].split(","))
            actions[-1].append(({}, r, tuple(c)))
        else:
            j, p = line.split(":")
            actions[-1][-1][0][int(j)] = float(p)
    return Model(name, actions, init)


def go(j, r, *c):
    """An action that surely leads to j."""
    return ({j: 1.0}, float(r), tuple(map(float, c)))
