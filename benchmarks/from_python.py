"""Times of the Python package: building models, plans, steps in Gymnasium, and epochs of a learner in Python.

    pip install './python[gym]' && python benchmarks/from_python.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import gymnasium
import numpy as np

import occupancy as oc
import occupancy.gym  # registers the environments


def seconds(work: Callable[[], object], batches: int = 9, least: float = 0.02) -> float:
    """The processor's time of a call: the best of some batches, each of at least 20 ms. A busy machine disturbs it little."""
    work()
    calls, batch = 1, 0.0
    best = float("inf")
    while batches > 0:
        began = time.process_time()
        for _ in range(calls):
            work()
        batch = time.process_time() - began
        if batch < least:
            calls = calls * 2 if batch < least / 4 else calls + calls // 2 + 1
            continue
        best, batches = min(best, batch / calls), batches - 1
    return best


def dense(states: int, actions: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(states)
    return rng.dirichlet(np.ones(states), size=(actions, states)), rng.random((states, actions)), rng.random((states, actions))


class Uniform(oc.Learner):
    """Every action alike, asked again whenever a pair's visits have doubled."""

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        return oc.Epoch(self.policy, oc.Doubling())

    def begin(self) -> None:
        self.policy = oc.Policy.uniform(self.task)


def main() -> None:
    for states in (16, 64, 256):
        P, R, C = dense(states)
        model = oc.Model.from_arrays(P, R, {"c": C}, {"c": 0.45})
        planner = oc.Planner()
        built = seconds(lambda: oc.Model.from_arrays(P, R, {"c": C}, {"c": 0.45}))
        warm = seconds(lambda: planner.solve(model))
        cold = seconds(lambda: oc.solve(model, certify=False))
        proved = seconds(lambda: oc.solve(model))
        print(
            f"dense, {states} states: built {built * 1e6:.0f} µs, planned {cold * 1e6:.0f} µs, again {warm * 1e6:.0f} µs, with proof {proved * 1e6:.0f} µs"
        )
    env = gymnasium.make("occupancy/Marsrover-4x4-v0")
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(4, size=20_000).tolist()

    def walk() -> None:
        for action in actions:
            env.step(action)

    print(f"Gymnasium, one world: {len(actions) / seconds(walk):,.0f} steps/s")
    bare = env.unwrapped

    def walk_bare() -> None:
        for action in actions:
            bare.step(action)

    print(f"the same without Gymnasium's wrappers: {len(actions) / seconds(walk_bare):,.0f} steps/s")
    many = gymnasium.make_vec("occupancy/Marsrover-4x4-v0", num_envs=256)
    many.reset(seed=1)
    rows = np.random.default_rng(1).integers(4, size=(500, 256))

    def walk_many() -> None:
        for row in rows:
            many.step(row)

    print(f"Gymnasium, 256 at once: {rows.size / seconds(walk_many):,.0f} steps/s")
    run = oc.learn("marsrover-4x4", Uniform, rounds=200_000, values=False)
    epochs = int(run.curves.epochs[-1])
    own = seconds(lambda: oc.learn("marsrover-4x4", Uniform, rounds=200_000, values=False))
    ours = seconds(lambda: oc.learn("marsrover-4x4", "uniform", rounds=200_000, values=False))
    print(f"a learner in Python: {epochs} epochs of 200 000 rounds in {own * 1e3:.1f} ms, {ours * 1e3:.1f} ms of which without it")


if __name__ == "__main__":
    main()
