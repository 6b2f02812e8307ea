"""Frontiers: the best gain as a function of one budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._budgets import AtLeast, Budgets, bound
from ._checks import seconds, whole_or_none
from ._envs import as_model
from ._models import Model
from ._questions import How, Teller, question_of, told
from ._shapes import Floats, need

if TYPE_CHECKING:
    import pandas as pd

    from ._questions import Source


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
        value, lower = bound(self.model.budgets[self.cost], self.cost)
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

    The cost need not be named if there is only one. ``points`` is the most corners to look for; the criterion, ``budgets`` of other costs,
    ``time_limit`` and ``progress`` are as in :func:`solve`.

    >>> import occupancy as oc
    >>> found = oc.frontier("marsrover-4x4")
    >>> found.budgets.round(6).tolist(), found.gains.round(6).tolist()
    ([0.0, 0.25], [-0.875, -0.75])
    >>> round(found.at(0.2), 6)
    -0.775
    """
    opened = as_model(model)._with(budgets)
    if cost is None:
        if not opened.costs:
            raise _core.Error(f"{opened.name} has no costs, and therefore no frontier")
        if len(opened.costs) > 1:
            raise _core.Error(f"{opened.name} has {len(opened.costs)} costs ({', '.join(opened.costs)}): say which by cost=…")
        cost = opened.costs[0]
    place = opened._cost(cost)
    question = question_of(discount, horizon, until, "start", from_state)
    how = How("prices", "pinned", True, False, seconds(time_limit, "time_limit"), told(progress))
    most = whole_or_none(points, "points", 2)
    return Frontier(opened, cost, _core.frontier(opened._core, question.of(opened), place, most, how))
