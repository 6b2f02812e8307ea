"""Environments that come along, by name."""

from __future__ import annotations

from functools import cache
from os import PathLike, fspath
from os.path import exists, splitext
from typing import Any, NamedTuple

from . import _core
from ._budgets import Budgets
from ._checks import texts, unknown
from ._models import Model


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
    if name not in _names():
        raise unknown("environment", name, _names(), "; files are opened by Model.read")
    return Model(_core.Model.open(name, texts(options), None, [], False))._with(budgets)


def as_model(model: Model | str | PathLike[str], **options: Any) -> Model:
    """A model, or what a name or a path stands for, with the options of an environment or a map."""
    if isinstance(model, Model):
        if options:
            raise _core.Error(f"{next(iter(options))} is an option of environments by name and of maps, not of a model")
        return model
    if not isinstance(model, (str, PathLike)):
        kind = type(model).__name__
        raise _core.Error(f"a model is a Model, the name of an environment or the path of a file, not a {kind}; Model.from_arrays takes arrays")
    if model in _names():
        return env(str(model), **options)
    given = fspath(model)
    if splitext(given)[1] or exists(given):
        return Model.read(given, **options)
    raise unknown("model", given, _names(), "; or the path of a file")


@cache
def _names() -> tuple[str, ...]:
    return tuple(found[0] for found in _core.environments())
