"""Prints HiGHS' optima of the large grids that tests/suite/guards.rs and tests/suite/large_models.rs hold the planners to.

Slippery grids: start top left, goal bottom right; every step outside the goal rewards -1, arriving at a risky cell
costs 1, and the goal leads to the start. The occupancy program is too large for make.py, which solves every program in
several ways; here it is solved once, by the simplex method with tolerances of 1e-10.

Run `python grids.py`, in the environment of make.py; it takes ten seconds.
"""

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

SLIP = 0.1
MASK = (1 << 64) - 1


def by_pattern(side):
    """The risky cells of guards.rs."""
    risky = [(i * i * 31 + j * 17 + i * j * 7) % 5 == 0 for i in range(side) for j in range(side)]
    risky[0] = risky[-1] = False
    return risky


def by_chance(side, seed=1, share=0.2):
    """The risky cells of benches/large: xoshiro256++, seeded by splitmix64, 53 bits of every word."""
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        state.append(z ^ (z >> 31))
    turn = lambda x, k: ((x << k) | (x >> (64 - k))) & MASK

    def draw():
        a, b, c, d = state
        word = (turn((a + d) & MASK, 23) + a) & MASK
        c, d = c ^ a, d ^ b
        state[:] = a ^ d, b ^ c, c ^ ((b << 17) & MASK), turn(d, 45)
        return (word >> 11) * 2.0**-53

    risky = [draw() < share for _ in range(side * side)]
    risky[0] = risky[-1] = False
    return risky


def neighbours(cell, side):
    row, column = divmod(cell, side)
    up, down = max(row - 1, 0), min(row + 1, side - 1)
    left, right = max(column - 1, 0), min(column + 1, side - 1)
    return up * side + column, down * side + column, row * side + left, row * side + right


def program(side, risky):
    """Balance and mass as one matrix, and the reward and cost of every pair."""
    states = side * side
    balance, reward, cost = sp.lil_array((states + 1, 4 * states)), np.zeros(4 * states), np.zeros(4 * states)
    for pair in range(4 * states):
        state, action = divmod(pair, 4)
        balance[state, pair] += 1.0
        balance[states, pair] = 1.0
        if state == states - 1:
            balance[0, pair] -= 1.0
            continue
        reward[pair] = -1.0
        for k, successor in enumerate(neighbours(state, side)):
            p = SLIP / 4 + (1 - SLIP if k == action else 0.0)
            balance[successor, pair] -= p
            cost[pair] += p * risky[successor]
    return sp.csr_array(balance), reward, cost


def best(balance, objective, cost, budget):
    """The least objective of an occupancy within the budget."""
    mass = np.zeros(balance.shape[0])
    mass[-1] = 1.0
    equal = {"A_eq": balance, "b_eq": mass}
    within = {} if budget is None else {"A_ub": sp.csr_array(cost.reshape(1, -1)), "b_ub": [budget]}
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(objective, **within, **equal, method="highs-ds", options=tight)
    assert found.status == 0, found.message
    return found.fun


def main():
    balance, reward, cost = program(33, by_pattern(33))
    for budget in (0.05, 0.003, None):
        print(f"33 x 33, budget {budget}: gain {-best(balance, -reward, cost, budget)!r}")
    print(f"33 x 33: least cost {best(balance, cost, cost, None)!r}")
    for side, seed in ((70, 1), (34, 3), (41, 4), (50, 5)):
        balance, reward, cost = program(side, by_chance(side, seed))
        print(f"{side} x {side}, seed {seed}, budget 0.003: gain {-best(balance, -reward, cost, 0.003)!r}")


if __name__ == "__main__":
    main()
