"""HiGHS' answer about a file, as a program of its own: python -m comparison.ask_highs FILE.drn BUDGET METHOD.

The linear program is the one over occupancies: its optimum is that from the start if every state that can be reached
leads back to the start, which is looked at. METHOD is `simplex` or `ipm`; the budget of the first cost may be `none`.
"""

import json
import sys
import time

import highspy
import numpy as np
import scipy.sparse as sp

from .alone import INFEASIBLE
from .drn import File
from .programs import program


# The defaults but for the tolerances: with those of 1e-7 the values of ten thousand states were off by up to 2e-6, and took
# as long (11.7 s instead of 12.7).
OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}


def occupancy_program(model, budget, seen):
    """max Σ μ r over μ(s,a) ≥ 0 with Σ_a μ(s,·) = Σ μ P(s|·) for all states seen but one, Σ μ c ≤ τ, Σ μ = 1."""
    kept = np.flatnonzero(np.isin(model.state_of, seen))
    columns = np.arange(len(kept))
    leaving = sp.csr_array((np.ones(len(kept)), (model.state_of[kept], columns)), (model.states, len(kept)))
    balance = (leaving - model.kernel[kept].T.tocsr())[np.sort(seen)][:-1]
    reward, cost = model.signals[0, kept], model.signals[1:2, kept]
    within = ([], np.array([])) if budget is None else ([sp.csr_array(cost)], np.array([budget]))
    equal = [balance, sp.csr_array(np.ones((1, len(kept))))]
    return program(reward, *within, equal, np.append(np.zeros(len(seen) - 1), 1))


def main(path, budget, method):
    model = File(path)
    seen, leads_back = model.reachable()
    reading = time.process_time()
    if not leads_back:
        return {"failure": "the program of one component is not exact here"}
    lp = occupancy_program(model, None if budget == "none" else float(budget), seen)
    highs = highspy.Highs()
    for option, value in {**OPTIONS, "solver": method}.items():
        assert highs.setOptionValue(option, value) == highspy.HighsStatus.kOk, option
    highs.passModel(lp)
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return {"failure": INFEASIBLE, "reading": reading}
    if status != highspy.HighsModelStatus.kOptimal:
        return {"failure": f"HiGHS says {highs.modelStatusToString(status)}"}
    return {"value": highs.getInfo().objective_function_value, "reading": reading}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
