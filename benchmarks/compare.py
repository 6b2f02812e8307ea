#!/usr/bin/env python3
"""Compares the planners with a general solver of linear programs, HiGHS, on the same models.

    python3 benchmarks/compare.py             dense posterior draws: the occupancy program
    python3 benchmarks/compare.py --sparse    empirical gridworlds, and optimism: the extended program
    python3 benchmarks/compare.py --growth    time and memory against the number of states, and docs/growth.svg

Needs Python 3.11 or newer and cargo; makes its own environment under target/benchmarks with the versions of
requirements.txt. Several options may be given at once. The exit code is 1 if any value disagrees.

How it measures:

- `cargo bench -p occupancy --bench planner -- --export DIR` times our planners and writes the models. It runs
  before *and* after HiGHS on every size, so that both see the same state of the machine; our times are pooled.
- HiGHS has its model already built. Only its solve is timed, not the passing of the model or of a basis.
- Cold: nothing is known. Warm: ours keeps its planner, HiGHS gets the last optimal basis; the first draw is left out.
- A time is wall-clock time minus the time that the scheduler kept the thread waiting for a processor (Linux; plain
  wall-clock time elsewhere), on both sides alike. Times are medians over draws, ratios are taken on the same draws.
- "best" is the fastest of SETTINGS, chosen afterwards for each size, for cold and for warm; HiGHS' tolerances
  are its defaults.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "benchmarks"
BENCH = ["cargo", "bench", "--quiet", "-p", "occupancy", "--bench", "planner"]
REQUIREMENTS = Path(__file__).resolve().parent / "requirements.txt"


def enter_environment():
    """Restarts this script in an environment that has exactly the pinned packages."""
    home = WORK / "venv"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = home / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        print("installing", ", ".join(wanted.split()), flush=True)
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", REQUIREMENTS], check=True)
        stamp.write_text(wanted)
    if Path(sys.prefix).resolve() != home.resolve():
        sys.exit(subprocess.run([python, __file__, *sys.argv[1:]]).returncode)


if __name__ == "__main__":
    enter_environment()

import highspy  # noqa: E402  (only the environment has these)
import matplotlib  # noqa: E402
import numpy as np  # noqa: E402
import scipy  # noqa: E402
import scipy.sparse as sp  # noqa: E402

# ------------------------------------------------------------------------------------------------ what is compared

# Draws per number of states: the default settings of HiGHS take many seconds on one model of 400 states.
DENSE = {16: 100, 64: 40, 121: 15, 400: 4}
COSTS = (1, 2, 3)
EMPIRICAL_DRAWS = 30
OPTIMISM = {"marsrover-4x4": 16, "marsrover-8x8": 64, "box": 121}
OPTIMISM_DRAWS = 4

# No setting spends more than this many seconds on one size, cold or warm; the first models count then.
PATIENCE = 12.0

# Values agree to this much; the largest |reward| is 1 (up to 2 with bonuses). The extended program has S²A rows
# with coefficients down to the radii, and HiGHS stops at infeasibilities of 1e-7: 1e-6 is what it can be held to.
AGREE = 1e-8
AGREE_EXTENDED = 1e-6

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


# ------------------------------------------------------------------------------------------------ our side


def bench(part, *options):
    """Times our planners on one part of the models and returns the exported cases."""
    folder = WORK / "export"
    command = [*BENCH, "--", "--export", folder, "--only", part, *options]
    subprocess.run(list(map(str, command)), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    index = json.loads((folder / "index.json").read_text())
    return [Case(folder, entry) for entry in index[part]]


class Case:
    """Models of one shape with our times (µs) and values (None: no policy meets the budgets)."""

    def __init__(self, folder, entry):
        self.name, self.states, self.costs = entry["name"], entry["states"], entry["costs"]
        self.budgets = np.array(entry["budgets"])
        first = np.array(entry["first_pair"])
        self.pairs = int(first[-1])
        self.state_of = np.repeat(np.arange(self.states), np.diff(first))
        self.draws = len(entry["draws"])
        read = lambda file, *shape: np.fromfile(folder / file, "<f8").reshape(shape)
        kernels = read(entry["kernels"], -1, self.pairs, self.states)
        self.kernels = np.broadcast_to(kernels, (self.draws, self.pairs, self.states))
        self.signals = read(entry["signals"], self.draws, 1 + self.costs, self.pairs)
        self.radii = read(entry["radii"], self.draws, self.pairs) if entry["radii"] else None
        self.us = {how: np.array([draw[how]["us"] for draw in entry["draws"]]) for how in ("cold", "warm")}
        self.gains = {how: [draw[how]["gain"] for draw in entry["draws"]] for how in ("cold", "warm")}


# ------------------------------------------------------------------------------------------------ linear programs


def occupancy_program(case, draw):
    """max Σ μ r over μ(s,a) ≥ 0 with Σ_a μ(s,·) = Σ μ P(s|·) for all s but the last, Σ μ c_i ≤ τ_i, Σ μ = 1.

    The balance of the last state follows from the others; without it HiGHS is a little faster.
    """
    columns = np.arange(case.pairs)
    leaving = sp.csr_array((np.ones(case.pairs), (case.state_of, columns)), (case.states, case.pairs))
    balance = (leaving - sp.csr_array(case.kernels[draw].T))[:-1]
    reward, costs = case.signals[draw, 0], case.signals[draw, 1:]
    equal = [balance, sp.csr_array(np.ones((1, case.pairs)))]
    return program(reward, [sp.csr_array(costs)], case.budgets, equal, np.append(np.zeros(case.states - 1), 1))


def extended_program(case, draw):
    """The same over μ(s,a) and q(s,a,s′) = μ(s,a) p(s′|s,a), where p is within the radius of P in every entry.

    q ≤ (P + b) μ and q ≥ (P − b) μ entry by entry, without the rows that say nothing in any draw (P + b ≥ 1,
    P − b ≤ 0): a basis of one draw fits the next. Σ_{s′} q = μ.
    """
    pairs, entries = case.pairs, case.pairs * case.states
    pair, successor = np.divmod(np.arange(entries), case.states)
    highs = (case.kernels + case.radii[:, :, None]).reshape(case.draws, entries)
    lows = (case.kernels - case.radii[:, :, None]).reshape(case.draws, entries)

    def bound(sign, share, rows):
        """sign·(q − share μ) ≤ 0 for the chosen entries."""
        at = np.arange(len(rows))
        q = sp.csr_array((np.full(len(rows), sign), (at, rows)), (len(rows), entries))
        return sp.hstack([q, sp.csr_array((-sign * share[rows], (at, pair[rows])), (len(rows), pairs))])

    ones, every = np.ones(entries), np.arange(entries)
    arriving = sp.csr_array((ones, (successor, every)), (case.states, entries))
    leaving = sp.csr_array((np.ones(pairs), (case.state_of, np.arange(pairs))), (case.states, pairs))
    balance = sp.hstack([-arriving, leaving]).tocsr()[:-1]
    link = sp.hstack([sp.csr_array((ones, (pair, every)), (pairs, entries)), -sp.eye_array(pairs)])
    mass = sp.hstack([sp.csr_array((1, entries)), sp.csr_array(np.ones((1, pairs)))])
    costs = sp.hstack([sp.csr_array((case.costs, entries)), sp.csr_array(case.signals[draw, 1:])])
    above = bound(1.0, np.minimum(highs[draw], 1), np.flatnonzero((highs < 1).any(axis=0)))
    below = bound(-1.0, np.maximum(lows[draw], 0), np.flatnonzero((lows > 0).any(axis=0)))
    less = [above, below, costs]
    limits = np.append(np.zeros(above.shape[0] + below.shape[0]), case.budgets)
    reward = np.append(np.zeros(entries), case.signals[draw, 0])
    return program(reward, less, limits, [balance, link, mass], np.append(np.zeros(case.states - 1 + pairs), 1))


def program(reward, less, limits, equal, sides):
    """max reward·x over x ≥ 0 with `less` x ≤ limits and `equal` x = sides, as HiGHS takes it."""
    matrix = sp.vstack([*less, *equal]).tocsc()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = reward
    lp.col_lower_ = np.zeros(lp.num_col_)
    lp.col_upper_ = np.full(lp.num_col_, highspy.kHighsInf)
    lp.row_lower_ = np.append(np.full(len(limits), -highspy.kHighsInf), sides)
    lp.row_upper_ = np.append(limits, sides)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    lp.a_matrix_.index_ = matrix.indices.astype(np.int32)
    lp.a_matrix_.value_ = matrix.data
    return lp


# ------------------------------------------------------------------------------------------------ HiGHS' side


def solver(settings):
    highs = highspy.Highs()
    for option, value in {"output_flag": False, **settings}.items():
        assert highs.setOptionValue(option, value) == highspy.HighsStatus.kOk, option
    return highs


def waited():
    """Seconds that this thread was ready to run and did not get a processor."""
    try:
        return 1e-9 * int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0


def solve(highs):
    """Solves the model that was passed: seconds and value (None: infeasible)."""
    before, clock = waited(), time.perf_counter()
    highs.run()
    seconds = time.perf_counter() - clock
    seconds -= waited() - before
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return seconds, highs.getInfo().objective_function_value
    infeasible = highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible
    assert status in infeasible, status
    return seconds, None


def solve_all(programs, settings, warm):
    """Times and values on one program after another, until patience ends."""
    highs, basis, spent, found = solver(settings), None, 0.0, []
    for lp in programs:
        highs.passModel(lp)
        highs.clearSolver()
        if warm and basis is not None:
            assert highs.setBasis(basis) == highspy.HighsStatus.kOk
        seconds, value = solve(highs)
        found.append((seconds, value))
        basis = highs.getBasis() if value is not None else basis
        spent += seconds
        if spent > PATIENCE and len(found) >= (2 if warm else 1):
            break
    return found


def exact_value(lp):
    """The value with all tolerances at their tightest."""
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    highs = solver({**BARE, **tight})
    highs.passModel(lp)
    return solve(highs)[1]


# ------------------------------------------------------------------------------------------------ comparison


def distance(a, b):
    """How far two values are apart; nothing if both say infeasible."""
    if a is None or b is None:
        return 0.0 if a is b else float("inf")
    return abs(a - b)


class Comparison:
    """Ours against HiGHS on one case."""

    def __init__(self, before, make_program, settings, agree, ours_again):
        programs = [make_program(before, draw) for draw in range(before.draws)]
        exact_value(programs[0])  # not timed: the first solve of a process starts HiGHS' threads
        self.name, self.states, self.costs, self.draws = before.name, before.states, before.costs, before.draws
        found = {
            (name, how): solve_all(programs, options, how == "warm")
            for name, options in settings.items()
            for how in ("cold", "warm")
        }
        after = ours_again()
        self.ours = {how: np.stack([before.us[how], after.us[how]]) for how in ("cold", "warm")}
        self.times = {key: 1e6 * np.array([seconds for seconds, _ in runs]) for key, runs in found.items()}
        self.worst = self.disagreement(before, after, found, programs, agree)
        self.agrees = self.worst <= agree

    def disagreement(self, before, after, found, programs, agree):
        """The largest distance of any of our values from HiGHS'; with tight tolerances where the default ones
        leave a doubt."""
        worst = 0.0
        for draw, lp in enumerate(programs):
            ours = [case.gains[how][draw] for case in (before, after) for how in ("cold", "warm")]
            theirs = [runs[draw][1] for runs in found.values() if draw < len(runs)]
            apart = max(distance(a, b) for a in ours for b in theirs)
            if apart > agree:
                exact = exact_value(lp)
                apart = max(distance(a, exact) for a in ours)
            worst = max(worst, apart)
        return worst

    def median(self, how, setting):
        """Medians of ours and of HiGHS on the same draws, in µs."""
        first = 1 if how == "warm" else 0
        theirs = self.times[setting, how][first:]
        return np.median(self.ours[how][:, first : first + len(theirs)]), np.median(theirs)

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


HEADER = (
    "| model | S | m | ours cold | ours warm | HiGHS best cold | HiGHS best warm | best/ours cold | best/ours warm "
    "| default/ours cold | default/ours warm | values differ by |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def report(comparison):
    """One row of the table (times in µs)."""
    row = comparison.summary()
    cold, warm = row["cold"], row["warm"]
    cells = [row["name"], str(row["states"]), str(row["costs"]), spell(cold["ours_us"]), spell(warm["ours_us"])]
    cells += [f"{spell(side['best_us'])} ({side['best']})" for side in (cold, warm)]
    cells += [times(side["best_ratio"]) for side in (cold, warm)]
    cells += [times(side["default_ratio"]) for side in (cold, warm)]
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
            comparisons.append(Comparison(ours(), occupancy_program, SETTINGS, AGREE, ours))
            rows.append(report(comparisons[-1]))
    keep("dense", rows)
    return all(comparison.agrees for comparison in comparisons)


def sparse():
    print("\nThe occupancy program on empirical models of Box (times in µs)\n\n" + HEADER, flush=True)
    comparisons, rows = [], []
    for place in range(2):
        ours = lambda: bench("empirical", "--draws", EMPIRICAL_DRAWS)[place]
        comparisons.append(Comparison(ours(), occupancy_program, SETTINGS, AGREE, ours))
        rows.append(report(comparisons[-1]))
    print("\nOptimism: the extended program on gridworlds (times in µs)\n\n" + HEADER, flush=True)
    for name, states in OPTIMISM.items():
        options = "--states", states, "--draws", OPTIMISM_DRAWS
        ours = lambda: next(case for case in bench("optimism", *options) if case.name == name)
        comparisons.append(Comparison(ours(), extended_program, SETTINGS_EXTENDED, AGREE_EXTENDED, ours))
        rows.append(report(comparisons[-1]))
    keep("sparse", rows)
    return all(comparison.agrees for comparison in comparisons)


# ------------------------------------------------------------------------------------------------ growth


def growth():
    """Runs the bench's own growth table and draws it, with HiGHS' times if the dense part has been run."""
    folder = WORK / "growth"
    # Blocks above 1 MB go back to the system when they are freed: the planner's part of the memory shows.
    tuned = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "1000000"}
    print(flush=True)
    subprocess.run([*BENCH, "--", "--growth", "--export", str(folder)], cwd=ROOT, check=True, env=tuned)
    rows = json.loads((folder / "index.json").read_text())["growth"]
    compared = WORK / "dense.json"
    draw_growth(rows, json.loads(compared.read_text()) if compared.exists() else [])


def draw_growth(rows, compared):
    """Time per plan against the number of states, both logarithmic."""
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "growth", "svg.fonttype": "none", "font.family": "sans-serif"})
    figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")

    def line(points, label, **style):
        if points:
            axes.plot(*zip(*points), label=label, marker="o", markersize=4, **style)

    for costs, colour in ((1, "#1f77b4"), (3, "#0b3d66")):
        ours = [(row["states"], row["cold_ms"]) for row in rows if row["costs"] == costs]
        line(ours, f"ours, cold, m = {costs}", color=colour)
    for how, dash in (("cold", "-"), ("warm", "--")):
        theirs = [(row["states"], 1e-3 * row[how]["best_us"]) for row in compared if row["costs"] == 1]
        line(theirs, f"HiGHS at its best, {how}, m = 1", color="#d95f02", linestyle=dash)
    # A line of slope 3 through our point at 121 states.
    anchor = next(row for row in rows if row["states"] == 121)
    sizes = [row["states"] for row in rows if row["costs"] == 1]
    cubic = [(size, anchor["cold_ms"] * (size / 121) ** 3) for size in (121, sizes[-1])]
    axes.plot(*zip(*cubic), color="#999999", linestyle=":", label="slope S³")

    axes.set(xscale="log", yscale="log", xlabel="states S (A = 4, dense rows)", ylabel="milliseconds per plan")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9)
    target = ROOT / "docs" / "growth.svg"
    target.parent.mkdir(exist_ok=True)
    figure.savefig(target, metadata={"Date": None})
    print("wrote", target.relative_to(ROOT))


# ------------------------------------------------------------------------------------------------ the whole


def machine():
    """What the numbers depend on."""
    first_word = lambda path, key: next(
        (line.split(":", 1)[1].strip() for line in Path(path).read_text().splitlines() if line.startswith(key)), "?"
    )
    linux = sys.platform == "linux"
    processor = first_word("/proc/cpuinfo", "model name") if linux else platform.processor()
    memory = f"{int(first_word('/proc/meminfo', 'MemTotal').split()[0]) / 2**20:.0f} GiB" if linux else "?"
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, cwd=ROOT).stdout.strip()
    print(f"processor   {processor}, {os.cpu_count()} cores, {memory}")
    print(f"system      {platform.system()}, load {os.getloadavg()[0]:.1f}")
    print(f"compiler    {rustc}")
    highs = solver({}).version()
    python = f"numpy {np.__version__}, scipy {scipy.__version__}, Python {platform.python_version()}"
    print(f"packages    HiGHS {highs}, {python}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Compares the planners with HiGHS on the same models.")
    parser.add_argument("--dense", action="store_true", help="dense posterior draws (what is done without options)")
    parser.add_argument("--sparse", action="store_true", help="empirical gridworlds, and optimism")
    parser.add_argument("--growth", action="store_true", help="time and memory against the number of states")
    chosen = parser.parse_args()
    machine()
    subprocess.run([*BENCH, "--no-run"], cwd=ROOT, check=True)
    clock, agree = time.monotonic(), []
    if chosen.dense or not (chosen.sparse or chosen.growth):
        agree.append(dense())
    if chosen.sparse:
        agree.append(sparse())
    if chosen.growth:
        growth()
    print(f"\n{time.monotonic() - clock:.0f} s")
    if agree:
        print("all values agree" if all(agree) else "VALUES DISAGREE")
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
