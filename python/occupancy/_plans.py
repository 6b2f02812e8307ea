"""Plans: the best policy within the budgets, what it is worth, and its proof."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._models import AtLeast, Budgets, Model, _bound, as_model
from ._policies import Policy
from ._shapes import Floats, need

if TYPE_CHECKING:
    import pandas as pd

    Source = Model | str | PathLike[str]

Teller = Callable[["Progress"], "bool | None"]


class QuestionWarning(UserWarning):
    """A question that is probably not what was meant."""


class Progress(NamedTuple):
    """How far a search has come."""

    steps: int
    """Policies looked at."""
    gain: float | None
    """The gain of the best plan within the budgets, if one is known."""
    upper: float
    """What no plan exceeds, as far as it is known."""
    violation: float
    """The least violation known, while no plan is within the budgets."""


class Asked(NamedTuple):
    """What is asked of a model, as the Rust side reads it."""

    discount: float | None
    horizon: int | None
    until: list[int]
    anywhere: bool
    from_state: int | None


class How(NamedTuple):
    """How a question is answered, as the Rust side reads it."""

    planner: str
    off_support: str
    certify: bool
    deterministic: bool
    time_limit: float | None
    progress: Callable[[dict[str, Any]], bool | None] | None


@dataclass(frozen=True, slots=True)
class Question:
    """A criterion and where it is counted from."""

    discount: float | None = None
    horizon: int | None = None
    until: tuple[int | str, ...] = ()
    scope: str = "start"
    from_state: int | str | None = None

    def of(self, model: Model) -> Asked:
        """The same in the numbers of a model."""
        if self.scope not in ("start", "anywhere"):
            raise _core.Error(f"scope is {self.scope!r}, expected 'start' or 'anywhere'")
        chosen = [given is not None for given in (self.discount, self.horizon)] + [bool(self.until)]
        if sum(chosen) > 1:
            raise _core.Error("give one of discount, horizon and until: each is a criterion of its own")
        states: set[int] = set()
        for asked in self.until:
            labelled = model.labels.get(asked) if isinstance(asked, str) else None
            states.update(labelled if labelled is not None else [model.state(asked)])
        origin = None if self.from_state is None else model.state(self.from_state)
        return Asked(self.discount, self.horizon, sorted(states), self.scope == "anywhere", origin)


def _question(
    discount: float | None,
    horizon: int | None,
    until: str | int | Sequence[str | int] | None,
    scope: str,
    from_state: int | str | None,
) -> Question:
    several = () if until is None else (until,) if isinstance(until, (str, int)) else tuple(until)
    return Question(discount, horizon, several, scope, from_state)


class Plan:
    """The answer to a question: the best policy within the budgets, or the news that none meets them.

    >>> import occupancy as oc
    >>> plan = oc.solve("marsrover-4x4")
    >>> plan.feasible, plan.optimal
    (True, True)
    >>> plan.policy.table().shape
    (16, 4)
    """

    __slots__ = ("_answer", "_question", "model")

    def __init__(self, model: Model, question: Question, answer: dict[str, Any]) -> None:
        """Plans are made by :func:`solve`."""
        self.model = model
        self._question = question
        self._answer = answer

    @property
    def feasible(self) -> bool:
        """Whether some policy meets the budgets."""
        return bool(self._answer["feasible"])

    @property
    def optimal(self) -> bool:
        """Whether the plan is proved to be the best one, up to its gap: not if the search was stopped before."""
        return bool(self._answer.get("optimal", False))

    @property
    def gain(self) -> float:
        """What the policy earns: a step on average, or in sum. NaN if no policy meets the budgets."""
        return float(self._answer.get("gain", math.nan))

    @property
    def gap(self) -> float:
        """No policy within the budgets earns more than ``gain + gap``: proved in exact arithmetic, if it is certified."""
        return float(self._answer.get("gap", math.nan))

    @property
    def costs(self) -> dict[str, float]:
        """What the policy costs, in the same units; the least costs found if no policy meets the budgets."""
        return self._by_cost(self._answer.get("costs", self._answer.get("least_costs", ())))

    @property
    def prices(self) -> dict[str, float]:
        """What one more unit of each budget adds to the gain."""
        return self._by_cost(self._answer.get("prices", [math.nan] * len(self.model.costs)))

    @property
    def least_costs(self) -> dict[str, float]:
        """If no policy meets the budgets, the costs of the one that comes closest."""
        return self._by_cost(self._answer.get("least_costs", ()))

    @property
    def violation(self) -> float:
        """If no policy meets the budgets, the least by which one is missed, in units of the largest cost; otherwise 0."""
        return float(self._answer.get("violation", 0.0))

    @property
    def gain_range(self) -> tuple[float, float]:
        """Where the gain is proved to lie."""
        low, high = self._answer.get("gain_range", (-math.inf, math.inf))
        return float(low), float(high)

    @property
    def cost_ranges(self) -> dict[str, tuple[float, float]]:
        """Where the costs are proved to lie."""
        return self._by_cost(self._answer.get("cost_ranges", ()))

    @property
    def missed(self) -> dict[str, float]:
        """By how much each budget is missed at most, proved: rounding, if the plan is feasible."""
        return self._by_cost(self._answer.get("missed", ()))

    @property
    def policies(self) -> tuple[Policy, ...]:
        """One policy where one is enough; otherwise several, one of which is drawn once, by its weight, and followed for ever."""
        return tuple(Policy._of(self.model, table, stages) for _, table, stages in self._answer["policies"])

    @property
    def weights(self) -> Floats:
        """The probability of each policy."""
        return np.array([weight for weight, _, _ in self._answer["policies"]])

    @property
    def policy(self) -> Policy:
        """The policy, if it is a single one."""
        policies = self.policies
        if len(policies) != 1:
            raise _core.Error(
                f"the plan is {len(policies)} policies, one of which is drawn at the start and followed for ever: "
                "use .policies and .weights"
            )
        return policies[0]

    @property
    def occupancy(self) -> Floats:
        """How much of the time is spent in each pair, by pair; by stage and pair for episodes. Read-only."""
        stages, occupancy = self._answer["stages"], self._answer["occupancy"]
        by_stage: Floats = occupancy if stages == 1 else occupancy.reshape(stages, -1)
        return by_stage

    def occupancy_table(self) -> Floats:
        """The same as a table of states × actions, over all stages; NaN where there is no action."""
        by_pair = self.occupancy
        return self.model.shape.table(by_pair.sum(axis=0) if by_pair.ndim == 2 else by_pair)

    @property
    def criterion(self) -> str:
        """What is made of rewards and costs over time: ``average``, ``discounted``, ``episodes`` or ``until``."""
        return str(self._answer["criterion"])

    @property
    def ended(self) -> str:
        """How the search ended: ``proved``, ``stopped`` or ``out of steps``."""
        return str(self._answer.get("ended", "proved"))

    @property
    def seconds(self) -> float:
        """How long it took."""
        return float(self._answer["seconds"])

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the question is probably not meant to be."""
        return tuple(self._answer["warnings"])

    @property
    def gap_deterministic(self) -> float | None:
        """How far the best policy without lotteries may be above this one, if one was asked for: found by a search, not proved."""
        found = self._answer["without_lotteries"]
        return None if found is None else float(found[0])

    @property
    def witness(self) -> dict[str, Any]:
        """The vectors that prove the answer, as ``occupancy solve --witness`` prints them."""
        import json

        found: dict[str, Any] = json.loads(self._witness().to_json())
        return found

    def to_pandas(self) -> pd.DataFrame:
        """A DataFrame of the policies: state, action, probability, occupancy; stage and policy if there are several."""
        pandas = need("pandas", "pandas")
        frames = []
        for number, policy in enumerate(self.policies):
            frame = policy.to_pandas(all=True)
            if len(self.policies) == 1:
                frame["occupancy"] = self.occupancy.reshape(-1)
            else:
                frame.insert(0, "policy", number)
            frames.append(frame)
        joined: pd.DataFrame = pandas.concat(frames, ignore_index=True)
        return joined

    def svg(self) -> str:
        """A drawing of the policy, if the model is a gridworld."""
        drawn = _core.draw_grid(
            self.model._core, self._answer["policies"], self._answer["occupancy"], self._answer["stages"], str(self)
        )
        if drawn is None:
            raise _core.Error(f"{self.model.name} is no gridworld; to_pandas() has its policy")
        return drawn

    def _witness(self) -> _core.Witness:
        witness = self._answer.get("witness")
        if witness is None:
            raise _core.Error("the plan was not certified: solve with certify=True")
        found: _core.Witness = witness
        return found

    def _by_cost(self, values: Any) -> dict[str, Any]:
        return dict(zip(self.model.costs, values, strict=False))

    def __str__(self) -> str:
        if not self.feasible:
            least = ", ".join(f"{name} {cost:.6g}" for name, cost in self.least_costs.items())
            return f"no policy meets the budgets; the closest has {least}"
        costs = "".join(f", {name} {cost:.6g}" for name, cost in self.costs.items())
        return f"gain {self.gain:.6g} (gap {self.gap:.1e}){costs}"

    def __repr__(self) -> str:
        return f"<Plan of {self.model.name}: {self}>"

    def _repr_html_(self) -> str:
        from ._html import plan

        return plan(self)

    def __getstate__(self) -> tuple[Model, Question, dict[str, Any]]:
        answer = dict(self._answer)
        if "witness" in answer:
            answer["witness"] = answer["witness"].to_json()
        return self.model, self._question, answer

    def __setstate__(self, state: tuple[Model, Question, dict[str, Any]]) -> None:
        self.model, self._question, self._answer = state
        if "witness" in self._answer:
            self._answer["witness"] = _core.Witness.from_json(self._answer["witness"])
        self._answer["occupancy"].flags.writeable = False
        for _, table, _ in self._answer["policies"]:
            table.flags.writeable = False


def solve(
    model: Source,
    *,
    discount: float | None = None,
    horizon: int | None = None,
    until: str | int | Sequence[str | int] | None = None,
    scope: str = "start",
    from_state: int | str | None = None,
    budgets: Budgets | None = None,
    deterministic: bool = False,
    planner: str = "prices",
    off_support: str = "pinned",
    certify: bool = True,
    time_limit: float | None = None,
    progress: Teller | None = None,
) -> Plan:
    """The best policy of a model within its budgets.

    Without a criterion it is the long-run average that counts; ``discount`` makes it the discounted sum, ``horizon`` the sum over an
    episode of so many steps, and ``until`` (states or a label) the sum until one of these states is reached. That no policy meets
    the budgets is an answer (``plan.feasible``), not an error.

    ``time_limit`` (seconds) ends the search early with the best plan so far and its gap; :class:`Stopped` is raised if there is none.
    ``progress`` is called now and then with a :class:`Progress`; it stops the search by returning ``False``. Ctrl-C ends it at once.

    >>> import occupancy as oc
    >>> round(oc.solve("marsrover-4x4", budgets={"risk": 0.25}).gain, 12)
    -0.75
    >>> round(oc.solve("marsrover-4x4", discount=0.9).gain, 6)
    -9.072156
    >>> oc.solve("marsrover-4x4", budgets={"risk": -1}).feasible
    False
    """
    opened = as_model(model)._with(budgets)
    question = _question(discount, horizon, until, scope, from_state)
    how = How(planner, off_support, certify, deterministic, time_limit, _told(progress))
    answer = _core.solve(opened._core, question.of(opened), how)
    for warning in answer["warnings"]:
        warnings.warn(warning, QuestionWarning, stacklevel=2)
    return Plan(opened, question, answer)


class Planner:
    """A planner that keeps what it learnt: the next plan of a model nearby takes a fraction of the time.

    Its gaps are those of the search, in floating-point arithmetic, unless a plan is asked for with ``certify=True``.

    >>> import occupancy as oc
    >>> rover, planner = oc.env("marsrover-4x4"), oc.Planner()
    >>> [round(planner.solve(rover.with_budgets(risk=budget)).gain, 6) for budget in (0.1, 0.2)]
    [-0.825, -0.775]
    """

    __slots__ = ("_core",)

    def __init__(self, planner: str = "prices", off_support: str = "pinned") -> None:
        self._core = _core.Planner(planner, off_support)

    def solve(
        self,
        model: Model,
        *,
        discount: float | None = None,
        horizon: int | None = None,
        until: str | int | Sequence[str | int] | None = None,
        scope: str = "start",
        from_state: int | str | None = None,
        certify: bool = False,
        time_limit: float | None = None,
        progress: Teller | None = None,
    ) -> Plan:
        """The best policy of a model within its budgets, as :func:`solve` finds it."""
        if discount is None and horizon is None and until is None and scope == "start" and from_state is None:
            question, asked = _AVERAGE, _ASKED
        else:
            question = _question(discount, horizon, until, scope, from_state)
            asked = question.of(model)
        how = How("prices", "pinned", certify, False, time_limit, _told(progress))
        return Plan(model, question, self._core.solve(model._core, asked, how))


_AVERAGE = Question()
_ASKED = Asked(None, None, [], False, None)


def _told(progress: Teller | None) -> Callable[[dict[str, Any]], bool | None] | None:
    return None if progress is None else lambda said: progress(Progress(**said))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a policy attains."""

    model: Model
    gain: float
    """What it earns: a step on average, or in sum."""
    costs: MappingProxyType[str, float]
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
    policy: Policy | Plan,
    *,
    discount: float | None = None,
    horizon: int | None = None,
    until: str | int | Sequence[str | int] | None = None,
    scope: str = "start",
    from_state: int | str | None = None,
) -> Evaluation:
    """What a policy attains in a model, by the criterion that is asked for.

    >>> import occupancy as oc
    >>> rover = oc.env("marsrover-4x4")
    >>> found = oc.evaluate(rover, oc.Policy.uniform(rover))
    >>> round(found.gain, 4), found.within_budgets
    (-0.9754, False)
    """
    opened = as_model(model)
    followed = policy.policy if isinstance(policy, Plan) else policy
    question = _question(discount, horizon, until, scope, from_state)
    table, stages = followed._flat()
    found = _core.evaluate(opened._core, question.of(opened), table, stages)
    costs = MappingProxyType(dict(zip(opened.costs, found["costs"], strict=True)))
    occupancy = found["occupancy"]
    occupancy = occupancy if found["stages"] == 1 else occupancy.reshape(found["stages"], -1)
    return Evaluation(opened, found["gain"], costs, tuple(found["errors"]), occupancy)


class Frontier:
    """The best gain as a function of one budget: corners, between which it is a line."""

    __slots__ = ("budgets", "cost", "gains", "gap", "gaps", "least_budget", "model", "prices", "unsearched")

    def __init__(self, model: Model, cost: str, found: dict[str, Any]) -> None:
        """Frontiers are made by :func:`frontier`."""
        self.model = model
        self.cost = cost
        self.budgets: Floats = found["budget"]
        """The budgets of the corners, from the tightest."""
        self.gains: Floats = found["gain"]
        """The best gain at each of them."""
        self.prices: Floats = found["price"]
        """What a unit more of budget adds from there on."""
        self.gaps: Floats = found["gap"]
        """How far each gain may be below the optimum."""
        self.gap = float(found["largest_gap"])
        """How far policies may lie beyond the corners, as a share of the largest reward and cost."""
        self.least_budget = float(found["least_budget"])
        """No policy meets a tighter budget than this."""
        self.unsearched: tuple[tuple[float, float], ...] = tuple(found["unsearched"])
        """Budgets between which corners may be missing, because the search was stopped or no more were asked for."""

    def at(self, budget: float) -> float:
        """The best gain within a budget; NaN if no policy meets it."""
        lower = isinstance(self.model.budgets[self.cost], AtLeast)
        sign = -1.0 if lower else 1.0
        x, y = sign * np.asarray(self.budgets), np.asarray(self.gains)
        if len(x) == 0 or sign * budget < x[0] - 1e-9 * min(1.0, abs(budget)):
            return math.nan
        return float(np.interp(sign * budget, x, y))

    def to_pandas(self) -> pd.DataFrame:
        """A DataFrame with the columns budget, gain, price and gap."""
        data = {"budget": self.budgets, "gain": self.gains, "price": self.prices, "gap": self.gaps}
        frame: pd.DataFrame = need("pandas", "pandas").DataFrame(data)
        return frame

    def svg(self) -> str:
        """A drawing."""
        value, lower = _bound(self.model.budgets[self.cost])
        own = value if math.isfinite(value) else None
        points = list(zip(self.budgets.tolist(), self.gains.tolist(), strict=True))
        gain = None if own is None else self.at(own)
        return _core.draw_frontier(self.model.name, self.cost, lower, points, own, None if gain is None or math.isnan(gain) else gain)

    def _repr_html_(self) -> str:
        return self.svg() if len(self.budgets) else repr(self)

    def __len__(self) -> int:
        return len(self.budgets)

    def __repr__(self) -> str:
        return f"<Frontier of {self.model.name} by {self.cost}: {len(self)} corners>"


def frontier(
    model: Source,
    cost: str | None = None,
    *,
    points: int | None = None,
    discount: float | None = None,
    horizon: int | None = None,
    until: str | int | Sequence[str | int] | None = None,
    from_state: int | str | None = None,
    budgets: Budgets | None = None,
    time_limit: float | None = None,
    progress: Teller | None = None,
) -> Frontier:
    """The best gain by the budget of one cost, corner by corner.

    >>> import occupancy as oc
    >>> found = oc.frontier("marsrover-4x4")
    >>> found.budgets.round(6).tolist(), found.gains.round(6).tolist()
    ([0.0, 0.25], [-0.875, -0.75])
    >>> round(found.at(0.2), 6)
    -0.775
    """
    opened = as_model(model)._with(budgets)
    if cost is None:
        if len(opened.costs) != 1:
            raise _core.Error(f"{opened.name} has {len(opened.costs)} costs ({', '.join(opened.costs)}): say which")
        cost = opened.costs[0]
    place = opened._cost(cost)
    question = _question(discount, horizon, until, "start", from_state)
    how = How("prices", "pinned", True, False, time_limit, _told(progress))
    return Frontier(opened, cost, _core.frontier(opened._core, question.of(opened), place, points, how))


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved of an answer."""

    feasible: bool
    """Whether it is about a plan, or about the fact that there is none."""
    gain_at_least: float
    """What the policies earn at least."""
    optimum_at_most: float
    """What no policy within the budgets exceeds."""
    cost_bounds: MappingProxyType[str, float]
    """What the policies cost at most (at least, where the budget is a lower one)."""
    missed: MappingProxyType[str, float]
    """By how much each budget is missed at most."""


def verify(model: Source, plan: Plan) -> Proof:
    """Proves an answer by the vectors that it brings: without a planner, and in arithmetic that rounds outward. What is not proved is
    an :class:`Error`.

    >>> import occupancy as oc
    >>> proof = oc.verify("marsrover-4x4", oc.solve("marsrover-4x4"))
    >>> proof.optimum_at_most - proof.gain_at_least < 1e-12
    True
    """
    opened = as_model(model)._with(plan.model.budgets)
    witness = plan._witness()
    if opened.fingerprint != plan.model.fingerprint:
        raise _core.Error(f"the answer is not proved: it is about another model than {opened.name}")
    answer = plan._answer
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
        MappingProxyType(dict(zip(costs, found["cost_bounds"], strict=True))),
        MappingProxyType(dict(zip(costs, found["missed"], strict=True))),
    )
