"""Experiments from Python: the bytes of the command line, results as tables, reports."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import occupancy as oc

TEXT = """
title = "Two learners"
rounds = 2000
runs = 3
seed = 1
[env]
name = "marsrover-4x4"
[[learner]]
name = "psrl-transitions"
[[learner]]
name = "cucrl-optimistic"
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> oc.Results:
    return oc.Experiment.parse(TEXT, name="two").run(tmp_path_factory.mktemp("results"), jobs=2)[0]


def test_the_bytes_are_those_of_the_command_line(results: oc.Results, tmp_path: Path, program: str) -> None:
    file = tmp_path / "two.toml"
    file.write_text(TEXT)
    subprocess.run([program, "run", str(file), "--out", str(tmp_path / "out")], check=True, capture_output=True)
    own, other = results.folder, tmp_path / "out" / "two"
    names = sorted(path.relative_to(own) for path in own.glob("trials/**/*.csv"))
    assert len(names) == 6
    assert all((own / name).read_bytes() == (other / name).read_bytes() for name in names)
    assert (own / "curves.csv").read_bytes() == (other / "curves.csv").read_bytes()


def test_results_are_tables(results: oc.Results) -> None:
    frame = results.to_pandas()
    assert set(frame["learner"]) == {"psrl-transitions", "cucrl-optimistic"} and set(frame["run"]) == {0, 1, 2}
    one = results.curves("psrl-transitions", 1)
    rows = frame[(frame["learner"] == "psrl-transitions") & (frame["run"] == 1)]
    assert np.array_equal(rows["reward"], one.reward) and one.step[-1] == 2000
    same = oc.learn("marsrover-4x4", "psrl-transitions", rounds=2000, seed=1, run=1)
    assert np.array_equal(same.curves.reward, one.reward)
    summary = results.summary()
    assert {"learner", "quantity", "runs", "mean", "low", "high"} <= set(summary.columns)
    best = results.levels["optimal"]
    assert best is not None and abs(best.gain + 0.775) < 1e-9 and results.budgets == {"risk": 0.2}


def test_what_is_stored_is_not_run_again(results: oc.Results) -> None:
    before = {path: path.stat().st_mtime_ns for path in results.folder.glob("trials/**/*.csv")}
    oc.Experiment.parse(TEXT, name="two").run(results.folder.parent)
    assert {path: path.stat().st_mtime_ns for path in results.folder.glob("trials/**/*.csv")} == before
    with pytest.raises(oc.Error, match="seed"):
        oc.Experiment.parse(TEXT.replace("seed = 1", "seed = 2"), name="two").run(results.folder.parent)


class Drunk(oc.Learner):
    """Changes its mind every few steps."""

    mind: int = 5

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        chosen = self.rng.integers(4, size=self.task.n_states)
        return oc.Epoch(oc.Policy.deterministic(self.task, chosen), oc.Steps(self.mind))


OWN = TEXT.replace('name = "cucrl-optimistic"', 'name = "drunk"\nmind = [3, 9]')


def test_a_learner_of_ones_own_in_an_experiment_and_in_its_report(tmp_path: Path) -> None:
    experiment = oc.Experiment.parse(OWN, name="own", learners=[Drunk])
    assert len(experiment.labels) == 3
    first = experiment.run(tmp_path / "one", jobs=1)[0]
    again = experiment.run(tmp_path / "two", jobs=2)[0]
    for label in first.labels:
        for run in first.runs(label):
            assert np.array_equal(first.curves(label, run).reward, again.curves(label, run).reward)
    page = oc.report(tmp_path / "one", learners=[Drunk])
    assert page.exists() and "drunk" in page.read_text()
    assert any(key.endswith(".source") for key in experiment.settings[0])


def test_another_source_is_another_experiment() -> None:
    def hashed(kind: type[oc.Learner]) -> str:
        return oc.Experiment.parse(OWN, name="own", learners=[kind]).hashes[0]

    class Other(Drunk):
        name = "drunk"

        def begin(self) -> None:
            self.mind = 4

    Drunk.name = "drunk"
    assert hashed(Drunk) == hashed(Drunk) != hashed(Other)


def test_errors_of_files_name_the_line() -> None:
    with pytest.raises(oc.Error, match=r"bad\.toml: line 2|bad\.toml.*line"):
        oc.Experiment.parse("rounds = 5\nruns = 'many'\n", name="bad")
    with pytest.raises(oc.Error, match="drunk"):
        oc.Experiment.parse(OWN, name="own")
