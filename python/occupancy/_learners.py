"""Learners of one's own: asked once an epoch, they answer with a policy and the moment to be asked again."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from . import _core
from ._models import Model
from ._plans import Plan
from ._policies import Policy
from ._shapes import Floats, Ints, Shape


class Until(NamedTuple):
    """The end of an epoch: after so many steps, or when the visits of some pair in it reach ``factor · (N + offset)``.

    :func:`Doubling`, :func:`Steps`, :func:`Visits` and :func:`Forever` make them.
    """

    steps: int
    """The most steps of the epoch."""
    visits: tuple[int, int] | None
    """The factor and the offset."""


FOREVER = 2**63 - 1


def Doubling() -> Until:
    """Until the visits of some pair have doubled."""
    return Until(FOREVER, (1, 0))


def Steps(steps: int) -> Until:
    """After so many steps."""
    if steps < 1:
        raise _core.Error(f"an epoch of {steps} steps, expected at least 1")
    return Until(int(steps), None)


def Visits(factor: int = 1, offset: int = 0, *, steps: int = FOREVER) -> Until:
    """When some pair has been visited ``factor · (N + offset)`` times in the epoch, N being its visits before; or after so many steps."""
    return Until(int(steps), (int(factor), int(offset)))


def Forever() -> Until:
    """To the end of the run."""
    return Until(FOREVER, None)


@dataclass(frozen=True, slots=True)
class Epoch:
    """A policy, and the moment to ask again."""

    policy: Policy
    """What is followed."""
    until: Until
    """The moment to ask again."""
    plan: Plan | None = None
    """The plan that the policy comes from, if there is one: its prices and whether the budgets could be met are recorded."""
    begins: bool = True
    """Whether this begins a new epoch; ``False`` for the second part of one."""

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            raise _core.Error(f"the policy of an Epoch is a {type(self.policy).__name__}, expected a Policy: Policy(self.task, table) makes one")
        if not isinstance(self.until, Until):
            raise _core.Error(f"until of an Epoch is {self.until!r}, expected Doubling(), Steps(n), Visits(…) or Forever()")


class Task:
    """All that a learner is told of the model it acts in."""

    __slots__ = ("bounds", "budgets", "costs", "horizon", "negated", "rounds", "shape", "start")

    def __init__(self, told: dict[str, Any]) -> None:
        first: Ints = told["first_pair"]
        within = np.arange(int(first[-1])) - np.repeat(first[:-1], np.diff(first))
        self.shape = Shape(first, [str(place) for place in within], None)
        """Which states have which actions."""
        self.costs: tuple[str, ...] = tuple(told["costs"])
        """The names of the costs."""
        self.negated: tuple[bool, ...] = tuple(told["negated"])
        """Which costs have a lower bound: they are told with the opposite sign, like their budgets."""
        self.budgets: tuple[float, ...] = tuple(told["budgets"])
        """What each cost has to stay below, a step."""
        self.bounds: tuple[tuple[float, float], ...] = tuple(told["bounds"])
        """The least and the greatest reward, and then cost, of a step."""
        self.start: tuple[tuple[int, float], ...] = tuple(told["start"])
        """Where it starts."""
        self.rounds: int = told["rounds"]
        """How many steps there will be."""
        self.horizon: int | None = told["horizon"]
        """The steps of an episode, if there are episodes: the states are then those of all stages, one stage after the other."""

    @property
    def n_states(self) -> int:
        """How many states there are."""
        return self.shape.n_states

    @property
    def n_pairs(self) -> int:
        """How many pairs (state, action) there are."""
        return self.shape.n_pairs


class Counts:
    """What was seen so far."""

    __slots__ = ("_core", "task")

    def __init__(self, core: _core.Counts, task: Task) -> None:
        self._core = core
        self.task = task

    @property
    def visits(self) -> Ints:
        """How often each pair was taken."""
        return self._core.visits()

    @property
    def transitions(self) -> tuple[Ints, Ints, Ints]:
        """The transitions seen: pair, next state, and how often."""
        pair, following, count = self._core.transitions()
        return pair, following, count

    def sums(self, signal: int = 0) -> Floats:
        """The sum of a signal by pair: 0 is the reward, i + 1 the cost i."""
        return self._core.sums(signal)

    def means(self, signal: int = 0, unvisited: float = 0.0) -> Floats:
        """The mean of a signal by pair, or ``unvisited`` where nothing was seen."""
        visits = self.visits
        return np.where(visits > 0, self.sums(signal) / np.maximum(visits, 1), unvisited)

    def model(
        self,
        reward: Floats | None = None,
        costs: list[Floats] | None = None,
        *,
        unvisited: str = "stay",
    ) -> Model:
        """The model of what was seen: frequencies for probabilities, means for signals unless others are given by pair.

        Pairs that were never taken ``stay`` where they are, or lead ``anywhere``; their mean reward is the greatest there is, their costs
        are the least.
        """
        task, shape = self.task, self.task.shape
        pair, following, count = self.transitions
        visits = self.visits
        never = np.nonzero(visits == 0)[0]
        if unvisited not in ("stay", "anywhere"):
            raise _core.Error(f"unvisited is {unvisited!r}, expected 'stay' or 'anywhere'")
        targets = 1 if unvisited == "stay" else shape.n_states
        goes = shape.state_of[never] if unvisited == "stay" else np.tile(np.arange(shape.n_states), len(never))
        pairs = np.concatenate([pair, np.repeat(never, targets)])
        order = np.argsort(pairs, kind="stable")
        probability = np.concatenate([count / np.maximum(visits[pair], 1), np.full(len(never) * targets, 1.0 / targets)])[order]
        following = np.concatenate([following, goes])[order]
        first = np.searchsorted(pairs[order], np.arange(shape.n_pairs + 1))
        means = [self.means(0, task.bounds[0][1]) if reward is None else reward]
        means += [self.means(i + 1, task.bounds[i + 1][0]) for i in range(len(task.costs))] if costs is None else list(costs)
        entries = np.repeat(np.arange(shape.n_pairs), np.diff(first))
        return _model(task, first, following, probability, [np.asarray(one, dtype=np.float64)[entries] for one in means])


def _model(task: Task, first: Any, following: Any, probability: Floats, signals: list[Floats]) -> Model:
    from ._models import Labels
    from ._sources import _ints

    names = Labels(
        "estimate",
        list(task.start),
        list(task.costs),
        list(task.budgets),
        [False] * len(task.costs),
        None,
        None,
        [],
        True,
    )
    owner = task.shape.state_of
    core = _core.Model.from_rows(task.n_states, _ints(owner), _ints(first), _ints(following), probability, signals, names)
    return Model(core)


@dataclass(frozen=True, slots=True)
class Now:
    """What a learner knows when it is asked."""

    step: int
    """Steps taken so far."""
    state: int
    """The state it is in."""
    counts: Counts
    """All that was seen so far."""
    last_steps: int
    """How long the last epoch took; 0 before the first."""
    last_sums: tuple[float, ...]
    """The sums of the signals over it: the reward, then the costs."""


class Learner:
    """A learner of one's own. Its options are its annotated attributes; files of experiments set them by name.

    >>> import occupancy as oc
    >>> class Greedy(oc.Learner):
    ...     "Plans with the means of what was seen, and explores now and then."
    ...     explore: float = 0.1
    ...     def next_epoch(self, now):
    ...         if self.rng.random() < self.explore:
    ...             return oc.Epoch(oc.Policy.uniform(self.task), oc.Steps(10))
    ...         plan = self.planner.solve(now.counts.model())
    ...         return oc.Epoch(plan.policies[0], oc.Doubling(), plan)
    ...     def begin(self):
    ...         self.planner = oc.Planner()
    >>> run = oc.learn("marsrover-4x4", Greedy, rounds=2000, seed=1)
    >>> int(run.curves.step[-1])
    2000
    """

    name: ClassVar[str] = ""
    """What it is called; by default its class in lower case with hyphens."""

    task: Task
    """All that is told of the model."""
    rng: np.random.Generator
    """Random numbers that follow from the seed of the run, and from nothing else."""

    def begin(self) -> None:
        """Called once before the first epoch; ``self.task`` and ``self.rng`` are there."""

    def next_epoch(self, now: Now) -> Epoch:
        """What to do from now on, and until when."""
        raise NotImplementedError(f"{type(self).__name__} has no next_epoch(self, now), which every learner has")

    def _seed(self, seed: int) -> None:
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.begin()

    def _answer(self, now: _core.Now) -> tuple[Floats, int, tuple[int, int] | None, bool, tuple[bool, list[float]] | None]:
        counts = Counts(now.counts, self.task)
        epoch = self.next_epoch(Now(now.step, now.state, counts, now.last_steps, tuple(now.last_sums)))
        if not isinstance(epoch, Epoch):
            raise TypeError(f"{type(self).__name__}.next_epoch returned {epoch!r}, expected an Epoch")
        table, stages = epoch.policy._flat()
        if len(table) != self.task.n_pairs:
            raise _core.Error(
                f"{type(self).__name__}.next_epoch returned a policy of {len(table) // stages} pairs and {stages} stages, "
                f"expected {self.task.n_pairs} pairs"
            )
        plan = None if epoch.plan is None else (epoch.plan.feasible, [float(p) for p in epoch.plan._answer.get("prices", [])])
        return table, epoch.until.steps, epoch.until.visits, epoch.begins, plan


class Described(NamedTuple):
    """A learner as the Rust side reads it."""

    name: str
    about: str
    make: Callable[[dict[str, Any], dict[str, str]], Learner]
    options: list[tuple[str, str, str]]
    source: str


def describe(learner: type[Learner] | Learner) -> Described:
    """A learner for the Rust side: how it is made, its options, and the hash of its source."""
    kind = learner if isinstance(learner, type) else type(learner)
    if not issubclass(kind, Learner):
        raise _core.Error(f"{learner!r} is no learner: expected a name, or a class derived from occupancy.Learner")
    given = None if isinstance(learner, type) else learner
    from copy import deepcopy

    defaults = _options(kind, given)
    parsers = {name: _parser(value) for name, value in defaults.items()}

    def make(told: dict[str, Any], texts: dict[str, str]) -> Learner:
        made = deepcopy(given) if given is not None else kind()
        for option, text in texts.items():
            setattr(made, option, parsers[option](text))
        made.task = Task(told)
        return made

    about = (inspect.getdoc(kind) or "").split("\n", 1)[0]
    options = [(name, _text(value), type(value).__name__) for name, value in defaults.items()]
    return Described(name_of(kind), about, make, options, source_hash(kind))


def name_of(kind: type[Learner]) -> str:
    """What a learner is called."""
    return kind.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", kind.__name__).lower().replace("_", "-").strip("-")


def source_hash(kind: type[Learner]) -> str:
    """The hash of a learner's source and of those it is derived from: another source is another learner."""
    if kind not in _HASHES:
        from hashlib import sha256
        from textwrap import dedent

        digest = sha256()
        for one in kind.__mro__:
            if one in (Learner, object):
                continue
            try:
                text = dedent(inspect.getsource(one))
            except (OSError, TypeError):
                text = f"{one.__module__}.{one.__qualname__}"
            digest.update(text.encode())
        _HASHES[kind] = digest.hexdigest()[:16]
    return _HASHES[kind]


# Finding the source of a class takes a millisecond, as long as 100 epochs.
_HASHES: WeakKeyDictionary[type[Learner], str] = WeakKeyDictionary()


def _options(kind: type[Learner], given: Learner | None) -> dict[str, Any]:
    """The annotated attributes with values that can be written: flags, numbers and texts."""
    found: dict[str, Any] = {}
    for one in reversed(kind.__mro__):
        if one in (Learner, object):
            continue
        for option in inspect.get_annotations(one):
            value = getattr(given if given is not None else kind, option, None)
            if isinstance(value, (bool, int, float, str)):
                found[option] = value
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _parser(value: Any) -> Callable[[str], Any]:
    if isinstance(value, bool):
        return lambda text: text == "true"
    return type(value)
