"""Every way to make a model makes the same model, and what is wrong is named."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import occupancy as oc


def drawn(seed: int = 3, states: int = 7, actions: int = 3) -> tuple[Any, Any, Any]:
    """Random transitions, most of them 0, with a reward and a cost."""
    rng = np.random.default_rng(seed)
    P = rng.random((actions, states, states)) * (rng.random((actions, states, states)) < 0.4)
    P[:, :, 0] += 0.1
    P /= P.sum(axis=2, keepdims=True)
    return P, rng.random((states, actions)), rng.random((states, actions))


def test_every_source_makes_the_same_model(tmp_path: Path) -> None:
    P, R, C = drawn()
    model = oc.Model.from_arrays(P, R, {"c": C}, {"c": 0.4}, start=2)
    sparse = oc.Model.from_sparse([sp.csr_matrix(one) for one in P], R, {"c": C}, {"c": 0.4}, start=2)
    assert sparse == model
    state, action = np.repeat(np.arange(7), 3), np.tile(np.arange(3), 7)
    rows = P[action, state]
    for Q in (rows, sp.csr_matrix(rows)):
        pairs = oc.Model.from_pairs(R.reshape(-1), Q, state, action, {"c": C.reshape(-1)}, {"c": 0.4}, start=2)
        assert pairs == model
    a, s, following = np.nonzero(P)
    table = {"state": s, "action": a, "next": following, "probability": P[a, s, following], "reward": R[s, a], "c": C[s, a]}
    for made in (table, pd.DataFrame(table), pl.DataFrame(table), pa.table(table)):
        assert oc.Model.from_table(made, {"c": 0.4}, start=2) == model
    for ending in ("cmdp", "drn", "csv", "cmdp.gz"):
        path = tmp_path / f"model.{ending}"
        model.write(path)
        back = oc.Model.read(path, budgets={"c": 0.4})
        # Texts divide rows by their sums again, which may move the last bit.
        assert np.allclose(back.to_arrays()[0], P, rtol=0, atol=1e-15), ending
        assert abs(oc.solve(back).gain - oc.solve(model).gain) < 1e-12, ending


def test_a_dense_model_is_the_same_by_rows_and_by_array() -> None:
    rng = np.random.default_rng(1)
    P = rng.dirichlet(np.ones(20), size=(4, 20))
    R = rng.random((20, 4))
    dense = oc.Model.from_arrays(P, R)
    sparse = oc.Model.from_sparse([sp.csr_matrix(one) for one in P], R)
    assert dense.fingerprint == sparse.fingerprint
    assert np.array_equal(dense.to_arrays()[1], R)


def test_signals_by_successor_and_by_state() -> None:
    P, R, C = drawn()
    by_successor = np.broadcast_to(R.T[:, :, None], P.shape)
    assert oc.Model.from_arrays(P, by_successor, {"c": C}) == oc.Model.from_arrays(P, R, {"c": C})
    by_state = oc.Model.from_arrays(P, R[:, 0])
    assert by_state == oc.Model.from_arrays(P, np.repeat(R[:, :1], 3, axis=1))
    moved = oc.Model.from_arrays(P, np.broadcast_to(np.arange(7.0), P.shape))
    assert np.allclose(moved.reward, (P @ np.arange(7.0)).T)


def test_masked_actions_do_not_exist() -> None:
    P, R, _ = drawn()
    mask = np.ones((7, 3), dtype=bool)
    mask[4, 0] = mask[5, 1] = mask[0, :2] = False
    P[0, 4] = np.nan
    model = oc.Model.from_arrays(P, R, mask=mask)
    assert model.actions == ("0", "1", "2") and model.n_pairs == mask.sum()
    assert np.array_equal(model.shape.mask, mask) and np.array_equal(np.isnan(model.reward), ~mask)
    table = oc.solve(model).policy.table()
    assert np.array_equal(np.isnan(table), ~mask) and np.allclose(np.nansum(table, axis=1), 1)


def test_a_log_becomes_the_model_of_what_was_seen() -> None:
    log = pd.DataFrame(
        {"state": ["a", "a", "a", "b"], "action": ["x", "x", "y", "x"], "next": ["a", "b", "b", "a"], "reward": [0.0, 2.0, 1.0, 0.0]}
    )
    model = oc.Model.from_table(log)
    assert (model.states, model.actions) == (("a", "b"), ("x", "y"))
    assert np.array_equal(model.reward, [[1.0, 1.0], [0.0, np.nan]], equal_nan=True)
    back = model.to_pandas()
    assert back[["state", "action", "next", "probability"]].values.tolist() == [
        ["a", "x", "a", 0.5],
        ["a", "x", "b", 0.5],
        ["a", "y", "b", 1.0],
        ["b", "x", "a", 1.0],
    ]


def test_single_precision_needs_to_be_asked_for() -> None:
    P = np.array([[[1 / 3, 1 / 3, 1 / 3]] * 3], dtype=np.float32)
    R = np.zeros((3, 1), dtype=np.float32)
    with pytest.raises(oc.Error, match=r"state 0, action 0\) sums to 1\.0000000\d+, expected 1 within 1e-9"):
        oc.Model.from_arrays(P, R)
    assert oc.Model.from_arrays(P, R, normalise=True).n_transitions == 9


@pytest.mark.parametrize("on_end", ["restart", "absorb"])
def test_gymnasium_tables(on_end: str) -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False, max_episode_steps=100)
    model = oc.Model.from_gym(env, on_end=on_end, costs={"moves": lambda s, a, t: 1.0}, budgets={"moves": 100})
    assert model.n_states == 16 and model.name == "FrozenLake-v1"
    if on_end == "restart":
        # The shortest way has six moves, of which the last is rewarded.
        assert abs(oc.solve(model).gain - 1 / 6) < 1e-12
    else:
        plan = oc.solve(model, until=[5, 7, 11, 12, 15])
        assert abs(plan.gain - 1) < 1e-12 and plan.costs["moves"] >= 6 - 1e-12
    with pytest.raises(oc.Error, match="on_end is 'x', expected 'restart' or 'absorb'"):
        oc.Model.from_gym(env, on_end="x")


def test_errors_name_state_action_and_number() -> None:
    P, R, C = drawn()
    wrong = P.copy()
    wrong[1, 4] *= 0.5
    with pytest.raises(oc.Error, match=r"transition row \(state four, action right\) sums to 0\.(5|4999)"):
        oc.Model.from_arrays(wrong, R, states=["zero", "one", "two", "three", "four", "five", "six"], actions=["left", "right", "stay"])
    wrong = P.copy()
    wrong[2, 3, 1] = -0.25
    with pytest.raises(oc.Error, match=r"state 3, action 2\) gives state 1 the probability -0\.25"):
        oc.Model.from_arrays(wrong, R)
    with pytest.raises(oc.Error, match=r"R has the shape \(3,\)|reward has the shape \(3,\)"):
        oc.Model.from_arrays(P, R[0])
    with pytest.raises(oc.Error, match="reward of state 2, action 1 is NaN|reward .*state 2.*action 1"):
        oc.Model.from_arrays(P, np.where(np.arange(21).reshape(7, 3) == 7, np.nan, R))
    with pytest.raises(oc.Error, match="a budget is given for 'd', which is no cost; known: c"):
        oc.Model.from_arrays(P, R, {"c": C}, {"d": 1})
    with pytest.raises(oc.Error, match="there is no state 'nowhere'"):
        oc.Model.from_arrays(P, R, start="nowhere")
    with pytest.raises(oc.Error, match="row 1 has 'many' in the column 'probability', expected a number"):
        oc.Model.from_table({"state": [0, 1], "action": [0, 0], "next": [1, 0], "probability": [1, "many"], "reward": [0, 0]})
    with pytest.raises(oc.Error, match="the table has no column 'next'"):
        oc.Model.from_table({"state": [0], "action": [0]})
    with pytest.raises(oc.Error, match="unknown environment 'marsrover-44', did you mean 'marsrover-4x4'"):
        oc.env("marsrover-44")
    with pytest.raises(FileNotFoundError):
        oc.Model.read("there-is-no.cmdp")


def test_lower_bounds_keep_their_sign() -> None:
    P, R, C = drawn()
    model = oc.Model.from_arrays(P, R, {"served": C}, {"served": oc.at_least(0.6)})
    assert model.budgets == {"served": oc.at_least(0.6)} and np.array_equal(model.cost("served"), C)
    plan = oc.solve(model)
    assert plan.feasible and plan.costs["served"] >= 0.6 - 1e-9 and plan.prices["served"] >= 0
    assert oc.evaluate(model, plan).within_budgets


def test_options_of_environments() -> None:
    assert oc.env("marsrover-4x4", slip=0.1).fingerprint != oc.env("marsrover-4x4").fingerprint
    with pytest.raises(oc.Error, match="slp"):
        oc.env("marsrover-4x4", slp=0.1)
    assert oc.env("marsrover-4x4", budgets={"risk": 0.1}).budgets == {"risk": 0.1}
    assert oc.env("media").horizon is not None


def test_arrays_outlive_their_model_and_cannot_be_written_to() -> None:
    plan = oc.solve("marsrover-4x4")
    occupancy, table = plan.occupancy, plan.policy.probabilities
    before = occupancy.copy()
    del plan
    gc.collect()
    np.zeros(100_000)
    assert np.array_equal(occupancy, before)
    for array in (occupancy, table, oc.env("marsrover-4x4").reward, oc.Policy.uniform(oc.env("queue")).probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
