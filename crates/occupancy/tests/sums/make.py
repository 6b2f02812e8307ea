"""Writes cases.json: 72 small models, and what HiGHS says of their discounted sums, episodes and sums until absorption;
and optimism.json: what it says of 24 of them over sets of kernels.

    pip install -r requirements.txt && python make.py

Each question is one linear program over occupancies, written down in full:

    discounted   sum_a mu(t,a) - G sum P(t|s,a) mu(s,a)               = start(t)
    episodes     sum_a mu_h(t,a) - sum P(t|s,a) mu_{h-1}(s,a)         = 0, and mu_0 = start
    until        sum_a mu(t,a) - sum P(t|s,a) mu(s,a)                 = start(t) outside the targets,
                 over the pairs of policies that reach the targets with probability 1

Nothing here knows the planners of this project.
"""

import json

import highspy
import numpy as np

INF = highspy.kHighsInf


class Model:
    """Rows, signals and a start; `pairs` lists (state, {successor: probability}, [reward, costs...])."""

    def __init__(self, states, costs, pairs, start):
        self.states, self.costs, self.pairs, self.start = states, costs, pairs, start

    def text(self):
        """The model in the project's text format."""
        lines = [f"cost c{i} <= inf" for i in range(self.costs)]
        lines.append("start " + ", ".join(f"s{s} {p!r}" for s, p in self.start.items()))
        for state in range(self.states):
            lines.append(f"state s{state}")
            for k, (_, row, signals) in enumerate(p for p in self.pairs if p[0] == state):
                names = ["reward"] + [f"c{i}" for i in range(self.costs)]
                told = " ".join(f"{name} {x!r}" for name, x in zip(names, signals))
                lines.append(f"  a{k} {told} -> " + ", ".join(f"s{t} {p!r}" for t, p in row.items()))
        return "\n".join(lines) + "\n"


def random_model(seed):
    rng = np.random.default_rng(seed)
    states, costs = int(rng.integers(3, 11)), int(rng.integers(1, 4))
    kind = seed % 4
    pairs = []
    for state in range(states):
        for action in range(int(rng.integers(1, 5))):
            width = 1 if kind == 1 else int(rng.integers(1, min(states, 4) + 1))
            successors = rng.choice(states, size=width, replace=False)
            if action == 0 and state + 1 < states:
                successors[0] = state + 1 if state + 1 not in successors[1:] else successors[0]
            weights = rng.integers(1, 9, size=width)
            row = {int(t): float(w) / float(weights.sum()) for t, w in zip(successors, weights)}
            reward = float(rng.integers(-9, 10)) / 4 if kind == 2 else round(float(rng.uniform(-1, 1)), 3)
            told = [round(float(rng.uniform(0, 1)), 3) for _ in range(costs)]
            if kind == 3:
                told[-1] = round(float(rng.uniform(-1, 1)), 3)
            pairs.append((state, row, [reward] + told))
    if seed % 3 == 0:
        weights = rng.integers(1, 5, size=2)
        start = {0: float(weights[0] / weights.sum()), states // 2: float(weights[1] / weights.sum())}
    else:
        start = {0: 1.0}
    return Model(states, costs, pairs, start)


def solve(objective, rows, columns, budgets, signals):
    """max objective·x, x >= 0, subject to `rows` (list of (entries, right side)) and signals·x <= budgets."""
    lp = highspy.Highs()
    lp.silent()
    for option, value in [("primal_feasibility_tolerance", 1e-10), ("dual_feasibility_tolerance", 1e-10), ("presolve", "off")]:
        lp.setOptionValue(option, value)
    for c in objective:
        lp.addCol(float(-c), 0.0, INF, 0, [], [])
    for entries, right in rows:
        index = [k for k in entries if entries[k] != 0.0]
        lp.addRow(right, right, len(index), index, [float(entries[k]) for k in index])
    for signal, budget in zip(signals, budgets):
        if budget is not None:
            index = [k for k in range(columns) if signal[k] != 0.0]
            lp.addRow(-INF, budget, len(index), index, [float(signal[k]) for k in index])
    lp.run()
    status = lp.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return "optimal", -lp.getInfo().objective_function_value, np.array(lp.getSolution().col_value)
    if status in (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        return "unbounded", None, None
    assert status == highspy.HighsModelStatus.kInfeasible, status
    return "infeasible", None, None


class Program:
    """The balance equations of a criterion; a variable for each of `columns` (a list of pairs, by stage for episodes)."""

    def __init__(self, model, criterion):
        self.model = model
        self.rows = []
        if "horizon" in criterion:
            stages = criterion["horizon"]
            self.columns = [p for _ in range(stages) for p in model.pairs]
            count = len(model.pairs)
            for h in range(stages):
                for t in range(model.states):
                    entries = {h * count + k: 1.0 for k, (s, _, _) in enumerate(model.pairs) if s == t}
                    if h > 0:
                        for k, (_, row, _) in enumerate(model.pairs):
                            if t in row:
                                entries[(h - 1) * count + k] = -row[t]
                    self.rows.append((entries, model.start.get(t, 0.0) if h == 0 else 0.0))
            return
        factor = criterion.get("discount", 1.0)
        targets = set(criterion.get("until", []))
        within = certain(model, targets) if targets else set(range(model.states))
        self.reachable = all(s in within for s in model.start)
        self.columns = [p for p in model.pairs if p[0] in within - targets and set(p[1]) <= within]
        for t in within - targets:
            entries = {}
            for k, (s, row, _) in enumerate(self.columns):
                entries[k] = (1.0 if s == t else 0.0) - factor * row.get(t, 0.0)
            self.rows.append((entries, model.start.get(t, 0.0)))

    def signal(self, k):
        return [p[2][k] for p in self.columns]

    def best(self, objective, budgets):
        signals = [self.signal(1 + i) for i in range(self.model.costs)]
        return solve(objective, self.rows, len(self.columns), budgets, signals)

    def attained(self, x):
        """Whether every state of the flow is reached from the start along it."""
        seen = {s for s in self.model.start}
        while True:
            more = {t for k, (s, row, _) in enumerate(self.columns) if x[k] > 1e-9 and s in seen for t in row} - seen
            if not more:
                break
            seen |= more
        return all(x[k] <= 1e-9 or s in seen for k, (s, _, _) in enumerate(self.columns))


def certain(model, targets):
    """The states from which some policy reaches the targets with probability 1."""
    within = set(range(model.states))
    while True:
        near = set(targets) & within
        grew = True
        while grew:
            grew = False
            for s, row, _ in model.pairs:
                if s in within and s not in near and set(row) <= within and set(row) & near:
                    near.add(s)
                    grew = True
        if near == within:
            return within
        within = near


def questions(model, seed):
    rng = np.random.default_rng(10_000 + seed)
    criteria = [
        {"discount": float(rng.choice([0.5, 0.9, 0.99]))},
        {"horizon": int(rng.integers(1, 9))},
        {"until": [model.states - 1]},
    ]
    for criterion in criteria:
        program = Program(model, criterion)
        if "until" in criterion and not program.reachable:
            yield {"criterion": criterion, "budgets": [None] * model.costs, "verdict": "out of reach"}
            continue
        free = [None] * model.costs
        costs = [program.signal(1 + i) for i in range(model.costs)]
        _, _, best = program.best(program.signal(0), free)
        _, _, safe = program.best([-sum(c) for c in zip(*costs)], free)
        # Between a policy of low costs and the best one, so that all budgets can be met together.
        share = float(rng.choice([0.0, 0.25, 0.6, 1.0]))
        if safe is None:
            budgets = [1.0] * model.costs
        else:
            mixed = safe + 1.0 if best is None else (1 - share) * safe + share * best
            budgets = [round(float(np.dot(cost, mixed)) + 1e-3, 6) for cost in costs]
        if rng.uniform() < 0.15:
            budgets[0] = round(budgets[0] - 10.0 - abs(budgets[0]), 6)
        status, value, x = program.best(program.signal(0), budgets)
        asked = {"criterion": criterion, "budgets": budgets, "verdict": status}
        if status == "optimal":
            asked["gain"] = value
            if "until" in criterion and not program.attained(x):
                asked["verdict"] = "perhaps not attained"
        yield asked


def optimistic(model, horizon, budgets, radii, ball):
    """The extended program in q_h(s,a,t) over a box for each pair (radii by pair and successor) or an L1 ball (radius by pair)."""
    S, pairs, m = model.states, model.pairs, model.costs
    index = {}
    for h in range(horizon):
        for k in range(len(pairs)):
            for t in range(S):
                index[h, k, t] = len(index)
    extra = {}
    if ball:
        for h in range(horizon):
            for k in range(len(pairs)):
                for t in range(S):
                    extra[h, k, t] = len(index) + len(extra)
    columns = len(index) + len(extra)
    lp = highspy.Highs()
    lp.silent()
    for option, value in [("primal_feasibility_tolerance", 1e-10), ("dual_feasibility_tolerance", 1e-10)]:
        lp.setOptionValue(option, value)
    for h in range(horizon):
        for k in range(len(pairs)):
            for t in range(S):
                lp.addCol(-float(pairs[k][2][0]), 0.0, INF, 0, [], [])
    for _ in extra:
        lp.addCol(0.0, 0.0, INF, 0, [], [])

    def row(low, high, entries):
        lp.addRow(low, high, len(entries), list(entries), [float(x) for x in entries.values()])

    for h in range(horizon):
        for s in range(S):
            entries = {}
            for k, pair in enumerate(pairs):
                for t in range(S):
                    if pair[0] == s:
                        entries[index[h, k, t]] = entries.get(index[h, k, t], 0.0) + 1.0
                    if h > 0 and t == s:
                        entries[index[h - 1, k, t]] = entries.get(index[h - 1, k, t], 0.0) - 1.0
            right = model.start.get(s, 0.0) if h == 0 else 0.0
            row(right, right, entries)
        for k, (_, given, _) in enumerate(pairs):
            for t in range(S):
                p = given.get(t, 0.0)
                if ball:
                    # |q - p sum q| <= e, entry by entry, and the sum of e at most the radius times sum q.
                    for sign in (1.0, -1.0):
                        entries = {index[h, k, y]: -sign * p for y in range(S)}
                        entries[index[h, k, t]] += sign
                        entries[extra[h, k, t]] = -1.0
                        row(-INF, 0.0, entries)
                else:
                    for sign in (1.0, -1.0):
                        edge = p + radii[k][t] if sign > 0 else p - radii[k][t]
                        entries = {index[h, k, y]: -sign * edge for y in range(S)}
                        entries[index[h, k, t]] += sign
                        row(-INF, 0.0, entries)
            if ball:
                entries = {extra[h, k, t]: 1.0 for t in range(S)}
                entries.update({index[h, k, y]: -radii[k] for y in range(S)})
                row(-INF, 0.0, entries)
    for i, budget in enumerate(budgets):
        row(-INF, budget, {index[h, k, t]: pairs[k][2][1 + i] for h in range(horizon) for k in range(len(pairs)) for t in range(S)})
    lp.run()
    if lp.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    assert lp.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return -lp.getInfo().objective_function_value


def optimistic_cases():
    for seed in range(24):
        rng = np.random.default_rng(20_000 + seed)
        model = random_model(seed)
        horizon, ball = int(rng.integers(1, 6)), seed % 3 == 2
        if ball:
            radii = [round(float(rng.uniform(0, 0.8)), 3) for _ in model.pairs]
        else:
            radii = [[round(float(rng.uniform(0, 0.3)), 3) for _ in range(model.states)] for _ in model.pairs]
        program = Program(model, {"horizon": horizon})
        costs = [program.signal(1 + i) for i in range(model.costs)]
        _, _, safe = program.best([-sum(c) for c in zip(*costs)], [None] * model.costs)
        budgets = [round(float(np.dot(cost, safe)) - 0.05, 6) for cost in costs]
        yield {
            "name": f"random-{seed}", "model": model.text(), "horizon": horizon, "budgets": budgets,
            "set": "l1" if ball else "box", "radii": radii if ball else [x for row in radii for x in row],
            "gain": optimistic(model, horizon, budgets, radii, ball),
        }


def main():
    cases = []
    for seed in range(72):
        model = random_model(seed)
        cases.append({"name": f"random-{seed}", "model": model.text(), "questions": list(questions(model, seed))})
    with open("cases.json", "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    with open("optimism.json", "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(case) for case in optimistic_cases()) + "\n]\n")
    from collections import Counter
    print(Counter((next(iter(q["criterion"])), q["verdict"]) for c in cases for q in c["questions"]))


if __name__ == "__main__":
    main()
