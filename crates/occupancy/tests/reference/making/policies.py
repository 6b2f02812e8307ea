"""The optimum without flow equations: deterministic policies, all of them or generated ones, and their best mixture."""

import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from .model import Model
from .programs import flow, highs


def gauss(a, b):
    """Solves a x = b in rational arithmetic (square, regular)."""
    n = len(a)
    rows = [list(a[i]) + [b[i]] for i in range(n)]
    for i in range(n):
        p = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[p] = rows[p], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k in range(n):
            if k != i and rows[k][i] != 0:
                f = rows[k][i]
                rows[k] = [v - f * w for v, w in zip(rows[k], rows[i])]
    return [row[n] for row in rows]


def policy_points(model):
    """Average (r, c_0, ...) of all deterministic policies, exactly: from the initial state, and in each
    recurrent class. Rows are normalised, since a decimal such as 0.1 is not exact in binary."""

    def exact(action):
        row, r, c = action
        total = sum(Fraction(p) for p in row.values())
        return {j: Fraction(p) / total for j, p in row.items()}, tuple(map(Fraction, (r, *c)))

    actions = [[exact(a) for a in acts] for acts in model.actions]
    n, starts, classes = model.n, set(), set()
    for policy in itertools.product(*actions):
        reach = [{s} for s in range(n)]
        for s in range(n):
            todo = [s]
            while todo:
                for j in policy[todo.pop()][0]:
                    if j not in reach[s]:
                        reach[s].add(j)
                        todo.append(j)
        recurrent = {frozenset(reach[s]) for s in range(n) if all(s in reach[j] for j in reach[s])}
        gain = {}
        for cls in recurrent:
            order = sorted(cls)
            # Stationary law: balance in all states but the first, and total mass one.
            a = [[Fraction(1)] * len(order)]
            a += [[policy[s][0].get(j, Fraction(0)) - (s == j) for s in order] for j in order[1:]]
            law = gauss(a, [Fraction(1)] + [Fraction(0)] * (len(order) - 1))
            gain[cls] = tuple(sum(w * policy[s][1][k] for w, s in zip(law, order)) for k in range(1 + model.m))
        classes |= set(gain.values())
        inside = {s: cls for cls in recurrent for s in cls}
        if model.init in inside:
            starts.add(gain[inside[model.init]])
            continue
        transient = [s for s in sorted(reach[model.init]) if s not in inside]
        a = [[(s == j) - policy[s][0].get(j, Fraction(0)) for j in transient] for s in transient]
        point = []
        for k in range(1 + model.m):
            b = [sum(p * gain[inside[j]][k] for j, p in policy[s][0].items() if j in inside) for s in transient]
            point.append(gauss(a, b)[transient.index(model.init)])
        starts.add(tuple(point))
    return {"start": sorted(starts), "anywhere": sorted(classes)}


def best_mixture(points, budgets):
    """max reward of a mixture of the points within the budgets, None if there is none."""
    table = np.array([[float(v) for v in p] for p in points])
    if not budgets:
        return float(table[:, 0].max())
    unit = np.maximum(np.abs(table[:, 1:]).max(axis=0), 1e-300)
    value, status = highs(
        -table[:, 0],
        (table[:, 1:] / unit).T,
        np.array(budgets) / unit,
        np.ones((1, len(table))),
        np.ones(1),
        [(0, None)] * len(table),
    )
    return -value if status == "ok" else None


def reachable(model):
    """The part of the model that can be reached from its initial state."""
    order = [model.init]
    for s in order:
        order += dict.fromkeys(j for row, _, _ in model.actions[s] for j in row if j not in order)
    number = {s: k for k, s in enumerate(order)}
    renamed = [[({number[j]: p for j, p in row.items()}, r, c) for row, r, c in model.actions[s]] for s in order]
    return Model(model.name, renamed)


def generated(model, budgets):
    """The optimum of a model all of whose policies have one recurrent class, to about 1e-12: the best mixture
    of some deterministic policies is a lower bound, policy iteration at the budgets' prices gives an upper
    bound and the next policy. With slip some states are so rare (1e-12) that HiGHS's least tolerance shows
    in the tenth digit of the LP; here each policy is evaluated by a direct solution."""
    n, k = model.n, len(model.pairs)
    state = np.array([s for s, *_ in model.pairs])
    first = np.searchsorted(state, range(n))
    last = np.append(first[1:], k)
    drift = -flow(model).T.toarray()  # P - I, one row per (state, action)
    policy, points = first.copy(), []

    def improve(reward):
        """Policy iteration; returns the optimal gain. The policy's relative values have value 0 in state 0."""
        while True:
            a = -drift[policy]
            a[:, 0] = 1.0  # the gain takes the place of the value of state 0
            h = np.linalg.solve(a, reward[policy])
            gain, h[0] = h[0], 0.0
            q = reward + drift @ h
            changed = False
            for s in range(n):
                best = first[s] + int(q[first[s] : last[s]].argmax())
                if q[best] > q[policy[s]] + 1e-11:
                    policy[s], changed = best, True
            if not changed:
                return gain

    price, penalty = np.zeros(len(budgets)), 1e4
    for _ in range(1000):
        upper = improve(model.r - model.c @ price) + price @ budgets
        a = drift[policy].T.copy()
        a[0] = 1.0
        law = np.linalg.solve(a, np.eye(n)[0])
        points.append([law @ model.r[policy], *(law @ model.c[policy])])
        # Mixtures of the points; exceeding a budget is allowed at a penalty, until it is no longer needed.
        table, m = np.array(points), len(budgets)
        res = linprog(
            np.append(-table[:, 0], penalty),
            np.hstack([table[:, 1:].T, -np.ones((m, 1))]),
            budgets,
            [[1.0] * len(points) + [0.0]],
            [1.0],
            method="highs",
        )
        price = -res.ineqlin.marginals
        if upper + res.fun <= 1e-12:
            assert res.x[-1] <= 1e-12
            return -res.fun
    raise RuntimeError(f"{model.name}: the bounds do not meet")
