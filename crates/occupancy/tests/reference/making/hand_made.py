"""Models made by hand for what end components do; probabilities and costs are mostly exact in binary."""

from .cases import SCOPES, both
from .model import go


def add_to(cases):
    for part in (cycles, components, doors, once):
        part(cases)


def cycles(cases):
    """Little choice, or none."""
    m = cases.build("single", [[go(0, 1, 1, 0), go(0, 0.5, 0, 1), go(0, 0, 0, 0)]])
    cases.add(m, "mix", 0.25, 0.5, **both(0.5))
    cases.add(m, "edge", 0, 0, edge=SCOPES, **both(0))
    cases.add(m, "infeasible", -0.125, 0.5, **both(None))

    m = cases.build("cycle-4", [[go((s + 1) % 4, s + 1, s == 0)] for s in range(4)])
    cases.add(m, "edge", 0.25, edge=SCOPES, **both(2.5))
    cases.add(m, "loose", 0.5, **both(2.5))
    cases.add(m, "infeasible", 0.1875, **both(None))

    # On round the ring, or back to its first state; the start is in the middle.
    m = cases.build(
        "ring-6",
        [[go((s + 1) % 6, 1 if s == 5 else 0, s in (2, 4)), go(0, 0.125 * s, s == 1)] for s in range(6)],
        3,
    )
    cases.add(m, "edge", 0, edge=SCOPES)
    cases.add(m, "middle", 0.1)
    cases.add(m, "free", 2)

    # One action everywhere; chance alone chooses among three closed classes.
    m = cases.build(
        "one-action-absorbing",
        [
            [({1: 0.5, 2: 0.25, 3: 0.25}, 7.0, (7.0,))],
            [go(1, 1, 1)],
            [go(4, 0, 0)],
            [go(3, 5, 0)],
            [go(2, 2, 1)],
        ],
    )
    cases.add(m, "edge", 0.625, edge=("start",), start=2, anywhere=5)
    cases.add(m, "infeasible", 0.5, start=None, anywhere=5)
    cases.add(m, "loose", 0.75, start=2, anywhere=5)


def components(cases):
    """Parts that one can stay in and leave."""
    # Communicating: a dear cycle {0, 1} and a free cycle {2, 3}; the ways between them (4, 5) lose reward.
    # The optimum spends a fixed share of time in each cycle and almost never travels.
    m = cases.build(
        "two-cycles",
        [
            [go(1, 1, 1), go(4, -1, 0)],
            [go(0, 1, 1)],
            [go(3, 0.25, 0), go(5, -1, 0)],
            [go(2, 0.25, 0)],
            [go(2, -1, 0)],
            [go(0, -1, 0)],
        ],
    )
    cases.add(m, "half", 0.5, **both(0.625))
    cases.add(m, "tenth", 0.1, **both(0.325))
    cases.add(m, "edge", 0, edge=SCOPES, **both(0.25))
    cases.add(m, "free", 2, **both(1))
    cases.add(m, "infeasible", -0.1, **both(None))

    # End components inside end components: {0, 1} in {0, 1, 2, 3}, which a gamble leaves for ever towards
    # {4, 5}, {5} or {6}; 7 is a dead end that nobody wants.
    m = cases.build(
        "nested",
        [
            [go(1, 1, 1, 0), go(2, 0, 0, 0)],
            [go(0, 1, 0, 1)],
            [go(3, 2, 1, 1), go(0, 0, 0, 0)],
            [go(0, 0, 0, 0), ({4: 0.5, 6: 0.5}, 0.0, (0.0, 0.0)), go(7, 9, 0, 0)],
            [go(4, 3, 1, 1), go(5, 0, 0, 0)],
            [go(5, 0.75, 0, 0.5), go(4, 0, 0.5, 0)],
            [go(6, 0.5, 0, 0.25), go(6, 2, 1, 0)],
            [go(7, -5, 0, 0)],
        ],
    )
    cases.add(m, "middle", 0.375, 0.375)
    cases.add(m, "unequal", 0.75, 0.125)
    cases.add(m, "edge", 0, 0, edge=SCOPES)
    cases.add(m, "free", 2, 2)


def doors(cases):
    """Ways that part, and what waits at their ends."""
    # A corridor 0..4 with a door at each step; behind door i waits a loop worth i^2 at cost i/4.
    m = cases.build(
        "corridor",
        [([go(s + 1, 0, 0)] if s < 4 else []) + [go(5 + s, 0, 0)] for s in range(5)]
        + [[go(5 + i, i * i, i / 4)] for i in range(5)],
    )
    # Doors 2 and 4 (costs 1/2 and 1) or 0 and 4: the values i^2 are convex in the costs, so mix 0 and 4.
    cases.add(m, "half", 0.5, **both(8))
    cases.add(m, "edge", 0, edge=SCOPES, **both(0))
    cases.add(m, "free", 2, **both(16))
    cases.add(m, "infeasible", -0.25, **both(None))

    # A corridor where each step may fail for good: with probability 1/8 into the pit, state 8.
    m = cases.build(
        "brittle-corridor",
        [
            [({s + 1: 0.875, 8: 0.125}, 0.0, (0.0,)), go(4 + s, 0, 0)] if s < 3 else [go(7, 0, 0)]
            for s in range(4)
        ]
        + [[go(4 + i, (1, 3, 6, 10)[i], i / 4)] for i in range(4)]
        + [[go(8, -1, 0.5)]],
    )
    cases.add(m, "half", 0.5)
    cases.add(m, "tight", 0.0625)
    cases.add(m, "free", 2, anywhere=10)

    # States 2 and 3 are worth 10 at no cost but cannot be reached from the start; 4 can reach everything.
    m = cases.build(
        "better-elsewhere",
        [
            [go(0, 0.5, 0.5), go(1, 0, 1)],
            [go(0, 2, 0.5), go(1, 0.75, 0.75)],
            [go(3, 10, 0)],
            [go(2, 10, 0), go(3, 0, 1)],
            [go(0, 0, 0), go(2, 0, 0)],
        ],
    )
    # From the start: the loop on 0 (0.5 at cost 0.5), or 0 -> 1 -> 0 (1 at cost 0.75).
    cases.add(m, "middle", 0.625, start=0.75, anywhere=10)
    cases.add(m, "edge", 0.5, edge=("start",), start=0.5, anywhere=10)
    cases.add(m, "infeasible", 0.25, start=None, anywhere=10)
    cases.add(m, "infeasible-anywhere", -0.25, **both(None))


def once(cases):
    """What is decided once holds for ever."""
    m = cases.build(
        "absorbing-start",
        [
            [go(1, 0, 0), go(2, 0, 0)],
            [go(3, 0, 0), go(0, 4, 0)],
            [go(2, 1, 1), go(2, 0.25, 0)],
            [go(3, 3, 0), go(0, 0, 0)],
        ],
        2,
    )
    cases.add(m, "middle", 0.5, start=0.625, anywhere=3)
    cases.add(m, "edge", 0, edge=SCOPES, start=0.25, anywhere=3)
    cases.add(m, "free", 2, start=1, anywhere=3)

    # Waiting in 0 is dear; leaving is for ever. Mixing must be done once, not at every visit.
    m = cases.build(
        "wait-or-leave",
        [[go(0, 1, 1, 0), go(1, 0, 0, 0), go(2, 0, 0, 0)], [go(1, 0.25, 0, 0)], [go(2, 0.75, 0, 1)]],
    )
    cases.add(m, "first", 0.5, 0.0625, **both(0.5 + 0.75 * 0.0625 + 0.25 * 0.4375))
    cases.add(m, "second", 0.25, 0.5, **both(0.6875))
    cases.add(m, "edge", 0, 0, edge=SCOPES, **both(0.25))

    # Gambler's ruin on 0..10 from 5: timid and bold stakes.
    walk = [[go(0, 0, 0)]]
    for s in range(1, 10):
        far = min(s, 10 - s, 3)
        walk.append(
            [
                ({s + 1: 0.4375, s - 1: 0.5625}, 0.0, (0.0,)),
                ({s + far: 0.46875, s - far: 0.53125}, 1.0, (1.0,)),
            ]
        )
    m = cases.build("gambler", walk + [[go(10, 1, 1), go(10, 0.5, 0.25)]], 5)
    cases.add(m, "middle", 0.25)
    cases.add(m, "tight", 0.0625)
    cases.add(m, "infeasible", 0.03125, start=None)
    cases.add(m, "edge-elsewhere", 0, edge=("anywhere",), start=None, anywhere=0)
    cases.add(m, "free", 2, anywhere=1)
