"""A command in a process of its own: what it printed, its processor time, and its peak memory.

The command is started by this file as a script, with nothing imported that is large: Linux counts the memory of the program
that forked towards the peak of the one that was started, 9 MB here and 100 MB from compare.py. Peaks below that cannot be told apart.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass

# A process that waits instead of computing is stopped after so many times its limit on the wall.
PATIENCE = 4

# The `failure` of an answer that no policy meets the budget; it is a value like others.
INFEASIBLE = "infeasible"


@dataclass
class Outcome:
    """How a command ended; `failure` is empty if it printed a value."""

    seconds: float
    megabytes: float
    answer: dict
    failure: str

    @property
    def value(self):
        return self.answer.get("value")

    def is_answer(self):
        return self.failure in ("", INFEASIBLE)


def ask(command, seconds, gigabytes, folder=None):
    """Runs a command that ends by printing one JSON object, within a limit of processor time and of address space."""
    launcher = [sys.executable, "-I", "-S", __file__, str(seconds), str(gigabytes), *map(str, command)]
    told = subprocess.run(launcher, cwd=folder, check=True, capture_output=True, text=True).stdout
    cpu, megabytes, code, out, error = json.loads(told)
    answer, failure = {}, ""
    try:
        # Storm's warnings stand before it, on lines of their own.
        answer = json.loads(out.splitlines()[-1])
    except (ValueError, IndexError):
        failure = why(code, cpu, seconds, error)
    return Outcome(cpu, megabytes, answer, answer.pop("failure", "") or failure)


def why(code, cpu, seconds, error):
    """Why there is no answer, in a few words."""
    if -code in (signal.SIGXCPU, signal.SIGALRM) or cpu >= seconds:
        return f"over {seconds} s"
    lines = [line for line in error.splitlines() if line.strip()]
    if "memory" in error.lower() or "bad_alloc" in error:
        return "out of memory"
    return lines[-1][:80] if lines else f"ended by signal {-code}" if code < 0 else f"exit code {code}"


def launch(seconds, gigabytes, command):
    """Runs the command with limits; prints [CPU seconds, MB, exit code, standard output, standard error]."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        child = os.fork()
        if child == 0:
            # A second later the system kills what does not end by itself.
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, gigabytes << 30))
            signal.alarm(PATIENCE * seconds)
            os.dup2(out.fileno(), 1)
            os.dup2(error.fileno(), 2)
            os.execvp(command[0], command)
        _, status, used = os.wait4(child, 0)
        text = [read(out), read(error)]
    print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), *text]))


def read(file):
    file.seek(0)
    return file.read().decode(errors="replace")


if __name__ == "__main__":
    launch(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
