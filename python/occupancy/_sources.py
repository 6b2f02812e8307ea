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
from ._models import AtLeast, Budgets, Labels, Model, Start, _bound
from ._shapes import Flags, Floats, Ints

COLUMNS = ("state", "action", "next", "probability", "reward")


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
    given = {"reward": _numbers(R, "R")}
    given.update((cost, _numbers(table, f"cost {cost}")) for cost, table in (costs or {}).items())
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
    matrices = [matrix.tocsr() for matrix in (P.values() if isinstance(P, Mapping) else P)]
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
    given = {"reward": _numbers(R, "R")}
    given.update((cost, _numbers(table, f"cost {cost}")) for cost, table in (costs or {}).items())
    entry = np.repeat(np.arange(len(owner)), lengths)
    signals = [
        _by_entry(table, what, owner[entry], column[entry], next_state, n_states, n_actions) for what, table in given.items()
    ]
    action_names = None if names is None else [names[action] for action in column]
    told = _labels(name, n_states, given, budgets, start, states, action_names, labels, normalise)
    core = _core.Model.from_rows(n_states, _ints(owner), _ints(first), _ints(next_state), probability, signals, told)
    return Model(core, names)


def from_table(
    table: Any,
    budgets: Budgets | None,
    start: Start,
    costs: Sequence[str] | None,
    labels: Mapping[str, Sequence[Any]] | None,
    normalise: bool,
    name: str,
) -> Model:
    columns = _columns(table)
    for needed in ("state", "action", "next"):
        if needed not in columns:
            raise _core.Error(f"the table has no column {needed!r}; it has {', '.join(map(repr, columns))}")
    n_rows = len(columns["state"])
    if n_rows == 0:
        raise _core.Error("the table has no rows")
    cost_names = [key for key in columns if key not in COLUMNS] if costs is None else list(costs)
    signals = {}
    for what in ("reward", *cost_names):
        if what != "reward" and what not in columns:
            raise _core.Error(f"the table has no column {what!r} for the cost of that name")
        column = columns.get(what)
        signals[what] = np.zeros(n_rows) if column is None else _column(column, what)
    state_names, numbers = _numbered(columns["state"], columns["next"])
    owner, next_state = numbers[:n_rows], numbers[n_rows:]
    action_names, action = _numbered(columns["action"])
    pair_key = owner * len(action_names) + action
    keys, first_row, pair = np.unique(pair_key, return_index=True, return_inverse=True)
    # Pairs in the order of their states, and within a state as they are met.
    order = np.lexsort((first_row, keys // len(action_names)))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    pair = rank[pair]
    rows = np.argsort(pair, kind="stable")
    if "probability" in columns:
        probability = _column(columns["probability"], "probability")
    else:
        probability = 1.0 / np.bincount(pair)[pair]
    first = np.searchsorted(pair[rows], np.arange(len(order) + 1))
    start_given: Start = int(owner[0]) if start is None else start
    told = _labels(
        name,
        len(state_names),
        signals,
        budgets,
        start_given,
        state_names,
        [action_names[key % len(action_names)] for key in keys[order]],
        labels,
        normalise,
    )
    ordered = [values[rows] for values in signals.values()]
    owners = keys[order] // len(action_names)
    try:
        core = _core.Model.from_rows(
            len(state_names), _ints(owners), _ints(first), _ints(next_state[rows]), probability[rows], ordered, told
        )
    except _core.Error as error:
        hint = "; normalise=True divides rows that are off by rounding by their sums" if "sum" in str(error) and not normalise else ""
        raise _core.Error(f"{error}{hint}") from None
    return Model(core)


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
    owner, action = _ints(np.asarray(s_indices)), _ints(np.asarray(a_indices))
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
    given = {"reward": _numbers(R, "R")}
    given.update((cost, _numbers(table, f"cost {cost}")) for cost, table in (costs or {}).items())
    n_pairs = len(first) - 1
    for what, values in [("s_indices", owner), ("a_indices", action), *given.items()]:
        if values.shape != (n_pairs,):
            raise _core.Error(f"{what} has the shape {values.shape}, expected ({n_pairs},): one for every row of Q")
    entry = np.repeat(np.arange(n_pairs), np.diff(first))
    told = _labels(name, n_states, given, budgets, start, states, [str(one) for one in action], None, normalise)
    signals = [values[entry] for values in given.values()]
    core = _core.Model.from_rows(n_states, owner, _ints(first), _ints(next_state), probability, signals, told)
    return Model(core)


def from_gym(
    env: Any,
    on_end: str,
    costs: Mapping[str, ArrayLike | Callable[[int, int, int], float]] | None,
    budgets: Budgets | None,
    name: str | None,
) -> Model:
    if on_end not in ("restart", "absorb"):
        raise _core.Error(f"on_end is {on_end!r}, expected 'restart' or 'absorb'")
    inner = env.unwrapped
    table = getattr(inner, "P", None)
    if table is None:
        raise _core.Error(f"{env} has no table of transitions `P`; Agent.for_env learns in environments without one")
    weights = getattr(inner, "initial_state_distrib", None)
    n_states, n_actions = len(table), max(len(of) for of in table.values())
    starts = np.asarray(weights, dtype=np.float64) if weights is not None else np.eye(n_states)[int(env.reset()[0])]
    begins = [(int(state), float(starts[state])) for state in np.nonzero(starts)[0]]
    functions = {cost: _signal(cost, of, n_states, n_actions) for cost, of in (costs or {}).items()}
    ends = {outcome[1] for of in table.values() for row in of.values() for outcome in row if outcome[3]}
    owner: list[int] = []
    first, next_state, probability = [0], [], []
    signals: list[list[float]] = [[] for _ in range(1 + len(functions))]
    action_names = []
    for state, of in table.items():
        for action, row in of.items():
            # Gymnasium's tables let a final state lead to itself.
            is_final = on_end == "absorb" and state in ends and all(outcome[1] == state for outcome in row)
            for weight, following, reward, ended in row:
                brought = [0.0 if is_final else float(reward)]
                brought += [0.0 if is_final else of(state, action, following) for of in functions.values()]
                places = begins if ended and on_end == "restart" else [(following, 1.0)]
                for place, share in places:
                    next_state.append(place)
                    probability.append(weight * share)
                    for values, value in zip(signals, brought, strict=True):
                        values.append(value)
            owner.append(state)
            first.append(len(next_state))
            action_names.append(str(action))
    named = {"reward": np.zeros(0), **dict.fromkeys(functions, np.zeros(0))}
    title = name if name is not None else (env.spec.id if getattr(env, "spec", None) else type(inner).__name__)
    told = _labels(title, n_states, named, budgets, dict(begins), None, action_names, None, True)
    arrays = [np.asarray(values, dtype=np.float64) for values in signals]
    core = _core.Model.from_rows(
        n_states, _ints(owner), _ints(first), _ints(next_state), np.asarray(probability, dtype=np.float64), arrays, told
    )
    return Model(core)


def _signal(
    cost: str, given: ArrayLike | Callable[[int, int, int], float], n_states: int, n_actions: int
) -> Callable[[int, int, int], float]:
    if callable(given):
        function = given
        return lambda state, action, following: float(function(state, action, following))
    table = _by_pair(_numbers(given, f"cost {cost}"), f"cost {cost}", n_states, n_actions)
    return lambda state, action, following: float(table[state, action])


def _numbers(values: Any, what: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise _core.Error(f"{what} is not an array of numbers") from None


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
    given: dict[str, float | AtLeast] = dict(budgets or {})
    for cost in given:
        if cost not in costs:
            known = ", ".join(costs) if costs else "there are none"
            raise _core.Error(f"a budget is given for {cost!r}, which is no cost; known: {known}")
    bounds = [_bound(given.get(cost, math.inf)) for cost in costs]
    names = _checked_names(states, n_states, "states")
    places = {} if names is None else {state: place for place, state in enumerate(names)}

    def number(state: Any) -> int:
        if isinstance(state, str) or (names is not None and str(state) in places and not isinstance(state, (int, np.integer))):
            if str(state) not in places:
                raise _core.Error(f"there is no state {state!r}")
            return places[str(state)]
        return int(state)

    marked = [(label, number(state)) for label, of in (labels or {}).items() for state in of]
    return Labels(
        name,
        _start(start, n_states, number),
        costs,
        [value for value, _ in bounds],
        [lower for _, lower in bounds],
        names,
        action_names,
        marked,
        normalise,
    )


def _start(start: Start, n_states: int, number: Callable[[Any], int]) -> list[tuple[int, float]]:
    if start is None:
        return [(0, 1.0)]
    if isinstance(start, (int, str, np.integer)):
        return [(number(start), 1.0)]
    if isinstance(start, Mapping):
        return [(number(state), float(weight)) for state, weight in start.items()]
    weights = _numbers(start, "start")
    if weights.shape != (n_states,):
        raise _core.Error(f"start has the shape {weights.shape}, expected ({n_states},): a probability for every state")
    return [(int(state), float(weights[state])) for state in np.nonzero(weights)[0]]


def _columns(table: Any) -> dict[str, NDArray[Any]]:
    """The columns of a DataFrame of pandas or polars, of a table of pyarrow, or of a dictionary."""
    if isinstance(table, Mapping):
        columns = {str(key): np.asarray(values) for key, values in table.items()}
    elif hasattr(table, "to_pydict"):
        columns = {str(key): np.asarray(values) for key, values in table.to_pydict().items()}
    elif hasattr(table, "columns") and hasattr(table, "__getitem__"):
        columns = {str(key): np.asarray(table[key].to_numpy()) for key in table.columns}
    else:
        raise _core.Error(f"a table is a DataFrame, a table of pyarrow or a dictionary of columns, not {type(table).__name__}")
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise _core.Error("the columns of the table differ in length")
    return columns


def _column(values: NDArray[Any], what: str) -> Floats:
    """A column of numbers; an error names the row."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        for row, value in enumerate(values):
            try:
                float(value)
            except (TypeError, ValueError):
                shown = value.item() if isinstance(value, np.generic) else value
                raise _core.Error(f"row {row} has {shown!r} in the column {what!r}, expected a number") from None
        raise
    missing = np.isnan(numbers)
    if missing.any():
        raise _core.Error(f"row {int(np.argmax(missing))} has no number in the column {what!r}")
    return np.ascontiguousarray(numbers)


def _numbered(*columns: NDArray[Any]) -> tuple[list[str], Ints]:
    """Distinct values as names in the order in which they are met, whole numbers in their order, and the number of each."""
    joined = np.concatenate([np.asarray(column) for column in columns])
    if joined.dtype.kind in "iu":
        values, numbers = np.unique(joined, return_inverse=True)
        return [str(value) for value in values], _ints(numbers)
    texts = [_name(value) for value in joined.tolist()]
    places: dict[str, int] = {}
    numbers = np.fromiter((places.setdefault(text, len(places)) for text in texts), dtype=np.int64, count=len(texts))
    return list(places), numbers


def _name(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
