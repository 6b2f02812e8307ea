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
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from . import _core
from ._envs import as_model, env, envs
from ._budgets import Budgets
from ._models import Model
from ._questions import Question
from ._shapes import Flags, Ints

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


class _Acting:
    """What a single environment and a vector of them have in common."""

    def __init__(
        self,
        model: Model | str | PathLike[str],
        count: int,
        horizon: int | None,
        until: str | int | Sequence[str | int] | None,
        budgets: Budgets | None,
        vector_reward: bool,
        stream: str,
    ) -> None:
        self.model = as_model(model)._with(budgets)
        several = () if until is None else (until,) if isinstance(until, (str, int)) else tuple(until)
        ends = Question(until=several).of(self.model).until
        self.horizon = horizon if horizon is not None else self.model.horizon
        self.worlds = _core.Worlds(self.model._core, count, ends)
        self.index = self.model.shape.index_of()
        self.mask: Flags = self.model.shape.mask
        self.regular = bool(self.mask.all()) and bool((self.index == np.arange(self.index.shape[1])).all())
        self.vector_reward = vector_reward
        self.stream = stream

    def observation_space(self) -> spaces.Discrete:
        return spaces.Discrete(self.model.n_states)

    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(len(self.model.actions))

    def reward_space(self) -> spaces.Box:
        """The bounds of the vector reward."""
        tables = [self.model.reward, *(-self.model.cost(name) for name in self.model.costs)]
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
        opened = env(str(model), **options) if options else model
        self._acting = _Acting(opened, 1, horizon, until, budgets, vector_reward, stream)
        self.model = self._acting.model
        self.observation_space = self._acting.observation_space()
        self.action_space = self._acting.action_space()
        self.render_mode = render_mode
        if vector_reward:
            self.reward_space = self._acting.reward_space()
        self._state: int | None = None
        self._steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.int64, dict[str, Any]]:
        """Starts an episode. ``options={"state": …}`` starts in a state of your choice."""
        first = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or first:
            own = seed if seed is not None else int(self.np_random.integers(2**63))
            self._acting.worlds.seed(0, own, self._acting.stream)
        self._state = self._acting.worlds.reset(0)
        if options is not None and "state" in options:
            self._state = self.model.state(options["state"])
            self._acting.worlds.place(0, self._state)
        self._steps = 0
        return np.int64(self._state), self._info([0.0] * len(self.model.costs))

    def step(self, action: Any) -> tuple[np.int64, Any, bool, bool, dict[str, Any]]:
        """Takes an action of the state it is in."""
        if self._state is None:
            raise _core.Error("reset the environment before its first step")
        acting = self._acting
        place = int(action) if acting.regular else int(acting.index[self._state, int(action)])
        if place < 0:
            names = ", ".join(name for name, has in zip(self.model.actions, acting.mask[self._state], strict=True) if has)
            raise _core.Error(f"state {self.model.states[self._state]} has no action {self.model.actions[int(action)]}; it has {names}")
        self._state, reward, costs, ended = acting.worlds.step(0, place)
        self._steps += 1
        truncated = acting.horizon is not None and self._steps >= acting.horizon
        paid: Any = reward
        if acting.vector_reward:
            paid = np.array([reward, *(-cost for cost in costs)], dtype=np.float64)
        return np.int64(self._state), paid, ended, truncated and not ended, self._info(costs)

    def _info(self, costs: list[float]) -> dict[str, Any]:
        info: dict[str, Any] = {"cost": float(sum(costs)), "costs": np.array(costs, dtype=np.float64)}
        if not self._acting.regular and self._state is not None:
            info["action_mask"] = self._acting.mask[self._state].astype(np.int8)
        return info

    def render(self) -> Any:
        """The grid as text or as a picture; of other models, the state."""
        if self.render_mode is None or self._state is None:
            return None
        picture = self.model._core.picture
        if self.render_mode == "ansi":
            return _text(self.model, picture, self._state)
        return _pixels(self.model, picture, self._state)


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
        opened = env(str(model), **options) if options else model
        self._acting = _Acting(opened, num_envs, horizon, until, budgets, vector_reward, stream)
        self.model = self._acting.model
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = self._acting.observation_space()
        self.single_action_space = self._acting.action_space()
        self.observation_space = spaces.MultiDiscrete(np.full(num_envs, self.model.n_states))
        self.action_space = spaces.MultiDiscrete(np.full(num_envs, len(self.model.actions)))
        costs = len(self.model.costs)
        self._next = np.zeros(num_envs, dtype=np.int64)
        self._reward = np.zeros(num_envs)
        self._costs = np.zeros(num_envs * costs)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._over = np.zeros(num_envs, dtype=np.bool_)
        self._steps = np.zeros(num_envs, dtype=np.int64)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ints, dict[str, Any]]:
        """Starts all worlds: world i with seed + i, or with the i-th seed of a list."""
        first = self._np_random is None
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None and first:
            seed = int(self.np_random.integers(2**62))
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed or [])
        for world, own in enumerate(seeds):
            if own is not None:
                self._acting.worlds.seed(world, own, self._acting.stream)
        for world in range(self.num_envs):
            self._next[world] = self._acting.worlds.reset(world)
        self._steps[:] = 0
        self._over[:] = False
        self._costs[:] = 0
        return self._next.copy(), self._info()

    def step(self, actions: NDArray[Any]) -> tuple[Ints, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes an action in every world."""
        acting = self._acting
        places = np.asarray(actions, dtype=np.int64)
        if not acting.regular:
            places = np.where(self._over, 0, acting.index[self._next, places])
        acting.worlds.step_all(places, self._over, self._next, self._reward, self._costs, self._ended)
        self._steps = np.where(self._over, 0, self._steps + 1)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        if acting.horizon is not None:
            truncated = (self._steps >= acting.horizon) & ~self._ended
        self._over = self._ended | truncated
        reward: Any = self._reward.copy()
        if acting.vector_reward:
            reward = np.column_stack([reward, -self._costs.reshape(self.num_envs, -1)])
        return self._next.copy(), reward, self._ended.copy(), truncated, self._info()

    def _info(self) -> dict[str, Any]:
        costs = self._costs.reshape(self.num_envs, -1).copy()
        info: dict[str, Any] = {"cost": costs.sum(axis=1), "costs": costs}
        if not self._acting.regular:
            info["action_mask"] = self._acting.mask[self._next].astype(np.int8)
        return info


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
