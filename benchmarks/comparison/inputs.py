"""The files that all tools are asked about: our large families, and models that Storm brings along."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .ours import ROOT, WORK

FOLDER = WORK / "large"
BENCH = ["cargo", "bench", "--quiet", "-p", "occupancy", "--bench", "scale", "--"]

# The budgets are those of FAMILIES in crates/occupancy/benches/scale.rs; all of them bind.
FAMILIES = {
    "grid": ("slippery grid", 0.1),
    "tandem": ("tandem queue", 0.1),
    "jumps": ("random jumps", 0.3),
    "network": ("network with hubs", 0.05),
}

# Budgets that bind. Protocols come to rest; so that the long run has something to say they begin again then.
EXAMPLES = {"firewire": 0.48, "leader4": 0.35, "wlan0_collide": 0.35}


@dataclass
class Input:
    """A file with the reward `r` and the cost `c0`, which is to stay within the budget."""

    family: str
    states: int
    path: Path
    budget: float


def of_family(family, states):
    """A model of a family, written by the bench unless it is there."""
    name, budget = FAMILIES[family]
    path = FOLDER / f"{family}-{states}.drn"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run([*BENCH, "--write", family, str(states), str(path)], cwd=ROOT, check=True)
    return Input(name, number_of_states(path), path, budget)


def number_of_states(path):
    with open(path) as lines:
        for line in lines:
            if line.startswith("@nr_states"):
                return int(next(lines))
    raise ValueError(f"{path} does not say how many states it has")


def of_storm():
    """Storm's PRISM models, built by Storm, begun again whenever they are at rest, with a reward and a cost by chance."""
    sys.path.insert(0, str(ROOT / "crates/occupancy/tests/strangers"))
    from asking import examples

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, budget in EXAMPLES.items():
        exported, path = FOLDER / f"{name}-exported.drn", FOLDER / f"{name}.drn"
        if refused := examples.written(examples.FILES / "mdp" / f"{name}.nm", exported):
            raise RuntimeError(f"{name}: {refused}")
        again = examples.variants(name, exported.read_text())[-1]
        again.signals = {"r": again.signals["chance0"], "c0": again.signals["chance1"]}
        path.write_text(again.text())
        yield Input(f"{name}, from Storm", again.n, path, budget)
