"""Every reference question has the same answer from Python and from the command line, to the last bit, and the right one."""

from __future__ import annotations

import json
import math
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import occupancy as oc

REFERENCE = Path(__file__).resolve().parents[2] / "crates" / "occupancy" / "tests" / "reference"
QUESTIONS: dict[str, dict[str, Any]] = json.loads((REFERENCE / "expected.json").read_text())


@pytest.fixture(scope="module")
def answers(program: str) -> dict[str, dict[str, Any]]:
    """The answers of the command line."""

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        command = [program, "solve", str(REFERENCE / "models" / question["model"]), "--json", "--reward", "r"]
        for cost, budget in question["budgets"].items():
            command += ["--cost", f"{cost}={'inf' if budget is None else repr(budget)}"]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        answer: dict[str, Any] = json.loads(found.stdout)
        return answer

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(QUESTIONS, pool.map(ask, QUESTIONS.values()), strict=True))


@pytest.mark.filterwarnings("ignore::occupancy.QuestionWarning")
def test_all_reference_questions_have_the_same_bits(answers: dict[str, dict[str, Any]]) -> None:
    assert len(QUESTIONS) > 100
    for name, question in QUESTIONS.items():
        budgets = {cost: math.inf if budget is None else budget for cost, budget in question["budgets"].items()}
        model = oc.Model.read(REFERENCE / "models" / question["model"], reward="r", budgets=budgets)
        plan, said = oc.solve(model), answers[name]
        assert model.fingerprint == said["model_hash"], name
        assert plan.feasible == (question["start"] is not None), name
        if not plan.feasible:
            assert list(plan.least_costs.values()) == said["least_costs"], name
            continue
        assert (plan.gain, plan.gap) == (said["gain"], said["gap"]), name
        assert list(plan.costs.values()) == said["costs"], name
        assert list(plan.prices.values()) == said["prices"], name
        assert plan.occupancy.tolist() == said["occupancy"], name
        for policy, weight, part in zip(plan.policies, plan.weights, said["policies"], strict=True):
            assert weight == part["weight"], name
            assert policy.probabilities.tolist() == [p for row in part["rows"] for p in row], name
        scale = max(1.0, float(np.nanmax(np.abs(model.reward))))
        assert abs(plan.gain - question["start"]) <= 1e-6 * scale + plan.gap, name


@pytest.mark.parametrize("criterion", [{"discount": 0.95}, {"horizon": 12}])
def test_sums_have_the_same_bits_and_verify(program: str, criterion: dict[str, Any]) -> None:
    for source in ("marsrover-4x4", "river-swim", "queue"):
        key, value = next(iter(criterion.items()))
        command = [program, "solve", source, "--json", f"--{key}", str(value)]
        said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        plan = oc.solve(source, **criterion)
        if not plan.feasible:
            assert said["verdict"] == "infeasible"
            continue
        assert (plan.gain, plan.gap, plan.criterion) == (said["gain"], said["gap"], said["criterion"])
        proof = oc.verify(source, plan)
        assert proof.gain_at_least <= plan.gain and proof.optimum_at_most <= plan.gain + plan.gap
