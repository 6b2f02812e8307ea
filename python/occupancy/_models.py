"""Models: finite, constrained, checked; from arrays, tables, Gymnasium, files and environments that come along."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from os.path import exists
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._budgets import AtLeast, Budgets, bounds_of, constraint
from ._checks import texts
from ._shapes import Floats, Shape

if TYPE_CHECKING:
    import pandas as pd

Start = int | str | Mapping[Any, float] | ArrayLike | None


class Labels(NamedTuple):
    """What a model of arrays is called and held to, beside its rows."""

    name: str
    start: list[tuple[int, float]]
    costs: list[str]
    budgets: list[float]
    at_least: list[bool]
    state_names: list[str] | None
    action_names: list[str] | None
    labels: list[tuple[str, int]]
    normalise: bool


class Model:
    """A finite model: transitions, reward, costs with budgets, and a start.

    It is made by one of the functions below, each of which checks everything; errors name the state, the action and the number.

    >>> import occupancy as oc
    >>> model = oc.Model.from_arrays(
    ...     P=[[[1.0, 0.0], [1.0, 0.0]], [[0.5, 0.5], [0.0, 1.0]]],       # rest, work
    ...     R=[[0.0, 2.0], [0.0, 3.0]],
    ...     costs={"heat": [[0.0, 0.0], [1.0, 1.0]]},
    ...     budgets={"heat": 0.25},
    ...     states=["cool", "warm"], actions=["rest", "work"],
    ... )
    >>> round(oc.solve(model).gain, 9)
    1.0
    """

    __slots__ = ("_actions", "_core", "_shape")

    def __init__(self, core: _core.Model, actions: Sequence[str] | None = None) -> None:
        """Use :meth:`from_arrays`, :meth:`from_table`, :meth:`read` or :func:`env` instead."""
        self._core = core
        self._actions = None if actions is None else tuple(actions)
        self._shape: Shape | None = None

    @classmethod
    def from_arrays(
        cls,
        P: ArrayLike,
        R: ArrayLike,
        costs: Mapping[str, ArrayLike] | None = None,
        budgets: Budgets | None = None,
        start: Start = 0,
        *,
        mask: ArrayLike | None = None,
        states: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
        labels: Mapping[str, Sequence[Any]] | None = None,
        normalise: bool = False,
        name: str = "model",
    ) -> Model:
        """From P[A, S, S] and R[S, A]; costs are like R. Signals may also be [S] or, by successor, [A, S, S].

        ``mask[S, A]`` says which actions there are; the rows of others are not looked at. ``normalise`` takes rows that are off a sum of
        1 by rounding, as those of float32 are.
        """
        from ._sources import from_arrays

        return from_arrays(P, R, costs, budgets, start, mask, states, actions, labels, normalise, name)

    @classmethod
    def from_sparse(
        cls,
        P: Mapping[Any, Any] | Sequence[Any],
        R: ArrayLike,
        costs: Mapping[str, ArrayLike] | None = None,
        budgets: Budgets | None = None,
        start: Start = 0,
        *,
        mask: ArrayLike | None = None,
        states: Sequence[str] | None = None,
        labels: Mapping[str, Sequence[Any]] | None = None,
        normalise: bool = False,
        name: str = "model",
    ) -> Model:
        """From a sparse S × S matrix of scipy for every action, in a list or by name; signals as in :meth:`from_arrays`."""
        from ._sources import from_sparse

        return from_sparse(P, R, costs, budgets, start, mask, states, labels, normalise, name)

    @classmethod
    def from_table(
        cls,
        table: Any,
        budgets: Budgets | None = None,
        start: Start = None,
        *,
        costs: Sequence[str] | None = None,
        labels: Mapping[str, Sequence[Any]] | None = None,
        normalise: bool = False,
        name: str = "model",
    ) -> Model:
        """From a table of transitions with the columns ``state``, ``action``, ``next``, ``probability`` and ``reward``; every other
        column is a cost, or only those in ``costs``.

        The table is a DataFrame of pandas or polars, a table of pyarrow, or a dictionary of columns. Names are kept. It starts in the state
        of the first row unless it is said otherwise. Without the column ``probability`` every row counts once: a log of transitions
        becomes the model of what was seen.

        >>> import occupancy as oc
        >>> log = {"state": ["a", "a", "b", "b"], "action": ["go", "go", "go", "go"], "next": ["b", "a", "a", "a"],
        ...        "reward": [1.0, 0.0, 0.0, 0.0]}
        >>> model = oc.Model.from_table(log)
        >>> round(oc.solve(model).gain, 12)
        0.333333333333
        """
        from ._tables import from_table

        return from_table(table, budgets, start, costs, labels, normalise, name)

    @classmethod
    def from_pairs(
        cls,
        R: ArrayLike,
        Q: Any,
        s_indices: ArrayLike,
        a_indices: ArrayLike,
        costs: Mapping[str, ArrayLike] | None = None,
        budgets: Budgets | None = None,
        start: Start = 0,
        *,
        states: Sequence[str] | None = None,
        normalise: bool = False,
        name: str = "model",
    ) -> Model:
        """From QuantEcon's form: a reward R[L], a row Q[L, S] (an array or a sparse matrix), a state and an action for each of L pairs."""
        from ._sources import from_pairs

        return from_pairs(R, Q, s_indices, a_indices, costs, budgets, start, states, normalise, name)

    @classmethod
    def from_gym(
        cls,
        env: Any,
        *,
        on_end: str,
        costs: Mapping[str, ArrayLike | Callable[[int, int, int], float]] | None = None,
        budgets: Budgets | None = None,
        name: str | None = None,
    ) -> Model:
        """From an environment of Gymnasium with a table ``env.unwrapped.P``, such as FrozenLake or Taxi.

        What happens after an episode has to be said: ``on_end="restart"`` leads from its last step to the start, so that the long run is one of
        many episodes; ``on_end="absorb"`` stays in its last state for nothing. Costs are S × A tables, or functions of
        state, action and next state.
        """
        from ._gym_tables import from_gym

        return from_gym(env, on_end, costs, budgets, name)

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        *,
        reward: str | None = None,
        costs: Sequence[str] | None = None,
        budgets: Budgets | None = None,
        normalise: bool = False,
        **options: Any,
    ) -> Model:
        """From a file: ``.cmdp``, ``.drn`` (Storm's), ``.csv``, ``.occ`` (bytes that keep every bit) or a map (``.map``, with the options of gridworlds), packed by gzip or not.

        ``reward`` and ``costs`` name the reward models of a .drn file; costs that ``budgets`` names are costs, too.
        """
        if not exists(path):
            raise FileNotFoundError(f"{fspath(path)}: no such file")
        if costs is None:
            costs = [name for name, _, _ in bounds_of(budgets)] if ".drn" in fspath(path) else []
        core = _core.Model.open(fspath(path), texts(options), reward, list(costs), normalise)
        return cls(core)._with(budgets)

    def write(self, path: str | PathLike[str]) -> None:
        """Writes ``.cmdp``, ``.drn``, ``.csv`` or ``.occ`` (bytes that keep every bit), packed if the name ends with ``.gz``."""
        given = fspath(path)
        plain = given[:-3] if given.endswith(".gz") else given
        ending = plain.rsplit(".", 1)[-1] if "." in plain else plain
        data = self._core.to_bytes() if ending == "occ" else self._core.text(ending).encode()
        if given.endswith(".gz"):
            from gzip import compress

            data = compress(data)
        with open(given, "wb") as file:
            file.write(data)

    def with_budgets(self, budgets: Budgets | None = None, **more: float | AtLeast) -> Model:
        """The same model with other budgets; ``math.inf`` is none.

        >>> import occupancy as oc
        >>> oc.env("marsrover-4x4").with_budgets(risk=0.25).budgets
        {'risk': 0.25}
        """
        return self._with({**(budgets or {}), **more})

    def _with(self, budgets: Budgets | None) -> Model:
        bounds = bounds_of(budgets)
        if not bounds:
            return self
        return Model(self._core.with_bounds(bounds), self._actions)

    @property
    def shape(self) -> Shape:
        """Which states have which actions."""
        if self._shape is None:
            names = self._core.state_names() if self._core.has_state_names else None
            self._shape = Shape(self._core.first_pair(), self._core.action_names(), names, self._actions)
        return self._shape

    @property
    def name(self) -> str:
        """What it is called."""
        return self._core.name

    @property
    def n_states(self) -> int:
        """How many states there are."""
        return self._core.states

    @property
    def n_pairs(self) -> int:
        """How many pairs (state, action) there are."""
        return self._core.pairs

    @property
    def n_transitions(self) -> int:
        """How many transitions have a positive probability."""
        return self._core.transitions

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states: the rows of tables."""
        return self.shape.state_names

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions: the columns of tables."""
        return self.shape.actions

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of the costs."""
        return tuple(self._core.costs)

    @property
    def budgets(self) -> dict[str, float | AtLeast]:
        """The budgets by cost; infinite where there is none."""
        return {
            name: AtLeast(value) if lower else value
            for name, (value, lower) in zip(self._core.costs, self._core.bounds, strict=True)
        }

    @property
    def labels(self) -> dict[str, tuple[int, ...]]:
        """The labels and the states that have them."""
        return {label: tuple(states) for label, states in self._core.labels}

    @property
    def horizon(self) -> int | None:
        """The steps of an episode, if the model has episodes of its own."""
        return self._core.episodes[0] if self._core.episodes else None

    @property
    def start(self) -> Floats:
        """The probability to start in each state."""
        start = np.zeros(self.n_states)
        for state, probability in self._core.start:
            start[state] = probability
        return start

    @property
    def reward(self) -> Floats:
        """The mean reward as a table of states × actions, NaN where there is no action."""
        return self.shape.table(self._core.signals()[0])

    def cost(self, name: str) -> Floats:
        """The mean of a cost as a table of states × actions, NaN where there is no action."""
        return self.shape.table(self._core.signals()[1 + self._cost(name)])

    @property
    def fingerprint(self) -> str:
        """The hash of transitions, signals and start to the last bit."""
        return self._core.fingerprint

    def to_arrays(self) -> tuple[Floats, Floats, dict[str, Floats]]:
        """P[A, S, S], R[S, A] and the costs [S, A]; rows of actions that do not exist are 0 in P and NaN in the others."""
        shape, table = self.shape, self._core.table()
        P = np.zeros((len(shape.actions), self.n_states, self.n_states))
        pairs = table["pair"]
        P[shape.column_of[pairs], shape.state_of[pairs], table["next"]] = table["probability"]
        return P, self.reward, {name: self.cost(name) for name in self.costs}

    def to_table(self) -> dict[str, NDArray[Any]]:
        """All transitions as columns: state, action, next, probability, reward and every cost."""
        shape, table = self.shape, self._core.table()
        names, actions = np.array(shape.state_names, dtype=object), np.array(shape.action_names, dtype=object)
        pairs = table["pair"]
        columns: dict[str, NDArray[Any]] = {
            "state": names[shape.state_of[pairs]],
            "action": actions[pairs],
            "next": names[table["next"]],
            "probability": table["probability"],
        }
        columns.update(zip(("reward", *self.costs), table["signals"], strict=True))
        return columns

    def to_pandas(self) -> pd.DataFrame:
        """All transitions as a DataFrame."""
        from ._shapes import need

        frame: pd.DataFrame = need("pandas", "pandas").DataFrame(self.to_table())
        return frame

    def state(self, state: int | str) -> int:
        """The number of a state, given by its name or number."""
        return self.shape.state(state)

    def _cost(self, name: str) -> int:
        costs = self.costs
        if name not in costs:
            known = ", ".join(costs) if costs else "there are none"
            raise _core.Error(f"unknown cost {name!r}; known: {known}")
        return costs.index(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        same = self.fingerprint == other.fingerprint and self.budgets == other.budgets
        return same and self.states == other.states and self.actions == other.actions

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        costs = ", ".join(constraint(name, value) for name, value in self.budgets.items())
        return f"<Model {self.name}: {self.n_states} states, {self.n_pairs} pairs{', ' + costs if costs else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        core = self._core
        return _unpickled, (core.to_bytes(), core.name, core.episodes, core.picture, self._actions)


def _unpickled(
    data: bytes, name: str, episodes: tuple[int, bool] | None, picture: Any, actions: tuple[str, ...] | None
) -> Model:
    return Model(_core.Model.from_bytes(data, name, episodes, picture), actions)
