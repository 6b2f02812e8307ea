"""Policies: what is done in each state, with which probability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._shapes import Floats, Shape, need

if TYPE_CHECKING:
    import pandas as pd

    from ._learners import Task
    from ._models import Model


class Policy:
    """What is done in each state: a probability for each of its actions, at every stage of an episode if they differ.

    >>> import occupancy as oc
    >>> rover = oc.env("marsrover-4x4")
    >>> policy = oc.Policy.uniform(rover)
    >>> policy.table().shape
    (16, 4)
    >>> float(policy.table()[0, 0])
    0.25
    """

    __slots__ = ("_owner", "probabilities")

    probabilities: Floats
    """π(a∣s) by pair; with stages, a row for each. Read-only."""

    def __init__(self, of: Model | Task | Shape, probabilities: ArrayLike) -> None:
        """A policy of a model or a task from a table of states × actions, from numbers by pair, or from one of either for each stage."""
        shape = _shape_of(of)
        try:
            given = np.asarray(probabilities, dtype=np.float64)
        except (TypeError, ValueError):
            raise _core.Error("the probabilities of a policy are not an array of numbers") from None
        table = (shape.n_states, len(shape.actions))
        if given.shape == table and table != (1, shape.n_pairs):
            by_pair = shape.by_pair(np.nan_to_num(given))
        elif given.ndim == 3 and given.shape[1:] == table:
            by_pair = np.stack([shape.by_pair(np.nan_to_num(stage)) for stage in given])
        elif given.shape[-1:] == (shape.n_pairs,) and given.ndim <= 2:
            by_pair = np.array(given, dtype=np.float64)
        else:
            raise _core.Error(
                f"a policy has the shape {given.shape}, expected {table} (states × actions) or ({shape.n_pairs},) (pairs), "
                "or one of these for each stage"
            )
        self._owner: Model | Task | Shape = of
        self.probabilities = _checked(shape, by_pair)

    @classmethod
    def _of(cls, owner: Model | Task | Shape, probabilities: Floats, stages: int) -> Policy:
        """A policy that the library made."""
        policy = cls.__new__(cls)
        policy._owner = owner
        policy.probabilities = probabilities if stages == 1 else probabilities.reshape(stages, -1)
        return policy

    @classmethod
    def uniform(cls, of: Model | Task) -> Policy:
        """The policy that takes every action of a state with the same probability."""
        shape = _shape_of(of)
        actions = np.diff(shape.first_pair)
        return cls(shape, np.repeat(1.0 / actions, actions))

    @classmethod
    def deterministic(cls, of: Model | Task, actions: Mapping[Any, Any] | NDArray[Any] | list[Any]) -> Policy:
        """The policy that takes one action in each state: a list of actions by state, or a mapping from states to actions. Both
        may be names or numbers."""
        shape = _shape_of(of)
        chosen = dict(actions) if isinstance(actions, Mapping) else dict(enumerate(actions))
        states = {name: state for state, name in enumerate(shape.state_names)}
        columns = {name: column for column, name in enumerate(shape.actions)}
        table = np.zeros((shape.n_states, len(shape.actions)))
        for state, action in chosen.items():
            row = states.get(state) if isinstance(state, str) else int(state)
            column = columns.get(action) if isinstance(action, str) else int(action)
            if row is None or not 0 <= row < shape.n_states:
                raise _core.Error(f"there is no state {state!r}")
            if column is None or not 0 <= column < len(shape.actions) or not shape.mask[row, column]:
                raise _core.Error(f"state {shape.state_names[row]} has no action {action!r}")
            table[row, column] = 1.0
        silent = np.nonzero(table.sum(axis=1) == 0)[0]
        if len(silent):
            raise _core.Error(f"no action is given for state {shape.state_names[silent[0]]}")
        return cls(shape, shape.by_pair(table))

    @property
    def _shape(self) -> Shape:
        return _shape_of(self._owner)

    @property
    def stages(self) -> int:
        """How many stages there are; 1 if the policy is the same at all times."""
        return 1 if self.probabilities.ndim == 1 else len(self.probabilities)

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states: the rows of tables."""
        return self._shape.state_names

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions: the columns of tables."""
        return self._shape.actions

    def table(self, stage: int = 0) -> Floats:
        """π(a∣s) as a table of states × actions, NaN where there is no action; after the last stage all are like it."""
        return self._shape.table(self._at(stage))

    def act(self, state: int | str, rng: np.random.Generator, stage: int = 0) -> int:
        """Draws an action (a column of the table) of a state, given by its number or name."""
        row = np.nan_to_num(self.table(stage)[self._shape.state(state)])
        return int(rng.choice(len(row), p=row / row.sum()))

    def to_pandas(self, *, all: bool = False) -> pd.DataFrame:
        """A DataFrame with the columns ``state``, ``action``, ``probability``, and ``stage`` if there are several; without rows of
        probability 0 unless ``all`` is asked for."""
        pandas = need("pandas", "pandas")
        frames = []
        for stage in range(self.stages):
            frame = self._shape.frame({"probability": self._at(stage)})
            if self.stages > 1:
                frame.insert(0, "stage", stage)
            frames.append(frame if all else frame[frame["probability"] > 0])
        joined: pd.DataFrame = pandas.concat(frames, ignore_index=True)
        return joined

    def to_csv(self, path: str) -> None:
        """Writes the table that ``occupancy solve --policy`` writes, which ``occupancy evaluate`` reads."""
        import csv

        names, actions = self._shape.state_names, self._shape.action_names
        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow([*(["stage"] if self.stages > 1 else []), "state", "action", "probability"])
            for stage in range(self.stages):
                rows = zip(self._shape.state_of, actions, self._at(stage), strict=True)
                for state, action, probability in rows:
                    head = [stage] if self.stages > 1 else []
                    out.writerow([*head, names[state], action, repr(float(probability))])

    def _of_model(self, model: Model) -> Policy:
        """This policy in a model: as it is if the pairs are the same, otherwise carried over by the names of states and actions."""
        owner = self._owner
        if owner is model or (not isinstance(owner, Shape) and getattr(owner, "fingerprint", None) == model.fingerprint):
            return self
        own, other = self._shape, model.shape
        if np.array_equal(own.first_pair, other.first_pair) and (own.has_no_names or own.has_names_of(other)):
            return self
        if own.has_no_names:
            raise _core.Error(
                f"the policy has {own.n_states} states and {own.n_pairs} pairs, {model.name} has {other.n_states} and {other.n_pairs}"
            )
        return Policy(model, np.stack([_carried(own, other, self._at(stage)) for stage in range(self.stages)]))

    def _at(self, stage: int) -> Floats:
        if self.probabilities.ndim == 1:
            return self.probabilities
        row: Floats = self.probabilities[min(stage, self.stages - 1)]
        return row

    def _flat(self) -> tuple[Floats, int]:
        return np.ascontiguousarray(self.probabilities).reshape(-1), self.stages

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Policy):
            return NotImplemented
        return np.array_equal(self.probabilities, other.probabilities)

    def __hash__(self) -> int:
        return hash(self.probabilities.tobytes())

    def __repr__(self) -> str:
        lotteries = int(((self.probabilities > 0) & (self.probabilities < 1)).any())
        kind = "with lotteries" if lotteries else "deterministic"
        stages = f", {self.stages} stages" if self.stages > 1 else ""
        return f"<Policy of {self._shape.n_states} states{stages}, {kind}>"

    def _repr_html_(self) -> str:
        from ._html import policy

        return policy(self)

    def __getstate__(self) -> tuple[Any, ...]:
        return (self._shape.first_pair, self._shape.action_names, self._shape.state_names, self._shape.actions, self.probabilities)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        first_pair, action_names, state_names, actions, probabilities = state
        self._owner = Shape(first_pair, action_names, state_names, actions)
        probabilities.flags.writeable = False
        self.probabilities = probabilities


def _shape_of(of: Model | Task | Shape) -> Shape:
    if isinstance(of, Shape):
        return of
    if not hasattr(of, "shape") or not isinstance(of.shape, Shape):
        raise _core.Error(f"a policy belongs to a Model or a Task, not to a {type(of).__name__}; env and Model.read open models")
    return of.shape


def _carried(own: Shape, other: Shape, probabilities: Floats) -> Floats:
    """The probabilities by pair of another shape; states and actions are known by their names."""
    known = dict(zip(own.names_of_pairs(), probabilities.tolist(), strict=True))
    states = set(own.state_names)
    missing = next((name for name in other.state_names if name not in states), None)
    if missing is not None:
        raise _core.Error(f"the policy says nothing of state {missing}")
    carried = np.array([known.get(pair, 0.0) for pair in other.names_of_pairs()])
    lost = np.add.reduceat(carried, other.first_pair[:-1]) < 1 - 1e-9
    if lost.any():
        name = other.state_names[int(np.argmax(lost))]
        raise _core.Error(f"the policy takes an action in state {name} that the model does not have there")
    return carried


def _checked(shape: Shape, probabilities: Floats) -> Floats:
    """Distributions in every state, divided by their sums."""
    for table in probabilities.reshape(-1, shape.n_pairs):
        with np.errstate(over="ignore"):  # a sum that is too large is no 1 either
            sums = np.add.reduceat(table, shape.first_pair[:-1])
        wrong = ~(np.abs(sums - 1) <= 1e-9)
        wrong |= np.minimum.reduceat(table, shape.first_pair[:-1]) < 0
        if wrong.any():
            state = int(np.argmax(wrong))
            raise _core.Error(
                f"the policy's probabilities in state {shape.state_names[state]} sum to {sums[state]:g}, "
                "expected probabilities that sum to 1 within 1e-9"
            )
        table /= sums[shape.state_of]
    probabilities.flags.writeable = False
    return probabilities
