"""The comparison: who is how fast on the same models, whether the values agree, and the tables that say so."""

import json
import time

import numpy as np

from .highs import SETTINGS, SETTINGS_EXTENDED, exact_value, is_unfinished, solve_all
from .ours import WORK, bench
from .programs import (
    discounted_program,
    extended_layered_program,
    extended_program,
    layered_program,
    occupancy_program,
)

# Draws per number of states: the default settings of HiGHS take many seconds on one model of 400 states.
DENSE = {16: 100, 64: 40, 121: 15, 400: 4}
COSTS = (1, 2, 3)
EMPIRICAL_DRAWS = 30
OPTIMISM = {"marsrover-4x4": 16, "marsrover-8x8": 64, "box": 121}
OPTIMISM_DRAWS = 4
SUM_DRAWS = 3

# How often both sides take turns on one size; no further turn begins after so many seconds.
ROUNDS = 5
ROUNDS_SECONDS = 15.0

# Values agree to this much; the largest |reward| is 1 (up to 2 with bonuses). The extended program has S²A rows
# with coefficients down to the radii, and HiGHS stops at infeasibilities of 1e-7: 1e-6 is what it can be held to.
AGREE = 1e-8
AGREE_EXTENDED = 1e-6


def distance(a, b):
    """How far two values are apart; nothing if both say infeasible."""
    if a is None or b is None:
        return 0.0 if a is b else float("inf")
    return abs(a - b)


def seconds_of(rounds):
    """One row of times for each round, as long as the shortest."""
    draws = min(len(run) for run in rounds)
    return np.array([[seconds for seconds, _ in run[:draws]] for run in rounds])


class Comparison:
    """Ours against HiGHS on one case."""

    def __init__(self, ours, make_program, settings, agree):
        """`ours` times our planners; they and all settings of HiGHS take turns, ours first and last."""
        cases = [ours()]
        first = cases[0]
        self.name, self.states, self.costs = first.name, first.states, first.costs
        programs = [make_program(first, draw) for draw in range(first.draws)]
        solve_all(programs[:1], settings["dual, bare"], False)  # not timed: the first solve starts HiGHS' threads
        found = {(name, how): [] for name in settings for how in ("cold", "warm")}
        clock = time.monotonic()
        while len(cases) <= ROUNDS and time.monotonic() - clock < ROUNDS_SECONDS:
            for (name, how), rounds in found.items():
                rounds.append(solve_all(programs, settings[name], how == "warm"))
            cases.append(ours())
        self.ours = {how: np.stack([case.us[how] for case in cases]) for how in ("cold", "warm")}
        self.times = {key: seconds_of(rounds) * 1e6 for key, rounds in found.items()}
        self.bounds = {key for key, rounds in found.items() if any(is_unfinished(run[-1][1]) for run in rounds)}
        self.worst = self.disagreement(cases, found, programs, agree)
        self.agrees = self.worst <= agree

    def disagreement(self, cases, found, programs, agree):
        """The largest distance of any of our values from HiGHS'; with tight tolerances where the default ones
        leave a doubt."""
        worst = 0.0
        runs = [run for rounds in found.values() for run in rounds]
        for draw, lp in enumerate(programs):
            ours = [case.gains[how][draw] for case in cases for how in ("cold", "warm")]
            theirs = [run[draw][1] for run in runs if draw < len(run) and not is_unfinished(run[draw][1])]
            apart = max((distance(a, b) for a in ours for b in theirs), default=0.0)
            if apart > agree:
                exact = exact_value(lp)
                apart = max(distance(a, exact) for a in ours)
            worst = max(worst, apart)
        return worst

    def median(self, how, setting):
        """Medians of ours and of HiGHS on the same draws, in µs, over all rounds."""
        theirs = self.times[setting, how]
        # The first draw has no basis to begin with; it counts if HiGHS was broken off there.
        first = 1 if how == "warm" and theirs.shape[1] > 1 else 0
        return np.median(self.ours[how][:, first : theirs.shape[1]]), np.median(theirs[:, first:])

    def best(self, how):
        """The fastest setting."""
        return min((name for name, kind in self.times if kind == how), key=lambda name: self.median(how, name)[1])

    def summary(self):
        result = {"name": self.name, "states": self.states, "costs": self.costs, "worst": self.worst}
        for how in ("cold", "warm"):
            ours, theirs = self.median(how, self.best(how))
            ours_default, default = self.median(how, "default")
            result[how] = {
                "ours_us": ours,
                "best": self.best(how),
                "best_us": theirs,
                "best_is_bound": (self.best(how), how) in self.bounds,
                "default_is_bound": ("default", how) in self.bounds,
                "best_ratio": theirs / ours,
                "default_us": default,
                "default_ratio": default / ours_default,
            }
        return result


def spell(us):
    """A time in µs with three digits."""
    return f"{us:.0f}" if us >= 100 else f"{us:.1f}"


def times(ratio):
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def more(is_bound):
    """What stands before a number that is only a lower bound, because HiGHS was broken off."""
    return "> " if is_bound else ""


HEADER = (
    "| model | S | m | ours cold | ours warm | HiGHS best cold | HiGHS best warm | best/ours cold | best/ours warm "
    "| default/ours cold | default/ours warm | values differ by |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def report(comparison):
    """One row of the table (times in µs)."""
    row = comparison.summary()
    cold, warm = row["cold"], row["warm"]
    cells = [row["name"], str(row["states"]), str(row["costs"]), spell(cold["ours_us"]), spell(warm["ours_us"])]
    for side in (cold, warm):
        cells.append(more(side["best_is_bound"]) + f"{spell(side['best_us'])} ({side['best']})")
    cells += [more(side["best_is_bound"]) + times(side["best_ratio"]) for side in (cold, warm)]
    cells += [more(side["default_is_bound"]) + times(side["default_ratio"]) for side in (cold, warm)]
    cells += [f"{row['worst']:.0e}" + ("" if comparison.agrees else " DISAGREES")]
    print("| " + " | ".join(cells) + " |", flush=True)
    return row


def keep(name, rows):
    (WORK / f"{name}.json").write_text(json.dumps(rows, indent=1))


def dense():
    print("\nThe occupancy program on dense posterior draws, A = 4 (times in µs)\n\n" + HEADER, flush=True)
    comparisons, rows = [], []
    for states, draws in DENSE.items():
        for costs in COSTS:
            ours = lambda: bench("dense", "--states", states, "--costs", costs, "--draws", draws)[0]
            comparisons.append(Comparison(ours, occupancy_program, SETTINGS, AGREE))
            rows.append(report(comparisons[-1]))
    keep("dense", rows)
    return all(comparison.agrees for comparison in comparisons)


def sparse():
    print("\nThe occupancy program on empirical models of gridworlds (times in µs)\n\n" + HEADER, flush=True)
    comparisons, rows = [], []
    for place in range(4):
        ours = lambda: bench("empirical", "--draws", EMPIRICAL_DRAWS)[place]
        comparisons.append(Comparison(ours, occupancy_program, SETTINGS, AGREE))
        rows.append(report(comparisons[-1]))
    print("\nOptimism: the extended program on gridworlds (times in µs)\n\n" + HEADER, flush=True)
    for name, states in OPTIMISM.items():
        options = "--states", states, "--draws", OPTIMISM_DRAWS
        ours = lambda: next(case for case in bench("optimism", *options) if case.name == name)
        comparisons.append(Comparison(ours, extended_program, SETTINGS_EXTENDED, AGREE_EXTENDED))
        rows.append(report(comparisons[-1]))
    keep("sparse", rows)
    return all(comparison.agrees for comparison in comparisons)


def sums():
    print("\nDiscounted sums, episodes, and the extended program of episodes (times in µs)\n\n" + HEADER, flush=True)
    comparisons, rows = [], []
    cases = bench("sums", "--draws", SUM_DRAWS)
    for place, case in enumerate(cases):
        if case.radii is not None:
            make, settings, agree = extended_layered_program, SETTINGS_EXTENDED, AGREE_EXTENDED
        elif "discount" in case.criterion:
            make, settings, agree = discounted_program, SETTINGS, AGREE
        else:
            make, settings, agree = layered_program, SETTINGS, AGREE
        # Sums are as many times larger than averages as they are long.
        length = case.criterion.get("horizon") or 1 / (1 - case.criterion["discount"])
        ours = lambda: bench("sums", "--draws", SUM_DRAWS)[place]
        comparisons.append(Comparison(ours, make, settings, agree * length))
        comparisons[-1].name = f"{case.name} {case.criterion}"
        rows.append(report(comparisons[-1]))
    keep("sums", rows)
    return all(comparison.agrees for comparison in comparisons)
