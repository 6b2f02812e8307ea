"""Answers that leave the model, the process or the library they were made by."""

import pickle

import pytest

import occupancy as oc

ROWS = [("x", "go", "y", 1.0, 0.0), ("y", "go", "x", 0.0, 1.0), ("x", "stay", "x", 0.2, 0.0)]


def log(rows):
    return dict(zip(("state", "action", "next", "reward", "cost"), map(list, zip(*rows, strict=True)), strict=True))


def test_a_policy_is_carried_over_by_names():
    one = oc.Model.from_table(log(ROWS), {"cost": 0.3}, start="x")
    other = oc.Model.from_table(log(ROWS[::-1][:1] + ROWS[1:2] + ROWS[:1]), {"cost": 0.3}, start="x")
    renamed = oc.Model.from_table(log([ROWS[1], ROWS[2], ROWS[0]]), {"cost": 0.3}, start="x")
    plan = oc.solve(one)
    assert renamed.states != one.states
    for model in (other, renamed):
        found = oc.evaluate(model, plan.policy)
        assert found.gain == pytest.approx(plan.gain, abs=1e-12)
        assert found.costs["cost"] == pytest.approx(0.3, abs=1e-9)


def test_a_policy_of_a_stranger_is_refused_by_the_state_it_lacks():
    policy = oc.solve(oc.Model.from_table(log(ROWS))).policy
    with pytest.raises(oc.Error, match="says nothing of state r1c1"):
        oc.evaluate("marsrover-4x4", policy)


def test_an_action_that_a_model_lacks_is_refused():
    policy = oc.solve(oc.Model.from_table(log(ROWS[:2]))).policy
    lacking = oc.Model.from_table(log([("y", "go", "x", 0.0, 1.0), ("x", "stay", "x", 0.2, 0.0)]), start="x")
    with pytest.raises(oc.Error, match="takes an action in state x that the model does not have"):
        oc.evaluate(lacking, policy)


def test_several_policies_are_evaluated_as_they_are_drawn():
    rows = [("home", "stay", "home", 1.0, 0.0), ("home", "leave", "away", 3.0, 1.0), ("away", "work", "away", 3.0, 1.0)]
    model = oc.Model.from_table(log(rows), {"cost": 0.5})
    plan = oc.solve(model)
    assert len(plan.policies) == 2
    found = oc.evaluate(model, plan)
    assert found.gain == pytest.approx(2, abs=1e-12)
    assert found.costs["cost"] == pytest.approx(0.5, abs=1e-12)
    assert found.occupancy == pytest.approx(plan.occupancy, abs=1e-12)
    assert plan._repr_html_().count("for ever") == 2


def test_what_was_found_can_be_pickled():
    plan = oc.solve("marsrover-4x4")
    for found in (oc.evaluate("marsrover-4x4", plan), oc.verify("marsrover-4x4", plan)):
        assert repr(pickle.loads(pickle.dumps(found))) == repr(found)


def test_a_proof_about_another_model_is_refused_as_such():
    with pytest.raises(oc.Error, match="another model than queue"):
        oc.verify("queue", oc.solve("marsrover-4x4"))


def test_results_of_a_learner_of_ones_own_are_summed_up(tmp_path):
    class Still(oc.Learner):
        "Takes every action alike."

        def next_epoch(self, now):
            return oc.Epoch(oc.Policy.uniform(self.task), oc.Forever())

    text = 'rounds = 100\nruns = 2\n[env]\nname = "marsrover-4x4"\n[[learner]]\nname = "still"\n'
    (results,) = oc.Experiment.parse(text, name="still", learners=[Still]).run(tmp_path, jobs=1)
    again = oc.Results.read(results.folder, learners=[Still])
    for summary in (results.summary(), again.summary()):
        assert set(summary["learner"]) == {"still"}
    with pytest.raises(oc.Error, match="unknown learner still"):
        oc.Results.read(results.folder).summary()
