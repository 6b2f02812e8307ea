"""Models made by hand for where solvers err: edges, ties, rare links, ragged actions."""

from .cases import SCOPES, both
from .model import go


def add_to(cases):
    for part in (edges, ties, rare_links, shapes):
        part(cases)


def edges(cases):
    """Budgets at the least that is achievable, exactly."""
    # The cheapest cycle is the long one: 1/8 on average.
    m = cases.build(
        "edge-ring",
        [[go((s + 1) % 8, 0, s == 0)] + ([go(0, 1 + s, s / 8)] if s in (1, 3) else []) for s in range(8)],
    )
    cases.add(m, "edge", 0.125, edge=SCOPES)
    cases.add(m, "middle", 0.25)
    cases.add(m, "infeasible", 0.0625, **both(None))

    # Half the time in an island of least cost 1/4, half the time in one of least cost 1/2.
    m = cases.build(
        "edge-islands",
        [
            [({1: 0.5, 3: 0.5}, 0.0, (0.0,))],
            [go(2, 1, 0.5), go(1, 2, 1)],
            [go(1, 1, 0)],
            [go(3, 3, 0.5), go(4, 8, 1)],
            [go(3, 0, 0.5)],
        ],
    )
    cases.add(m, "edge", 0.375, edge=("start",), start=2, anywhere=2)
    cases.add(m, "middle", 0.5)
    cases.add(m, "infeasible", 0.3125, start=None, anywhere=1.5)

    # Both costs always add up to one.
    m = cases.build(
        "edge-tradeoff",
        [[go(1, 1, 0.25, 0.75), go(0, 2, 1, 0)], [go(0, 0, 0.25, 0.75), go(1, 0.5, 0, 1)]],
    )
    cases.add(m, "edge", 0.25, 0.75, edge=SCOPES)
    cases.add(m, "edge-middle", 0.625, 0.375, edge=SCOPES)
    cases.add(m, "infeasible", 0.25, 0.5, **both(None))
    cases.add(m, "loose", 0.5, 0.75)

    # Saving up: an average cost of at most -1/4 means to earn more than one spends.
    m = cases.build(
        "earn-and-spend",
        [[go(0, 0, -1), go(1, 0, 0)], [go(1, 1, 0.5), go(2, 0, 0)], [go(2, 4, 3), go(0, 0, 0)]],
    )
    # Share p of earning (-1), the rest spending in 2 (cost 3, worth 4): p = (3 - tau) / 4.
    cases.add(m, "balance", 0, **both(1))
    cases.add(m, "save", -0.25, **both(0.75))
    cases.add(m, "edge", -1, edge=SCOPES, **both(0))
    cases.add(m, "infeasible", -1.125, **both(None))

    # No cost at all: any budget >= 0 is free, any negative one impossible.
    m = cases.build("costless", [[go(1, 1, 0), go(0, 0.25, 0)], [go(0, 0, 0), ({0: 0.5, 1: 0.5}, 1.0, (0.0,))]])
    cases.add(m, "edge", 0, edge=SCOPES)
    cases.add(m, "loose", 0.125)
    cases.add(m, "infeasible", -0.125, **both(None))


def ties(cases):
    """Many optimal plans, and a period."""
    # Two islands of equal worth, reached by three doors, two of them the same: many optimal plans.
    m = cases.build(
        "equal-islands",
        [[go(1, 0, 0), go(2, 0, 0), go(2, 0, 0)], [go(1, 1, 1), go(1, 0, 0)], [go(3, 0, 0), go(3, 1, 1)]]
        + [[go(2, 0, 0), go(2, 1, 1)]],
    )
    cases.add(m, "half", 0.5, **both(0.5))
    cases.add(m, "edge", 0, edge=SCOPES, **both(0))
    cases.add(m, "free", 2, **both(1))

    # Period two, stochastic: left {0, 1}, right {2, 3, 4}.
    m = cases.build(
        "bipartite",
        [
            [({2: 0.5, 3: 0.5}, 1.0, (0.0,)), go(4, 0, 0)],
            [({3: 0.25, 4: 0.75}, 2.0, (1.0,)), go(2, 0, 0)],
            [({0: 0.75, 1: 0.25}, 0.0, (0.0,))],
            [go(1, 3, 1), ({0: 0.5, 1: 0.5}, 0.5, (0.0,))],
            [go(0, 1, 0.5), go(1, 2, 1)],
        ],
    )
    cases.add(m, "tight", 0.125)
    cases.add(m, "middle", 0.375)
    cases.add(m, "free", 2)


def rare_links(cases):
    """Blocks that are hardly ever left."""
    e = 1e-7

    # Links of 1e-7 between the blocks {0, 1} and {2, 3}. In each block one may also work at another pace,
    # which changes how often one leaves it.
    m = cases.build(
        "nearly-decomposable",
        [
            [go(1, 1, 1), ({0: 1 - e, 2: e}, 0.5, (1.0,))],
            [({0: 1 - e, 2: e}, 1.0, (1.0,)), ({0: 1 - 3 * e, 3: 3 * e}, 0.75, (1.0,))],
            [go(3, 0, 0)],
            [({2: 1 - 2 * e, 0: 2 * e}, 0.25, (0.0,)), ({2: 1 - e, 1: e}, 0.0, (0.0,))],
        ],
    )
    # Storm's value iteration would take minutes or more on these two models. The LPs lose digits too: a flow
    # that is wrong by the tolerance of 1e-10 is wrong by 1e-3 of a link.
    nearly = dict(ask_storm=False, agree=1e-6)
    cases.add(m, "half", 0.5, **nearly)
    cases.add(m, "tight", 0.3125, **nearly)
    cases.add(m, "free", 2, **nearly)
    cases.add(m, "infeasible", 0.0625, **nearly)

    # Three blocks in a ring joined by links of 1e-7, one action everywhere but in state 0.
    m = cases.build(
        "nearly-decomposable-ring",
        [
            [({1: 0.5, 0: 0.5 - e, 2: e}, 1.0, (0.0,)), ({1: 0.25, 0: 0.75 - 2 * e, 2: 2 * e}, 2.0, (1.0,))],
            [go(0, 0, 0)],
            [({3: 0.75, 2: 0.25}, 0.0, (1.0,))],
            [({2: 1 - e, 4: e}, 1.0, (1.0,))],
            [({5: 1 - 2 * e, 0: 2 * e}, 3.0, (0.0,))],
            [({4: 0.5, 5: 0.5}, 0.0, (1.0,))],
        ],
    )
    cases.add(m, "middle", 0.75, **nearly)
    cases.add(m, "free", 2, **nearly)
    cases.add(m, "infeasible", 0.125, **nearly)

    # The start is transient but is left only with probability 1e-7.
    m = cases.build(
        "slow-exit",
        [
            [({0: 1 - e, 1: e}, 100.0, (-100.0,)), ({0: 1 - 2 * e, 1: e, 2: e}, 0.0, (0.0,))],
            [go(1, 1, 1), go(1, 0, 0)],
            [go(2, 2, 0)],
        ],
    )
    cases.add(m, "tight", 0.125)
    cases.add(m, "edge", 0, edge=SCOPES, start=1, anywhere=2)
    cases.add(m, "infeasible", -0.125)


def shapes(cases):
    """Numbers of actions that differ from state to state."""
    # Actions 1, 2, 3 in states 0, 1, 2.
    m = cases.build(
        "ragged-3",
        [
            [({0: 0.25, 1: 0.25, 2: 0.5}, 0.0, (0.0,))],
            [({0: 0.5, 2: 0.5}, 1.0, (1.0,)), go(0, 0.25, 0)],
            [go(2, 0.25, 0.25), ({0: 0.125, 1: 0.875}, 0.5, (0.0,)), go(0, 2, 1)],
        ],
    )
    cases.add(m, "tight", 0.125)
    cases.add(m, "free", 2)
    cases.add(m, "infeasible", -0.125, **both(None))

    # Deterministic, 12 states on a line with a wrap: step 1, 3 or 7, not everywhere.
    m = cases.build(
        "jumps-12",
        [
            [go((s + 1) % 12, s % 3, s % 2)]
            + ([go((s + 3) % 12, 2.5, 1)] if s % 4 == 0 else [])
            + ([go((s + 7) % 12, 0.25, 0)] if s % 5 == 0 else [])
            for s in range(12)
        ],
    )
    cases.add(m, "middle", 0.4375)
    cases.add(m, "tight", 0.34375)
    cases.add(m, "infeasible", 0.28125, **both(None))
    cases.add(m, "free", 2)
