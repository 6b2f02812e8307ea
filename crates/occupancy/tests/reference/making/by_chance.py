"""Random models: garnets, islands, tangles, and the same garnet in other units or with every action twice."""

import numpy as np

from .model import Model


def random_row(rng, successors):
    w = rng.exponential(size=len(successors))
    w /= w.sum()
    return {int(j): float(p) for j, p in zip(successors, w)}


def coin_costs(rng, m):
    return tuple(float(v) for v in rng.random(m) < 0.35)


def signed_costs(rng, m):
    return tuple(float(v) for v in rng.uniform(-1, 1, m))


def garnet(name, n, a, branch, m, seed, costs=coin_costs, low=0.0, init=0):
    """n states; a actions each, or a random number in the range a = (least, most); branch successors."""
    rng = np.random.default_rng(seed)
    count = lambda: a if isinstance(a, int) else int(rng.integers(a[0], a[1] + 1))
    pick = lambda: np.sort(rng.choice(n, size=min(branch, n), replace=False))
    actions = [
        [(random_row(rng, pick()), float(rng.uniform(low, 1)), costs(rng, m)) for _ in range(count())]
        for _ in range(n)
    ]
    return Model(name, actions, init)


def islands(name, doors, size, a, m, seed, lift):
    """State 0 is left at once through one of its doors, each a law over islands. Island k is a garnet of
    `size` states without exit; lift is added to its rewards k times."""
    rng = np.random.default_rng(seed)
    count = 1 + max(k for door in doors for k in door)
    actions = [[({1 + k * size: p for k, p in door.items()}, 0.0, (0.0,) * m) for door in doors]]
    for k in range(count):
        inside = np.arange(1 + k * size, 1 + (k + 1) * size)
        for _ in inside:
            actions.append(
                [(random_row(rng, inside), float(rng.random()) + k * lift, coin_costs(rng, m)) for _ in range(a)]
            )
    return Model(name, actions)


def tangle(name, n, m, seed):
    """Sparse random graph: 1 to 3 actions with 1 or 2 successors in the state's own block of five states or
    within the next ten; no way leads back to an earlier block. So there are many end components, transient
    parts and, before the initial state's block, parts that cannot be reached."""
    rng = np.random.default_rng(seed)
    actions = []
    for s in range(n):
        acts = []
        for _ in range(rng.integers(1, 4)):
            block = s - s % 5
            successors = np.unique(rng.integers(block, min(block + 10, n), size=rng.integers(1, 3)))
            acts.append((random_row(rng, successors), float(rng.uniform(-1, 1)), coin_costs(rng, m)))
        actions.append(acts)
    return Model(name, actions, int(rng.integers(5, 10)))


def scaled(name, model, units):
    """The same model with cost i in other units."""
    change = lambda c: tuple(v * u for v, u in zip(c, units))
    return Model(name, [[(row, r, change(c)) for row, r, c in acts] for acts in model.actions], model.init)


def doubled(name, model):
    """Every action twice, in the order 0, 1, ..., 0, 1, ..."""
    return Model(name, [acts + acts for acts in model.actions], model.init)


def add_to(cases):
    m = cases.model(garnet("garnet-m0", 10, 3, 3, 0, 100))
    cases.add(m, "free")
    m = cases.model(garnet("garnet-m1", 6, 3, 3, 1, 101))
    cases.usual(m)
    m = cases.model(garnet("garnet-m2", 20, 4, 4, 2, 102, init=7))
    cases.usual(m)
    m = cases.model(garnet("garnet-m3", 40, 3, 5, 3, 103))
    cases.usual(m)
    m = cases.model(garnet("garnet-dense", 30, 2, 30, 1, 104))
    cases.usual(m)
    m = cases.model(garnet("ragged-24", 24, (1, 6), 3, 2, 105, low=-1.0, init=23))
    cases.usual(m)
    m = cases.model(garnet("deterministic-20", 20, (1, 4), 1, 1, 306))
    cases.usual(m)
    m = cases.model(garnet("one-action-9", 9, 1, 3, 1, 107))
    cases.usual(m)
    m = cases.model(garnet("negative-costs", 12, 3, 3, 2, 108, costs=signed_costs, low=-1.0))
    cases.usual(m, room=0.5)
    small = garnet("", 5, 3, 3, 2, 109)
    # The same model in other units; Storm's precision is absolute, so it is asked only about the first.
    cases.usual(cases.model(scaled("costs-unit", small, (1.0, 1.0))))
    for name, units in (("costs-tiny", (1e-6, 1e-6)), ("costs-huge", (1e6, 1e6)), ("costs-mixed", (1e6, 1e-6))):
        cases.usual(cases.model(scaled(name, small, units)), ask_storm=False)
    m = cases.model(doubled("duplicates", garnet("", 4, 2, 2, 1, 110)))
    cases.usual(m)
    # Three islands: one's own choice; by chance; by a choice between gambles.
    m = cases.model(islands("islands-commit", [{0: 1.0}, {1: 1.0}, {2: 1.0}], 4, 3, 1, 111, 0.25))
    cases.usual(m)
    m = cases.model(islands("islands-chance", [{0: 0.5, 1: 0.25, 2: 0.25}], 4, 3, 2, 112, 0.25))
    cases.usual(m)
    m = cases.model(islands("islands-gamble", [{0: 0.5, 3: 0.5}, {1: 0.25, 2: 0.75}], 5, 2, 2, 113, 0.5))
    cases.usual(m)
    for n, costs, seed in ((12, 1, 314), (30, 2, 414), (60, 2, 614)):
        cases.usual(cases.model(tangle(f"tangle-{n}", n, costs, seed)))
