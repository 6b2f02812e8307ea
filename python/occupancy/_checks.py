"""What users give, checked before the Rust side reads it: errors name the argument, what it is, and what would be right."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _core


def whole(value: Any, what: str, least: int = 0) -> int:
    """A whole number of at least so much."""
    try:
        number = operator.index(value)
    except TypeError:
        near = f", such as {int(value)}" if isinstance(value, float) and value.is_integer() and value >= least else ""
        raise _core.Error(f"{what} is {value!r}, expected a whole number of at least {least}{near}") from None
    if number < least:
        raise _core.Error(f"{what} is {number}, expected a whole number of at least {least}")
    return number


def whole_or_none(value: Any, what: str, least: int = 0) -> int | None:
    return None if value is None else whole(value, what, least)


def number(value: Any, what: str) -> float:
    """A number; texts are none, even if they say one."""
    if not isinstance(value, str):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise _core.Error(f"{what} is {value!r}, expected a number")


def seconds(value: Any, what: str) -> float | None:
    """A time, or none."""
    if value is None:
        return None
    given = number(value, what)
    if not given > 0:
        raise _core.Error(f"{what} is {given:g}, expected a number of seconds above 0, or None for no limit")
    return min(given, 1e9)


def mapping(value: Any, what: str, example: str) -> Mapping[Any, Any]:
    """A mapping; nothing is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _core.Error(f"{what} is a {type(value).__name__}, expected a mapping such as {example}")
    return value


def unknown(what: str, name: object, known: Iterable[str], more: str = "") -> _core.Error:
    """That a name is not known, with the one that was probably meant."""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(str(name), names, 1)
    hint = f", did you mean {near[0]!r}?" if near else ""
    return _core.Error(f"unknown {what} {name!r}{hint} (known: {', '.join(names)}{more})")


def texts(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Options as texts, which the Rust side reads."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (list, tuple)):
            return ",".join(text(one) for one in value)
        if isinstance(value, np.generic):
            value = value.item()
        return repr(value) if isinstance(value, float) else str(value)

    return [(key, text(value)) for key, value in options.items()]
