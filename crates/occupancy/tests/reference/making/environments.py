"""The environments as the papers describe them, with the published optima (ten digits)."""

from .cases import SCOPES, both
from .model import Model

MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]  # up, down, left, right

ROVER_4 = ["WWWWWW", "W00G0W", "W0P0PW", "W0PPPW", "W00S0W", "WWWWWW"]
ROVER_8 = [
    "WWWWWWWWWW",
    "WGPP00000W",
    "W0PP0PPP0W",
    "W0000PP00W",
    "WPPPP0P0PW",
    "WPPPPP000W",
    "WPPPPPP00W",
    "W0000P000W",
    "W00000S00W",
    "WWWWWWWWWW",
]
BOX = ["WWWWWW", "W0SWWW", "W0X00W", "WW000W", "WWW0GW", "WWWWWW"]


def cells_of(grid):
    return [(i, j) for i, line in enumerate(grid) for j, ch in enumerate(line) if ch != "W"]


def find(grid, ch):
    return next((i, j) for i, line in enumerate(grid) for j, x in enumerate(line) if x == ch)


def slipping(slip, chosen, outcome):
    """Row, reward -1 and expected cost of a move: outcome(move) = (successor, cost)."""
    row, cost = {}, 0.0
    for move in MOVES:
        p = slip / 4 + (1 - slip if move == chosen else 0.0)
        if p > 0:
            successor, c = outcome(move)
            row[successor] = row.get(successor, 0.0) + p
            cost += p * c
    return row, -1.0, (cost,)


def marsrover(name, grid, slip, bump_cost=True):
    cells = cells_of(grid)
    number = {cell: k for k, cell in enumerate(cells)}
    start = number[find(grid, "S")]
    actions = []
    for cell in cells:
        if grid[cell[0]][cell[1]] == "G":
            actions.append([({start: 1.0}, 0.0, (0.0,))] * 4)
            continue

        def outcome(move):
            to = (cell[0] + move[0], cell[1] + move[1])
            if to not in number:
                return number[cell], float(bump_cost and grid[cell[0]][cell[1]] == "P")
            return number[to], float(grid[to[0]][to[1]] == "P")

        actions.append([slipping(slip, move, outcome) for move in MOVES])
    return Model(name, actions, start)


def box(name, states, slip):
    cells = cells_of(BOX)
    goal, start = find(BOX, "G"), (find(BOX, "S"), find(BOX, "X"))
    shift = lambda cell, move: (cell[0] + move[0], cell[1] + move[1])
    corner = lambda cell: sum(shift(cell, move) not in cells for move in MOVES) >= 2

    def step(state, move):
        agent, crate = state
        to, pushed = shift(agent, move), shift(crate, move)
        if to not in cells or (to == crate and pushed not in cells):
            return state
        return (to, pushed if to == crate else crate)

    if states == "all":
        order = [(agent, crate) for agent in cells for crate in cells]
    else:  # in the order of a breadth-first search
        order = [start]
        for state in order:
            for new in [start] if state[0] == goal else [step(state, move) for move in MOVES]:
                if new not in order:
                    order.append(new)
    number = {state: k for k, state in enumerate(order)}
    actions = []
    for state in order:
        if state[0] == goal:
            actions.append([({number[start]: 1.0}, 0.0, (0.0,))] * 4)
            continue

        def outcome(move):
            new = step(state, move)
            return number[new], float(corner(new[1]))

        actions.append([slipping(slip, move, outcome) for move in MOVES])
    assert len(order) == {"all": 121, "reachable": 60}[states]
    return Model(name, actions, number[start])


def queue(name, size=5):
    actions = []
    for s in range(size + 1):
        acts = []
        for a in (0.2, 0.4, 0.6, 0.8):
            for b in (0.4, 0.5, 0.6, 0.7):
                if s == 0:
                    row = {1: b * (1 - a)}
                elif s == size:
                    row = {s - 1: a}
                else:
                    row = {s - 1: a * (1 - b), s + 1: (1 - a) * b}
                row[s] = 1 - sum(row.values())
                acts.append((row, 5.0 - s, (10 * a - 6, 8 * (1 - b) ** 2 - 2)))
        actions.append(acts)
    return Model(name, actions)


def river_swim(name):
    """Action 0 left (always succeeds), action 1 right (costs 1).
    Right, interior: on 0.35, stay 0.6, back 0.05; left end: on 0.6, stay 0.4; right end: stay 0.6, back 0.4."""
    actions = []
    for s in range(6):
        right = {s - 1: 0.05, s: 0.6, s + 1: 0.35}
        if s == 0:
            right = {0: 0.4, 1: 0.6}
        if s == 5:
            right = {4: 0.4, 5: 0.6}
        left = ({max(s - 1, 0): 1.0}, 0.005 if s == 0 else 0.0, (0.0,))
        actions.append([left, (right, 1.0 if s == 5 else 0.0, (1.0,))])
    return Model(name, actions)


def add_to(cases):
    gridworlds(cases)
    chains(cases)


def gridworlds(cases):
    """Both rovers and Box, with the published optima (ten digits)."""
    eq = lambda v: both(v, tolerance=6e-11)

    m = cases.model(marsrover("marsrover-4x4", ROVER_4, 0.0))
    cases.add(m, "paper", 0.2, **eq(-0.775))
    cases.add(m, "safe", 0, edge=SCOPES, **eq(-0.875))
    cases.add(m, "half", 0.125, **eq(-0.8125))
    cases.add(m, "fast", 0.5, **eq(-0.75))
    cases.add(m, "infeasible", -0.01, **eq(None))
    m = cases.model(marsrover("marsrover-4x4-slip", ROVER_4, 0.1))
    cases.add(m, "paper", 0.2, slip=True, **eq(-0.8048553699))
    cases.add(m, "safe", 0, **eq(None))
    cases.add(m, "tight", 0.01, slip=True)
    cases.add(m, "fast", 0.5, slip=True, **eq(-0.7760600702))

    m = cases.model(marsrover("marsrover-8x8", ROVER_8, 0.0))
    cases.add(m, "paper", 0.1, **eq(-0.9380952381))
    cases.add(m, "safe", 0, edge=SCOPES, **eq(-0.9523809524))
    cases.add(m, "fast", 0.5, **eq(-0.9230769231))
    m = cases.model(marsrover("marsrover-8x8-slip", ROVER_8, 0.1))
    cases.add(m, "paper", 0.1, slip=True, **eq(-0.9467762490))
    cases.add(m, "safe", 0, **eq(None))
    cases.add(m, "tight", 0.01, slip=True)
    cases.add(m, "fast", 0.5, slip=True, **eq(-0.9297438820))

    for states in ("reachable", "all"):
        m = cases.model(box(f"box-{states}", states, 0.0))
        cases.add(m, "paper", 0.2, **eq(-0.865))
        cases.add(m, "safe", 0, edge=SCOPES, **eq(-0.875))
        cases.add(m, "wide", 0.6, **eq(-0.845))
        cases.add(m, "fast", 0.9, **eq(-0.8333333333))
        m = cases.model(box(f"box-{states}-slip", states, 0.1))
        cases.add(m, "paper", 0.2, slip=True, **eq(-0.8759771375))
        cases.add(m, "safe", 0, **eq(None))
        cases.add(m, "tight", 0.01, slip=True, **both(-0.9615926, tolerance=6e-8))
        cases.add(m, "fast", 0.9, slip=True, **eq(-0.8467887271))


def chains(cases):
    """Queue and RiverSwim."""
    m = cases.model(queue("queue"))
    cases.add(m, "standard", 0, 0, **both(4.473738334576, tolerance=1e-12))
    cases.add(m, "wide", 1, 0.5)
    cases.add(m, "tight", -1, -0.5)
    cases.add(m, "infeasible", -4.5, 0)

    m = cases.model(river_swim("river-swim"))
    cases.add(m, "standard", 0.5)
    cases.add(m, "tight", 0.125)
    cases.add(m, "still", 0, edge=SCOPES, **both(0.005))
    cases.add(m, "free", 2)
