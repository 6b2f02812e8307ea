"""The folder of results under test: a small experiment, and what its files must be after any fault."""

import json
import shutil
from pathlib import Path

NAME = "little"
CASE = "case"
EXPERIMENT = """rounds = 200
runs = 3
seed = 3
windows = [20]
preset = "published"

[env]
file = "way.map"
budget = 0.3

[[learner]]
name = "psrl-lagrangian"
eta = 0.5

[[learner]]
name = "uniform"
"""
MAP = "S0P\n0PG\n"
# What follows from the settings alone, and so has the same bytes whoever made it.
PROMISED = ("trials/", "policies/", "terms/", "files/", "experiment.toml")
# What is made from the trials; receipts, sessions and the manifest hold dates and times.
DERIVED = ("summary.csv", "curves.csv", "comparisons.csv")


def files(folder):
    """All ordinary files below a folder: their bytes by relative path."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def promised(folder):
    return {name: data for name, data in files(folder).items() if name.startswith(PROMISED)}


def said(outcome):
    """What `stats --json` says but for the seconds that runs took."""
    found = json.loads(outcome.out)
    for learner in found["learners"]:
        learner["quantities"].pop("seconds", None)
    return found


class World:
    """A place to work in, with the experiment, its undisturbed results, and the program."""

    def __init__(self, work, program):
        self.work, self.program = work, program
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        (work / f"{NAME}.toml").write_text(EXPERIMENT)
        (work / "way.map").write_text(MAP)
        self.whole = self.made("whole")
        self.part = self.made("part", "--runs", "0..1")
        self.rest = self.made("rest", "--runs", "1..3")
        self.expected = promised(self.whole)
        self.derived = {name: data for name, data in files(self.whole).items() if name in DERIVED}
        self.says = said(program("stats", self.whole, "--json"))

    def run(self, out, *more, **environment):
        return self.program("run", self.work / f"{NAME}.toml", "--out", out, *more, **environment)

    def made(self, name, *more):
        outcome = self.run(self.work / name, *more)
        assert outcome.code == 0, outcome.err
        return self.work / name / NAME

    def fresh(self, of=None):
        """A folder for one case: empty, or a copy of results."""
        place = self.work / CASE
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if of:
            shutil.copytree(of, place / NAME, symlinks=True)
        return place

    def wrong_trials(self, folder):
        """The stored files of runs that are not what the settings make of them."""
        found = promised(folder) if folder.exists() else {}
        return [name for name, data in found.items() if data != self.expected.get(name)]

    def unlike_whole(self, folder, strays=()):
        """What differs from the undisturbed results, but for strays; nothing if nothing does."""
        found = {name: data for name, data in promised(folder).items() if name not in strays}
        if found.keys() != self.expected.keys():
            return f"other files: {sorted(found.keys() ^ self.expected.keys())}"
        changed = [name for name, data in found.items() if data != self.expected[name]]
        if changed:
            return f"other bytes: {changed}"
        statistics = self.program("stats", folder, "--json")
        if statistics.code != 0:
            return f"stats ends with {statistics.code}: {statistics.err.strip()}"
        if said(statistics) != self.says:
            return "stats says something else"
        derived = {name: data for name, data in files(folder).items() if name in DERIVED}
        return None if derived == self.derived else "other tables of statistics"
