"""The answers: ours, by the program; HiGHS's, to Kallenberg's program and its dual; Storm's, each in a process of its own."""

import json
import math
import multiprocessing
import subprocess

from making import programs, storm

SECONDS = 90  # an answer that takes longer is none
LARGEST_SIMPLEX = 1000  # pairs; above, HiGHS uses interior points: 9 s instead of over 60 s on a random model of 3000
LARGEST_PROGRAM = 16000  # pairs that HiGHS is asked about: above, its two programs take minutes
NO_ANSWER = "no answer"


def ours(program, path, question):
    """The program's gain, None if it calls the budgets infeasible."""
    command = [program, "solve", path, "--reward", question.reward, "--json", "--time-limit", str(SECONDS)]
    for cost, budget in question.budgets.items():
        command += ["--cost", f"{cost}={budget!r}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS)
    except subprocess.TimeoutExpired:
        return f"does not end in {2 * SECONDS} s"
    if done.returncode != 0:
        return done.stderr.strip() or f"exit code {done.returncode}"
    found = json.loads(done.stdout)
    if found["stopped"] is not None:
        return f"stopped after {SECONDS} s with a gap of {found.get('gap')}"
    return found["gain"] if found["verdict"] == "optimal" else None


def of_highs(model, question):
    if len(model.pairs) > LARGEST_PROGRAM:
        return NO_ANSWER
    return in_time(solved, model, question)


def solved(model, question):
    view = model.program(question.reward, list(question.budgets))
    method, same = ("highs", programs.AGREE) if len(model.pairs) <= LARGEST_SIMPLEX else ("highs-ipm", 1e-7)
    return programs.solve(view, "start", view.r, list(question.budgets.values()), agree=same, method=method)


def of_storm(path, question):
    names = [question.reward, *question.budgets]
    return in_time(storm.answer, path, list(question.budgets.values()), names)


def in_time(solve, *arguments):
    """What `solve` returns, or that there was no answer in time, or none that its own checks confirm."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=told, args=(theirs, solve, arguments))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(SECONDS) else NO_ANSWER
    except EOFError:
        return NO_ANSWER
    finally:
        process.kill()
        process.join()


def told(pipe, solve, arguments):
    try:
        pipe.send(solve(*arguments))
    except Exception:  # the solver's own doubts: its answer is none
        pipe.send(NO_ANSWER)


def agree(a, b, size, tolerance=1e-6):
    """Whether two answers are the same, relative to the size of the signal."""
    if isinstance(a, str) or isinstance(b, str):
        return False
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance * max(1.0, size))
