"""Figures with matplotlib: curves of runs, results of experiments, frontiers and policies on grids.

Each function returns a matplotlib figure; notebooks show it by themselves.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._shapes import Floats, need

need("matplotlib", "plot")
from matplotlib.figure import Figure  # noqa: E402

if TYPE_CHECKING:
    from ._experiments import Results
    from ._learning import Run
    from ._frontiers import Frontier
    from ._plans import Plan


class _Shown(Figure):
    """A figure that notebooks show by themselves, whether matplotlib's own state machine is in use or not."""

    def _repr_html_(self) -> str:
        return figure_html(self)


def _figure(columns: int) -> tuple[Figure, list[Any]]:
    figure = _Shown(figsize=(4.6 * columns, 3.4), layout="constrained")
    axes = [figure.add_subplot(1, columns, place + 1) for place in range(columns)]
    for one in axes:
        one.spines[["top", "right"]].set_visible(False)
    return figure, axes


def run(run: Run) -> Figure:
    """Moving averages of the reward and of each cost of a run, with the optimum and the budgets."""
    names = list(run.curves.costs)
    figure, axes = _figure(1 + len(names))
    curves, best = run.curves, run.levels["optimal"]
    _curve(axes[0], "average reward", curves.step, curves.moving(curves.reward), None if best is None else best.gain, "optimum")
    for axis, name in zip(axes[1:], names, strict=True):
        _curve(axis, f"average {name}", curves.step, curves.moving(curves.costs[name]), curves._budgets[name], "budget")
    figure.suptitle(f"{run.learner} in {run.model.name}", fontsize="medium")
    return figure


def results(results: Results) -> Figure:
    """Means over the runs of each learner, with the range of the middle half, the optimum and the budgets."""
    names = list(results.costs)
    figure, axes = _figure(1 + len(names))
    best = results.levels["optimal"]
    lines = [("average reward", None if best is None else best.gain, "optimum")]
    lines += [(f"average {name}", results.budgets[name], "budget") for name in names]
    for label in results.labels:
        runs = [results.curves(label, number) for number in results.runs(label)]
        if not runs:
            continue
        for axis, signal in zip(axes, [None, *names], strict=True):
            rows = np.array([one.moving(one.reward if signal is None else one.costs[signal]) for one in runs])
            known = ~np.isnan(rows).any(axis=0)
            steps, rows = runs[0].step[known], rows[:, known]
            (line,) = axis.plot(steps, rows.mean(axis=0), label=label, linewidth=1.4)
            low, high = np.quantile(rows, [0.25, 0.75], axis=0)
            axis.fill_between(steps, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    for axis, (title, level, what) in zip(axes, lines, strict=True):
        _level(axis, title, level, what)
    axes[0].legend(fontsize="small", frameon=False)
    figure.suptitle(results.name, fontsize="medium")
    return figure


def _curve(axis: Any, title: str, steps: Any, values: Floats, level: float | None, what: str) -> None:
    known = ~np.isnan(values)
    axis.plot(steps[known], values[known], linewidth=1.4)
    _level(axis, title, level, what)


def _level(axis: Any, title: str, level: float | None, what: str) -> None:
    axis.set_title(title, fontsize="small", loc="left")
    axis.set_xlabel("step", fontsize="small")
    if level is not None and np.isfinite(level):
        axis.axhline(level, color="0.45", linestyle="--", linewidth=1)
        axis.annotate(what, (1, level), xycoords=("axes fraction", "data"), fontsize="x-small", color="0.35", ha="right", va="bottom")


def frontier(frontier: Frontier) -> Figure:
    """The best gain by budget."""
    figure, (axis,) = _figure(1)
    axis.plot(frontier.budgets, frontier.gains, marker="o", markersize=4, linewidth=1.4)
    axis.set_xlabel(f"budget of {frontier.cost}")
    axis.set_ylabel("gain")
    axis.set_title(frontier.model.name, fontsize="medium", loc="left")
    return figure


def grid(plan: Plan) -> Figure:
    """The policy of a gridworld: arrows as likely as their moves, cells as dark as they are often visited."""
    picture = plan.model._core.picture
    if picture is None:
        raise _core.Error(f"{plan.model.name} is no gridworld; to_pandas() has its policy")
    height, width, cells, agent, _ = picture
    figure, (axis,) = _figure(1)
    occupancy = plan.occupancy.sum(axis=0) if plan.occupancy.ndim == 2 else plan.occupancy
    shape = plan.model.shape
    visited, moves = np.zeros(height * width), np.zeros((height * width, 4))
    for pair in range(shape.n_pairs):
        cell = agent[shape.state_of[pair]]
        visited[cell] += occupancy[pair]
        moves[cell, pair - shape.first_pair[shape.state_of[pair]]] += occupancy[pair]
    axis.imshow(np.sqrt(visited).reshape(height, width), cmap="Blues", vmin=0, vmax=max(1e-12, float(np.sqrt(visited.max())) * 1.6))
    for cell, letter in enumerate(cells):
        row, column = divmod(cell, width)
        if letter == "#":
            axis.add_patch(_square(row, column, facecolor="0.3", linewidth=0))
        elif letter == "r":
            axis.add_patch(_square(row, column, facecolor="none", edgecolor="tab:red", linewidth=0, hatch="////", alpha=0.5))
        elif letter in "SG":
            axis.text(column - 0.45, row - 0.22, letter, fontsize="x-small", color="0.2")
        total = moves[cell].sum()
        for (down, right), share in zip(((-1, 0), (1, 0), (0, -1), (0, 1)), moves[cell] / total if total > 0 else moves[cell], strict=True):
            if share > 0.005:
                length = 0.36 * share
                head = {"head_width": 0.16, "head_length": 0.1, "length_includes_head": True, "color": "0.1", "linewidth": 1}
                axis.arrow(column, row, right * length, down * length, **head)
    axis.set_xticks([])
    axis.set_yticks([])
    axis.set_title(f"{plan.model.name}: {plan}", fontsize="small", loc="left")
    return figure


def _square(row: int, column: int, **style: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.5, row - 0.5), 1, 1, **style)


def figure_html(figure: Figure) -> str:
    """A figure as SVG, for notebooks."""
    out = StringIO()
    figure.savefig(out, format="svg")
    text = out.getvalue()
    return text[text.index("<svg") :]
