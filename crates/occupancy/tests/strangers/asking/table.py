"""The table of answers: a line for each model, and below it each answer of ours that another solver contradicts."""

import time

from . import solvers
from .solvers import NO_ANSWER, agree


class Table:
    def __init__(self, program):
        self.program = program
        self.models = self.questions = self.unconfirmed = self.doubted = self.differences = 0
        print(f"{'model':36} {'states':>7} {'pairs':>7} {'asked':>6} {'HiGHS':>6} {'Storm':>6} {'ours':>9}")

    def row(self, model, path):
        return Row(self, model, path)

    def left_out(self, name, why):
        print(f"{name:36} {why}")

    def summary(self):
        return (
            f"{self.models} models, {self.questions} questions: {self.differences} answers differ, "
            f"{self.doubted} times HiGHS or Storm differs from the other two, {self.unconfirmed} answers unconfirmed,"
        )


class Row:
    """The questions about one model; `HiGHS` and `Storm` count the answers that are the same as ours."""

    def __init__(self, table, model, path):
        self.table, self.model, self.path = table, model, path
        self.asked = self.highs = self.storm = 0
        self.seconds = 0.0
        self.notes = []

    def ask(self, question):
        """The answers of HiGHS and of Storm, which are compared with ours."""
        clock = time.monotonic()
        ours = solvers.ours(self.table.program, self.path, question)
        self.seconds += time.monotonic() - clock
        others = {"highs": solvers.of_highs(self.model, question), "storm": solvers.of_storm(self.path, question)}
        self.compare(question, ours, others)
        return {name: value for name, value in others.items() if value != NO_ANSWER}

    def compare(self, question, ours, others):
        size = abs(self.model.signals[question.reward]).max()
        same = {name: agree(ours, value, size) for name, value in others.items()}
        answered = [name for name, value in others.items() if value != NO_ANSWER]
        self.asked += 1
        self.highs += same["highs"]
        self.storm += same["storm"]
        told = f"{question}: ours {ours}, HiGHS {others['highs']}, Storm {others['storm']}"
        if not answered:
            self.table.unconfirmed += 1
        elif not any(same.values()):
            self.table.differences += 1
            self.notes.append(f"  DIFFERS {told}")
        elif not all(same[name] for name in answered):
            self.table.doubted += 1
            self.notes.append(f"  doubtful {told}")

    def end(self):
        self.table.models += 1
        self.table.questions += self.asked
        model, mean = self.model, self.seconds / max(self.asked, 1)
        print(
            f"{model.name:36} {model.n:7} {len(model.pairs):7} {self.asked:6} {self.highs:6} {self.storm:6} "
            f"{mean:7.2f} s",
            *self.notes,
            sep="\n",
            flush=True,
        )
