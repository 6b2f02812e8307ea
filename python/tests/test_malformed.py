"""Whatever is given, there is a model or an error of ours: no panic, no crash."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis.extra import numpy as hnp

import occupancy as oc

NUMBERS = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, -1.0, 2.0, np.nan, np.inf, -np.inf, 1e-320, 1e308]))
SMALL = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def accepted(make: Any, *args: Any, **more: Any) -> bool:
    try:
        model = make(*args, **more)
    except (oc.Error, TypeError, OverflowError) as error:
        assert str(error)
        return False
    assert isinstance(model, oc.Model) and model.n_states > 0
    return True


@SMALL
@given(st.data())
def test_arrays(data: st.DataObject) -> None:
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=4, max_side=3))
    P = data.draw(hnp.arrays(np.float64, shape, elements=NUMBERS))
    R = data.draw(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=3), elements=NUMBERS))
    start = data.draw(st.one_of(st.integers(-2, 4), st.dictionaries(st.integers(-1, 4), NUMBERS, max_size=3)))
    normalise = data.draw(st.booleans())
    accepted(oc.Model.from_arrays, P, R, {"c": R}, {"c": data.draw(NUMBERS)}, start, normalise=normalise)


@SMALL
@given(st.data())
def test_tables(data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 6))
    values = st.one_of(st.integers(-1, 3), st.text(max_size=3), NUMBERS, st.none())
    columns = data.draw(st.sets(st.sampled_from(["state", "action", "next", "probability", "reward", "c", "d\x1b"]), max_size=7))
    table = {column: data.draw(st.lists(values, min_size=n, max_size=n)) for column in columns}
    accepted(oc.Model.from_table, table, normalise=data.draw(st.booleans()))


@SMALL
@given(st.data())
def test_good_tables_with_one_wrong_number(data: st.DataObject) -> None:
    table: dict[str, list[Any]] = {
        "state": [0, 0, 1],
        "action": [0, 0, 0],
        "next": [0, 1, 0],
        "probability": [0.25, 0.75, 1.0],
        "reward": [0.0, 1.0, 2.0],
    }
    assert accepted(oc.Model.from_table, table)
    column = data.draw(st.sampled_from(sorted(table)))
    row = data.draw(st.integers(0, 2))
    table[column][row] = data.draw(st.one_of(NUMBERS, st.text(max_size=2), st.integers(-5, 5)))
    accepted(oc.Model.from_table, table)


@SMALL
@given(st.binary(max_size=200))
def test_bytes(data: bytes) -> None:
    from occupancy import _core

    for given_bytes in (data, oc.env("two-state")._core.to_bytes()[: len(data)] + data):
        try:
            _core.Model.from_bytes(given_bytes, "x", None, None)
        except oc.Error as error:
            assert "no model" in str(error)


@SMALL
@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=5), elements=NUMBERS))
def test_policies(table: Any) -> None:
    model = oc.env("two-state")
    try:
        policy = oc.Policy(model, table)
    except oc.Error:
        return
    assert oc.evaluate(model, policy, horizon=policy.stages if policy.stages > 1 else None).gain == oc.evaluate(
        model, policy, horizon=policy.stages if policy.stages > 1 else None
    ).gain
