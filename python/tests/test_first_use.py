"""What goes wrong when the package is met for the first time, and what it says then."""

import builtins

import pandas as pd
import pytest

import occupancy as oc

LOG = pd.DataFrame(
    {"state": ["a", "a", "b"], "action": ["go", "go", "go"], "next": ["b", "a", "a"], "reward": [1.0, 0.0, 2.0], "served": [0, 1, 0]}
)


@pytest.mark.parametrize("column", ["state", "action", "next"])
@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_name_is_refused_with_its_row(column, missing):
    table = {name: list(LOG[name]) for name in LOG} | {column: [LOG[column][0], missing, LOG[column][2]]}
    for given in (table, pd.DataFrame(table)):
        with pytest.raises(oc.Error, match=f"row 1 has no name in the column '{column}'"):
            oc.Model.from_table(given)


def test_a_cost_above_its_lower_budget_is_no_violation():
    model = oc.Model.from_table(LOG, budgets={"served": oc.at_least(0.1)})
    curves = oc.learn(model, "uniform", rounds=2000, seed=1).curves
    assert curves.violation("served")[-1] == pytest.approx(0.1 * 2000 - curves.costs["served"][-1])
    assert curves.violation("served")[-1] < 0


def test_a_state_without_a_choice_is_named():
    with pytest.raises(oc.Error, match="no action is given for state b"):
        oc.Policy.deterministic(oc.Model.from_table(LOG), {"a": "go"})


def test_a_model_without_a_grid_is_not_drawn_as_one():
    plot = pytest.importorskip("occupancy.plot")
    with pytest.raises(oc.Error, match="queue is no gridworld"):
        plot.grid(oc.solve("queue"))


@pytest.mark.parametrize("day", [["mon", "tue", "wed"], list(pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]))])
def test_a_column_that_is_no_cost_is_refused_with_a_way_out(day):
    log = LOG.assign(day=day)
    with pytest.raises(oc.Error, match=r"row 0 has .* in the column 'day', expected a number; costs=\[…\] says which"):
        oc.Model.from_table(log)
    assert oc.Model.from_table(log, costs=["served"]).costs == ("served",)


def test_a_figure_shows_itself_and_a_run_is_a_text_without_matplotlib(monkeypatch):
    plot = pytest.importorskip("occupancy.plot")
    run = oc.learn("marsrover-4x4", "uniform", rounds=100)
    assert plot.frontier(oc.frontier("marsrover-4x4"))._repr_html_().startswith("<svg")
    assert run._repr_html_().startswith("<svg")
    imported = builtins.__import__

    def without_figures(name, *rest):
        if name == "plot":
            raise ImportError("this needs matplotlib")
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_figures)
    assert run._repr_html_() is None


def test_a_policy_shows_its_table():
    shown = oc.Policy.uniform(oc.Model.from_table(LOG.replace("b", "<b>")))._repr_html_()
    assert "<tr><th>&lt;b&gt;</th><td>1</td></tr>" in shown
    assert "9 more stages" in oc.solve("media").policy._repr_html_()
    assert "34 more states" in oc.solve("marsrover-8x8").policy._repr_html_()
