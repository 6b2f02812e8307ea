"""Answers in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._plans import Plan
    from ._policies import Policy

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
    elif plan.policies[0].stages == 1:
        several = len(plan.policies) > 1
        for weight, policy in zip(plan.weights, plan.policies, strict=True):
            parts.append(f"<p>with probability {weight:.4g}, for ever:</p>" if several else "")
            parts.append(_table(plan, policy))
    return "\n".join(parts)


def policy(policy: Policy) -> str:
    """The table of states and actions; of a policy of episodes, that of the first stage."""
    table, stages = policy.table(), policy.stages
    head = "".join(f"<th>{escape(action)}</th>" for action in policy.actions)
    rows = "".join(
        f"<tr><th>{escape(state)}</th>" + "".join(f"<td>{'' if share != share else f'{share:.4g}'}</td>" for share in row) + "</tr>"
        for state, row in zip(policy.states[:MOST_ROWS], table.tolist(), strict=False)
    )
    more = [f"{len(policy.states) - MOST_ROWS} more states"] if len(policy.states) > MOST_ROWS else []
    more += [f"{stages - 1} more stages"] if stages > 1 else []
    return f"<table><tr><th></th>{head}</tr>{rows}</table>" + (f"<p>and {' and '.join(more)}</p>" if more else "")


def _cost(plan: Plan, name: str) -> str:
    from ._budgets import bound

    budget, lower = bound(plan.model.budgets[name], name)
    price = plan.prices[name]
    cells = [escape(name), f"{plan.costs[name]:.6g}", "≥" if lower else "≤", f"{budget:.6g}", f"{price:.6g}"]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _table(plan: Plan, policy: Policy) -> str:
    """The pairs that matter most."""
    shape, alone = plan.model.shape, len(plan.policies) == 1
    pairs = [pair for pair in range(shape.n_pairs) if policy.probabilities[pair] > 0]
    if alone:
        pairs.sort(key=lambda pair: (-plan.occupancy[pair], pair))
    rows = "".join(
        f"<tr><td>{escape(shape.state_names[shape.state_of[pair]])}</td><td>{escape(shape.action_names[pair])}</td>"
        f"<td>{policy.probabilities[pair]:.4g}</td>{f'<td>{plan.occupancy[pair]:.4g}</td>' if alone else ''}</tr>"
        for pair in pairs[:MOST_ROWS]
    )
    more = f"<p>and {len(pairs) - MOST_ROWS} more</p>" if len(pairs) > MOST_ROWS else ""
    share = f"<th>{_share(plan)}</th>" if alone else ""
    return f"<table><tr><th>state</th><th>action</th><th>probability</th>{share}</tr>{rows}</table>{more}"


def _share(plan: Plan) -> str:
    """What the occupancy is of: time in the long run, steps otherwise."""
    return "share of time" if plan.criterion == "average" else "occupancy"
