"""Storm's explicit format: models as Storm writes them, read with their labels, and written with other signals."""

import math
import re

import numpy as np

from making.model import Model


class Stranger:
    """A model with named signals, one number for each pair of state and action."""

    def __init__(self, name, n, init, pairs, signals):
        self.name, self.n, self.init = name, n, init
        self.pairs = pairs  # (state, {successor: probability})
        self.signals = signals  # name -> array over the pairs

    def program(self, reward, costs):
        """The model of the linear programs, with these signals as reward and costs."""
        chosen = np.array([self.signals[cost] for cost in costs]).T.reshape(len(self.pairs), len(costs))
        actions = [[] for _ in range(self.n)]
        for k, (state, row) in enumerate(self.pairs):
            actions[state].append((row, self.signals[reward][k], tuple(chosen[k])))
        return Model(self.name, actions, self.init)

    def text(self):
        """The model with all its signals as action rewards, numbers with 17 significant digits."""
        names = list(self.signals)
        number = lambda x: format(x + 0.0, ".17g")  # + 0.0 turns -0 into 0
        out = ["@type: MDP", "@parameters", "", "@reward_models", " ".join(names)]
        out += ["@nr_states", str(self.n), "@nr_choices", str(len(self.pairs)), "@model"]
        last, action = None, 0
        for k, (state, row) in enumerate(self.pairs):
            action = action + 1 if state == last else 0
            if state != last:
                out.append(f"state {state}" + (" init" if state == self.init else ""))
            last = state
            out.append(f"\taction {action} [{', '.join(number(self.signals[name][k]) for name in names)}]")
            out += [f"\t\t{next} : {number(row[next])}" for next in sorted(row)]
        return "\n".join(out) + "\n"


def rewards_of(line):
    found = re.search(r"\[(.*?)\]", line)
    return [float(x) for x in found[1].split(",")] if found else []


def read(name, text):
    """A model with the file's reward models and, for each label, how often it holds."""
    head, body = text.split("@model\n", 1)
    # Storm writes a reward model without a name as an empty line.
    line = re.search(r"@reward_models\n(.*)\n", head)[1]
    names = [f"reward_{word}" for word in line.split()] or ["reward"]
    pairs, labels, rewards, init, state = [], [], [], None, []
    for line in body.splitlines():
        if line.startswith("//"):
            continue
        words = re.sub(r"\[.*?\]", "", line).split()
        if line.startswith("state"):
            state = rewards_of(line)
            labels.append(set(words[2:]))
            init = len(labels) - 1 if "init" in words[2:] else init
        elif line.startswith("\taction"):
            pairs.append((len(labels) - 1, {}))
            own = rewards_of(line)
            width = max(len(state), len(own))
            padded = [x + [0.0] * (width - len(x)) for x in (state, own)]
            rewards.append([a + b for a, b in zip(*padded)])
        elif line.strip():
            pairs[-1][1][int(words[0])] = float(words[2])
    for _, row in pairs:  # Storm writes six digits of a third
        total = math.fsum(row.values())
        row.update((next, p / total) for next, p in row.items())
    signals = {}
    for i, reward in enumerate(names):
        signals[reward] = np.array([row[i] if i < len(row) else 0.0 for row in rewards])
    for label in sorted(set().union(*labels) - {"init", "deadlock"}):
        signals[f"label_{label}"] = np.array([float(label in labels[s]) for s, _ in pairs])
    return Stranger(name, len(labels), init, pairs, signals)
