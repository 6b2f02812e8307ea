"""Faults of the n-th file operation of each command: nothing stored is wrong or lost, and the same command mends the rest."""

import subprocess
from pathlib import Path

from .folder import NAME, files

HERE = Path(__file__).resolve().parent.parent
ONCE = ["ENOSPC", "EIO", "EACCES", "EMFILE", "kill", "torn", "short", "EINTR"]
ON = ["ENOSPC", "EROFS"]  # from the n-th operation to the end
# What the system may do to a call: only these are begun again by whoever is interrupted.
INTERRUPTED = {"write", "writev", "pwrite", "open", "fsync", "fdatasync", "ftruncate64"}
WRITES = {"write", "writev", "pwrite"}


def library(work):
    """The preloaded library, compiled."""
    target = work.parent / "faults.so"
    command = ["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", target, HERE / "faults.c", "-ldl"]
    subprocess.run(command, check=True)
    return target


class Scenario:
    """A command, what is there before it, and what has to be there once it has ended well."""

    def __init__(self, name, before, command, check):
        self.name, self.before, self.command, self.check = name, before, command, check


def scenarios(world):
    run = lambda place, **env: world.run(place, "--plain", **env)
    merge = lambda place, **env: world.program("merge", place / NAME, world.rest, **env)
    stats = lambda place, **env: world.program("stats", place / NAME, "--json", **env)
    report = lambda place, **env: world.program("report", place / NAME, **env)
    whole = lambda place: world.unlike_whole(place / NAME)
    page = reported(world)
    return [
        Scenario("run", None, run, whole),
        Scenario("continue", world.part, run, whole),
        Scenario("merge", world.part, merge, whole),
        Scenario("stats", world.whole, stats, whole),
        Scenario("report", world.whole, report, lambda place: whole(place) or page(place)),
    ]


def reported(world):
    """Checks that a report is the one of an undisturbed folder."""
    place = world.fresh(world.whole)
    outcome = world.program("report", place / NAME)
    assert outcome.code == 0, outcome.err
    expected = pages(place / NAME)

    def check(place):
        found = pages(place / NAME)
        if found.keys() != expected.keys():
            return f"other pages or figures: {sorted(found.keys() ^ expected.keys())}"
        changed = [name for name, data in found.items() if data != expected[name]]
        return f"other bytes: {changed}" if changed else None

    return check


def pages(folder):
    return {name: data for name, data in files(folder).items() if name == "index.html" or name.startswith("figures/")}


def operations(world, scenario, preload):
    """The names of the operations of an undisturbed command, in order."""
    place, log = world.fresh(scenario.before), world.work / "log"
    log.unlink(missing_ok=True)
    outcome = scenario.command(place, LD_PRELOAD=preload, FAULTS_UNDER=place, FAULTS_LOG=log)
    assert outcome.code == 0, outcome.err
    return [line.split(" ")[1] for line in log.read_text().splitlines()]


def faults(names):
    """All faults that make sense for a list of operations: (number, what is done, whether it stays)."""
    for number, name in enumerate(names, 1):
        for do in ONCE:
            skipped = (do == "EINTR" and name not in INTERRUPTED) or (do in ("short", "torn") and name not in WRITES)
            if not skipped:
                yield number, do, False
        yield from ((number, do, True) for do in ON)


def inject(world, scenario, preload, fault):
    """One fault; returns what is wrong, or nothing."""
    number, do, stays = fault
    place = world.fresh(scenario.before)
    environment = {"LD_PRELOAD": preload, "FAULTS_UNDER": place, "FAULTS_AT": number, "FAULTS_DO": do}
    outcome = scenario.command(place, **environment, **({"FAULTS_ON": 1} if stays else {}))
    wrong = outcome.broken(killed=do in ("kill", "torn"))
    if wrong:
        return wrong
    if outcome.code in (1, 2) and not outcome.err.strip():
        return f"ends with {outcome.code} and says nothing"
    before = files(scenario.before) if scenario.before else {}
    stored = files(place / NAME)
    lost = [name for name in before if name.startswith("trials/") and name not in stored]
    wrong = world.wrong_trials(place / NAME)
    if lost or wrong:
        return f"lost {lost}, wrong {wrong} after {outcome.code}: {outcome.err.strip()}"
    if do in ("short", "EINTR") and outcome.code != 0:
        return f"does not go on after {do}: {outcome.err.strip()}"
    if outcome.code == 0 and scenario.check(place):
        return f"says that all is well, but {scenario.check(place)}"
    return again(scenario, place)


def again(scenario, place):
    """The same command once more, undisturbed."""
    outcome = scenario.command(place)
    if outcome.code != 0:
        return f"the same command again ends with {outcome.code}: {outcome.err.strip()}"
    unlike = scenario.check(place)
    return f"after the same command again: {unlike}" if unlike else None


def campaign(world, tally, choose):
    """All faults of all scenarios that `choose` takes."""
    preload = library(world.work)
    for scenario in scenarios(world):
        names = operations(world, scenario, preload)
        for fault in choose(list(faults(names))):
            number, do, stays = fault
            told = f"{scenario.name}: {do}{' from' if stays else ' at'} operation {number} of {len(names)} ({names[number - 1]})"
            tally.add(told, inject(world, scenario, preload, fault))
