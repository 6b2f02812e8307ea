"""The same files asked about by us, by HiGHS and by Storm: time and memory of whole commands, and whether they agree."""

import json
import subprocess
import sys
from dataclasses import dataclass

from .alone import ask
from .environments import STORM_SETTINGS, python_with
from .inputs import FAMILIES, of_family, of_storm
from .ours import ROOT, WORK

PROGRAM = ROOT / "target" / "release" / "occupancy"
SIZES = [1_000, 10_000, 100_000, 1_000_000]
GIGABYTES = 16

# How far off a value may be; the rewards are at most 1. Storm is asked for this much. HiGHS, whose
# tolerances are those of single bounds, is given 1e-9. What is proved of ours is far below.
AGREE = 1e-6


@dataclass
class Tool:
    """A tool with a method, and how it is called for a file and a budget, which may be none."""

    name: str
    command: object


def ours(path, budget):
    within = [] if budget is None else ["--cost", f"c0={budget}"]
    return [PROGRAM, "solve", path, "--reward", "r", *within, "--json"]


def script(module, method, python=sys.executable):
    """A program of this folder."""
    start = [python, "-m", f"comparison.{module}"]
    return lambda path, budget: [*start, path, "none" if budget is None else budget, method]


OURS = Tool("occupancy", ours)
HIGHS = [Tool("HiGHS, simplex", script("ask_highs", "simplex")), Tool("HiGHS, interior points", script("ask_highs", "ipm"))]


def tools_within():
    return [OURS, *HIGHS, Tool("Storm, multi-objective", script("ask_storm", "multi"))]


def tools_free():
    python = python_with("venv-storm-settings", STORM_SETTINGS)
    methods = {"vi": "value iteration", "lp": "linear program"}
    return [OURS, *HIGHS, *(Tool(f"Storm, {name}", script("ask_storm", key, python)) for key, name in methods.items())]


class Table:
    """One question about all files; a tool that has failed on a file is not asked about larger ones of the family."""

    def __init__(self, title, tools, seconds):
        self.tools, self.seconds, self.rows, self.failed = tools, seconds, [], set()
        columns = ["model", "states", *(tool.name for tool in tools), "our proved gap", "values differ by"]
        print(f"\n{title}\n\n| {' | '.join(columns)} |\n|---|{'--:|' * (len(columns) - 1)}", flush=True)

    def row(self, given, budget):
        """Asks all tools about a file; prints and keeps what they say."""
        outcomes = {}
        for tool in self.tools:
            if (tool.name, given.family) not in self.failed:
                outcome = ask(tool.command(given.path, budget), self.seconds, GIGABYTES, ROOT / "benchmarks")
                outcomes[tool.name] = read_ours(outcome) if tool is OURS else outcome
                if not outcome.is_answer():
                    self.failed.add((tool.name, given.family))
        answers = [outcome for outcome in outcomes.values() if outcome.is_answer()]
        apart, agrees = distance(answers), agree(answers)
        self.rows.append({"model": given.family, "states": given.states, "agrees": agrees, "answers": spelled(outcomes)})
        cells = [given.family, f"{given.states:,}".replace(",", " ")]
        cells += [cell(outcomes.get(tool.name)) for tool in self.tools]
        gap = outcomes[OURS.name].answer.get("gap") if OURS.name in outcomes else None
        cells.append("" if gap is None else f"{gap:.0e}")
        cells.append(("" if apart is None else f"{apart:.0e}") + ("" if agrees else " DISAGREE"))
        print(f"| {' | '.join(cells)} |", flush=True)


def distance(answers):
    """How far the values of several answers are apart, without bound if only some say infeasible; None for one alone."""
    if len(answers) < 2:
        return None
    values = [answer.value for answer in answers if not answer.failure]
    if 0 < len(values) < len(answers):
        return float("inf")
    return max(values) - min(values) if values else 0.0


def agree(answers):
    """Whether some value is as near to all answers as they may be off; ours may be off by the gap that it proves."""
    values = [(answer.value, answer.answer.get("gap", AGREE)) for answer in answers if not answer.failure]
    if not values:
        return True
    return len(values) == len(answers) and max(x - off for x, off in values) <= min(x + off for x, off in values)


def read_ours(outcome):
    """Our answer has the value under another name, and is none if it was stopped or the budget cannot be met."""
    answer = outcome.answer
    if not outcome.failure and (answer["stopped"] or answer["verdict"] != "optimal"):
        outcome.failure = answer["stopped"] or answer["verdict"]
    answer["value"] = answer.get("gain")
    return outcome


def spelled(outcomes):
    kept = ("value", "gap", "reading")
    told = lambda o: {"seconds": o.seconds, "megabytes": o.megabytes, "failure": o.failure}
    return {name: {**told(o), **{key: o.answer.get(key) for key in kept}} for name, o in outcomes.items()}


def cell(outcome):
    """CPU seconds, those of reading in brackets, and MB; or why not."""
    if outcome is None:
        return "not asked"
    if outcome.failure:
        return f"{outcome.failure}, {outcome.megabytes:.0f} MB"
    reading = outcome.answer.get("reading")
    return f"{short(outcome.seconds)} s{'' if reading is None else f' ({short(reading)})'}, {outcome.megabytes:.0f} MB"


def short(seconds):
    return f"{seconds:.0f}" if seconds >= 100 else f"{seconds:.1f}" if seconds >= 1 else f"{seconds:.2f}"


def large(sizes, seconds):
    """Both tables; returns whether all values agree."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "occupancy-cli"], cwd=ROOT, check=True)
    files = [of_family(family, size) for family in FAMILIES for size in sizes or SIZES] + list(of_storm())
    tables = []
    for title, tools, has_budget in (
        ("Long-run averages within a budget", tools_within(), True),
        ("Long-run averages without a budget", tools_free(), False),
    ):
        table = Table(f"{title}: CPU seconds (until the model was read), peak memory", tools, seconds)
        for given in files:
            table.row(given, given.budget if has_budget else None)
        tables.append(table.rows)
    WORK.joinpath("large.json").write_text(json.dumps(tables, indent=1))
    return all(row["agrees"] for rows in tables for row in rows)
