"""Models as environments of Gymnasium. Importing this module registers them:

>>> import gymnasium
>>> import occupancy.gym
>>> env = gymnasium.make("occupancy/Marsrover-4x4-v0", horizon=50)
>>> state, info = env.reset(seed=1)
>>> following, reward, terminated, truncated, info = env.step(0)
>>> info["cost"], info["costs"].tolist()
(1.0, [1.0])

Every environment that comes along has an id, its name with a capital letter; ``occupancy/Model-v0`` takes a model of your own or a file
(``model=``). Observations are the numbers of the states, actions those of the columns of ``model.actions``; an action that a state does
not have is an error, and ``info["action_mask"]`` says which it has.

The long run never ends. ``horizon`` truncates episodes after so many steps; ``until`` (states or a label) terminates them where one
of these states is reached. ``vector_reward=True`` makes the reward a vector, the reward and then the negated costs, as MO-Gymnasium has
it. ``make_vec(id, num_envs=N)`` steps N of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from . import _core
from ._budgets import Budgets
from ._checks import whole_or_none
from ._envs import as_model, envs
from ._models import Model
from ._questions import question_of
from ._shapes import Ints

RENDER_MODES = ["ansi", "rgb_array"]
CELL = 24
COLOURS = {
    "#": (60, 64, 72),
    ".": (245, 245, 245),
    "S": (222, 235, 247),
    "G": (199, 233, 192),
    "r": (252, 205, 190),
}
AGENT, PUSHED = (33, 102, 172), (140, 86, 75)


class _Rules(NamedTuple):
    """How a model is acted in, as the Rust side reads it."""

    ends: list[int]
    horizon: int | None
    columns: list[str]
    places: list[int] | None
    vector_reward: bool


def _rules(
    model: Model, horizon: int | None, until: str | int | Sequence[str | int] | None, vector_reward: bool
) -> _Rules:
    ends = question_of(None, None, until, "start", None).of(model).until
    own = whole_or_none(horizon, "horizon", 1)
    index = model.shape.index_of()
    is_regular = bool((index == np.arange(index.shape[1])).all())
    places = None if is_regular else index.ravel().tolist()
    return _Rules(ends, model.horizon if own is None else own, list(model.actions), places, vector_reward)


def _reward_space(model: Model) -> spaces.Box:
    """The bounds of the vector reward."""
    tables = [model.reward, *(-model.cost(name) for name in model.costs)]
    low, high = [float(np.nanmin(one)) for one in tables], [float(np.nanmax(one)) for one in tables]
    return spaces.Box(np.array(low), np.array(high), dtype=np.float64)


class CmdpEnv(gymnasium.Env[np.int64, np.int64]):
    """A model as an environment."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        model: Model | str | PathLike[str] = "marsrover-4x4",
        *,
        horizon: int | None = None,
        until: str | int | Sequence[str | int] | None = None,
        budgets: Budgets | None = None,
        vector_reward: bool = False,
        stream: str = "environment",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """``options`` are those of an environment that comes along; ``stream`` names the stream of random numbers of a seed."""
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise _core.Error(f"render_mode is {render_mode!r}, expected one of {', '.join(RENDER_MODES)}")
        self.model = as_model(model, **options)._with(budgets)
        rules = _rules(self.model, horizon, until, vector_reward)
        self._world = _core.World(self.model._core, rules, list(np.arange(self.model.n_states, dtype=np.int64)))
        self._stream = stream
        self.observation_space = spaces.Discrete(self.model.n_states)
        self.action_space = spaces.Discrete(len(self.model.actions))
        self.render_mode = render_mode
        if vector_reward:
            self.reward_space = _reward_space(self.model)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.int64, dict[str, Any]]:
        """Starts an episode. ``options={"state": …}`` starts in a state of your choice."""
        first = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or first:
            self._world.seed(seed if seed is not None else int(self.np_random.integers(2**63)), self._stream)
        asked = (options or {}).get("state")
        return self._world.reset(None if asked is None else self.model.state(asked))

    def step(self, action: Any) -> tuple[np.int64, Any, bool, bool, dict[str, Any]]:
        """Takes an action of the state it is in."""
        return self._world.step(action)

    def render(self) -> Any:
        """The grid as text or as a picture; of other models, the state."""
        state = self._world.state
        if self.render_mode is None or state is None:
            return None
        picture = self.model._core.picture
        return _text(self.model, picture, state) if self.render_mode == "ansi" else _pixels(self.model, picture, state)


class CmdpVectorEnv(gymnasium.vector.VectorEnv[Ints, Ints, NDArray[Any]]):
    """Many worlds of one model, stepped at once. Those that end start again in the next step."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        model: Model | str | PathLike[str] = "marsrover-4x4",
        *,
        horizon: int | None = None,
        until: str | int | Sequence[str | int] | None = None,
        budgets: Budgets | None = None,
        vector_reward: bool = False,
        stream: str = "environment",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """``num_envs`` worlds; all else is as for :class:`CmdpEnv`."""
        self.model = as_model(model, **options)._with(budgets)
        self._worlds = _core.Worlds(self.model._core, num_envs, _rules(self.model, horizon, until, vector_reward))
        self._stream = stream
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = spaces.Discrete(self.model.n_states)
        self.single_action_space = spaces.Discrete(len(self.model.actions))
        self.observation_space = spaces.MultiDiscrete(np.full(num_envs, self.model.n_states))
        self.action_space = spaces.MultiDiscrete(np.full(num_envs, len(self.model.actions)))

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ints, dict[str, Any]]:
        """Starts all worlds: world i with seed + i, or with the i-th seed of a list."""
        first = self._np_random is None
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None and first:
            seed = int(self.np_random.integers(2**62))
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed or [])
        if len(seeds) not in (0, self.num_envs):
            raise _core.Error(f"{len(seeds)} seeds are given, expected one for each of {self.num_envs} worlds")
        for world, own in enumerate(seeds):
            if own is not None:
                self._worlds.seed(world, own, self._stream)
        return self._worlds.reset()

    def step(self, actions: NDArray[Any]) -> tuple[Ints, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes an action in every world."""
        return self._worlds.step(np.ascontiguousarray(actions, dtype=np.int64))


def _text(model: Model, picture: Any, state: int) -> str:
    if picture is None:
        return f"state {model.states[state]}"
    height, width, cells, agent, pushed = picture
    letters = list(cells)
    if pushed is not None:
        letters[pushed[state]] = "b"
    letters[agent[state]] = "@"
    return "\n".join("".join(letters[row * width : (row + 1) * width]) for row in range(height))


def _pixels(model: Model, picture: Any, state: int) -> NDArray[np.uint8]:
    """A square for each cell, or for each state of a model without a grid; the agent is a smaller one in it."""
    if picture is None:
        width = max(1, int(np.ceil(np.sqrt(model.n_states))))
        height = -(-model.n_states // width)
        cells, places = "." * model.n_states + "#" * (width * height - model.n_states), [(state, AGENT)]
    else:
        height, width, cells, agent, pushed = picture
        places = [(pushed[state], PUSHED)] if pushed is not None else []
        places.append((agent[state], AGENT))
    colours = np.array([COLOURS[cell] for cell in cells], dtype=np.uint8).reshape(height, width, 3)
    pixels = colours.repeat(CELL, axis=0).repeat(CELL, axis=1)
    pixels[::CELL], pixels[:, ::CELL] = 210, 210
    for place, colour in places:
        top, left = divmod(place, width)
        pixels[top * CELL + 6 : (top + 1) * CELL - 5, left * CELL + 6 : (left + 1) * CELL - 5] = colour
    return pixels


def id_of(name: str) -> str:
    """The id of an environment that comes along: ``marsrover-4x4`` is ``occupancy/Marsrover-4x4-v0``."""
    return f"occupancy/{name[0].upper()}{name[1:]}-v0"


def _register() -> None:
    here = "occupancy.gym"
    entries = [(id_of(found.name), {"model": found.name}) for found in envs()]
    for own, kwargs in [*entries, ("occupancy/Model-v0", {})]:
        if own not in gymnasium.registry:
            gymnasium.register(
                own,
                entry_point=f"{here}:CmdpEnv",
                vector_entry_point=f"{here}:CmdpVectorEnv",
                kwargs=kwargs,
            )


_register()
