"""Models from what other programs have: arrays, sparse matrices, tables, QuantEcon's and Gymnasium's forms.

Each becomes rows (state, action, successors, signals), which the Rust side checks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._budgets import Budgets, bounds_of
from ._checks import mapping, number, whole
from ._models import Labels, Model, Start
from ._shapes import Flags, Floats, Ints


def from_arrays(
    P: ArrayLike,
    R: ArrayLike,
    costs: Mapping[str, ArrayLike] | None,
    budgets: Budgets | None,
    start: Start,
    mask: ArrayLike | None,
    states: Sequence[str] | None,
    actions: Sequence[str] | None,
    labels: Mapping[str, Sequence[Any]] | None,
    normalise: bool,
    name: str,
) -> Model:
    rows = _numbers(P, "P")
    if rows.ndim != 3 or rows.shape[1] != rows.shape[2]:
        raise _core.Error(f"P has the shape {rows.shape}, expected (actions, states, states)")
    n_actions, n_states = rows.shape[0], rows.shape[1]
    given = _signals(R, costs)
    exists = _mask(mask, n_states, n_actions)
    names = _checked_names(actions, n_actions, "actions")
    if names is None and not exists.all():
        names = [str(action) for action in range(n_actions)]
    owner, column = np.nonzero(exists)
    action_names = None if names is None else [names[action] for action in column]
    told = _labels(name, n_states, given, budgets, start, states, action_names, labels, normalise)
    if any(table.ndim == 3 for table in given.values()):
        dense = rows[column, owner]
        entry, next_state = np.nonzero(dense)
        first = np.searchsorted(entry, np.arange(len(owner) + 1))
        signals = [_by_entry(table, what, owner[entry], column[entry], next_state, n_states, n_actions) for what, table in given.items()]
        core = _core.Model.from_rows(
            n_states, _ints(owner), _ints(first), _ints(next_state), dense[entry, next_state], signals, told
        )
        return Model(core, names)
    tables = [_by_pair(table, what, n_states, n_actions) for what, table in given.items()]
    return Model(_core.Model.from_dense(rows, exists, tables, told), names)


def from_sparse(
    P: Mapping[Any, Any] | Sequence[Any],
    R: ArrayLike,
    costs: Mapping[str, ArrayLike] | None,
    budgets: Budgets | None,
    start: Start,
    mask: ArrayLike | None,
    states: Sequence[str] | None,
    labels: Mapping[str, Sequence[Any]] | None,
    normalise: bool,
    name: str,
) -> Model:
    by_name = P if isinstance(P, Mapping) else None
    matrices = [_sparse(matrix, action) for action, matrix in (P.items() if isinstance(P, Mapping) else enumerate(P))]
    if not matrices:
        raise _core.Error("P has no matrix, expected one for every action")
    n_states, n_actions = matrices[0].shape[0], len(matrices)
    for action, matrix in enumerate(matrices):
        if matrix.shape != (n_states, n_states):
            raise _core.Error(f"the matrix of action {action} has the shape {matrix.shape}, expected {(n_states, n_states)}")
    exists = _mask(mask, n_states, n_actions)
    names = None if by_name is None else [str(action) for action in by_name]
    if names is None and not exists.all():
        names = [str(action) for action in range(n_actions)]
    owner, column = np.nonzero(exists)
    lengths = np.stack([np.diff(matrix.indptr) for matrix in matrices], axis=1)[owner, column]
    first = np.concatenate([[0], np.cumsum(lengths)])
    begins = np.stack([matrix.indptr[:-1] for matrix in matrices], axis=1)[owner, column]
    offsets = np.concatenate([[0], np.cumsum([matrix.nnz for matrix in matrices])])[column] + begins
    places = np.repeat(offsets - first[:-1], lengths) + np.arange(first[-1])
    next_state = np.concatenate([matrix.indices for matrix in matrices])[places]
    probability = np.concatenate([np.asarray(matrix.data, dtype=np.float64) for matrix in matrices])[places]
    given = _signals(R, costs)
    entry = np.repeat(np.arange(len(owner)), lengths)
    signals = [
        _by_entry(table, what, owner[entry], column[entry], next_state, n_states, n_actions) for what, table in given.items()
    ]
    action_names = None if names is None else [names[action] for action in column]
    told = _labels(name, n_states, given, budgets, start, states, action_names, labels, normalise)
    core = _core.Model.from_rows(n_states, _ints(owner), _ints(first), _ints(next_state), probability, signals, told)
    return Model(core, names)


def from_pairs(
    R: ArrayLike,
    Q: Any,
    s_indices: ArrayLike,
    a_indices: ArrayLike,
    costs: Mapping[str, ArrayLike] | None,
    budgets: Budgets | None,
    start: Start,
    states: Sequence[str] | None,
    normalise: bool,
    name: str,
) -> Model:
    owner, action = _indices(s_indices, "s_indices"), _indices(a_indices, "a_indices")
    if hasattr(Q, "tocsr"):
        matrix = Q.tocsr()
        n_states, first, next_state = matrix.shape[1], _ints(matrix.indptr), _ints(matrix.indices)
        probability = np.asarray(matrix.data, dtype=np.float64)
    else:
        dense = _numbers(Q, "Q")
        if dense.ndim != 2:
            raise _core.Error(f"Q has the shape {dense.shape}, expected (pairs, states)")
        n_states = dense.shape[1]
        entry, next_state = np.nonzero(dense)
        probability = dense[entry, next_state]
        first = np.searchsorted(entry, np.arange(len(dense) + 1))
    given = _signals(R, costs)
    n_pairs = len(first) - 1
    for what, values in [("s_indices", owner), ("a_indices", action), *given.items()]:
        if values.shape != (n_pairs,):
            raise _core.Error(f"{what} has the shape {values.shape}, expected ({n_pairs},): one for every row of Q")
    entry = np.repeat(np.arange(n_pairs), np.diff(first))
    told = _labels(name, n_states, given, budgets, start, states, [str(one) for one in action], None, normalise)
    signals = [values[entry] for values in given.values()]
    core = _core.Model.from_rows(n_states, owner, _ints(first), _ints(next_state), probability, signals, told)
    return Model(core)


def _numbers(values: Any, what: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise _core.Error(f"{what} is not an array of numbers") from None


def _signals(R: ArrayLike, costs: Mapping[str, ArrayLike] | None) -> dict[str, Floats]:
    """The reward, then the costs."""
    given = {"reward": _numbers(R, "R")}
    for cost, table in mapping(costs, "costs", '{"risk": C}').items():
        given[_cost_name(cost)] = _numbers(table, f"cost {cost}")
    return given


def _cost_name(cost: Any) -> str:
    if cost == "reward":
        raise _core.Error("a cost is called 'reward', which is what is earned: give it another name")
    return str(cost)


def _sparse(matrix: Any, action: Any) -> Any:
    if not hasattr(matrix, "tocsr"):
        kind = type(matrix).__name__
        raise _core.Error(f"the matrix of action {action} is a {kind}, expected a sparse one of scipy; Model.from_arrays takes dense ones")
    return matrix.tocsr()


def _indices(values: Any, what: str) -> Ints:
    given = np.asarray(values)
    if given.dtype.kind not in "iu":
        raise _core.Error(f"{what} is an array of {given.dtype}, expected whole numbers")
    if given.size and given.min() < 0:
        raise _core.Error(f"{what} has {int(given.min())} at place {int(given.argmin())}, expected numbers from 0 on")
    return _ints(given)


def _ints(values: Any) -> Ints:
    return np.ascontiguousarray(values, dtype=np.int64)


def _mask(mask: ArrayLike | None, n_states: int, n_actions: int) -> Flags:
    if mask is None:
        return np.ones((n_states, n_actions), dtype=np.bool_)
    exists = np.asarray(mask, dtype=np.bool_)
    if exists.shape != (n_states, n_actions):
        raise _core.Error(f"mask has the shape {exists.shape}, expected {(n_states, n_actions)}: states × actions")
    empty = ~exists.any(axis=1)
    if empty.any():
        raise _core.Error(f"the mask leaves state {int(np.argmax(empty))} without an action")
    return np.ascontiguousarray(exists)


def _by_pair(table: Floats, what: str, n_states: int, n_actions: int) -> Floats:
    """A signal as [S, A], from [S] or [S, A]."""
    if table.shape == (n_states,):
        table = np.repeat(table[:, None], n_actions, axis=1)
    if table.shape != (n_states, n_actions):
        expected = f"({n_states}, {n_actions}), ({n_states},) or ({n_actions}, {n_states}, {n_states})"
        raise _core.Error(f"{what} has the shape {table.shape}, expected {expected}")
    return np.ascontiguousarray(table)


def _by_entry(
    table: Floats, what: str, owner: NDArray[Any], column: NDArray[Any], next_state: NDArray[Any], n_states: int, n_actions: int
) -> Floats:
    """A signal of every transition, from [S], [S, A] or [A, S, S]."""
    if table.shape == (n_actions, n_states, n_states):
        return np.ascontiguousarray(table[column, owner, next_state])
    return np.ascontiguousarray(_by_pair(table, what, n_states, n_actions)[owner, column])


def _checked_names(names: Sequence[str] | None, expected: int, what: str) -> list[str] | None:
    if names is None:
        return None
    if len(names) != expected:
        raise _core.Error(f"{len(names)} names of {what} are given, expected {expected}")
    return [str(name) for name in names]


def _labels(
    name: str,
    n_states: int,
    signals: Mapping[str, Any],
    budgets: Budgets | None,
    start: Start,
    states: Sequence[str] | None,
    action_names: list[str] | None,
    labels: Mapping[str, Sequence[Any]] | None,
    normalise: bool,
) -> Labels:
    costs = [cost for cost in signals if cost != "reward"]
    given = {cost: (value, lower) for cost, value, lower in bounds_of(budgets)}
    for cost in given:
        if cost not in costs:
            known = ", ".join(costs) if costs else "there are none"
            raise _core.Error(f"a budget is given for {cost!r}, which is no cost; known: {known}")
    bounds = [given.get(cost, (math.inf, False)) for cost in costs]
    names = _checked_names(states, n_states, "states")
    places = {} if names is None else {state: place for place, state in enumerate(names)}
    if names is not None and len(places) < n_states:
        twice = next(place for place, state in enumerate(names) if places[state] != place)
        raise _core.Error(f"the states {twice} and {places[names[twice]]} are both called {names[twice]!r}")

    def numbered(state: Any) -> int:
        if isinstance(state, str) or (str(state) in places and not isinstance(state, (int, np.integer))):
            if str(state) not in places:
                known = f"{names[0]} to {names[-1]}" if names else f"0 to {n_states - 1}, without names"
                raise _core.Error(f"there is no state {state!r}; they are {known}")
            return places[str(state)]
        place = whole(state, "a state")
        if place >= n_states:
            raise _core.Error(f"there is no state {place}; they are 0 to {n_states - 1}")
        return place

    marked = [
        (label, numbered(state))
        for label, of in mapping(labels, "labels", '{"goal": [3, 4]}').items()
        for state in ([of] if isinstance(of, (str, int, np.integer)) else of)
    ]
    return Labels(
        name,
        _start(start, n_states, numbered),
        costs,
        [value for value, _ in bounds],
        [lower for _, lower in bounds],
        names,
        action_names,
        marked,
        normalise,
    )


def _start(start: Start, n_states: int, numbered: Callable[[Any], int]) -> list[tuple[int, float]]:
    if start is None:
        return [(0, 1.0)]
    if isinstance(start, (int, str, np.integer)):
        return [(numbered(start), 1.0)]
    if isinstance(start, Mapping):
        return [(numbered(state), number(weight, f"the probability to start in {state!r}")) for state, weight in start.items()]
    weights = _numbers(start, "start")
    if weights.shape != (n_states,):
        raise _core.Error(f"start has the shape {weights.shape}, expected ({n_states},): a probability for every state")
    return [(int(state), float(weights[state])) for state in np.nonzero(weights)[0]]
