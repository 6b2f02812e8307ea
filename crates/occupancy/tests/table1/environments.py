"""Writes environments.json: the optima of small environments of the literature, and of examples/e5.cmdp, by HiGHS.

    pip install -r ../sums/requirements.txt && python environments.py

Each model is written down here from its description, and solved as one linear program over occupancies. Nothing here knows
the project.
"""

import json
from itertools import product

import highspy

INF = highspy.kHighsInf


def solve(columns, balance, right, budgets):
    """max reward over occupancies; columns are (reward, costs), `balance` rows of {column: coefficient} equal to `right`."""
    lp = highspy.Highs()
    lp.silent()
    for option in ["primal_feasibility_tolerance", "dual_feasibility_tolerance"]:
        lp.setOptionValue(option, 1e-10)
    for reward, _ in columns:
        lp.addCol(-reward, 0.0, INF, 0, [], [])
    for row, value in zip(balance, right):
        lp.addRow(value, value, len(row), list(row), list(row.values()))
    for i, budget in enumerate(budgets):
        if budget is not None:
            lp.addRow(-INF, budget, len(columns), list(range(len(columns))), [costs[i] for _, costs in columns])
    lp.run()
    assert lp.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return -lp.getInfo().objective_function_value


def episodes(stages, start, states, budgets):
    """stages[h] is a list of pairs (state, {successor: probability}, reward, costs)."""
    columns, balance, first = [], [], 0
    flow = [{} for _ in range(len(stages) * states)]
    for h, pairs in enumerate(stages):
        for k, (state, row, reward, costs) in enumerate(pairs):
            flow[h * states + state][first + k] = 1.0
            if h + 1 < len(stages):
                for successor, p in row.items():
                    flow[(h + 1) * states + successor][first + k] = -p
            columns.append((reward, costs))
        first += len(pairs)
    right = [1.0 if node == start else 0.0 for node in range(len(flow))]
    return solve(columns, flow, right, budgets)


def average(pairs, states, budgets):
    flow = [{} for _ in range(states)]
    for k, (state, row, _, _) in enumerate(pairs):
        flow[state][k] = flow[state].get(k, 0.0) + 1.0
        for successor, p in row.items():
            flow[successor][k] = flow[successor].get(k, 0.0) - p
    columns = [(reward, costs) for _, _, reward, costs in pairs]
    return solve(columns, flow + [{k: 1.0 for k in range(len(pairs))}], [0.0] * states + [1.0], budgets)


def row_of(entries):
    row = {}
    for successor, p in entries:
        row[successor] = row.get(successor, 0.0) + p
    return row


def media():
    for s, (mu, cost) in product(range(10), [(0.9, 1.0), (0.1, 0.0)]):
        stay, up, down = mu * 0.8 + (1 - mu) * 0.2, mu * 0.2, (1 - mu) * 0.8
        yield s, row_of([(s, stay), (min(s + 1, 9), up), (max(s - 1, 0), down)]), float(s > 0), (cost,)


def inventory(weights):
    demand = [0.3, 0.2, 0.2, 0.2, 0.05, 0.05]
    for s in range(6):
        for a in range(6 - s):
            row = row_of([(max(0, s + a - q), p) for q, p in enumerate(demand)])
            weight = demand.__getitem__ if weights == "demand" else lambda q: row[s + a - q]
            sold = sum(weight(q) * 0.08 * q for q in range(s + a + 1))
            yield s, row, sold / 0.132, (((4 + 2 * a if a > 0 else 0) + s + a) / 19,)


def job_scheduling(step):
    price = 0.9 if 3 <= step <= 6 else 0.2
    for s in range(10):
        yield s, {s: 1.0}, 1.0, (0.0,)
        outcomes = [(max(0, s - k), p) for k, p in [(2, 0.8), (1, 0.1), (0, 0.1)]]
        yield s, row_of(outcomes), 1.0 - price, (-sum(p * (s - t) / 2 for t, p in outcomes),)


def wireless(B):
    for q, a in product(range(B + 1), [0.1, 0.9]):
        moves = product(enumerate([0.65, 0.2, 0.1, 0.05]), [(1, 0.9 * a), (0, 1 - 0.9 * a)])
        row = row_of([(min(B, max(0, q + y - d)), py * pd) for (y, py), (d, pd) in moves])
        yield q, row, 1 - a, (q / B,)


def needle(n):
    for i, up in product(range(n), [True, False]):
        on, last = up == (i % 2 == 0), i == n - 1
        yield i, {i + 1 if on and not last else 0: 1.0}, float(on and last), (float(up),)


TWO_STATE = [
    (0, {0: 1.0}, 1.0, (0.75,)),
    (0, {0: 0.1, 1: 0.9}, 0.0, (0.75,)),
    (1, {0: 0.005, 1: 0.995}, 0.0, (0.525,)),
    (1, {0: 1.0}, 0.0, (0.525,)),
]


def e5():
    for s in range(5):
        walk = {s + 1: 0.6, s: 0.4} if s < 4 else {4: 0.8, 0: 0.2}
        run = row_of([(min(s + 2, 4), 0.7), (s, 0.1), (0, 0.2)]) if s < 4 else {4: 0.9, 0: 0.1}
        yield s, walk, 0.1 + 0.2 * s, (0.0, s * s / 32)
        yield s, run, 0.05 + 0.21 * s, (1.0, s * s / 32)


def main():
    found = {
        "media": episodes([list(media())] * 10, 0, 10, [5.0]),
        "media without a budget": episodes([list(media())] * 10, 0, 10, [None]),
        "inventory": episodes([list(inventory("demand"))] * 7, 0, 6, [3.5]),
        "inventory by successors": episodes([list(inventory("successor"))] * 7, 0, 6, [3.5]),
        "job-scheduling": episodes([list(job_scheduling(h)) for h in range(1, 11)], 9, 10, [-3.5]),
        "needle": average(list(needle(10)), 10, [0.25]),
        "needle of 5": average(list(needle(5)), 5, [0.25]),
        "two-state": average(TWO_STATE, 2, [0.5275]),
        "least cost of two-state": -average([(s, row, -c[0], c) for s, row, _, c in TWO_STATE], 2, [None]),
    }
    for B in (5, 10, 20):
        found[f"wireless-queue of {B}"] = average(list(wireless(B)), B + 1, [3 / B])
    for name, budgets in [("no", [None, None]), ("cost0", [1.2, None]), ("cost1", [None, 0.8]), ("both", [1.2, 0.8])]:
        found[f"e5 within {name} budgets"] = episodes([list(e5())] * 5, 0, 5, budgets)
    with open("environments.json", "w") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
