"""Storm's answer about a file, as a program of its own: python -m comparison.ask_storm FILE.drn BUDGET METHOD.

METHOD is `vi` or `lp` for the long-run average without a budget, which is all that Storm has for decision processes, and
`multi` for its multi-objective engine. The precision is absolute, 1e-6: relative to a negative average, value iteration
did not end in 40 s on a grid of 1024 states that takes 0.3 s otherwise.
"""

import json
import sys
import time

import stormpy

from .alone import INFEASIBLE

PRECISION = "1e-6"
# For the package of Storm 1.14. Linear programs are solved by glpk there, which the wheel brings along.
SETTINGS = {
    "vi": ["--lra:nondetmethod", "vi", "--lra:precision", PRECISION, "--lra:absolute"],
    "lp": ["--lra:nondetmethod", "lp"],
}


def average(path, method):
    """The query, the environment and the model without a budget."""
    stormpy.set_settings(SETTINGS[method])
    return 'R{"r"}max=? [LRA]', stormpy.Environment(), stormpy.build_model_from_drn(path)


def within(path, budget):
    """The same within a budget, for the package of Storm 2.0, which takes 27 s for a grid of 1024 states where that of 1.14 takes 61 s."""
    from stormpy import environments

    environment = environments.Environment()
    multi = environment.modelchecker().multi()
    multi.precision = stormpy.Rational(PRECISION)
    multi.precision_type = environments.MultiObjectivePrecisionType.ABSOLUTE
    query = f'multi(R{{"r"}}max=? [LRA], R{{"c0"}}<={budget} [LRA])'
    return query, environment, stormpy.build_model_from_drn(path)


def main(path, budget, method):
    query, environment, model = within(path, budget) if method == "multi" else average(path, method)
    reading = time.process_time()
    formula = stormpy.parse_properties(query)[0]
    result = stormpy.model_checking(model, formula, only_initial_states=True, environment=environment)
    if method == "multi" and not result.is_quantitative():
        return {"failure": INFEASIBLE, "reading": reading}
    value = result.get_value if method == "multi" else result.at
    return {"value": float(value(model.initial_states[0])), "reading": reading}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
