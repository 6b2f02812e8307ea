"""Our side: the bench of the planners, run by cargo, and the models it writes with its times and values."""

import json
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "benchmarks"
BENCH = ["cargo", "bench", "--quiet", "-p", "occupancy", "--bench", "planner"]


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
        self.criterion = entry.get("criterion") or {}
        self.start = np.zeros(self.states)
        for state, weight in entry["start"]:
            self.start[state] = weight
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
