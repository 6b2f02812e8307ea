"""Questions: what is made of rewards and costs over time, and where it is counted from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._checks import number, whole_or_none
from ._models import Model

if TYPE_CHECKING:
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


def question_of(
    discount: float | None,
    horizon: int | None,
    until: str | int | Sequence[str | int] | None,
    scope: str,
    from_state: int | str | None,
) -> Question:
    several = () if until is None else (until,) if isinstance(until, (str, int, np.integer)) else tuple(until)
    if until is not None and not several:
        raise _core.Error("until names no state and no label, expected at least one")
    factor = None if discount is None else number(discount, "discount")
    return Question(factor, whole_or_none(horizon, "horizon", 1), several, scope, from_state)


def told(progress: Teller | None) -> Callable[[dict[str, Any]], bool | None] | None:
    return None if progress is None else lambda said: progress(Progress(**said))
