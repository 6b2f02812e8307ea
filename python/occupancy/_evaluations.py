"""What a given policy attains, and proofs of answers, checked without a planner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._envs import as_model
from ._models import Model
from ._plans import Plan
from ._policies import Policy
from ._questions import question_of
from ._shapes import Floats

if TYPE_CHECKING:
    from ._questions import Source


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a policy attains."""

    model: Model
    """Where it was evaluated."""
    gain: float
    """What it earns: a step on average, or in sum."""
    costs: dict[str, float]
    """What it costs, in the same units."""
    errors: tuple[float, ...] = field(repr=False)
    """How far the gain, and then each cost, may be off."""
    occupancy: Floats = field(repr=False)
    """How much of the time is spent in each pair, by pair; by stage and pair for episodes."""

    @property
    def within_budgets(self) -> bool:
        """Whether all costs are within their budgets, up to 1e-9 of the largest cost."""
        for (value, lower), (name, cost) in zip(self.model._core.bounds, self.costs.items(), strict=True):
            slack = 1e-9 * max(1e-12, float(np.nanmax(np.abs(self.model.cost(name)))))
            if (value - cost if lower else cost - value) > slack:
                return False
        return True


def evaluate(
    model: Source,
    policy: Policy | Plan | Floats,
    *,
    discount: float | None = None,
    horizon: int | None = None,
    until: str | int | Sequence[str | int] | None = None,
    scope: str = "start",
    from_state: int | str | None = None,
) -> Evaluation:
    """What a policy attains in a model, by the criterion that is asked for.

    A policy is a :class:`Policy`, a :class:`Plan` or a table of states × actions. That of another model is carried over by the names of
    states and actions. If a plan is several policies, it is what drawing one
    of them comes to.

    >>> import occupancy as oc
    >>> rover = oc.env("marsrover-4x4")
    >>> found = oc.evaluate(rover, oc.Policy.uniform(rover))
    >>> round(found.gain, 4), found.within_budgets
    (-0.9754, False)
    """
    opened = as_model(model)
    asked = question_of(discount, horizon, until, scope, from_state).of(opened)
    if isinstance(policy, np.ndarray):
        policy = Policy(opened, policy)
    if not isinstance(policy, (Policy, Plan)):
        raise _core.Error(f"a policy is a Policy, a Plan or an array of states × actions, not a {type(policy).__name__}")
    drawn = [(1.0, policy)] if isinstance(policy, Policy) else list(zip(policy.weights.tolist(), policy.policies, strict=True))
    found = [(weight, _core.evaluate(opened._core, asked, *one._of_model(opened)._flat())) for weight, one in drawn]
    if len(found) == 1:
        mixed = found[0][1]
    else:
        mixed = {part: sum(weight * np.asarray(one[part]) for weight, one in found) for part in ("gain", "costs", "errors", "occupancy")}
    stages, occupancy = found[0][1]["stages"], np.asarray(mixed["occupancy"])
    occupancy.flags.writeable = False
    costs = {name: float(cost) for name, cost in zip(opened.costs, mixed["costs"], strict=True)}
    errors = tuple(float(error) for error in mixed["errors"])
    return Evaluation(opened, float(mixed["gain"]), costs, errors, occupancy if stages == 1 else occupancy.reshape(stages, -1))


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved of an answer."""

    feasible: bool
    """Whether it is about a plan, or about the fact that there is none."""
    gain_at_least: float
    """What the policies earn at least."""
    optimum_at_most: float
    """What no policy within the budgets exceeds."""
    cost_bounds: dict[str, float]
    """What the policies cost at most (at least, where the budget is a lower one)."""
    missed: dict[str, float]
    """By how much each budget is missed at most."""


def verify(model: Source, plan: Plan) -> Proof:
    """Proves an answer by the vectors that it brings: without a planner, and in arithmetic that rounds outward. What is not proved is
    an :class:`Error`.

    >>> import occupancy as oc
    >>> proof = oc.verify("marsrover-4x4", oc.solve("marsrover-4x4"))
    >>> proof.optimum_at_most - proof.gain_at_least < 1e-12
    True
    """
    if not isinstance(plan, Plan):
        raise _core.Error(f"what is verified is a Plan, which solve makes, not a {type(plan).__name__}")
    given, witness = as_model(model), plan._witness()
    if given.fingerprint != plan.model.fingerprint:
        raise _core.Error(f"the answer is not proved: it is about another model than {given.name}")
    opened, answer = given._with(plan.model.budgets), plan._answer
    if not plan.feasible and answer["without_lotteries"] is not None:
        raise _core.Error("the answer is not proved: that no policy without lotteries meets the budgets rests on a search")
    parts = [(weight, *answer["policies"][policy][1:]) for weight, policy in answer["parts"]]
    claimed = None
    if plan.feasible:
        claimed = (plan.gain, plan.gap, answer["costs"], answer["gain_range"], answer["cost_ranges"])
    found = _core.verify(opened._core, plan._question.of(opened), parts, witness, claimed)
    costs = opened.costs
    return Proof(
        not found["infeasible"],
        found["gain_at_least"],
        found["optimum_at_most"],
        dict(zip(costs, found["cost_bounds"], strict=True)),
        dict(zip(costs, found["missed"], strict=True)),
    )
