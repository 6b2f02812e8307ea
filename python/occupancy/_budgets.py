"""Budgets: what a cost is held to, from above or from below."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from ._checks import mapping, number


class AtLeast(NamedTuple):
    """A cost that has to be at least as large as a number."""

    value: float
    """That number."""


def at_least(value: float) -> AtLeast:
    """A lower bound for a cost: ``budgets={"served": at_least(0.9)}``."""
    return AtLeast(float(value))


Budgets = Mapping[str, "float | AtLeast"]


def bound(value: float | AtLeast, cost: str) -> tuple[float, bool]:
    """The number that a cost is held to, and whether it is a lower one."""
    if isinstance(value, AtLeast):
        return number(value.value, f"the budget of {cost!r}"), True
    return number(value, f"the budget of {cost!r}"), False


def bounds_of(budgets: Any) -> list[tuple[str, float, bool]]:
    """Costs, the numbers they are held to, and whether these are lower ones."""
    return [(cost, *bound(value, cost)) for cost, value in mapping(budgets, "budgets", '{"risk": 0.1}').items()]


def constraint(name: str, given: float | AtLeast) -> str:
    value, lower = bound(given, name)
    return name if math.isinf(value) else f"{name} {'≥' if lower else '≤'} {value:g}"
