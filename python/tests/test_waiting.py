"""Other threads go on while a plan is searched for, and Ctrl-C is heard."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import occupancy as oc


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> oc.Model:
    """A slippery map of 40 000 cells, on which a search takes seconds."""
    cells = np.where(np.random.default_rng(1).random((200, 200)) < 0.2, "P", "0")
    cells[0, 0], cells[-1, -1] = "S", "G"
    path: Path = tmp_path_factory.mktemp("maps") / "large.map"
    path.write_text("\n".join(" ".join(row) for row in cells) + "\n")
    return oc.Model.read(path, slip=0.2).with_budgets({name: 0.05 for name in oc.Model.read(path).costs})



def test_threads_run_during_a_solve(hard: oc.Model) -> None:
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.002)

    beside = threading.Thread(target=tick)
    beside.start()
    try:
        oc.solve(hard, certify=False, time_limit=0.5)
    except oc.Stopped:
        pass
    done.set()
    beside.join()
    assert ticks[0] > 20


def test_ctrl_c_is_raised_in_the_middle(hard: oc.Model) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            oc.solve(hard)
    # 100 ms are promised; a busy machine may need more, but not the 1000 solves.
    assert time.monotonic() - began < 5
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        oc.learn("box", "psrl-transitions", rounds=1_000_000_000)


def test_a_time_limit_keeps_the_best_plan(hard: oc.Model) -> None:
    try:
        plan = oc.solve(hard, time_limit=0.05)
    except oc.Stopped as error:
        assert "stopped" in str(error)
    else:
        assert plan.feasible and plan.gap >= 0


def test_progress_is_told_and_may_stop_the_search(hard: oc.Model) -> None:
    told: list[oc.Progress] = []


    def enough(progress: oc.Progress) -> bool:
        told.append(progress)
        return len(told) < 3

    try:
        plan = oc.solve(hard, certify=False, progress=enough)
        assert not plan.optimal
    except oc.Stopped:
        pass
    assert len(told) == 3 and told[-1].steps > 0 and all(one.upper >= (one.gain or -1e9) - 1e-6 for one in told)
    steps: list[tuple[int, int]] = []
    oc.learn("marsrover-4x4", "uniform", rounds=500, progress=lambda done, of: steps.append((done, of)))
    assert steps[-1] == (500, 500)
