"""The optimum from the initial state by Storm's multi-objective engine, each query in a process of its own."""

import multiprocessing
from decimal import Decimal

PRECISION = "1/100000000"  # asked of Storm
AGREE = 1e-6  # required of its answer
SECONDS = 120  # a query that takes longer stops the script


def query(budgets, names):
    reward, *costs = names
    # Decimal(x) prints all digits of the binary number x.
    bounds = [f', R{{"{c}"}}<={format(Decimal(b), "f")} [LRA]' for c, b in zip(costs, budgets)]
    return f'multi(R{{"{reward}"}}max=? [LRA]' + "".join(bounds) + ")"


def answer(path, budgets, names):
    """Storm's optimum from the initial state, None if Storm calls the budgets infeasible. The names are those of the
    reward and of the costs."""
    import stormpy
    from stormpy import environments

    env = environments.sound()
    multi = env.modelchecker().multi()
    multi.precision = stormpy.Rational(PRECISION)
    multi.precision_type = environments.MultiObjectivePrecisionType.ABSOLUTE
    model = stormpy.build_model_from_drn(str(path))
    result = stormpy.model_checking(model, stormpy.parse_properties(query(budgets, names))[0], environment=env)
    state = model.initial_states[0]
    if result.is_quantitative():
        return float(result.get_value(state))
    assert not result.exists_true()
    return None


def worker(path, budgets, pipe):
    names = ["r", *(f"c{i}" for i in range(len(budgets)))]
    pipe.send(answer(path, budgets, names))


def optimum(path, budgets):
    """Storm's answer for a model with the reward r and the costs c0, c1, ..., in a process of its own."""
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
