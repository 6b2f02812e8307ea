"""Asks the program, HiGHS and Storm the same questions about strangers' models, and about our own delicate families.

    python make.py                    the models that Storm brings along, then the families
    python make.py --models DIR       further models: PRISM, JANI and DRN files under DIR
    python make.py --only families    makes families.json, from target/families/*.drn

Prints a line for each model and each difference; exits with 1 if an answer of the program differs from another solver's
by more than 1e-6 of the signal's size. See README.md.
"""

import argparse
import hashlib
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path.insert(0, str(HERE))

from asking import examples, families  # noqa: E402
from asking.table import Table  # noqa: E402
from asking.questions import extremes, prepare, within_budgets  # noqa: E402


def strangers(table, folders, work):
    """All questions about all models of the folders, each model once."""
    seen = set()
    for path in examples.files(folders):
        exported = work / f"{path.name}.drn"
        refused = examples.written(path, exported)
        if refused:
            table.left_out(path.name, refused)
            continue
        text = exported.read_text()
        digest = hashlib.sha256(text.encode()).digest()
        if digest not in seen:
            seen.add(digest)
            for model in examples.variants(path.name, text):
                ask(table, model, work / f"{model.name}-asked.drn")


def ask(table, model, path):
    names = prepare(model)
    path.write_text(model.text())
    row = table.row(model, path)
    answers = {question.reward: row.ask(question) for question in extremes(names)}
    if all(answers.values()):
        found = {name: answer.get("highs", answer.get("storm")) for name, answer in answers.items()}
        lows = {name: -found[f"minus_{name}"] for name in names}
        for question in within_budgets(model, names, lows, found):
            row.ask(question)
    row.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", action="append", default=[], help="a folder of further models")
    parser.add_argument("--only", choices=["strangers", "families"])
    parser.add_argument("--program", default=ROOT / "target/release/occupancy")
    parser.add_argument("--work", type=Path, default=ROOT / "target/strangers", help="where models are written")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    clock = time.monotonic()
    table = Table(given.program)
    if given.only != "families":
        strangers(table, [examples.FILES / "mdp", examples.FILES / "dtmc", *given.models], given.work)
    if given.only != "strangers":
        families.record(table, ROOT / "target/families", HERE / "families.json")
    print(f"{table.summary()} in {time.monotonic() - clock:.0f} s")
    sys.exit(1 if table.differences else 0)


if __name__ == "__main__":
    main()
