"""Answers in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._plans import Plan

MOST_ROWS = 30


def plan(plan: Plan) -> str:
    """What was found, the budgets, and the policy as a drawing or a table."""
    parts = [f"<p><b>{escape(plan.model.name)}</b>: {escape(str(plan))}</p>"]
    if plan.model.costs:
        head = "<tr><th>cost</th><th>value</th><th></th><th>budget</th><th>price</th></tr>"
        rows = "".join(_cost(plan, name) for name in plan.model.costs)
        parts.append(f"<table>{head}{rows}</table>")
    if plan.model._core.picture is not None and len(plan.policies) == 1:
        parts.append(plan.svg())
    elif len(plan.policies) == 1 and plan.policy.stages == 1:
        parts.append(_table(plan))
    return "\n".join(parts)


def _cost(plan: Plan, name: str) -> str:
    from ._models import _bound

    budget, lower = _bound(plan.model.budgets[name])
    price = plan.prices[name]
    cells = [escape(name), f"{plan.costs[name]:.6g}", "≥" if lower else "≤", f"{budget:.6g}", f"{price:.6g}"]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _table(plan: Plan) -> str:
    """The pairs that matter most."""
    shape, policy = plan.model.shape, plan.policy
    pairs = [pair for pair in range(shape.n_pairs) if policy.probabilities[pair] > 0]
    pairs.sort(key=lambda pair: (-plan.occupancy[pair], pair))
    rows = "".join(
        f"<tr><td>{escape(shape.state_names[shape.state_of[pair]])}</td><td>{escape(shape.action_names[pair])}</td>"
        f"<td>{policy.probabilities[pair]:.4g}</td><td>{plan.occupancy[pair]:.4g}</td></tr>"
        for pair in pairs[:MOST_ROWS]
    )
    more = f"<p>and {len(pairs) - MOST_ROWS} more</p>" if len(pairs) > MOST_ROWS else ""
    return f"<table><tr><th>state</th><th>action</th><th>probability</th><th>share of time</th></tr>{rows}</table>{more}"
