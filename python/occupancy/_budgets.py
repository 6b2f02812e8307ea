"""Budgets: what a cost is held to, from above or from below."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple


class AtLeast(NamedTuple):
    """A cost that has to be at least as large as a number."""

    value: float
    """That number."""


def at_least(value: float) -> AtLeast:
    """A lower bound for a cost: ``budgets={"served": at_least(0.9)}``."""
    return AtLeast(float(value))


Budgets = Mapping[str, "float | AtLeast"]


def bound(value: float | AtLeast) -> tuple[float, bool]:
    if isinstance(value, AtLeast):
        return float(value.value), True
    return float(value), False


def constraint(name: str, given: float | AtLeast) -> str:
    value, lower = bound(given)
    return name if math.isinf(value) else f"{name} {'≥' if lower else '≤'} {value:g}"
