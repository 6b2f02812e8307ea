"""Our environments in Gymnasium."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import occupancy as oc
import occupancy.gym as og

IDS = [og.id_of(found.name) for found in oc.envs()]


@pytest.mark.parametrize("own", IDS)
def test_every_environment_passes_the_check_without_a_warning(own: str) -> None:
    try:
        env = gymnasium.make(own, disable_env_checker=True).unwrapped
    except oc.Error as error:
        assert "file" in str(error)  # the environment of maps needs one
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*render.*|.*spec.*")
        check_env(env, skip_render_check=True)


def test_seeds_fix_everything() -> None:
    def walk(seed: int) -> list[tuple[int, float]]:
        env = gymnasium.make("occupancy/Marsrover-8x8-v0", slip=0.2, horizon=100)
        state, _ = env.reset(seed=seed)
        env.action_space.seed(seed)
        seen = [(int(state), 0.0)]
        for _ in range(100):
            state, reward, _, truncated, _ = env.step(env.action_space.sample())
            seen.append((int(state), float(reward)))
        assert truncated
        return seen

    assert walk(3) == walk(3) != walk(4)


def test_many_at_once_are_as_many_single_ones() -> None:
    count, steps = 5, 60
    many = gymnasium.make_vec("occupancy/Marsrover-4x4-v0", num_envs=count, slip=0.3, horizon=9)
    singles = [gymnasium.make("occupancy/Marsrover-4x4-v0", slip=0.3, horizon=9) for _ in range(count)]
    states, _ = many.reset(seed=10)
    assert states.tolist() == [int(env.reset(seed=10 + i)[0]) for i, env in enumerate(singles)]
    rng, over = np.random.default_rng(1), [False] * count
    for _ in range(steps):
        actions = rng.integers(4, size=count)
        states, rewards, ended, truncated, info = many.step(actions)
        for i, env in enumerate(singles):
            if over[i]:
                state, _ = env.reset()
                expected = (int(state), 0.0, False, False, 0.0)
            else:
                state, reward, done, cut, told = env.step(int(actions[i]))
                expected = (int(state), float(reward), done, cut, told["cost"])
            found = (int(states[i]), float(rewards[i]), bool(ended[i]), bool(truncated[i]), float(info["cost"][i]))
            assert found == expected
            over[i] = expected[2] or expected[3]


def test_costs_masks_and_ends() -> None:
    table = {"state": ["a", "a", "b"], "action": ["x", "y", "y"], "next": ["a", "b", "b"], "reward": [0, 1, 0], "c": [1, 0, 2], "d": [0, 3, 0]}
    env = gymnasium.make("occupancy/Model-v0", model=oc.Model.from_table(table), until="b").unwrapped
    state, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1] and info["costs"].tolist() == [0, 0]
    state, reward, terminated, truncated, info = env.step(1)
    assert (int(state), reward, terminated, truncated) == (1, 1.0, True, False)
    assert info["cost"] == 3.0 and info["costs"].tolist() == [0.0, 3.0] and info["action_mask"].tolist() == [0, 1]
    with pytest.raises(oc.Error, match=r"state b has no action x; it has 1 \(y\)"):
        env.step(0)
    with pytest.raises(oc.Error, match="before its first step"):
        gymnasium.make("occupancy/Marsrover-4x4-v0").unwrapped.step(0)
    assert env.reset(options={"state": "b"})[0] == 1


def test_vector_rewards() -> None:
    env = gymnasium.make("occupancy/Marsrover-4x4-v0", vector_reward=True, disable_env_checker=True).unwrapped
    env.reset(seed=0)
    _, reward, _, _, info = env.step(0)
    assert reward.shape == (2,) and reward[1] == -info["cost"] and env.reward_space.contains(reward)


def test_drawings() -> None:
    env = gymnasium.make("occupancy/Box-v0", render_mode="ansi").unwrapped
    env.reset(seed=0)
    text = env.render()
    assert text.count("@") == 1 and text.count("b") == 1
    for own in ("occupancy/Marsrover-8x8-v0", "occupancy/Queue-v0"):
        env = gymnasium.make(own, render_mode="rgb_array").unwrapped
        env.reset(seed=0)
        before = env.render()
        assert before.dtype == np.uint8 and before.ndim == 3 and before.shape[2] == 3
        seen = {before.tobytes()}
        for _ in range(20):
            env.step(0)
            seen.add(env.render().tobytes())
        assert len(seen) > 1


def test_gains_in_gymnasium_are_those_of_the_plan() -> None:
    model = oc.env("marsrover-4x4", slip=0.1)
    plan = oc.solve(model)
    env = gymnasium.make("occupancy/Model-v0", model=model).unwrapped
    state, _ = env.reset(seed=5)
    rng, table = np.random.default_rng(5), np.nan_to_num(plan.policy.table())
    rewards, costs = [], []
    for _ in range(20_000):
        state, reward, _, _, info = env.step(rng.choice(4, p=table[state]))
        rewards.append(reward)
        costs.append(info["cost"])
    assert abs(np.mean(rewards) - plan.gain) < 0.02 and abs(np.mean(costs) - plan.costs["risk"]) < 0.02
