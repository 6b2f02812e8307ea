"""Experiments on a real cluster of Ray, three nodes on one machine: the bytes of one process, whatever dies on the way.

On demand: python/check --ray
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import ray
from ray.cluster_utils import Cluster

import occupancy as oc
import occupancy.ray

TEXT = """
rounds = 3000
runs = 24
seed = 5
[env]
name = "marsrover-4x4"
[[learner]]
name = "psrl-transitions"
[[learner]]
name = "cucrl-optimistic"
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(2):
        made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    yield made
    ray.shutdown()
    made.shutdown()


def trials(folder: Path) -> dict[str, bytes]:
    kinds = ("trials", "policies", "terms")
    return {str(path.relative_to(folder)): path.read_bytes() for kind in kinds for path in sorted((folder / kind).rglob("*.csv"))}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return trials(oc.Experiment.parse(TEXT, name="two").run(tmp_path_factory.mktemp("alone"))[0].folder)


@pytest.mark.parametrize("shared", [False, True])
def test_the_bytes_are_those_of_one_process(cluster: Cluster, expected: dict[str, bytes], tmp_path: Path, shared: bool) -> None:
    said: list[str] = []
    found = occupancy.ray.run(oc.Experiment.parse(TEXT, name="two"), tmp_path, shared=shared, progress=said.append)
    assert trials(found[0].folder) == expected and found[0].name == "two"
    assert any("of 48 runs (psrl-transitions" in line and "s left" in line for line in said)
    assert (found[0].folder / "summary.csv").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["two"]


def test_what_is_stored_is_not_done_again(cluster: Cluster, expected: dict[str, bytes], tmp_path: Path) -> None:
    oc.Experiment.parse(TEXT, name="two").run(tmp_path, runs=range(0, 10))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("trials/**/*.csv")}
    found = occupancy.ray.run(oc.Experiment.parse(TEXT, name="two"), tmp_path, batch=5)
    assert trials(found[0].folder) == expected
    assert {path: path.stat().st_mtime_ns for path in before} == before
    with pytest.raises(oc.Error, match="other settings"):
        occupancy.ray.run(oc.Experiment.parse(TEXT.replace("seed = 5", "seed = 6"), name="two"), tmp_path)


class Slow(oc.Learner):
    """Takes its time."""

    pause: float = 0.2

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        time.sleep(self.pause)
        actions = self.rng.integers(4, size=self.task.n_states)
        return oc.Epoch(oc.Policy.deterministic(self.task, actions), oc.Steps(1000))


SLOW = TEXT.replace('name = "cucrl-optimistic"', 'name = "slow"').replace("runs = 24", "runs = 12")


def workers() -> list[psutil.Process]:
    def is_worker(process: psutil.Process) -> bool:
        try:
            return "ray::_task" in " ".join(process.cmdline())
        except psutil.Error:
            return False

    return [process for process in psutil.process_iter() if is_worker(process)]


def test_a_killed_worker_and_a_removed_node_lose_nothing(cluster: Cluster, tmp_path: Path) -> None:
    expected = trials(oc.Experiment.parse(SLOW, name="slow", learners=[Slow]).run(tmp_path / "alone")[0].folder)
    lost = cluster.add_node(num_cpus=1)
    killed: list[int] = []

    def disturb() -> None:
        time.sleep(2)
        for process in workers()[:2]:
            killed.append(process.pid)
            process.kill()
        time.sleep(1)
        cluster.remove_node(lost, allow_graceful=False)

    beside = threading.Thread(target=disturb)
    beside.start()
    try:
        found = occupancy.ray.run(oc.Experiment.parse(SLOW, name="slow", learners=[Slow]), tmp_path / "ray", batch=1)
    finally:
        beside.join()
    assert killed, "nothing was running when workers were to be killed"
    assert trials(found[0].folder) == expected


DRIVER = """
import sys
import occupancy.ray
occupancy.ray.main(["run", sys.argv[1], "--out", sys.argv[2], "--address", sys.argv[3], "--batch", "1"])
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_dies_is_started_again(cluster: Cluster, expected: dict[str, bytes], tmp_path: Path, how: signal.Signals) -> None:
    file = tmp_path / "two.toml"
    file.write_text(TEXT)
    command = [sys.executable, "-c", DRIVER, str(file), str(tmp_path / "out"), cluster.address]
    first = subprocess.Popen(command, env={**os.environ, "RAY_DEDUP_LOGS": "0"})
    deadline = time.monotonic() + 60
    while len(list((tmp_path / "out").rglob("trials/**/*.csv"))) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    first.send_signal(how)
    first.wait()
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert trials(tmp_path / "out" / "two") == expected
    assert not list((tmp_path / "out").glob(".two-arrived-*"))


class Broken(oc.Learner):
    """Fails in one run."""

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        raise ArithmeticError("no idea")


def test_failures_are_told_and_the_others_stored(cluster: Cluster, tmp_path: Path) -> None:
    text = TEXT.replace('name = "cucrl-optimistic"', 'name = "broken"').replace("runs = 24", "runs = 2")
    with pytest.raises(oc.Error, match=r"failed 3 times: .*no idea"):
        occupancy.ray.run(oc.Experiment.parse(text, name="broken", learners=[Broken]), tmp_path)


def test_another_version_is_refused_by_name(cluster: Cluster) -> None:
    parcel = occupancy.ray.Parcel("x", TEXT, [], "0", "99.0", [])
    with pytest.raises(oc.Error, match=r"this node has occupancy 0\.\d+\.\d+, and the driver 99\.0"):
        occupancy.ray._task(parcel, [0], None)
    own: Any = parcel._replace(version=oc.__version__)
    with pytest.raises(oc.Error, match="has other settings here than where it was submitted"):
        occupancy.ray._task(own, [0], None)
