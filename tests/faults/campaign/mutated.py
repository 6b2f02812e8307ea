"""Damage to stored files: every mutated folder is named by `stats`, or mended by `run`, or says what it said before."""

import os
import random
import re
import shutil

from .folder import CASE, DERIVED, NAME, files, promised, said

# Statistics are made again by every command that needs them, checksums for other programs are not read by ours.
NEVER_READ = (*DERIVED, "SHA256SUMS")
# Folders of files that could be taken for each other.
KINDS = ("trials", "timings", "policies", "terms", "sessions")


def flip(path, chance):
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def digit(path, chance):
    """Another digit in place of one, as a careless edit would leave it."""
    text = path.read_text()
    places = [found.start() for found in re.finditer(r"\d", text)]
    if not places:
        return flip(path, chance)
    at = chance.choice(places)
    other = chance.choice([x for x in "0123456789" if x != text[at]])
    path.write_text(text[:at] + other + text[at + 1 :])


def truncate(path, chance):
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def lengthen(path, chance):
    path.write_bytes(path.read_bytes() + chance.choice([b"\n", b"1,2,3\n", b"\0" * 100]))


def cut_line(path, chance):
    lines = path.read_bytes().splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    path.write_bytes(b"".join(lines))


def double_line(path, chance):
    lines = path.read_bytes().splitlines(keepends=True)
    at = chance.randrange(len(lines))
    path.write_bytes(b"".join(lines[: at + 1] + lines[at:]))


def zeros(path, chance):
    path.write_bytes(b"\0" * path.stat().st_size)


def huge(path, chance):
    """A number that overflows what is made of it."""
    text = path.read_text()
    numbers = list(re.finditer(r"(?<![\w.])\d+(\.\d+)?(?![\w.])", text))
    if not numbers:
        return flip(path, chance)
    found = chance.choice(numbers)
    path.write_text(text[: found.start()] + chance.choice(["1e308", "-1e308", "NaN", "1e999"]) + text[found.end() :])


def swap(path, chance):
    """Two files of one kind, perhaps of two learners, change places."""
    kind = path.parent if path.parent.name in KINDS else path.parent.parent
    others = [other for other in kind.rglob(f"*{path.suffix}") if other.is_file()] if kind.name in KINDS else []
    others = [other for other in others if other != path and other.read_bytes() != path.read_bytes()]
    if not others:
        return flip(path, chance)
    other = chance.choice(sorted(others))
    data = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(data)


def double(path, chance):
    """A copy under a name that could be another run's."""
    shutil.copy(path, path.with_name(chance.choice(["7.csv", "777.csv", f"{path.name}.bak", f"copy of {path.name}"])))


def remove(path, chance):
    path.unlink()


def fifo(path, chance):
    path.unlink()
    os.mkfifo(path)


def link(path, chance):
    """A link to a file elsewhere that holds the same bytes."""
    case = next(parent for parent in path.parents if parent.name == CASE)
    target = case.with_name("elsewhere")
    target.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(target)


def dangling(path, chance):
    path.unlink()
    path.symlink_to("nowhere")


def directory(path, chance):
    path.unlink()
    path.mkdir()


MUTATIONS = [
    flip, digit, truncate, lengthen, cut_line, double_line, zeros, huge, swap, double, remove, fifo, link, dangling, directory,
]  # fmt: skip


def cases(world):
    """Every mutation of every file."""
    return [(name, mutation) for name in files(world.whole) for mutation in MUTATIONS]


def damage(world, name, mutation, seed):
    """One mutation; returns what is wrong, or nothing."""
    place = world.fresh(world.whole)
    folder = place / NAME
    mutation(folder / name, random.Random(f"{seed} {name} {mutation.__name__}"))
    outside = sorted(place.parent.iterdir())
    return (
        told_by_stats(world, folder, name)
        or named_by_report(world, folder, name)
        or mended_by_run(world, place)
        or (None if sorted(place.parent.iterdir()) == outside else "something was written outside the folder")
    )


def told_by_stats(world, folder, name):
    """`stats` names the damage and ends with 1, or says what it said before."""
    outcome = world.program("stats", folder, "--json")
    if outcome.broken():
        return f"stats {outcome.broken()}"
    if outcome.code == 0:
        harmless = said(outcome) == world.says or (is_removed(folder, name) and runs(said(outcome)) == runs(world.says) - 1)
        return None if harmless else f"stats believes it: {outcome.err.strip()}"
    if name in NEVER_READ:
        # Only what cannot be replaced is in the way: a folder with that name.
        in_the_way = (folder / name).is_dir() and name in outcome.err
        return None if in_the_way else f"stats refuses a folder for a file that it makes itself: {outcome.err.strip()}"
    return None if outcome.code == 1 and names(outcome.err) else f"stats ends with {outcome.code}: {outcome.err.strip()}"


def is_removed(folder, name):
    """Whether the table of a run is not there: then it is a run still to do."""
    return name.startswith("trials/") and not os.path.lexists(folder / name)


def runs(statistics):
    return sum(learner["runs"] for learner in statistics["learners"])


def names(text):
    """Whether a message names a file of the folder."""
    return re.search(r"(manifest\.json|experiment\.toml|SHA256SUMS|[\w+=.-]+\.(csv|map|json))", text) is not None


def named_by_report(world, folder, name):
    outcome = world.program("report", folder)
    if outcome.broken():
        return f"report {outcome.broken()}"
    # Without a manifest it is any folder, which holds no results.
    is_any_folder = name == "manifest.json" and not os.path.lexists(folder / name) and "holds no results" in outcome.err
    named = outcome.code == 0 or names(outcome.err) or is_any_folder
    return None if named else f"report names no file: {outcome.err.strip()}"


def mended_by_run(world, place):
    """`run` makes the folder whole again, or says which file is in the way; what is not its own it leaves alone."""
    strays = promised(place / NAME).keys() - world.expected.keys()
    outcome = world.run(place, "--plain")
    if outcome.broken():
        return f"run {outcome.broken()}"
    if outcome.code != 0:
        return None if names(outcome.err) else f"run names no file: {outcome.err.strip()}"
    unlike = world.unlike_whole(place / NAME, strays)
    return f"run ends well, but {unlike}" if unlike else None


def campaign(world, tally, choose, seed):
    for name, mutation in choose(cases(world)):
        tally.add(f"{mutation.__name__} {name}", damage(world, name, mutation, seed))
