"""Plans: the best policy within the budgets, what it is worth, and its proof."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._budgets import Budgets
from ._checks import seconds
from ._envs import as_model
from ._models import Model
from ._policies import Policy
from ._questions import Asked, How, Question, QuestionWarning, Teller, question_of, told
from ._shapes import Floats, need

if TYPE_CHECKING:
    import pandas as pd

    from ._questions import Source


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

    It is counted from the start, from ``from_state``, or with ``scope="anywhere"`` from wherever it is best. ``budgets`` replaces some of the
    model's. ``deterministic`` asks for the best policy without lotteries: exact on small models, otherwise the best that was found.
    ``planner`` is ``prices``, or ``prices-vi`` or ``lp`` to check it by other means; ``off_support`` is what is done in states that the
    plan never visits: ``pinned`` returns from them, ``uniform`` takes every action alike, ``first`` the first one. ``certify=False``
    leaves out the proof.

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
    question = question_of(discount, horizon, until, scope, from_state)
    how = How(planner, off_support, certify, deterministic, seconds(time_limit, "time_limit"), told(progress))
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
        """``planner`` and ``off_support`` are those of :func:`solve`."""
        self._core = _core.Planner(planner, off_support)

    def solve(
        self,
        model: Source,
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
        model = as_model(model)
        if discount is None and horizon is None and until is None and scope == "start" and from_state is None:
            question, asked = _AVERAGE, _ASKED
        else:
            question = question_of(discount, horizon, until, scope, from_state)
            asked = question.of(model)
        how = How("prices", "pinned", certify, False, seconds(time_limit, "time_limit"), told(progress))
        return Plan(model, question, self._core.solve(model._core, asked, how))


_AVERAGE = Question()
_ASKED = Asked(None, None, [], False, None)
