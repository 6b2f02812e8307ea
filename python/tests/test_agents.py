"""Our learners in environments that are not ours."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import occupancy as oc
import occupancy.gym  # registers the environments

ROVER = oc.env("marsrover-4x4")


def walk(env: Any, agent: oc.Agent, rounds: int) -> None:
    state, _ = env.reset(seed=4)
    for _ in range(rounds):
        action = agent.act(state)
        following, reward, terminated, truncated, info = env.step(action)
        agent.observe(state, action, following, reward, info["costs"], ended=terminated or truncated)
        state = env.reset()[0] if terminated or truncated else following


@pytest.mark.parametrize("learner", ["psrl-transitions", "psconrl", "cucrl-optimistic", "psrl-lagrangian", "ucrl2"])
def test_an_agent_walks_like_a_trial_step_by_step(learner: str) -> None:
    rounds = 2000
    model = ROVER if learner != "ucrl2" else ROVER.with_budgets(risk=np.inf)
    options: dict[str, Any] = {"h": 20, "eta": 0.01} if learner == "psrl-lagrangian" else {}
    options = {key: value for key, value in options.items() if key in oc.learn(model, learner, rounds=1).settings}
    run = oc.learn(model, learner, rounds=rounds, seed=4, **options)
    env = gymnasium.make("occupancy/Model-v0", model=model, stream=f"run 0/{learner}/environment")
    bounds = (-1.0, 0.0)
    agent = oc.Agent.for_env(
        env, learner, budgets=model.budgets, reward_range=bounds, cost_range=(0.0, 1.0), rounds=rounds, seed=4,
        start=int(np.argmax(model.start)), name=model.name, **options,
    )
    walk(env, agent, rounds)
    assert agent.epochs == run.curves.epochs[-1]
    env.reset(seed=4)
    visits = agent.counts.visits
    assert visits.sum() == rounds
    assert np.isclose(agent.counts.sums(0).sum(), run.curves.reward[-1]) and np.isclose(agent.counts.sums(1).sum(), run.curves.costs["risk"][-1])
    assert agent.policy is not None and np.array_equal(agent.policy.probabilities.shape, run.policy.probabilities.shape)


def test_an_agent_learns_in_a_foreign_environment() -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False, max_episode_steps=50)
    agent = oc.Agent.for_env(env, "psrl-transitions", budgets={"left": 0.2}, reward_range=(0, 1), cost_range=(0, 1), rounds=6000, seed=1)
    state, _ = env.reset(seed=1)
    rewards = []
    for _ in range(6000):
        action = agent.act(state)
        following, reward, terminated, truncated, _ = env.step(action)
        ended = terminated or truncated
        agent.observe(state, action, following, reward, {"left": float(action == 0)}, ended=ended)
        rewards.append(reward)
        state = env.reset()[0] if ended else following
    # The best is a goal every six steps.
    assert np.mean(rewards[-2000:]) > 0.12


def test_an_agent_of_episodes() -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False, max_episode_steps=20)
    agent = oc.Agent.for_env(
        env, "psrl", budgets={"left": 20}, reward_range=(0, 1), cost_range=(0, 1), rounds=20 * 300, horizon=20, seed=2, pool_steps=True
    )
    goals = []
    for _ in range(300):
        state, ended, total = env.reset(seed=3)[0], False, 0.0
        while not ended:
            action = agent.act(state)
            following, reward, terminated, truncated, _ = env.step(action)
            ended = terminated or truncated
            agent.observe(state, action, following, reward, {"left": float(action == 0)}, ended=terminated)
            total += reward
            state = following
        goals.append(total)
    assert agent.policy is not None and agent.policy.stages == 20
    assert np.mean(goals[-100:]) > 0.6


def test_what_cannot_be_is_refused() -> None:
    agent = oc.Agent("psrl-transitions", states=3, actions=2, budgets={"c": 1}, reward_range=(0, 1), cost_range={"c": (0, 1)}, rounds=10)
    with pytest.raises(oc.Error, match="state is 3"):
        agent.act(3)
    with pytest.raises(oc.Error, match="reward is 2"):
        agent.observe(0, 0, 1, 2.0, {"c": 0})
    with pytest.raises(oc.Error, match="the cost 'c' is not told"):
        agent.observe(0, 0, 1, 1.0, {})
    with pytest.raises(oc.Error, match="expected numbers from 0 on"):
        oc.Agent.for_env(gymnasium.make("CartPole-v1"), "psrl-transitions", budgets={}, reward_range=(0, 1), rounds=10)
    with pytest.raises(oc.Error, match="psrl learns in episodes"):
        oc.Agent("psrl", states=3, actions=2, budgets={}, reward_range=(0, 1), rounds=10)
