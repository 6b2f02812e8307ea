"""Runs of learners in a model: what was earned and what it cost, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._learners import Learner, describe
from ._budgets import Budgets
from ._checks import texts, unknown, whole, whole_or_none
from ._envs import as_model
from ._models import Model
from ._policies import Policy
from ._shapes import Floats, Ints, need

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from ._questions import Source


class LearnerInfo(NamedTuple):
    """A learner that comes along."""

    name: str
    """What :func:`learn` knows it by."""
    about: str
    """What it does."""
    episodic: bool
    """Whether it learns in episodes."""
    options: dict[str, str]
    """Its options and what they mean."""


def learners() -> list[LearnerInfo]:
    """The learners that come along.

    >>> import occupancy as oc
    >>> "psrl-transitions" in [learner.name for learner in oc.learners()]
    True
    """
    return [
        LearnerInfo(name, about, episodic, {option: meaning for option, meaning, _ in options})
        for name, about, episodic, options in _core.learners()
    ]


class Level(NamedTuple):
    """What a policy of the true model comes to, a step."""

    gain: float
    costs: dict[str, float]


class Asked(NamedTuple):
    """What is run, as the Rust side reads it."""

    preset: str
    options: list[tuple[str, str]]
    rounds: int | None
    episodes: int | None
    horizon: int | None
    window: int | None
    seed: int
    run: int
    values: bool


class Curves:
    """Cumulative sums at the steps that were recorded. Arrays are read-only."""

    __slots__ = ("_budgets", "_excess", "_lower", "_optimum", "_shortfall", "costs", "epochs", "reward", "step", "window")

    def __init__(
        self,
        record: dict[str, Any],
        names: tuple[str, ...],
        budgets: list[float],
        optimum: float | None,
        window: int,
        lower: frozenset[str] = frozenset(),
    ) -> None:
        """Curves are those of a :class:`Run` or of :class:`Results`; ``lower`` names the costs that have to be at least their budgets."""
        self.step: Ints = record["step"]
        """The steps."""
        self.reward: Floats = record["reward"]
        """What was earned up to each of them."""
        self.costs: dict[str, Floats] = dict(zip(names, record["costs"], strict=True))
        """What it cost."""
        self.epochs: Ints = record["epochs"]
        """The epochs begun."""
        self._budgets = dict(zip(names, budgets, strict=True))
        self._lower = lower
        self._optimum = optimum
        self._shortfall: Floats = record["shortfall"]
        self._excess: dict[str, Floats] = dict(zip(names, record["excess"], strict=True))
        self.window = window
        """The steps of a moving average."""

    @property
    def average_reward(self) -> Floats:
        """What a step earned on average so far."""
        return self.reward / self.step

    def average_cost(self, name: str) -> Floats:
        """What a step cost on average so far."""
        return self.costs[name] / self.step

    def moving(self, column: Floats) -> Floats:
        """The average of a cumulative column over the last ``window`` steps; NaN where the window's other end was not recorded."""
        before = self.step - self.window
        place = np.searchsorted(self.step, before)
        known = (before > 0) & (self.step[np.minimum(place, len(self.step) - 1)] == before)
        moved = (column - column[np.minimum(place, len(column) - 1)]) / self.window
        return np.where(before <= 0, column / self.step, np.where(known, moved, np.nan))

    @property
    def regret(self) -> Floats:
        """How much less was earned than by the best policy within the budgets; NaN if there is none."""
        return np.full(len(self.step), np.nan) if self._optimum is None else self._optimum * self.step - self.reward

    def violation(self, name: str) -> Floats:
        """How much a cost is beyond its budget so far; negative if it is within."""
        beyond: Floats = self.costs[name] - self._budgets[name] * self.step
        return -beyond if name in self._lower else beyond

    def to_pandas(self) -> pd.DataFrame:
        """A DataFrame with a row for each recorded step."""
        data: dict[str, Any] = {"step": self.step, "reward": self.reward, **self.costs}
        data["average_reward"] = self.average_reward
        data.update((f"average_{name}", self.average_cost(name)) for name in self.costs)
        data["regret"] = self.regret
        data.update((f"violation_{name}", self.violation(name)) for name in self.costs)
        data["epochs"] = self.epochs
        frame: pd.DataFrame = need("pandas", "pandas").DataFrame(data)
        return frame

    def __len__(self) -> int:
        return len(self.step)

    def __repr__(self) -> str:
        return f"<Curves of {int(self.step[-1]) if len(self) else 0} steps at {len(self)} points>"


class Snapshot(NamedTuple):
    """A policy on the way."""

    epoch: int
    step: int
    policy: Policy
    prices: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """What a learner did in a model."""

    model: Model
    """The model."""
    learner: str
    """What the learner is called."""
    settings: dict[str, str]
    """Its options with their values."""
    curves: Curves
    """What was earned and what it cost."""
    policy: Policy
    """The policy that was planned last."""
    snapshots: tuple[Snapshot, ...]
    """Policies on the way."""
    levels: dict[str, Level | None]
    """What the true model allows, a step: ``optimal`` within the budgets, ``fast`` without them, ``safe`` at the least cost."""
    value_regret: tuple[float, float] | None
    """Sums over the epochs of the exact gap of the policy followed: signed, and without the negative ones."""
    value_violation: dict[str, tuple[float, float]]
    """The same for every cost."""

    def _repr_html_(self) -> str | None:
        try:
            from .plot import figure_html, run
        except ImportError:
            return None
        return figure_html(run(self))

    def __repr__(self) -> str:
        steps = int(self.curves.step[-1])
        return f"<Run of {self.learner} in {self.model.name}: {steps} steps, average reward {self.curves.average_reward[-1]:.4g}>"


def named_or_described(learner: str | type[Learner] | Learner, options: Mapping[str, Any]) -> Any:
    """A learner for the Rust side: the name of one that comes along, or what one of Python is."""
    if isinstance(learner, str):
        if learner not in _names():
            raise unknown("learner", learner, _names())
        return learner
    own = describe(learner)
    known = [name for name, _, _ in own.options]
    for option in options:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise _core.Error(f"{own.name} has no option {option!r}; its options are its annotated attributes with a value: {has}")
    return own


@cache
def _names() -> tuple[str, ...]:
    return tuple(listed[0] for listed in _core.learners())


def learn(
    model: Source,
    learner: str | type[Learner] | Learner,
    *,
    rounds: int | None = None,
    episodes: int | None = None,
    horizon: int | None = None,
    seed: int = 0,
    run: int = 0,
    preset: str = "sound",
    window: int | None = None,
    budgets: Budgets | None = None,
    values: bool = True,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Run:
    """Lets a learner act in a model: one that comes along, by its name, or one of your own.

    ``rounds`` are the steps it takes: 10 000, or as many as in the paper of the environment, unless it is said. ``episodes`` of ``horizon``
    steps are for learners of episodes. ``preset`` (``published``, ``paper``, ``sound`` or ``theory``) fills in options that are not given; ``seed`` and
    ``run`` fix every random number. ``window`` is that of moving averages. ``values`` evaluates each policy that was followed exactly. ``progress`` is called with the
    steps done and all of them.

    >>> import occupancy as oc
    >>> run = oc.learn("marsrover-4x4", "psrl-transitions", rounds=5000, seed=1)
    >>> int(run.curves.step[-1]), round(run.levels["optimal"].gain, 6)
    (5000, -0.775)
    """
    opened = as_model(model)._with(budgets)
    which = named_or_described(learner, options)
    asked = Asked(
        preset,
        texts(options),
        whole_or_none(rounds, "rounds", 1),
        whole_or_none(episodes, "episodes", 1),
        whole_or_none(horizon, "horizon", 1),
        whole_or_none(window, "window", 1),
        whole(seed, "seed"),
        whole(run, "run"),
        values,
    )
    found = _core.learn(opened._core, which, asked, progress)
    names = opened.costs
    levels = {
        level: None if value is None else Level(value[0], dict(zip(names, value[1], strict=True)))
        for level, value in found["levels"].items()
    }
    best = levels["optimal"]
    optimum = None if best is None else best.gain
    lower = frozenset(name for name, (_, is_lower) in zip(names, opened._core.bounds, strict=True) if is_lower)
    curves = Curves(found["record"], names, found["budgets"], optimum, found["window"], lower)
    stages = found["stages"]

    def policy(table: Floats) -> Policy:
        return Policy._of(opened, table, stages)

    gaps = found["values"]
    last = [] if gaps is None else [(signed[-1], strong[-1]) for signed, strong in zip(*gaps, strict=True)]
    return Run(
        opened,
        which if isinstance(which, str) else str(which.name),
        dict(found["settings"]),
        curves,
        policy(found["policy"]),
        tuple(Snapshot(epoch, step, policy(table), tuple(prices)) for epoch, step, table, prices in found["snapshots"]),
        levels,
        last[0] if last and optimum is not None else None,
        dict(zip(names, last[1:], strict=True)) if last else {},
    )
