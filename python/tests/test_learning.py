"""Learners that come along, and learners of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import occupancy as oc

ROVER = oc.env("marsrover-4x4")


def test_a_run_is_the_same_again_and_another_with_another_seed() -> None:
    runs = [oc.learn(ROVER, "psrl-transitions", rounds=3000, seed=seed) for seed in (7, 7, 8)]
    rewards = [run.curves.reward for run in runs]
    assert np.array_equal(rewards[0], rewards[1]) and not np.array_equal(rewards[0], rewards[2])
    assert runs[0].policy == runs[1].policy and runs[0].settings == runs[1].settings


def test_curves_add_up() -> None:
    run = oc.learn(ROVER, "cucrl-optimistic", rounds=5000, seed=1)
    curves = run.curves
    frame = curves.to_pandas()
    assert list(frame.columns) == ["step", "reward", "risk", "average_reward", "average_risk", "regret", "violation_risk", "epochs"]
    best = run.levels["optimal"]
    assert best is not None and abs(best.gain + 0.775) < 1e-9
    assert np.allclose(curves.regret, best.gain * curves.step - curves.reward)
    assert np.allclose(curves.violation("risk"), curves.costs["risk"] - 0.2 * curves.step)
    moving = curves.moving(curves.reward)
    assert np.isclose(moving[-1], (curves.reward[-1] - curves.reward[curves.step == 5000 - curves.window][0]) / curves.window)
    assert run.value_regret is not None and run.snapshots[-1].policy.table().shape == (16, 4)


def test_episodes() -> None:
    run = oc.learn(ROVER, "psrl", episodes=50, horizon=12, seed=2)
    assert run.curves.step[-1] == 600 and run.policy.stages == 12
    assert oc.evaluate(ROVER, run.policy, horizon=12).gain <= 0
    with pytest.raises(oc.Error, match="psrl learns in episodes"):
        oc.learn(ROVER, "psrl", rounds=100)
    with pytest.raises(oc.Error, match="episodes need a horizon"):
        oc.learn(ROVER, "psrl-transitions", episodes=5)


def test_options_are_checked() -> None:
    assert oc.learn(ROVER, "psrl-transitions", rounds=100, epochs="tsde").settings["epochs"] == "tsde"
    with pytest.raises(oc.Error, match="epoks"):
        oc.learn(ROVER, "psrl-transitions", rounds=100, epoks="tsde")
    with pytest.raises(oc.Error, match="psrl-transition"):
        oc.learn(ROVER, "psrl-transition", rounds=100)


class Uniform(oc.Learner):
    """Every action alike."""

    name = "uniform"

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        return oc.Epoch(oc.Policy.uniform(self.task), oc.Forever())


class Oracle(oc.Learner):
    """The optimal policy of the true model."""

    name = "oracle"

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        return oc.Epoch(oc.Policy(self.task, oc.solve(ROVER, certify=True).policy.probabilities), oc.Forever())


EXPERIMENT = """
rounds = 4000
runs = 3
seed = 9
[env]
name = "marsrover-4x4"
[[learner]]
name = "uniform"
[[learner]]
name = "oracle"
"""


def trials(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.glob("*/trials/**/*.csv"))}


def test_learners_of_python_leave_the_bytes_of_rust(tmp_path: Path) -> None:
    oc.Experiment.parse(EXPERIMENT, name="same").run(tmp_path / "rust")
    oc.Experiment.parse(EXPERIMENT, name="same", learners=[Uniform, Oracle]).run(tmp_path / "python")
    rust, python = trials(tmp_path / "rust"), trials(tmp_path / "python")
    assert len(rust) == 6 and rust == python


class Asking(oc.Learner):
    """Looks at everything that it is told."""

    explore: float = 0.25
    tries: int = 3
    careful: bool = True

    def begin(self) -> None:
        self.asked: list[Any] = []
        self.planner = oc.Planner()

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        counts = now.counts
        pair, following, count = counts.transitions
        assert count.sum() == now.step == counts.visits.sum()
        assert np.isclose(counts.sums(0).sum(), sum(one[1] for one in self.asked) + (now.last_sums[0] if now.last_sums else 0))
        if now.last_sums:
            self.asked.append((now.step, now.last_sums[0]))
        model = counts.model()
        assert model.n_pairs == self.task.n_pairs and model.budgets == {"risk": 0.2}
        plan = self.planner.solve(model)
        if self.rng.random() < self.explore:
            return oc.Epoch(oc.Policy.uniform(self.task), oc.Steps(self.tries))
        return oc.Epoch(plan.policies[0], oc.Doubling(), plan)


def test_a_learner_of_ones_own_sees_what_happened() -> None:
    runs = [oc.learn(ROVER, Asking, rounds=2000, seed=3) for _ in range(2)]
    assert np.array_equal(runs[0].curves.reward, runs[1].curves.reward)
    assert runs[0].learner == "asking" and runs[0].settings["tries"] == "3"
    other = oc.learn(ROVER, Asking, rounds=2000, seed=3, explore=0.9)
    assert other.settings["explore"] == "0.9" and other.curves.epochs[-1] > runs[0].curves.epochs[-1]


def test_what_a_learner_raises_is_raised() -> None:
    class Broken(oc.Learner):
        def next_epoch(self, now: oc.Now) -> oc.Epoch:
            raise ZeroDivisionError("in step 0")

    class Odd(oc.Learner):
        def next_epoch(self, now: oc.Now) -> oc.Epoch:
            return 3  # type: ignore[return-value]

    with pytest.raises(ZeroDivisionError, match="in step 0"):
        oc.learn(ROVER, Broken, rounds=10)
    with pytest.raises(TypeError, match="returned 3, expected an Epoch"):
        oc.learn(ROVER, Odd, rounds=10)
    with pytest.raises(oc.Error, match="is no learner"):
        oc.learn(ROVER, int, rounds=10)  # type: ignore[arg-type]


def test_every_learner_is_listed() -> None:
    listed = {one.name: one for one in oc.learners()}
    assert len(listed) >= 29 and listed["optcmdp"].episodic and not listed["ucrl2"].episodic
