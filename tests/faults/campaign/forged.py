"""Manifests that somebody else wrote: each is refused by name, and nothing is ever written outside the folder."""

import hashlib
import json

from .folder import CASE, NAME, files


def told(change):
    """A forgery and its name."""
    return change.__name__.replace("_", " "), change


def label_that_leads_out(manifest):
    manifest["learners"][0]["label"] = "../../../escaped"


def absolute_label(manifest):
    manifest["learners"][0]["label"] = "/tmp/escaped"


def name_that_leads_out(manifest):
    manifest["name"] = "../escaped"


def name_with_control_characters(manifest):
    manifest["name"] = "little\u001b]0;escaped\u0007\n"


def empty_label(manifest):
    manifest["learners"][0]["label"] = ""


def label_twice(manifest):
    manifest["learners"][1]["label"] = manifest["learners"][0]["label"]


def no_learners(manifest):
    manifest["learners"] = []


def no_budgets(manifest):
    manifest["environment"]["budgets"] = []


def no_windows(manifest):
    manifest["windows"] = []


def window_of_nothing(manifest):
    manifest["windows"] = [0]


def rounds_without_end(manifest):
    manifest["rounds"] = 2**64 - 1


def no_rounds(manifest):
    manifest["rounds"] = 0


def levels_that_overflow(manifest):
    manifest["baseline"]["optimal"]["reward"] = 1e308
    manifest["baseline"]["safe"]["reward"] = -1e308


def another_seed(manifest):
    manifest["seed"] += 1


def costs_without_levels(manifest):
    manifest["baseline"]["optimal"]["costs"] = []


def more_costs_than_budgets(manifest):
    manifest["environment"]["costs"] = ["risk"] * 1000


def copy_that_leads_out(manifest):
    """A file among the copies whose name is a way out; the first programs kept no list of them."""
    copies = manifest.setdefault("files", [{"name": "", "sha256": "0" * 64}])
    copies[0]["name"] = "../../escaped"


FORGERIES = [
    label_that_leads_out, absolute_label, name_that_leads_out, name_with_control_characters, empty_label, label_twice,
    no_learners, no_budgets, no_windows, window_of_nothing, rounds_without_end, no_rounds, levels_that_overflow, another_seed,
    costs_without_levels, more_costs_than_budgets, copy_that_leads_out,
]  # fmt: skip


def sealed(manifest):
    """A manifest with the checksum that belongs to it: anybody can compute one."""
    manifest.pop("checksum", None)
    body = json.dumps(manifest, indent=2, ensure_ascii=False).removesuffix("\n}")
    digest = hashlib.sha256(f"{body}\n}}\n".encode()).hexdigest()
    return f'{body},\n  "checksum": "sha256:{digest}"\n}}\n'


def bare(manifest):
    """A manifest as the first programs wrote it."""
    manifest.pop("checksum", None)
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def forge(world, change, write):
    """One forgery, looked at by every command that reads manifests; returns what is wrong, or nothing."""
    for command in ("stats", "report", "merge", "run"):
        place = world.fresh(world.whole)
        path = place / NAME / "manifest.json"
        manifest = json.loads(path.read_text())
        change(manifest)
        path.write_text(write(manifest))
        before = outside(world)
        outcome = asked(world, place, command)
        wrong = outcome.broken()
        if wrong:
            return f"{command} {wrong}"
        if outside(world) != before:
            return f"{command} writes outside the folder: {sorted(outside(world).keys() ^ before.keys())}"
        if any(ord(character) < 32 and character not in "\n\t" for character in outcome.out + outcome.err):
            return f"{command} prints control characters"
        if outcome.code == 0 and command != "run":
            return f"{command} believes it"
    return None


def asked(world, place, command):
    if command == "run":
        return world.run(place, "--plain")
    if command == "merge":
        return world.program("merge", place / NAME, "--out", place / "united")
    return world.program(command, place / NAME)


def outside(world):
    """All files of the world but those of the folder at hand, and what a label could reach from it."""
    found = {name: data for name, data in files(world.work).items() if not name.startswith(f"{CASE}/")}
    near = [path for path in (world.work / CASE).iterdir() if path.name not in (NAME, "united")]
    return found | {f"{CASE}/{path.name}": b"" for path in near}


def campaign(world, tally, choose):
    cases = [(name, change, write) for write in (bare, sealed) for name, change in map(told, FORGERIES)]
    for name, change, write in choose(cases):
        tally.add(f"forged manifest, {write.__name__}: {name}", forge(world, change, write))
