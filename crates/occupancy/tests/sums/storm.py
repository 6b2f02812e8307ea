"""Asks Storm about the models of cases.json, and says where its values differ from the stored ones.

    pip install -r requirements-storm.txt && python storm.py

Storm knows total rewards with bounds, so every question becomes one of those, by a model that is written down in full:

    discounted   every step ends with probability 1 - G
    episodes     a state for every stage and state; the last stage leads to the end
    until        the targets are the end

Storm is at home with signals of one sign. An episode takes H steps and a discounted sum 1 / (1 - G) on average, whatever is done, so
signals are moved up by their least value, and sums by as many times that. Sums until a state take as many steps as the policy
makes them, and are asked about as they are; Storm refuses those in which some loop pays or costs for ever. Nothing here knows
the planners of this project.
"""

import json
import multiprocessing
import re
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

PRECISION = "1/1000000000"  # asked of Storm
AGREE = 1e-6  # required of its answer, relative to the steps of the sum
SECONDS = 60


def read(text):
    """The start, and the pairs (state, row, [reward, costs...]) of a model of cases.json."""
    pairs, start, names = [], {}, []
    for line in text.splitlines():
        if line.startswith("cost "):
            names.append(line.split()[1])
        elif line.startswith("start "):
            start = row_of(line[6:])
        elif line.startswith("state "):
            state = int(line.split()[1][1:])
        else:
            told, row = line.split("->")
            words = told.split()
            signals = dict(zip(words[1::2], map(float, words[2::2])))
            pairs.append((state, row_of(row), [signals.get(name, 0.0) for name in ["reward", *names]]))
    return start, pairs


def row_of(text):
    return {int(s): float(p) for s, p in re.findall(r"s(\d+) (\S+?)(?:,|$)", text.strip())}


def as_total(start, pairs, criterion):
    """The pairs of a model in which the sum is a total, its start, its end, and how many steps the sum has on average."""
    states = 1 + max(state for state, _, _ in pairs)
    if "discount" in criterion:
        factor = criterion["discount"]
        ending = [(s, {**{t: factor * p for t, p in row.items()}, states: 1 - factor}, x) for s, row, x in pairs]
        return ending, start, states, 1 / (1 - factor)
    if "horizon" in criterion:
        horizon = criterion["horizon"]
        end = states * horizon
        next_of = lambda h, t: (h + 1) * states + t if h + 1 < horizon else end
        layered = []
        for h in range(horizon):
            for s, row, x in pairs:
                onward = {}
                for t, p in row.items():
                    onward[next_of(h, t)] = onward.get(next_of(h, t), 0.0) + p
                layered.append((h * states + s, onward, x))
        return layered, start, end, horizon
    targets = set(criterion["until"])
    node = lambda s: states if s in targets else s
    onward = []
    for s, row, x in pairs:
        if s not in targets:
            moved = {}
            for t, p in row.items():
                moved[node(t)] = moved.get(node(t), 0.0) + p
            onward.append((s, moved, x))
    return onward, {node(s): p for s, p in start.items()}, states, None


def drn(start, pairs, end, costs):
    """The model in Storm's format: state 0 draws the start, the last one is the end."""
    by_state = {}
    for s, row, x in pairs:
        by_state.setdefault(s, []).append((row, x))
    numbers = {s: i + 1 for i, s in enumerate(sorted(by_state))}
    numbers[end] = len(numbers) + 1
    zero = ", ".join(["0"] * (costs + 1))
    lines = ["@type: MDP", "@parameters", "", "@reward_models", " ".join(["r", *(f"c{i}" for i in range(costs))])]
    lines += ["@nr_states", str(len(numbers) + 1), "@nr_choices", str(len(pairs) + 2), "@model"]
    told = lambda row: [f"\t\t{numbers[t]} : {p!r}" for t, p in sorted(row.items(), key=lambda e: numbers[e[0]]) if p > 0]
    lines += [f"state 0 [{zero}] init", f"\taction 0 [{zero}]", *told(start)]
    for s in sorted(by_state):
        lines.append(f"state {numbers[s]} [{zero}]")
        for k, (row, x) in enumerate(by_state[s]):
            lines += [f"\taction {k} [" + ", ".join(repr(v) for v in x) + "]", *told(row)]
    lines += [f"state {numbers[end]} [{zero}] end", f"\taction 0 [{zero}]", f"\t\t{numbers[end]} : 1"]
    return "\n".join(lines) + "\n"


def ask(path, budgets, pipe):
    import stormpy
    from stormpy import environments

    env = environments.sound()
    multi = env.modelchecker().multi()
    multi.precision = stormpy.Rational(PRECISION)
    multi.precision_type = environments.MultiObjectivePrecisionType.ABSOLUTE
    bounds = [f', R{{"c{i}"}}<={format(Decimal(b), "f")} [F "end"]' for i, b in enumerate(budgets) if b is not None]
    query = 'multi(R{"r"}max=? [F "end"]' + "".join(bounds) + ")" if bounds else 'R{"r"}max=? [F "end"]'
    try:
        model = stormpy.build_model_from_drn(str(path))
        result = stormpy.model_checking(model, stormpy.parse_properties(query)[0], environment=env)
        value = float(result.get_value(0)) if result.is_quantitative() else "infeasible"
    except RuntimeError as error:
        value = f"no answer: {error}"
    pipe.send(value)


def answer(text, budgets):
    """Storm's answer in a process of its own: a number, `infeasible`, or why there is none."""
    with tempfile.NamedTemporaryFile("w", suffix=".drn") as file:
        file.write(text)
        file.flush()
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=ask, args=(Path(file.name), budgets, theirs))
        process.start()
        theirs.close()
        try:
            value = ours.recv() if ours.poll(SECONDS) else "no answer: too slow"
        except EOFError:
            value = "no answer: it crashed"
        process.kill()
        process.join()
        return value


def main():
    counts = {}
    for case in json.loads((Path(__file__).parent / "cases.json").read_text()):
        start, pairs = read(case["model"])
        for question in case["questions"]:
            criterion, budgets = question["criterion"], question["budgets"]
            kind = next(iter(criterion))
            count = counts.setdefault(kind, {"same": 0, "different": 0, "not answered": 0})
            total, first, end, steps = as_total(start, pairs, criterion)
            lowest = lambda k: min(0.0, min(x[k] for _, _, x in total)) if steps else 0.0
            least = [lowest(k) for k in range(len(budgets) + 1)]
            if question["verdict"] not in ("optimal", "infeasible"):
                count["not answered"] += 1
                continue
            moved = [(s, row, [v - low for v, low in zip(x, least)]) for s, row, x in total]
            up = [low * (steps or 0) for low in least]
            bounds = [None if b is None else b - low for b, low in zip(budgets, up[1:])]
            found = answer(drn(first, moved, end, len(budgets)), bounds)
            if isinstance(found, float):
                found += up[0]
            expected = question["gain"] if question["verdict"] == "optimal" else "infeasible"
            if isinstance(found, str) and found.startswith("no answer"):
                count["not answered"] += 1
            elif found == expected or isinstance(found, float) and isinstance(expected, float) and abs(
                found - expected
            ) <= AGREE * (steps or 1 + abs(expected)):
                count["same"] += 1
            else:
                count["different"] += 1
                print(f"{case['name']} {criterion} {budgets}: Storm {found}, stored {expected}")
    print(json.dumps(counts))
    sys.exit(any(count["different"] for count in counts.values()))


if __name__ == "__main__":
    main()
