"""Environments that come along, by name."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core
from ._budgets import Budgets
from ._models import Model, _texts


class EnvInfo(NamedTuple):
    """An environment that comes along."""

    name: str
    """What :func:`env` knows it by."""
    about: str
    """What it is."""
    options: dict[str, str]
    """Its options with their defaults."""


def envs() -> list[EnvInfo]:
    """The environments that come along.

    >>> import occupancy as oc
    >>> "box" in [found.name for found in oc.envs()]
    True
    """
    return [
        EnvInfo(name, about, {option: value for option, value, _ in options})
        for name, about, options in _core.environments()
    ]


def env(name: str, *, budgets: Budgets | None = None, **options: Any) -> Model:
    """The model of an environment that comes along, by its name and options.

    >>> import occupancy as oc
    >>> oc.env("marsrover-4x4", slip=0.1)
    <Model marsrover-4x4: 16 states, 64 pairs, risk ≤ 0.2>
    """
    known = [found[0] for found in _core.environments()]
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, 1)
        hint = f", did you mean {near[0]!r}?" if near else ""
        raise _core.Error(f"unknown environment {name!r}{hint} (known: {', '.join(known)})")
    return Model(_core.Model.open(name, _texts(options), None, [], False))._with(budgets)
