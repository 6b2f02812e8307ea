"""The linear programs of a model, as HiGHS takes them: over occupancies, and the extended one of optimism."""

import highspy
import numpy as np
import scipy.sparse as sp


def occupancy_program(case, draw):
    """max Σ μ r over μ(s,a) ≥ 0 with Σ_a μ(s,·) = Σ μ P(s|·) for all s but the last, Σ μ c_i ≤ τ_i, Σ μ = 1.

    The balance of the last state follows from the others; without it HiGHS is a little faster.
    """
    columns = np.arange(case.pairs)
    leaving = sp.csr_array((np.ones(case.pairs), (case.state_of, columns)), (case.states, case.pairs))
    balance = (leaving - sp.csr_array(case.kernels[draw].T))[:-1]
    reward, costs = case.signals[draw, 0], case.signals[draw, 1:]
    equal = [balance, sp.csr_array(np.ones((1, case.pairs)))]
    return program(reward, [sp.csr_array(costs)], case.budgets, equal, np.append(np.zeros(case.states - 1), 1))


def discounted_program(case, draw):
    """max Σ μ r over μ ≥ 0 with Σ_a μ(s,·) − G Σ μ P(s|·) = start(s), Σ μ c_i ≤ τ_i."""
    columns = np.arange(case.pairs)
    leaving = sp.csr_array((np.ones(case.pairs), (case.state_of, columns)), (case.states, case.pairs))
    balance = leaving - case.criterion["discount"] * sp.csr_array(case.kernels[draw].T)
    reward, costs = case.signals[draw, 0], case.signals[draw, 1:]
    return program(reward, [sp.csr_array(costs)], case.budgets, [balance], case.start)


def layered_program(case, draw):
    """The same over μ_h(s,a) of every stage: Σ_a μ_h(s,·) = Σ μ_{h−1} P(s|·), and μ_0 is the start."""
    stages = case.criterion["horizon"]
    columns = np.arange(case.pairs)
    leaving = sp.csr_array((np.ones(case.pairs), (case.state_of, columns)), (case.states, case.pairs))
    arriving = sp.csr_array(case.kernels[draw].T)
    balance = sp.kron(sp.eye_array(stages), leaving) - sp.kron(sp.eye_array(stages, k=-1), arriving)
    reward, costs = np.tile(case.signals[draw, 0], stages), np.tile(case.signals[draw, 1:], stages)
    sides = np.append(case.start, np.zeros((stages - 1) * case.states))
    return program(reward, [sp.csr_array(costs)], case.budgets, [balance.tocsr()], sides)


def extended_layered_program(case, draw):
    """Over q_h(s,a,s′), where q_h(s,a,·) is within the radius of P in every entry, times its sum: H S² A variables."""
    stages, pairs, states = case.criterion["horizon"], case.pairs, case.states
    entries = pairs * states
    pair, successor = np.divmod(np.arange(entries), states)
    every, ones = np.arange(entries), np.ones(entries)
    leaving = sp.csr_array((ones, (case.state_of[pair], every)), (states, entries))
    arriving = sp.csr_array((ones, (successor, every)), (states, entries))
    whole = sp.csr_array((ones, (pair, every)), (pairs, entries))
    kernel, radius = case.kernels[draw].ravel(), case.radii[draw][pair]
    rows_of = whole[pair]
    above = (sp.eye_array(entries) - sp.diags_array(kernel + radius) @ rows_of).tocsr()[np.flatnonzero(kernel + radius < 1)]
    below = (sp.diags_array(kernel - radius) @ rows_of - sp.eye_array(entries)).tocsr()[np.flatnonzero(kernel > radius)]
    stacked = sp.vstack([above, below])
    less = sp.kron(sp.eye_array(stages), stacked).tocsr()
    balance = sp.kron(sp.eye_array(stages), leaving) - sp.kron(sp.eye_array(stages, k=-1), arriving)
    reward = np.tile(case.signals[draw, 0][pair], stages)
    costs = np.tile(case.signals[draw, 1:][:, pair], stages)
    limits = np.append(np.zeros(less.shape[0]), case.budgets)
    sides = np.append(case.start, np.zeros((stages - 1) * states))
    return program(reward, [less, sp.csr_array(costs)], limits, [balance.tocsr()], sides)


def extended_program(case, draw):
    """The same over μ(s,a) and q(s,a,s′) = μ(s,a) p(s′|s,a), where p is within the radius of P in every entry.

    q ≤ (P + b) μ and q ≥ (P − b) μ entry by entry, without the rows that say nothing in any draw (P + b ≥ 1,
    P − b ≤ 0): a basis of one draw fits the next. Σ_{s′} q = μ.
    """
    pairs, entries = case.pairs, case.pairs * case.states
    pair, successor = np.divmod(np.arange(entries), case.states)
    highs = (case.kernels + case.radii[:, :, None]).reshape(case.draws, entries)
    lows = (case.kernels - case.radii[:, :, None]).reshape(case.draws, entries)

    def bound(sign, share, rows):
        """sign·(q − share μ) ≤ 0 for the chosen entries."""
        at = np.arange(len(rows))
        q = sp.csr_array((np.full(len(rows), sign), (at, rows)), (len(rows), entries))
        return sp.hstack([q, sp.csr_array((-sign * share[rows], (at, pair[rows])), (len(rows), pairs))])

    ones, every = np.ones(entries), np.arange(entries)
    arriving = sp.csr_array((ones, (successor, every)), (case.states, entries))
    leaving = sp.csr_array((np.ones(pairs), (case.state_of, np.arange(pairs))), (case.states, pairs))
    balance = sp.hstack([-arriving, leaving]).tocsr()[:-1]
    link = sp.hstack([sp.csr_array((ones, (pair, every)), (pairs, entries)), -sp.eye_array(pairs)])
    mass = sp.hstack([sp.csr_array((1, entries)), sp.csr_array(np.ones((1, pairs)))])
    costs = sp.hstack([sp.csr_array((case.costs, entries)), sp.csr_array(case.signals[draw, 1:])])
    above = bound(1.0, np.minimum(highs[draw], 1), np.flatnonzero((highs < 1).any(axis=0)))
    below = bound(-1.0, np.maximum(lows[draw], 0), np.flatnonzero((lows > 0).any(axis=0)))
    less = [above, below, costs]
    limits = np.append(np.zeros(above.shape[0] + below.shape[0]), case.budgets)
    reward = np.append(np.zeros(entries), case.signals[draw, 0])
    return program(reward, less, limits, [balance, link, mass], np.append(np.zeros(case.states - 1 + pairs), 1))


def program(reward, less, limits, equal, sides):
    """max reward·x over x ≥ 0 with `less` x ≤ limits and `equal` x = sides, as HiGHS takes it."""
    matrix = sp.vstack([*less, *equal]).tocsc()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = reward
    lp.col_lower_ = np.zeros(lp.num_col_)
    lp.col_upper_ = np.full(lp.num_col_, highspy.kHighsInf)
    lp.row_lower_ = np.append(np.full(len(limits), -highspy.kHighsInf), sides)
    lp.row_upper_ = np.append(limits, sides)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    lp.a_matrix_.index_ = matrix.indices.astype(np.int32)
    lp.a_matrix_.value_ = matrix.data
    return lp
