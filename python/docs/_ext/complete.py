"""Every public name is in the reference: one that is missing is a warning, which fails the build."""

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import occupancy
import occupancy.gym
import occupancy.plot


def check(app: Sphinx, env: BuildEnvironment) -> None:
    documented = env.domains.python_domain.objects
    names = [f"occupancy.{name}" for name in occupancy.__all__]
    for module in (occupancy.gym, occupancy.plot):
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
        names += [f"{module.__name__}.{name}" for name in own if not name.startswith("_")]
    for name in names:
        if name not in documented:
            logging.getLogger(__name__).warning("%s is public and has no place in the reference", name)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
