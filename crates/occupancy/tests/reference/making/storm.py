"""The optimum from the initial state by Storm's multi-objective engine, each query in a process of its own."""

import multiprocessing
from decimal import Decimal

PRECISION = "1/100000000"  # asked of Storm
AGREE = 1e-6  # required of its answer
SECONDS = 120  # a query that takes longer stops the script


def query(budgets):
    # Decimal(x) prints all digits of the binary number x.
    bounds = [f', R{{"c{i}"}}<={format(Decimal(b), "f")} [LRA]' for i, b in enumerate(budgets)]
    return 'multi(R{"r"}max=? [LRA]' + "".join(bounds) + ")"


def worker(path, budgets, pipe):
    import stormpy
    from stormpy import environments

    env = environments.sound()
    multi = env.modelchecker().multi()
    multi.precision = stormpy.Rational(PRECISION)
    multi.precision_type = environments.MultiObjectivePrecisionType.ABSOLUTE
    model = stormpy.build_model_from_drn(str(path))
    result = stormpy.model_checking(model, stormpy.parse_properties(query(budgets))[0], environment=env)
    state = model.initial_states[0]
    if result.is_quantitative():
        pipe.send(float(result.get_value(state)))
    else:
        assert not result.exists_true()
        pipe.send(None)


def optimum(path, budgets):
    """Storm's optimum from the initial state, None if Storm calls the budgets infeasible."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=worker, args=(path, budgets, theirs))
    process.start()
    theirs.close()
    if not ours.poll(SECONDS):
        process.terminate()
        raise RuntimeError(f"Storm does not answer {path.name} {budgets}")
    answer = ours.recv()
    process.join()
    return answer
