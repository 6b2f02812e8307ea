"""What goes wrong on a cluster is said in one line with what to do about it, and nothing that is stored is lost.

On demand: python/check --ray
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

import occupancy as oc
from test_ray import TEXT, trials


def command(file: Path, out: Path, address: str) -> list[str]:
    return [sys.executable, "-m", "occupancy.ray", "run", str(file), "--out", str(out), "--address", address, "--batch", "1"]


def run(file: Path, out: Path, address: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(file, out, address), capture_output=True, text=True, timeout=300)


def said(stderr: str) -> str:
    """The one line that is ours: Ray's own begin with a time in brackets."""
    assert "Traceback" not in stderr, stderr
    lines = [line for line in stderr.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, stderr
    return lines[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "two.toml").write_text(TEXT)
    return tmp_path / "two.toml"


@pytest.fixture
def expected(tmp_path: Path) -> dict[str, bytes]:
    return trials(oc.Experiment.parse(TEXT, name="two").run(tmp_path / "alone")[0].folder)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield made
    made.shutdown()


def test_a_cluster_that_is_not_there(file: Path, tmp_path: Path) -> None:
    ended = run(file, tmp_path / "out", "127.0.0.1:1")
    assert ended.returncode == 1
    assert said(ended.stderr).startswith("error: the cluster of Ray at 127.0.0.1:1 cannot be joined: ")


def test_a_node_without_the_package(cluster: Cluster, file: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    # In front of the package, wherever it is installed: something that cannot be imported.
    nothing = tmp_path / "nothing" / "occupancy"
    nothing.mkdir(parents=True)
    (nothing / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'occupancy'\", name='occupancy')")
    without = cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(nothing.parent)})
    ended = run(file, tmp_path / "out", cluster.address)
    assert ended.returncode == 1
    assert "a node of the cluster has no package occupancy: install occupancy 0." in said(ended.stderr)
    cluster.remove_node(without)
    again = run(file, tmp_path / "out", cluster.address)
    assert again.returncode == 0, again.stderr
    assert trials(tmp_path / "out" / "two") == expected


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1000k", "tmpfs", str(place)], capture_output=True).returncode:
        pytest.skip("only root mounts a disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(cluster: Cluster, file: Path, small_disk: Path, expected: dict[str, bytes]) -> None:
    ended = run(file, small_disk, cluster.address)
    assert ended.returncode == 1, "the disk was not full"
    line = said(ended.stderr)
    assert f"cannot be stored in {small_disk}/two: " in line and "no space left on device" in line.lower(), line
    assert line.endswith("mend that, and the same command goes on from there")
    # United with the results, or waiting for it.
    kept = list(small_disk.rglob("trials/**/*.csv"))
    assert kept and all(expected[f"trials/{path.parent.name}/{path.name}"] == path.read_bytes() for path in kept)
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    again = run(file, small_disk, cluster.address)
    assert again.returncode == 0, again.stderr
    assert trials(small_disk / "two") == expected
    assert [path.name for path in small_disk.iterdir()] == ["two"]


def test_a_head_that_dies(cluster: Cluster, file: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    cluster.add_node(num_cpus=1)
    driver = subprocess.Popen(command(file, tmp_path / "out", cluster.address), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "out").rglob("trials/**/*.csv")) and time.monotonic() < deadline:
        time.sleep(0.02)
    cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
    _, stderr = driver.communicate(timeout=120)
    assert driver.returncode == 1
    line = said(stderr)
    assert "does not answer any more; what has come back is stored in" in line and line.endswith("the same command goes on from there")
    stored = trials(tmp_path / "out" / "two")
    assert stored and all(expected[name] == content for name, content in stored.items())
    other = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    try:
        again = run(file, tmp_path / "out", other.address)
    finally:
        other.shutdown()
    assert again.returncode == 0, again.stderr
    assert trials(tmp_path / "out" / "two") == expected
