"""What is said of calls that cannot be answered: the argument, what it is, and what would be right, in the words of Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import occupancy as oc
import occupancy.gym  # registers the environments

P = np.array([[[1.0, 0.0], [1.0, 0.0]], [[0.5, 0.5], [0.0, 1.0]]])
R = np.array([[0.0, 2.0], [0.0, 3.0]])
C = np.array([[0.0, 0.0], [1.0, 1.0]])
MODEL = oc.Model.from_arrays(P, R, {"heat": C}, {"heat": 0.25}, states=["cool", "warm"], actions=["rest", "work"])
TABLE = {"state": ["a"], "action": ["x"], "next": ["a"], "probability": [1.0], "reward": [1.0], "c": [1.0]}
EXPERIMENT = 'rounds = 2000000\nruns = 1\n[env]\nname = "box"\n[[learner]]\nname = "uniform"\n'


class NoEpoch(oc.Learner):
    pass


class Wrong(oc.Learner):
    """Answers with an epoch that is none."""

    kind: str = "number"

    def next_epoch(self, now: oc.Now) -> oc.Epoch:
        if self.kind == "number":
            return oc.Epoch(oc.Policy.uniform(self.task), 10)  # type: ignore[arg-type]
        return oc.Epoch(np.full((2, 2), 0.5), oc.Doubling())  # type: ignore[arg-type]


def agent(**more: Any) -> oc.Agent:
    given: dict[str, Any] = dict(states=2, actions=2, budgets={"c": 1}, reward_range=(0, 1), cost_range=(0, 1), rounds=10)
    return oc.Agent(more.pop("learner", "psconrl"), **(given | more))


def world(**more: Any) -> Any:
    env = gymnasium.make("occupancy/Marsrover-4x4-v0", **more).unwrapped
    env.reset(seed=1)
    return env


def worlds(count: int) -> Any:
    envs = gymnasium.make_vec("occupancy/Marsrover-4x4-v0", num_envs=count)
    envs.reset(seed=1)
    return envs


CALLS: list[tuple[Callable[[], Any], str]] = [
    # Models by name or path.
    (lambda: oc.solve("marsrover-4x5"), "unknown model 'marsrover-4x5', did you mean 'marsrover-4x4'? (known: marsrover-4x4, "),
    (lambda: oc.solve(P), "a model is a Model, the name of an environment or the path of a file, not a ndarray; Model.from_arrays takes arrays"),
    (lambda: oc.env("boxx"), "unknown environment 'boxx', did you mean 'box'?"),
    (lambda: oc.env(3), "unknown environment 3 (known: "),  # type: ignore[arg-type]
    (lambda: oc.env("garnet", states=2.5), "states is 2.5, expected a count from 1 to 100000"),
    # Questions.
    (lambda: oc.solve(MODEL, discount="0.9"), "discount is '0.9', expected a number"),  # type: ignore[arg-type]
    (lambda: oc.solve(MODEL, discount=1), "discount is 1, expected a number between 0 and 1"),
    (lambda: oc.solve(MODEL, horizon=-3), "horizon is -3, expected a whole number of at least 1"),
    (lambda: oc.solve(MODEL, horizon=2.5), "horizon is 2.5, expected a whole number of at least 1"),  # type: ignore[arg-type]
    (lambda: oc.solve(MODEL, until=[]), "until names no state and no label, expected at least one"),
    (lambda: oc.solve(MODEL, until="hot"), "there is no state 'hot'; they are cool to warm"),
    (lambda: oc.solve(MODEL, from_state=-1), "a state is -1, expected a whole number of at least 0"),
    (lambda: oc.solve(MODEL, budgets={"heat": "a"}), "the budget of 'heat' is 'a', expected a number"),  # type: ignore[dict-item]
    (lambda: oc.solve(MODEL, budgets=[0.1]), 'budgets is a list, expected a mapping such as {"risk": 0.1}'),  # type: ignore[arg-type]
    (lambda: oc.solve(MODEL, time_limit=-1), "time_limit is -1, expected a number of seconds above 0, or None for no limit"),
    (lambda: oc.solve(MODEL, time_limit=float("nan")), "time_limit is nan, expected a number of seconds above 0"),
    (lambda: oc.solve(MODEL, deterministic=True, horizon=3), "option deterministic applies only to a long-run average"),
    (lambda: oc.frontier(oc.Model.from_arrays(P, R)), "model has no costs, and therefore no frontier"),
    (lambda: oc.frontier("queue"), "queue has 2 costs (service, flow): say which by cost=…"),
    (lambda: oc.evaluate(MODEL, "x.csv"), "a policy is a Policy, a Plan or an array of states × actions, not a str"),  # type: ignore[arg-type]
    (lambda: oc.verify(MODEL, "x"), "what is verified is a Plan, which solve makes, not a str"),  # type: ignore[arg-type]
    # Models from arrays and tables.
    (lambda: oc.Model.from_arrays(P, R, C), 'costs is a ndarray, expected a mapping such as {"risk": C}'),  # type: ignore[arg-type]
    (lambda: oc.Model.from_arrays(P, R, {"reward": C}), "a cost is called 'reward', which is what is earned: give it another name"),
    (lambda: oc.Model.from_arrays(P, R, {"heat": C}, 0.2), "budgets is a float, expected a mapping"),  # type: ignore[arg-type]
    (lambda: oc.Model.from_arrays(P * 1.0001, R), "; normalise=True takes rows that are off by rounding, as those of float32 are"),
    (lambda: oc.Model.from_arrays(P, R, start=-1), "a state is -1, expected a whole number of at least 0"),
    (lambda: oc.Model.from_arrays(P, R, start="cool"), "there is no state 'cool'; they are 0 to 1, without names"),
    (lambda: oc.Model.from_arrays(P, R, states=["a", "a"]), "the states 0 and 1 are both called 'a'"),
    (lambda: oc.Model.from_arrays(P, R, labels={"x": [7]}), "there is no state 7; they are 0 to 1"),
    (lambda: oc.Model.from_arrays(P, R, labels=["x"]), 'labels is a list, expected a mapping such as {"goal": [3, 4]}'),  # type: ignore[arg-type]
    (lambda: oc.Model.from_sparse(list(P), R), "the matrix of action 0 is a ndarray, expected a sparse one of scipy; Model.from_arrays takes dense ones"),
    (lambda: oc.Model.from_table("x.csv"), "not a str; Model.read opens files"),
    (lambda: oc.Model.from_table(TABLE, costs=["reward"]), "a cost is called 'reward'"),
    (lambda: oc.Model.from_pairs([1, 2], np.eye(2), [0, -1], [0, 0]), "s_indices has -1 at place 1, expected numbers from 0 on"),
    (lambda: oc.Model.from_pairs([1, 2], np.eye(2), [0.0, 1.0], [0, 0]), "s_indices is an array of float64, expected whole numbers"),
    (lambda: oc.Model.from_gym("FrozenLake-v1", on_end="restart"), "'FrozenLake-v1' is no environment of Gymnasium"),
    # Policies.
    (lambda: oc.Policy(MODEL, "uniform"), "the probabilities of a policy are not an array of numbers"),
    (lambda: oc.Policy.uniform("queue"), "a policy belongs to a Model or a Task, not to a str; env and Model.read open models"),  # type: ignore[arg-type]
    (lambda: oc.Policy.uniform(MODEL).act(7, np.random.default_rng(1)), "there is no state 7; they are 0 to 1"),
    # Learners.
    (lambda: oc.learn(MODEL, "psrl-transition"), "unknown learner 'psrl-transition', did you mean 'psrl-transitions'?"),
    (lambda: oc.learn(MODEL, "uniform", rounds=1e4), "rounds is 10000.0, expected a whole number of at least 1, such as 10000"),  # type: ignore[arg-type]
    (lambda: oc.learn(MODEL, "uniform", rounds=-1), "rounds is -1, expected a whole number of at least 1"),
    (lambda: oc.learn(MODEL, "uniform", seed=-1), "seed is -1, expected a whole number of at least 0"),
    (lambda: oc.learn(MODEL, "uniform", window=0), "window is 0, expected a whole number of at least 1"),
    (lambda: oc.learn(MODEL, "triple-q"), "triple-q learns in episodes: give their length by horizon=…"),
    (lambda: oc.learn(MODEL, "optpess-lp", horizon=5), "give baseline_cost=…; evaluate(model, policy, horizon=…).costs tells what a policy costs"),
    (lambda: oc.learn(MODEL, "c-ucrl"), 'give baseline="FILE.csv", which Policy.to_csv writes, or baseline="uniform"'),
    (lambda: oc.learn(MODEL, Wrong, rounds=9, explore=1), "wrong has no option 'explore'; its options are its annotated attributes with a value: it has kind"),
    (lambda: oc.learn(MODEL, Wrong, rounds=9), "until of an Epoch is 10, expected Doubling(), Steps(n), Visits(…) or Forever()"),
    (lambda: oc.learn(MODEL, Wrong, rounds=9, kind="array"), "the policy of an Epoch is a ndarray, expected a Policy"),
    # Agents.
    (lambda: agent(reward_range=(1, 0)), "reward_range is (1, 0), expected two numbers, the smaller one first"),
    (lambda: agent(cost_range=3), "cost_range is 3, expected two numbers, the smaller one first"),
    (lambda: agent(states=0), "states is 0, expected a whole number of at least 1"),
    (lambda: agent(learner="triple-q"), "triple-q learns in episodes: give their length by horizon=…"),
    (lambda: oc.Agent.for_env(3, "psconrl", budgets={}, reward_range=(0, 1), rounds=9), "3 is no environment of Gymnasium"),
    # Experiments.
    (lambda: oc.Experiment.parse(EXPERIMENT).run("x", runs=3), "runs is 3, expected a range of run numbers such as range(0, 10)"),  # type: ignore[arg-type]
    (lambda: oc.Experiment.parse(EXPERIMENT).run("x", jobs=0), "jobs is 0, expected a whole number of at least 1"),
    # Gymnasium.
    (lambda: world(horizon=0), "horizon is 0, expected a whole number of at least 1"),
    (lambda: world().step(9), "state r4c3 has no action 9; it has 0 (up), 1 (down), 2 (left), 3 (right)"),
    (lambda: world().step(-1), "state r4c3 has no action -1; it has 0 (up)"),
    (lambda: worlds(3).step([0, 1]), "2 actions are given, expected one for each of 3 worlds"),
    (lambda: worlds(3).step([0, 1, 9]), "state r4c3 has no action 9"),
    (lambda: worlds(3).reset(seed=[1, 2]), "2 seeds are given, expected one for each of 3 worlds"),
]


@pytest.mark.parametrize("place", range(len(CALLS)))
def test_a_wrong_call_is_answered_in_words(place: int) -> None:
    call, words = CALLS[place]
    with pytest.raises(oc.Error) as raised:
        call()
    said = str(raised.value)
    assert words in said
    assert "--" not in said and "os error" not in said and "failed to extract" not in said


def test_a_learner_without_its_method_is_named() -> None:
    with pytest.raises(NotImplementedError, match=r"NoEpoch has no next_epoch\(self, now\)"):
        oc.learn(MODEL, NoEpoch, rounds=9)


def test_files_that_are_not_there_are_the_usual_error() -> None:
    for call in (lambda: oc.solve("nothing.cmdp"), lambda: oc.Model.read("nothing.map"), lambda: oc.Experiment.read("nothing.toml")):
        with pytest.raises(FileNotFoundError, match="nothing.*no such file"):
            call()


def test_what_a_callback_raises_is_raised(tmp_path: Path) -> None:
    def wrong(*_: Any) -> bool:
        raise KeyError("mine")

    experiment = oc.Experiment.parse(EXPERIMENT)
    for call in (
        lambda: oc.solve("box", progress=wrong),
        lambda: oc.frontier("box", progress=wrong),
        lambda: oc.learn("box", "uniform", rounds=1000, progress=wrong),
        lambda: experiment.run(tmp_path, progress=wrong),
    ):
        with pytest.raises(KeyError, match="mine"):
            call()


def test_results_of_other_settings_and_folders_without_any_are_answered_in_words(tmp_path: Path) -> None:
    text = 'rounds = 100\nruns = {}\nseed = {}\n[env]\nname = "two-state"\n[[learner]]\nname = "uniform"\n'
    oc.Experiment.parse(text.format(1, 1)).run(tmp_path)
    with pytest.raises(oc.Error, match="set_aside=True keeps them beside and begins afresh, another folder leaves them alone"):
        oc.Experiment.parse(text.format(1, 2)).run(tmp_path)
    with pytest.raises(oc.Error, match=r"unknown learner mine; .*; learners of your own are given by learners=\[…\]"):
        oc.Experiment.parse(text.format(1, 1).replace("uniform", "mine"))
    os.mkdir(tmp_path / "empty")
    with pytest.raises(oc.Error, match="holds no results; Experiment.run makes some"):
        oc.report(tmp_path / "empty")


def test_the_reward_of_a_file_with_several_has_to_be_named(tmp_path: Path) -> None:
    path = tmp_path / "m.drn"
    MODEL.write(path)
    path.write_text(path.read_text().replace("\nr heat\n", "\nspeed heat\n"))
    with pytest.raises(oc.Error, match="m.drn: line 6: name the reward model to use; known: speed, heat; reward=… names it"):
        oc.Model.read(path)
    assert oc.Model.read(path, reward="speed", budgets={"heat": 0.25}).fingerprint == MODEL.fingerprint


def test_a_policy_may_be_a_table_and_a_state_a_name() -> None:
    table = np.full((2, 2), 0.5)
    assert oc.evaluate(MODEL, table).gain == oc.evaluate(MODEL, oc.Policy(MODEL, table)).gain
    assert oc.Policy.deterministic(MODEL, ["rest", "work"]).act("warm", np.random.default_rng(1)) == 1
    assert oc.Model.from_table(TABLE, costs="c").costs == ("c",)
    assert oc.Model.from_arrays(P, R, labels={"on": 1}).labels == {"on": (1,)}
    assert oc.Planner().solve("marsrover-4x4").feasible


def test_a_map_has_its_options_in_gymnasium(tmp_path: Path) -> None:
    path = tmp_path / "small.map"
    path.write_text("S 0\n0 G\n")
    env = gymnasium.make("occupancy/Model-v0", model=str(path), slip=0.25).unwrapped
    assert env.model == oc.Model.read(path, slip=0.25)
    with pytest.raises(oc.Error, match="slip is an option of environments by name and of maps, not of a model"):
        gymnasium.make("occupancy/Model-v0", model=MODEL, slip=0.25)
