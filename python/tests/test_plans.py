"""Answers: what they hold, in which units, and that they can be proved."""

from __future__ import annotations

import math
import pickle
import copy
from pathlib import Path

import numpy as np
import pytest

import occupancy as oc

ROVER = oc.env("marsrover-4x4")
COMMIT = """
cost risk <= 0.5
state choose
  safe -> quiet
  bold -> loud
state quiet
  stay -> quiet
state loud
  stay reward 1 risk 1 -> loud
"""


def commit(tmp_path: Path) -> oc.Model:
    """Once and for all: only a draw at the start attains the optimum."""
    path = tmp_path / "commit.cmdp"
    path.write_text(COMMIT)
    return oc.Model.read(path)


def test_infeasible_is_an_answer() -> None:
    plan = oc.solve(ROVER, budgets={"risk": -0.5})
    assert not plan.feasible and not plan.optimal and math.isnan(plan.gain)
    assert plan.least_costs == {"risk": 0.0} and plan.violation > 0
    assert plan.policy.table().shape == (16, 4)
    assert not oc.verify(ROVER, plan).feasible
    assert "no policy meets the budgets" in repr(plan)


def test_several_policies_are_several_policies(tmp_path: Path) -> None:
    plan = oc.solve(commit(tmp_path).with_budgets(risk=0.25))
    if len(plan.policies) == 1:
        assert abs(plan.gain - 0.25) < 1e-12
    two = oc.solve(oc.Model.read(Path(__file__).parents[2] / "crates/occupancy/tests/reference/models/earn-and-spend.drn", reward="r", budgets={"c0": 0.5}))
    for found in (plan, two):
        assert abs(found.weights.sum() - 1) < 1e-12
        if len(found.policies) > 1:
            with pytest.raises(oc.Error, match="one of which is drawn at the start"):
                _ = found.policy


def test_a_plan_of_two_policies_has_no_single_one() -> None:
    models = Path(__file__).parents[2] / "crates/occupancy/tests/reference/models"
    found = []
    for path in sorted(models.glob("*.drn")):
        text = path.read_text()
        if " c0" not in text:
            continue
        plan = oc.solve(oc.Model.read(path, reward="r", budgets={"c0": 0.3}), certify=False)
        if len(plan.policies) > 1:
            found.append(plan)
            with pytest.raises(oc.Error, match="use .policies and .weights"):
                _ = plan.policy
            assert {"policy", "state", "action", "probability"} <= set(plan.to_pandas().columns)
    assert found


def test_criteria_and_their_units() -> None:
    average = oc.solve(ROVER)
    assert average.criterion == "average" and abs(average.occupancy.sum() - 1) < 1e-12
    discounted = oc.solve(ROVER, discount=0.9)
    assert abs(discounted.occupancy.sum() - 10) < 1e-9
    episodes = oc.solve(ROVER, horizon=20)
    assert episodes.occupancy.shape == (20, 64) and abs(episodes.occupancy.sum() - 20) < 1e-9
    assert episodes.policy.stages == 20 and episodes.policy.table(3).shape == (16, 4)
    assert set(episodes.policy.to_pandas().columns) == {"stage", "state", "action", "probability"}
    frozen = {"state": ["a", "a", "b"], "action": ["go", "wait", "rest"], "next": ["b", "a", "b"], "reward": [-3.0, -1.0, 0.0]}
    total = oc.solve(oc.Model.from_table(frozen), until="b")
    assert abs(total.gain + 3) < 1e-12 and total.criterion == "until"
    for plan in (average, discounted, episodes):
        proof = oc.verify(ROVER, plan)
        assert proof.gain_at_least <= plan.gain and proof.optimum_at_most <= plan.gain + plan.gap
    with pytest.raises(oc.Error, match="give one of discount, horizon and until"):
        oc.solve(ROVER, discount=0.9, horizon=3)


def test_evaluating_the_plan_gives_its_gain() -> None:
    for criterion in ({}, {"discount": 0.95}, {"horizon": 15}):
        plan = oc.solve(ROVER, **criterion)  # type: ignore[arg-type]
        found = oc.evaluate(ROVER, plan, **criterion)  # type: ignore[arg-type]
        assert abs(found.gain - plan.gain) < 1e-9 and abs(found.costs["risk"] - plan.costs["risk"]) < 1e-9
        assert np.allclose(found.occupancy, plan.occupancy, atol=1e-9)


def test_without_lotteries() -> None:
    plan = oc.solve(ROVER, deterministic=True)
    assert set(np.unique(plan.policy.probabilities)) <= {0.0, 1.0}
    assert plan.gap_deterministic is not None and plan.gain <= -0.775 + 1e-12


def test_a_warm_planner_finds_the_same(tmp_path: Path) -> None:
    planner = oc.Planner()
    for budget in np.linspace(0.05, 0.3, 6):
        model = ROVER.with_budgets(risk=budget)
        assert abs(planner.solve(model).gain - oc.solve(model).gain) < 1e-9
    assert planner.solve(ROVER, horizon=5, certify=True).optimal


def test_the_frontier_is_a_line_between_corners() -> None:
    found = oc.frontier(ROVER)
    assert math.isnan(found.at(-0.1)) and found.at(9) == found.gains[-1]
    for budget in (0.05, 0.13, 0.2):
        assert abs(found.at(budget) - oc.solve(ROVER, budgets={"risk": budget}).gain) < 1e-9
    assert list(found.to_pandas().columns) == ["budget", "gain", "price", "gap"]
    assert found.svg().startswith("<svg")
    with pytest.raises(oc.Error, match="unknown cost 'rsk'; known: risk"):
        oc.frontier(ROVER, "rsk")


def test_doubtful_questions_are_warned_of() -> None:
    table = {"state": ["a", "end"], "action": ["go", "stay"], "next": ["end", "end"], "reward": [1.0, 0.0]}
    with pytest.warns(oc.QuestionWarning):
        assert oc.solve(oc.Model.from_table(table)).gain == 0


def test_pickles_and_copies_keep_every_bit() -> None:
    for model in (ROVER, oc.env("media"), oc.env("garnet", states=30), oc.env("box")):
        back = pickle.loads(pickle.dumps(model))
        assert back == model and back.name == model.name and back.horizon == model.horizon
        assert back._core.picture == model._core.picture
        again = copy.deepcopy(model)
        assert oc.solve(back, certify=False).gain == oc.solve(again, certify=False).gain == oc.solve(model, certify=False).gain
    plan = oc.solve(ROVER)
    back = pickle.loads(pickle.dumps(plan))
    assert (back.gain, back.gap, back.prices) == (plan.gain, plan.gap, plan.prices)
    assert back.policy == plan.policy and np.array_equal(back.occupancy, plan.occupancy)
    assert oc.verify(ROVER, back) == oc.verify(ROVER, plan)
    with pytest.raises(ValueError, match="read-only"):
        back.occupancy[0] = 1


def test_a_changed_answer_is_not_proved() -> None:
    plan = pickle.loads(pickle.dumps(oc.solve(ROVER)))
    plan._answer["gain"] += 0.01
    with pytest.raises(oc.Error, match="not proved"):
        oc.verify(ROVER, plan)
    with pytest.raises(oc.Error, match="about another model"):
        oc.verify(oc.env("marsrover-4x4", slip=0.1), oc.solve(ROVER))
    with pytest.raises(oc.Error, match="was not certified"):
        oc.verify(ROVER, oc.solve(ROVER, certify=False))


def test_notebooks_get_tables_and_drawings() -> None:
    assert "<svg" in oc.solve(ROVER)._repr_html_()
    html = oc.solve("queue")._repr_html_()
    assert "<table>" in html and "share of time" in html
    assert "<svg" in oc.frontier(ROVER)._repr_html_()


def test_policies_of_your_own() -> None:
    up = oc.Policy.deterministic(ROVER, [0] * 16)
    assert np.array_equal(np.nan_to_num(up.table()).argmax(axis=1), np.zeros(16))
    named = oc.Policy.deterministic(ROVER, dict.fromkeys(ROVER.states, ROVER.actions[0]))
    assert named == up
    with pytest.raises(oc.Error, match="sum to 0.5"):
        oc.Policy(ROVER, up.table() * 0.5)
    with pytest.raises(oc.Error, match="has no action 'jump'"):
        oc.Policy.deterministic(ROVER, {ROVER.states[0]: "jump"})


def test_a_policy_table_is_read_by_the_command_line(tmp_path: Path, program: str) -> None:
    import json
    import subprocess

    path = tmp_path / "policy.csv"
    oc.solve(ROVER).policy.to_csv(str(path))
    said = json.loads(subprocess.run([program, "evaluate", "marsrover-4x4", str(path), "--json"], capture_output=True, text=True, check=True).stdout)
    assert abs(said["gain"] + 0.775) < 1e-9
