"""Time and memory against the number of states, and docs/growth.svg."""

import json
import os
import subprocess

import matplotlib

from .ours import BENCH, ROOT, WORK


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
