"""The program under test, and what no fault may make of it: a panic, a signal that nobody sent, or work without end."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

SECONDS = 20  # every command here takes less than one


@dataclass
class Outcome:
    code: int | None  # None: it did not end; negative: ended by a signal
    out: str
    err: str

    def broken(self, killed=False):
        """What is wrong with the way it ended, or nothing."""
        if self.code is None:
            return f"does not end in {SECONDS} s"
        if "panicked at" in self.err:
            return f"panics: {self.err.strip().splitlines()[0]}"
        if killed and self.code == -9:
            return None
        return None if self.code in (0, 1, 2) else f"exit code {self.code}: {self.err.strip()[-200:]}"


class Program:
    def __init__(self, path):
        self.path = Path(path)

    def __call__(self, *arguments, **environment):
        command = [self.path, *map(str, arguments)]
        given = {**os.environ, **{key: str(value) for key, value in environment.items()}}
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=given
        )
        try:
            out, err = process.communicate(timeout=SECONDS)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            code = None
        return Outcome(code, out.decode(errors="replace"), err.decode(errors="replace"))
