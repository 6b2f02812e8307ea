"""The linear programs of both scopes, each solved together with its dual, by HiGHS.

  start     Kallenberg's program with two blocks of variables, exact for every finite model;
  anywhere  occupancy measures: flow balance and mass one.
"""

import math

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

AGREE = 1e-9  # two LPs, or an LP and the enumeration, agree to this much (relative above 1)


def highs(c, a_ub, b_ub, a_eq, b_eq, bounds, agree=AGREE, method="highs"):
    """min c z; returns (value, status) with status 'ok', 'infeasible' or 'unbounded'. A solution that
    violates its equations is reported as 'wrong'."""
    res = None
    # Without presolve if it stops at "infeasible or unbounded"; less strictly if rounding forbids 1e-10.
    for presolve, tolerance in ((True, 1e-10), (False, 1e-10), (False, 1e-9), (False, 1e-8)):
        options = {"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance}
        res = linprog(c, a_ub, b_ub, a_eq, b_eq, bounds, method=method, options={**options, "presolve": presolve})
        if res.status in (0, 2, 3):
            break
    if res.status == 0 and a_eq is not None and np.abs(a_eq @ res.x - b_eq).max() > agree:
        return res.fun, "wrong"
    return (res.fun, {0: "ok", 2: "infeasible", 3: "unbounded"}.get(res.status, "wrong"))


def flow(model):
    """I - P transposed, one column per (state, action). The diagonal entry 1 - p(s|s,a) is summed from
    the other probabilities, so that rare transitions lose no digits."""
    rows, cols, data = [], [], []
    for k, (s, row, _, _) in enumerate(model.pairs):
        for j, p in row.items():
            if j != s:
                rows += [s, j]
                cols += [k, k]
                data += [p, -p]
    return sp.csr_matrix((data, (rows, cols)), shape=(model.n, len(model.pairs)))


def equations(model, scope):
    """A, b with A z = b for the measures of the scope; the first len(pairs) entries of z are x."""
    k = len(model.pairs)
    balance = flow(model)
    if scope == "anywhere":
        return sp.vstack([balance, np.ones((1, k))]).tocsr(), np.array([0.0] * model.n + [1.0])
    outs = sp.csr_matrix((np.ones(k), ([s for s, *_ in model.pairs], range(k))), shape=(model.n, k))
    a = sp.vstack([sp.hstack([balance, sp.csr_matrix((model.n, k))]), sp.hstack([outs, balance])]).tocsr()
    b = np.zeros(2 * model.n)
    b[model.n + model.init] = 1.0
    return a, b


def solve(model, scope, objective, budgets, slack=False, agree=AGREE, method="highs"):
    """max objective . x over the scope's measures within the budgets, checked against the dual LP.

    With slack, instead: the least t such that sum x c_i <= tau_i + t * scale_i for all i.
    Returns None if infeasible. Budget rows are divided by a power of two near their largest entry.

    Kallenberg's second block needs care. A cycle may be added to y freely, so y is unbounded, and rounding
    errors of 1e-16 per unit then create or destroy mass: HiGHS was seen to answer "optimal" at y = 1e16
    with equations violated by more than one. Therefore y is capped. That can only make the primal too small,
    and the dual is that of the LP without cap, so their agreement proves that the cap did no harm. The cap
    grows until they agree."""
    a_eq, b_eq = equations(model, scope)
    k, width = len(model.pairs), a_eq.shape[1]
    c = np.zeros(width)
    if not slack:
        c[:k] = objective
    rows, tau = np.zeros((len(budgets), width)), np.zeros(len(budgets))
    for i, budget in enumerate(budgets):
        unit = 2.0 ** round(math.log2(model.scale(i)))
        rows[i, :k] = model.c[:, i] / unit
        tau[i] = budget / unit
    a_ub = sp.csr_matrix(rows)
    free = 0
    if slack:  # one more variable t, free; maximise -t
        free = 1
        col = np.array([[-model.scale(i) / 2.0 ** round(math.log2(model.scale(i)))] for i in range(len(budgets))])
        a_ub = sp.hstack([a_ub, col]).tocsr()
        a_eq = sp.hstack([a_eq, sp.csr_matrix((a_eq.shape[0], 1))]).tocsr()
        c = np.append(c, -1.0)
    m = len(budgets)
    # Dual: min tau l + b u  s.t.  A_ub' l + A_eq' u >= c (equality for a free variable), l >= 0.
    at = sp.hstack([a_ub.T, a_eq.T]).tocsr()
    dual, dual_status = highs(
        np.concatenate([tau, b_eq]),
        -at[:width],
        -c[:width],
        at[width:] if free else None,
        c[width:] if free else None,
        [(0, None)] * m + [(None, None)] * len(b_eq),
        agree,
        method,
    )
    for cap in (1e2, 1e4, 1e6, 1e8) if scope == "start" else (None,):
        bounds = [(0, None)] * k + [(0, cap)] * (width - k) + [(None, None)] * free
        primal, status = highs(-c, a_ub if m else None, tau if m else None, a_eq, b_eq, bounds, agree, method)
        if status == "ok" and dual_status == "ok" and close(-primal, dual, agree):
            return primal if slack else -primal
    assert (status, dual_status) == ("infeasible", "unbounded"), (model.name, scope, status, primal, dual_status, dual)
    return None


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def least_cost(model, scope, i):
    """The least achievable average of cost i alone."""
    return -solve(model, scope, -model.c[:, i], [])
