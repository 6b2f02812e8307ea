"""HiGHS' side: its settings, and the time of its solve alone."""

import math
import time
from pathlib import Path

import highspy

# No setting spends more than this many seconds on one size, cold or warm; the first models count then.
PATIENCE = 12.0

# A solve that takes longer is broken off: its time is a lower bound, and it has no value.
LIMIT = 30.0
UNFINISHED = float("nan")

# Presolve, scaling and perturbation cost more here than they save.
BARE = {
    "presolve": "off",
    "simplex_scale_strategy": 0,
    "dual_simplex_cost_perturbation_multiplier": 0.0,
    "primal_simplex_bound_perturbation_multiplier": 0.0,
}
DUAL, PRIMAL = 1, 4
SETTINGS = {
    "default": {},
    "dual, bare": {**BARE, "simplex_strategy": DUAL},
    "dual, bare, Dantzig": {**BARE, "simplex_strategy": DUAL, "simplex_dual_edge_weight_strategy": 0},
    "primal, bare": {**BARE, "simplex_strategy": PRIMAL},
}
# On the extended program the primal simplex is slower than the bare dual one and takes minutes.
SETTINGS_EXTENDED = {name: SETTINGS[name] for name in ("default", "dual, bare")}


def solver(settings):
    highs = highspy.Highs()
    for option, value in {"output_flag": False, "time_limit": LIMIT, **settings}.items():
        assert highs.setOptionValue(option, value) == highspy.HighsStatus.kOk, option
    return highs


def waited():
    """Seconds that this thread was ready to run and did not get a processor."""
    try:
        return 1e-9 * int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0


def solve(highs):
    """Solves the model that was passed: seconds and value (None: infeasible; nan: broken off)."""
    before, clock, busy = waited(), time.perf_counter(), time.thread_time()
    highs.run()
    seconds = time.perf_counter() - clock
    # The scheduler books a wait when it ends, so that one from before may be among them: no time is less than what was computed.
    seconds = max(seconds - (waited() - before), time.thread_time() - busy)
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return seconds, highs.getInfo().objective_function_value
    if status == highspy.HighsModelStatus.kTimeLimit:
        return seconds, UNFINISHED
    infeasible = highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible
    assert status in infeasible, status
    return seconds, None


def is_unfinished(value):
    return value is not None and math.isnan(value)


def solve_all(programs, settings, warm):
    """Times and values on one program after another, until patience ends."""
    highs, basis, spent, found = solver(settings), None, 0.0, []
    for lp in programs:
        highs.passModel(lp)
        highs.clearSolver()
        if warm and basis is not None and highs.setBasis(basis) != highspy.HighsStatus.kOk:
            break  # HiGHS does not take the basis that it gave for the draw before
        seconds, value = solve(highs)
        found.append((seconds, value))
        if is_unfinished(value):
            break
        basis = highs.getBasis() if value is not None else basis
        spent += seconds
        if spent > PATIENCE and len(found) >= (2 if warm else 1):
            break
    return found


def exact_value(lp):
    """The value with all tolerances at their tightest."""
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10, "time_limit": 4 * LIMIT}
    highs = solver({**BARE, **tight})
    highs.passModel(lp)
    return solve(highs)[1]
