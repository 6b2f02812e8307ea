"""Which states have which actions: how numbers by pair become tables of states and actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._checks import whole

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Shape:
    """The pairs (state, action) of a model or a task, state by state.

    Columns of tables are actions by name, in the order in which they are met; names that are numbers are in their order. If a state has
    two actions of one name, or all states have as many actions and some have names of their own, columns are the places of the actions
    within their states.
    """

    __slots__ = ("_columns", "_states", "action_names", "actions", "first_pair")

    def __init__(
        self,
        first_pair: Ints,
        action_names: Sequence[str],
        state_names: Sequence[str] | None,
        actions: Sequence[str] | None = None,
    ) -> None:
        self.first_pair = first_pair
        self._states = None if state_names is None else tuple(state_names)
        self.action_names = tuple(action_names)
        within = np.arange(self.n_pairs) - np.repeat(first_pair[:-1], np.diff(first_pair))
        known = tuple(actions) if actions is not None else _in_order(self.action_names)
        places = {name: place for place, name in enumerate(known)}
        columns = np.array([places[name] for name in self.action_names], dtype=np.int64)
        taken = self.state_of * max(1, len(known)) + columns
        most = int(within.max(initial=-1)) + 1
        is_regular = self.n_pairs == self.n_states * most
        if len(np.unique(taken)) < self.n_pairs or (is_regular and len(known) > most):
            known = tuple(str(place) for place in range(most))
            columns = within.astype(np.int64)
        self.actions = known
        self._columns = columns

    @property
    def n_states(self) -> int:
        """How many states there are."""
        return len(self.first_pair) - 1

    @property
    def n_pairs(self) -> int:
        """How many pairs (state, action) there are."""
        return int(self.first_pair[-1])

    @property
    def state_of(self) -> Ints:
        """The state of every pair."""
        return np.repeat(np.arange(self.n_states, dtype=np.int64), np.diff(self.first_pair))

    @property
    def column_of(self) -> Ints:
        """The column of every pair in tables: its action."""
        return self._columns

    @property
    def state_names(self) -> tuple[str, ...]:
        """The name of every state, or its number."""
        if self._states is None:
            self._states = tuple(str(state) for state in range(self.n_states))
        return self._states

    def state(self, state: int | str) -> int:
        """The number of a state, given by its name or number."""
        if isinstance(state, str):
            if state in self.state_names:
                return self.state_names.index(state)
            raise _core.Error(f"there is no state {state!r}; they are {self.state_names[0]} to {self.state_names[-1]}")
        number = whole(state, "a state")
        if number >= self.n_states:
            raise _core.Error(f"there is no state {number}; they are 0 to {self.n_states - 1}")
        return number

    @property
    def has_no_names(self) -> bool:
        """Whether states are called by their numbers."""
        return self._states is None or all(name == str(state) for state, name in enumerate(self._states))

    def has_names_of(self, other: Shape) -> bool:
        """Whether states and actions are called as in another."""
        return self.state_names == other.state_names and self.action_names == other.action_names

    def names_of_pairs(self) -> list[tuple[str, str, int]]:
        """The names of state and action of every pair, and how many actions of that name the state has before."""
        met: dict[tuple[int, str], int] = {}
        pairs = []
        for state, action in zip(self.state_of.tolist(), self.action_names, strict=True):
            before = met.get((state, action), 0)
            met[state, action] = before + 1
            pairs.append((self.state_names[state], action, before))
        return pairs

    @property
    def mask(self) -> Flags:
        """Which actions (columns) each state (row) has."""
        mask = np.zeros((self.n_states, len(self.actions)), dtype=np.bool_)
        mask[self.state_of, self._columns] = True
        return mask

    def table(self, by_pair: NDArray[Any]) -> Floats:
        """Numbers by pair as a table of states and actions, NaN where there is no action."""
        table = np.full((self.n_states, len(self.actions)), np.nan)
        table[self.state_of, self._columns] = by_pair
        table.flags.writeable = False
        return table

    def by_pair(self, table: NDArray[Any]) -> Floats:
        """The numbers of a table of states and actions by pair."""
        table = np.asarray(table, dtype=np.float64)
        expected = (self.n_states, len(self.actions))
        if table.shape != expected:
            raise ValueError(f"the table has the shape {table.shape}, expected {expected}: states × actions")
        return np.ascontiguousarray(table[self.state_of, self._columns])

    def index_of(self) -> Ints:
        """The place of each action (column) among those of its state (row); −1 where there is none."""
        index = np.full((self.n_states, len(self.actions)), -1, dtype=np.int64)
        index[self.state_of, self._columns] = np.arange(self.n_pairs) - self.first_pair[self.state_of]
        return index

    def frame(self, columns: dict[str, NDArray[Any]]) -> pd.DataFrame:
        """A DataFrame with a row for each pair: state, action, and these columns."""
        pandas = need("pandas", "pandas")
        names = np.array(self.state_names, dtype=object)
        actions = np.array(self.action_names, dtype=object)
        data = {"state": names[self.state_of], "action": actions, **columns}
        frame: pd.DataFrame = pandas.DataFrame(data)
        return frame


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    """Distinct names as they are met, or in their order if they are all numbers."""
    distinct = tuple(dict.fromkeys(names))
    if all(name.isascii() and name.isdigit() for name in distinct):
        return tuple(sorted(distinct, key=int))
    return distinct


def need(module: str, extra: str) -> Any:
    """A module that only some functions need, or how to install it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"this needs {module}, which is not installed: pip install 'occupancy[{extra}]'"
        ) from error
