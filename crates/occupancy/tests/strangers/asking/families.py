"""The members of our delicate families, as the Rust tests dump them: their values of two other solvers, recorded."""

import json
import re

from . import drn, solvers
from .questions import Question


def record(table, folder, to):
    """Asks the cases of each member and writes those that were answered to a file that a Rust test reads."""
    recorded = {}
    for path in sorted(folder.glob("*.drn")):
        text = path.read_text()
        model = drn.read(path.stem, text)
        model.signals = {name.removeprefix("reward_"): x for name, x in model.signals.items()}
        budgets = {cost: float(x) for cost, x in re.findall(r"^// budget: (\S+) <= (\S+)$", text, re.M)}
        row = table.row(model, path)
        for case, question in cases(model, budgets):
            answers = row.ask(question)
            if answers:
                recorded[f"{path.stem}/{case}"] = {"budgets": question.budgets, **answers}
        row.end()
        to.write_text(json.dumps(recorded, indent=1) + "\n")


def cases(model, budgets):
    """Without budgets; within the family's own; and with the first cost near the least that is possible."""
    yield "free", Question("r")
    yield "own", Question("r", budgets)
    cost = next(iter(budgets))
    model.signals["least"] = -model.signals[cost]
    extremes = [solvers.of_highs(model, Question(name)) for name in ("least", cost)]
    if solvers.NO_ANSWER not in extremes:
        least, most = -extremes[0], extremes[1]
        yield "tight", Question("r", {cost: round(least + 0.07 * (most - least), 9)})
