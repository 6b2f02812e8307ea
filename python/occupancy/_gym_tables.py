"""Models from environments of Gymnasium that bring a table of their transitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._budgets import Budgets
from ._checks import mapping
from ._models import Model
from ._sources import _by_pair, _cost_name, _ints, _labels, _numbers


def from_gym(
    env: Any,
    on_end: str,
    costs: Mapping[str, ArrayLike | Callable[[int, int, int], float]] | None,
    budgets: Budgets | None,
    name: str | None,
) -> Model:
    if on_end not in ("restart", "absorb"):
        raise _core.Error(f"on_end is {on_end!r}, expected 'restart' or 'absorb'")
    if not hasattr(env, "unwrapped"):
        raise _core.Error(f"{env!r} is no environment of Gymnasium, expected one such as gymnasium.make(\"FrozenLake-v1\")")
    inner = env.unwrapped
    table = getattr(inner, "P", None)
    if table is None:
        raise _core.Error(f"{env} has no table of transitions `P`; Agent.for_env learns in environments without one")
    weights = getattr(inner, "initial_state_distrib", None)
    n_states, n_actions = len(table), max(len(of) for of in table.values())
    starts = np.asarray(weights, dtype=np.float64) if weights is not None else np.eye(n_states)[int(env.reset()[0])]
    begins = [(int(state), float(starts[state])) for state in np.nonzero(starts)[0]]
    given = mapping(costs, "costs", '{"risk": C}')
    functions = {_cost_name(cost): _signal(cost, of, n_states, n_actions) for cost, of in given.items()}
    ends = {outcome[1] for of in table.values() for row in of.values() for outcome in row if outcome[3]}
    owner: list[int] = []
    first, next_state, probability = [0], [], []
    signals: list[list[float]] = [[] for _ in range(1 + len(functions))]
    action_names = []
    for state, of in table.items():
        for action, row in of.items():
            # Gymnasium's tables let a final state lead to itself.
            is_final = on_end == "absorb" and state in ends and all(outcome[1] == state for outcome in row)
            for weight, following, reward, ended in row:
                brought = [0.0 if is_final else float(reward)]
                brought += [0.0 if is_final else of(state, action, following) for of in functions.values()]
                places = begins if ended and on_end == "restart" else [(following, 1.0)]
                for place, share in places:
                    next_state.append(place)
                    probability.append(weight * share)
                    for values, value in zip(signals, brought, strict=True):
                        values.append(value)
            owner.append(state)
            first.append(len(next_state))
            action_names.append(str(action))
    named = {"reward": np.zeros(0), **dict.fromkeys(functions, np.zeros(0))}
    title = name if name is not None else (env.spec.id if getattr(env, "spec", None) else type(inner).__name__)
    told = _labels(title, n_states, named, budgets, dict(begins), None, action_names, None, True)
    arrays = [np.asarray(values, dtype=np.float64) for values in signals]
    core = _core.Model.from_rows(
        n_states, _ints(owner), _ints(first), _ints(next_state), np.asarray(probability, dtype=np.float64), arrays, told
    )
    return Model(core)


def _signal(
    cost: str, given: ArrayLike | Callable[[int, int, int], float], n_states: int, n_actions: int
) -> Callable[[int, int, int], float]:
    if callable(given):
        function = given
        return lambda state, action, following: float(function(state, action, following))
    table = _by_pair(_numbers(given, f"cost {cost}"), f"cost {cost}", n_states, n_actions)
    return lambda state, action, following: float(table[state, action])
