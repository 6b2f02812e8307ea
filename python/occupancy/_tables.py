"""Models from tables of transitions: DataFrames of pandas and polars, tables of pyarrow, dictionaries of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._budgets import Budgets
from ._models import Model, Start
from ._shapes import Floats, Ints
from ._sources import _cost_name, _ints, _labels

COLUMNS = ("state", "action", "next", "probability", "reward")


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
    asked = [costs] if isinstance(costs, str) else costs
    cost_names = [key for key in columns if key not in COLUMNS] if asked is None else [_cost_name(cost) for cost in asked]
    signals = {}
    for what in ("reward", *cost_names):
        if what != "reward" and what not in columns:
            raise _core.Error(f"the table has no column {what!r} for the cost of that name")
        column = columns.get(what)
        try:
            signals[what] = np.zeros(n_rows) if column is None else _column(column, what)
        except _core.Error as error:
            hint = "; costs=[…] says which columns are costs; otherwise all others are" if costs is None and what not in COLUMNS else ""
            raise _core.Error(f"{error}{hint}") from None
    for needed in ("state", "action", "next"):
        _refuse_missing_names(columns[needed], needed)
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
    core = _core.Model.from_rows(
        len(state_names), _ints(owners), _ints(first), _ints(next_state[rows]), probability[rows], ordered, told
    )
    return Model(core)


def _columns(table: Any) -> dict[str, NDArray[Any]]:
    """The columns of a DataFrame of pandas or polars, of a table of pyarrow, or of a dictionary."""
    if isinstance(table, Mapping):
        columns = {str(key): _listed(values) for key, values in table.items()}
    elif hasattr(table, "to_pydict"):
        columns = {str(key): _listed(values) for key, values in table.to_pydict().items()}
    elif hasattr(table, "columns") and hasattr(table, "__getitem__"):
        columns = {str(key): np.asarray(table[key].to_numpy()) for key in table.columns}
    else:
        hint = "; Model.read opens files" if isinstance(table, str) else ""
        kind = type(table).__name__
        raise _core.Error(f"a table is a DataFrame, a table of pyarrow or a dictionary of columns, not a {kind}{hint}")
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise _core.Error("the columns of the table differ in length")
    return columns


def _listed(values: Any) -> NDArray[Any]:
    """A list as an array; NumPy would make the text "nan" of a number that is missing among names."""
    column = np.asarray(values)
    is_mixed = column.dtype.kind == "U" and not all(isinstance(value, str) for value in values)
    return np.asarray(values, dtype=object) if is_mixed else column


def _column(values: NDArray[Any], what: str) -> Floats:
    """A column of numbers; an error names the row."""
    if values.dtype.kind in "mM":
        raise _core.Error(f"row 0 has the time {values[0]} in the column {what!r}, expected a number")
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


def _refuse_missing_names(values: NDArray[Any], what: str) -> None:
    """None, NaN and the like, which differ from themselves, are no names."""
    if values.dtype.kind in "iuUSb":
        return
    for row, value in enumerate(values.tolist()):
        if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
            raise _core.Error(f"row {row} has no name in the column {what!r}")


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
