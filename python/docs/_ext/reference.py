"""The reference: every public name is in it, types are called as the sources call them, and constructors are shown if they are to be called.

A public name that is missing is a warning, which fails the build.
"""

import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import occupancy
import occupancy.gym
import occupancy.plot

CALLED = {"Agent", "CmdpEnv", "CmdpVectorEnv", "Epoch", "Planner", "Policy"}


def check(app: Sphinx, env: BuildEnvironment) -> None:
    documented = env.domains.python_domain.objects
    names = [f"occupancy.{name}" for name in occupancy.__all__]
    for module in (occupancy.gym, occupancy.plot):
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
        names += [f"{module.__name__}.{name}" for name in own if not name.startswith("_")]
    for name in names:
        if name not in documented:
            logging.getLogger(__name__).warning("%s is public and has no place in the reference", name)


def skip(app: Sphinx, what: str, name: str, member: Any, skipped: bool, options: Any) -> bool | None:
    if name in ("__init__", "__new__"):
        owner = getattr(member, "__qualname__", "").split(".")[0]
        return name == "__new__" or owner not in CALLED
    return None


def call_types_as_the_sources_do(
    app: Sphinx, what: str, name: str, member: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    def plain(text: str | None) -> str | None:
        return None if text is None else re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text)

    return plain(signature), plain(returned)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-check-consistency", check)
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-signature", call_types_as_the_sources_do)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
