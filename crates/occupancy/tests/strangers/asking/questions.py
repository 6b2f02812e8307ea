"""What is asked of a model: the extremes of its signals, and the best of one within budgets on others."""

from dataclasses import dataclass, field

SMALL = 1000  # states; HiGHS and Storm take seconds for each question about larger models


def most_signals(model):
    """Of how many signals the extremes are asked, and on how many there are budgets."""
    return (6, 4) if model.n <= SMALL else (3, 2)


@dataclass
class Question:
    reward: str
    budgets: dict = field(default_factory=dict)

    def __str__(self):
        within = ", ".join(f"{cost} <= {budget:g}" for cost, budget in self.budgets.items())
        return f"max {self.reward}" + (f" within {within}" if within else "")


def prepare(model):
    """Leaves out the signals that never change, and adds the opposite of each of the others."""
    moving = {name: x for name, x in model.signals.items() if x.min() < x.max()}
    rewards = [name for name in moving if not name.startswith(("label_", "chance"))]
    labels = [name for name in moving if name.startswith("label_")]
    chance = [name for name in moving if name.startswith("chance")]
    names = (rewards[:2] + chance + labels)[: most_signals(model)[0]]
    model.signals = {name: moving[name] for name in names}
    model.signals |= {f"minus_{name}": -moving[name] for name in names}
    return names


def extremes(names):
    return [Question(name) for name in names] + [Question(f"minus_{name}") for name in names]


def within_budgets(model, names, lows, highs):
    """Questions with one budget between the extremes of its cost, and one with two."""
    apart = [name for name in names if highs[name] - lows[name] > 1e-4][: most_signals(model)[1]]
    between = lambda cost, share: lows[cost] + share * (highs[cost] - lows[cost])
    asked = [
        Question(reward, {cost: between(cost, share)})
        for reward in apart
        for cost in apart
        if cost != reward
        for share in (0.23, 0.61)
    ]
    if len(apart) > 2:
        asked.append(Question(apart[0], {cost: between(cost, 0.52) for cost in apart[1:3]}))
    return asked
