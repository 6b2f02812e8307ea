"""Learners that come along, in environments that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._budgets import Budgets, bounds_of
from ._checks import number, texts, whole, whole_or_none
from ._learners import Counts, Learner, Task
from ._learning import named_or_described
from ._policies import Policy
from ._shapes import Shape

Range = tuple[float, float]


class World(NamedTuple):
    """An environment as the Rust side reads it."""

    name: str
    actions: list[int]
    costs: list[str]
    budgets: list[float]
    bounds: list[Range]
    start: list[tuple[int, float]]
    rounds: int
    horizon: int | None
    seed: int
    run: int
    preset: str
    options: list[tuple[str, str]]


class Agent:
    """A learner that acts in an environment of which no model is known.

    Ask it what to do, do it, and tell it what came of it. After an end, the last pair leads to where the next episode begins: for a learner of
    long-run averages, that is one endless walk. With a ``horizon`` it is one for learners of episodes; those that end before are
    stayed in for nothing until they are over.

    >>> import occupancy as oc
    >>> agent = oc.Agent("psrl-transitions", states=2, actions=2, budgets={"risk": 0.5}, reward_range=(0, 1), cost_range=(0, 1), rounds=1000)
    >>> state = 0
    >>> for _ in range(1000):
    ...     action = agent.act(state)
    ...     following = action
    ...     agent.observe(state, action, following, reward=float(following), costs={"risk": float(following)})
    ...     state = following
    >>> agent.steps
    1000
    """

    __slots__ = ("_core", "_costs", "_negated", "_shape", "horizon", "rounds")

    def __init__(
        self,
        learner: str | type[Learner] | Learner,
        *,
        states: int,
        actions: int | Sequence[int],
        budgets: Budgets,
        reward_range: Range,
        cost_range: Range | Mapping[str, Range] = (0.0, 1.0),
        rounds: int,
        horizon: int | None = None,
        start: Mapping[int, float] | int = 0,
        seed: int = 0,
        run: int = 0,
        preset: str = "sound",
        name: str = "world",
        **options: Any,
    ) -> None:
        """``actions`` is how many there are, in all states or by state. ``budgets`` names the costs; ranges are those of a step."""
        states = whole(states, "states", 1)
        several = list(actions) if isinstance(actions, (Sequence, np.ndarray)) else [actions] * states
        counts = [whole(n, "actions", 1) for n in several]
        if len(counts) != states:
            raise _core.Error(f"actions are given for {len(counts)} states, expected {states}")
        bounds = bounds_of(budgets)
        self._costs = tuple(cost for cost, _, _ in bounds)
        self._negated = tuple(lower for _, _, lower in bounds)
        ranges = [_range(reward_range, "reward_range"), *(_range_of(cost_range, cost) for cost in self._costs)]
        held = [ranges[0], *((-high, -low) if lower else (low, high) for (low, high), lower in zip(ranges[1:], self._negated, strict=True))]
        world = World(
            name,
            counts,
            list(self._costs),
            [-value if lower else value for _, value, lower in bounds],
            held,
            [(int(start), 1.0)] if isinstance(start, (int, np.integer)) else [(int(s), float(p)) for s, p in start.items()],
            whole(rounds, "rounds", 1),
            whole_or_none(horizon, "horizon", 1),
            whole(seed, "seed"),
            whole(run, "run"),
            preset,
            texts(options),
        )
        self._core = _core.Agent(named_or_described(learner, options), world)
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        names = [str(place) for n in counts for place in range(n)]
        self._shape = Shape(first, names, None)
        self.rounds = world.rounds
        self.horizon = world.horizon

    @classmethod
    def for_env(
        cls,
        env: Any,
        learner: str | type[Learner] | Learner,
        *,
        budgets: Budgets,
        reward_range: Range,
        cost_range: Range | Mapping[str, Range] = (0.0, 1.0),
        rounds: int,
        **more: Any,
    ) -> Agent:
        """An agent for an environment of Gymnasium whose observations and actions are numbers from 0 on."""
        if not hasattr(env, "observation_space") or not hasattr(env, "action_space"):
            raise _core.Error(f"{env!r} is no environment of Gymnasium: it has no observation_space and action_space")
        states = _size(env.observation_space, "observations")
        actions = _size(env.action_space, "actions")
        return cls(
            learner,
            states=states,
            actions=actions,
            budgets=budgets,
            reward_range=reward_range,
            cost_range=cost_range,
            rounds=rounds,
            **more,
        )

    def act(self, state: int) -> int:
        """What to do in a state."""
        return self._core.act(int(state))

    def observe(
        self,
        state: int,
        action: int,
        next: int,
        reward: float,
        costs: Mapping[str, float] | Sequence[float] | float = (),
        ended: bool = False,
    ) -> None:
        """What came of an action: the next state, the reward, the costs by name or in their order, and whether the episode ended."""
        self._core.observe(int(state), int(action), int(next), self._signals(reward, costs), bool(ended))

    @property
    def steps(self) -> int:
        """Steps that were counted; the last of an episode is, once the next one begins."""
        return self._core.steps

    @property
    def epochs(self) -> int:
        """Epochs begun."""
        return self._core.epochs

    @property
    def policy(self) -> Policy | None:
        """The policy that is followed, once there is one."""
        table = self._core.policy()
        return None if table is None else Policy._of(self._shape, table, self.horizon or 1)

    @property
    def counts(self) -> Counts:
        """All that was seen so far, by pair (of every stage)."""
        shape = self._shape
        pairs, stages = shape.n_pairs, self.horizon or 1
        first = np.concatenate([shape.first_pair[:-1] + stage * pairs for stage in range(stages)] + [[stages * pairs]])
        told: dict[str, Any] = {
            "first_pair": first.astype(np.int64),
            "costs": self._costs,
            "negated": self._negated,
            "budgets": (),
            "bounds": (),
            "start": (),
            "rounds": self.rounds,
            "horizon": self.horizon,
        }
        return Counts(self._core.counts(), Task(told))

    def _signals(self, reward: float, costs: Mapping[str, float] | Sequence[float] | float) -> list[float]:
        if isinstance(costs, Mapping):
            missing = [name for name in self._costs if name not in costs]
            if missing:
                raise _core.Error(f"the cost {missing[0]!r} is not told; costs are {', '.join(self._costs)}")
            given = [float(costs[name]) for name in self._costs]
        elif isinstance(costs, (int, float, np.number)):
            given = [float(costs)]
        else:
            given = [float(cost) for cost in costs]
        if len(given) != len(self._costs):
            raise _core.Error(f"{len(given)} costs are told, expected {len(self._costs)}: {', '.join(self._costs)}")
        held = [-cost if lower else cost for cost, lower in zip(given, self._negated, strict=True)]
        return [float(reward), *held]

    def __repr__(self) -> str:
        return f"<Agent after {self.steps} of {self.rounds} steps>"


def _range_of(given: Range | Mapping[str, Range], cost: str) -> Range:
    if isinstance(given, Mapping):
        if cost not in given:
            raise _core.Error(f"cost_range has no range for {cost!r}")
        return _range(given[cost], f"cost_range of {cost!r}")
    return _range(given, "cost_range")


def _range(given: Any, what: str) -> Range:
    try:
        low, high = given
    except (TypeError, ValueError):
        raise _core.Error(f"{what} is {given!r}, expected two numbers, the smaller one first") from None
    low, high = number(low, what), number(high, what)
    if not low <= high:
        raise _core.Error(f"{what} is ({low:g}, {high:g}), expected two numbers, the smaller one first")
    return low, high


def _size(space: Any, what: str) -> int:
    if not hasattr(space, "n"):
        raise _core.Error(f"the {what} are {space}, expected numbers from 0 on (Discrete)")
    if int(getattr(space, "start", 0)) != 0:
        raise _core.Error(f"the {what} begin with {space.start}, expected 0")
    return int(space.n)
