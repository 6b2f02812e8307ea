"""Experiments on a cluster of Ray: the same bytes as on one machine.

    occupancy.ray.run("big.toml", "results")                          # from Python
    python -m occupancy.ray run big.toml --address auto --out results  # from a shell

A task is a range of runs. It stores them in a folder of its own on its node and sends the folder back, which the driver unites with the
results: no shared folder is needed. With ``shared=True`` tasks store their runs in ``out`` at once, which all nodes have to see. Tasks
of nodes that die are done again by Ray; tasks that fail are tried three times. A driver that is stopped or killed, finds its disk full or
loses the head of the cluster loses nothing that has come back: the same call goes on from there.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import PathLike, environ, fspath
from pathlib import Path
from typing import Any

from . import __version__, _core
from ._experiments import Experiment, How, Results
from ._learners import Learner, describe
from ._node import Parcel, Unfit, cloudpickle, do, ranges
from ._shapes import need

TASK_SECONDS = 1.0
"""Tasks are made to take about so long: Ray needs a millisecond for each."""
ATTEMPTS = 3
"""So often a task that fails is tried."""
UNITE_SECONDS = 2.0
"""Folders that have come back are united with the results so often."""
ARRIVING, ARRIVED = "-arriving-", "-arrived-"
"""In the names of folders that are being written, and of those that are there."""
ABANDONED_SECONDS = 3600.0
"""A folder that was not written to for so long has lost its driver."""
HEAD_SECONDS = 15.0
"""A head that does not answer for so long is given up; Ray itself ends the program after a minute, and does not say what to do."""

Learners = Sequence[type[Learner] | Learner]


def run(
    experiment: Experiment | str | PathLike[str] | Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    batch: int | None = None,
    address: str | None = None,
    shared: bool = False,
    learners: Learners = (),
    progress: Callable[[str], None] | bool = True,
) -> list[Results]:
    """Does the runs of experiments that are not stored in ``out/NAME`` yet, on all nodes of a cluster; returns all results.

    ``batch`` is how many runs a task does; by default as many as take about a second, by the times of those before. ``address`` is that of a
    running cluster (``"auto"`` for the one of this machine); without it, Ray is started here unless it is. ``progress`` is told a line
    now and then; ``True`` writes it to stderr if that is a terminal.
    """
    ray = need("ray", "ray")
    if not ray.is_initialized():
        _join(ray, address)
    told = _teller(progress)
    results = []
    for one in _experiments(experiment, learners):
        for part in one._parts:
            _Job(ray, part, one._learners, Path(out) / part.name, batch, shared, told).run()
            part.run(str(Path(out) / part.name), How(), None)
            results.append(Results.read(Path(out) / part.name))
    return results


def _join(ray: Any, address: str | None) -> None:
    try:
        if address is not None and "/" not in address and ":" in address:
            # Ray itself tries for minutes.
            _call(address, seconds=10.0)
        # What a task failed with is told once, by us; Ray would tell of its other tasks again, with its internals.
        environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError, ValueError) as error:
        where = "Ray cannot be started here" if address is None else f"the cluster of Ray at {address} cannot be joined"
        raise _core.Error(f"{where}: {_line(error)}") from error


def _call(address: str, seconds: float) -> None:
    """Asks whether something listens at an address, ``host:port``."""
    host, port = address.rsplit(":", 1)
    socket.create_connection((host.strip("[]"), int(port)), timeout=seconds).close()


def _line(error: BaseException) -> str:
    """What an error says, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _experiments(given: Any, learners: Learners) -> list[Experiment]:
    if isinstance(given, Experiment):
        return [given]
    paths = [given] if isinstance(given, (str, PathLike)) else list(given)
    return [Experiment.read(path, learners=learners) for path in paths]


def _teller(progress: Callable[[str], None] | bool) -> Callable[[str], None]:
    if callable(progress):
        return progress
    if progress and sys.stderr.isatty():
        return lambda line: print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
    return lambda line: None


@dataclass(slots=True)
class _Job:
    """The runs of one experiment."""

    ray: Any
    part: _core.Experiment
    learners: Learners
    folder: Path
    batch: int | None
    shared: bool
    tell: Callable[[str], None]
    seconds: float = 0.0
    """CPU time of the runs that have come back."""
    came: int = 0
    waiting: list[Path] = field(default_factory=list)
    """Folders that have come back and are not united yet."""

    def run(self) -> None:
        self.adopt()
        missing = self.missing()
        if not missing:
            return
        flying = _Flying(self, missing)
        try:
            flying.land_all()
        except BaseException:
            # What has come back is kept, whatever ends this.
            flying.cancel()
            with suppress(_core.Error):
                self.unite()
            raise
        finally:
            self.tell("")
        self.unite()
        if flying.failed:
            runs, why = flying.failed[0]
            raise _core.Error(
                f"{self.part.name}: runs {ranges(runs)} failed {ATTEMPTS} times: {_line(_cause(why))}; the others are stored in {self.folder}"
            ) from why

    def missing(self) -> list[int]:
        """The runs that some learner does not have stored."""
        every = range(self.part.runs)
        if not (self.folder / "manifest.json").exists():
            return list(every)
        stored = Results.read(self.folder)
        if stored._core.hash != self.part.hash:
            raise _core.Error(f"{self.folder} holds results of other settings; choose another folder, or move them aside")
        sets = [set(stored.runs(label)) for label in self.part.labels]
        return [one for one in every if not all(one in runs for runs in sets)]

    def parcel(self) -> Parcel:
        learners = [(_pickled(one), describe(one).source) for one in self.learners]
        part = self.part
        return Parcel(part.name, part.text, part.copies(), part.hash, __version__, learners)

    def next_runs(self, missing: list[int], slots: int) -> list[int]:
        """The next batch: some runs until times are known, then as many as take about a second, but not all to a few."""
        if self.batch is not None:
            size = self.batch
        elif self.came == 0:
            size = 1
        else:
            size = int(TASK_SECONDS / max(1e-6, self.seconds / self.came))
        size = max(1, min(size, -(-len(missing) // slots)))
        runs, missing[:] = missing[:size], missing[size:]
        return runs

    def take(self, answer: tuple[dict[str, bytes] | None, float], runs: list[int]) -> None:
        files, seconds = answer
        self.seconds += seconds
        self.came += len(runs)
        if files is None:
            return
        with self.storing():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            place = Path(tempfile.mkdtemp(prefix=f".{self.part.name}{ARRIVING}", dir=self.folder.parent))
            try:
                for name, content in files.items():
                    target = place / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(content)
            except OSError:
                shutil.rmtree(place, ignore_errors=True)
                raise
            self.waiting.append(place.rename(place.with_name(place.name.replace(ARRIVING, ARRIVED))))

    @contextmanager
    def storing(self) -> Iterator[None]:
        """Says what to do if something cannot be stored, such as on a disk that is full."""
        try:
            yield
        except (OSError, _core.Error) as error:
            raise _core.Error(
                f"what has come back cannot be stored in {self.folder}: {_line(error)}; mend that, and the same command goes on from there"
            ) from error

    def adopt(self) -> None:
        """Unites what came back to a driver that was killed before it could; what was still arriving then is done again."""
        for place in self.folder.parent.glob(f".{self.part.name}{ARRIVED}*"):
            # Who renames it owns it, if there are several drivers.
            own = Path(tempfile.mkdtemp(prefix=f".{self.part.name}{ARRIVING}", dir=self.folder.parent))
            try:
                self.waiting.append(place.rename(own))
            except OSError:
                own.rmdir()
        for place in self.folder.parent.glob(f".{self.part.name}{ARRIVING}*"):
            if place not in self.waiting and time.time() - place.stat().st_mtime > ABANDONED_SECONDS:
                shutil.rmtree(place, ignore_errors=True)
        self.unite()

    def unite(self) -> None:
        if not self.waiting:
            return
        with self.storing():
            _core.merge(str(self.folder), [str(place) for place in self.waiting])
        for place in self.waiting:
            shutil.rmtree(place, ignore_errors=True)
        self.waiting.clear()

    def line(self, all_runs: int, elapsed: float) -> str:
        left = elapsed * (all_runs - self.came) / self.came if self.came else None
        rest = "" if left is None else f", about {left:.0f} s left"
        each = ", ".join(f"{label} {self.came}/{all_runs}" for label in self.part.labels[:5])
        more = "" if len(self.part.labels) <= 5 else ", …"
        learners = len(self.part.labels)
        return f"{self.part.name}: {self.came * learners} of {all_runs * learners} runs ({each}{more}){rest}"


class _Flying:
    """The tasks that are under way."""

    def __init__(self, job: _Job, missing: list[int]) -> None:
        self.job, self.ray, self.missing = job, job.ray, missing
        self.parcel = self.ray.put(job.parcel())
        self.task = self.ray.remote(max_retries=20, retry_exceptions=False)(do)
        self.slots = max(2, 2 * int(self.ray.cluster_resources().get("CPU", 1)))
        self.head = _Head(self.ray.get_runtime_context().gcs_address, job.folder)
        self.tasks: dict[Any, tuple[list[int], int]] = {}
        """The runs of each, and how often they were tried."""
        self.again: list[tuple[list[int], int]] = []
        self.failed: list[tuple[list[int], BaseException]] = []

    def land_all(self) -> None:
        """Until every task has come back, or failed too often."""
        job = self.job
        all_runs, began = len(self.missing), time.monotonic()
        united = began
        while self.missing or self.tasks or self.again:
            for ref in self.ready():
                self.land(ref)
            self.head.check()
            now = time.monotonic()
            if now - united > UNITE_SECONDS:
                job.unite()
                united = now
            job.tell(job.line(all_runs, now - began))

    def ready(self) -> list[Any]:
        """Starts what there is room for, and waits a moment for what is under way."""
        try:
            self.start()
            ready, _ = self.ray.wait(list(self.tasks), num_returns=1, timeout=0.5)
        except (self.ray.exceptions.RayError, OSError) as error:
            # The part of Ray on this machine has died, mostly with the head.
            raise self.head.lost() from error
        return list(ready)

    def start(self) -> None:
        target = str(self.job.folder.absolute()) if self.job.shared else None
        while len(self.tasks) < self.slots and (self.missing or self.again):
            runs, tries = self.again.pop() if self.again else (self.job.next_runs(self.missing, self.slots), 1)
            self.tasks[self.task.remote(self.parcel, runs, target)] = (runs, tries)

    def land(self, ref: Any) -> None:
        runs, tries = self.tasks.pop(ref)
        try:
            answer = self.ray.get(ref)
        except Exception as error:
            self.head.check()
            if unfit := _unfit(error):
                raise unfit from error
            if tries < ATTEMPTS:
                self.again.append((runs, tries + 1))
            else:
                self.failed.append((runs, error))
        else:
            self.job.take(answer, runs)

    def cancel(self) -> None:
        if not self.head.is_silent():
            for ref in self.tasks:
                self.ray.cancel(ref, force=False)


class _Head:
    """Whether the head of the cluster answers."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address, self.folder = address, folder
        self.asked = self.heard = time.monotonic()

    def is_silent(self) -> bool:
        """Asked every second at most."""
        now = time.monotonic()
        if now - self.asked >= 1.0:
            self.asked = now
            with suppress(OSError):
                _call(self.address, seconds=1.0)
                self.heard = now
        return self.asked - self.heard > 0

    def check(self) -> None:
        if self.is_silent() and self.asked - self.heard > HEAD_SECONDS:
            raise self.lost()

    def lost(self) -> _core.Error:
        return _core.Error(
            f"the cluster's head, {self.address}, does not answer any more; what has come back is stored in {self.folder}: "
            "start the cluster again, and the same command goes on from there"
        )


def _cause(error: BaseException) -> BaseException:
    """What went wrong on the node, if Ray tells it."""
    return getattr(error, "cause", None) or error


def _unfit(error: BaseException) -> _core.Error | None:
    """The error of a node that somebody has to mend."""
    cause = _cause(error)
    if isinstance(cause, Unfit):
        return cause
    if "No module named 'occupancy" in str(error):
        return Unfit(f"a node of the cluster has no package occupancy: install occupancy {__version__} on every node, with the same Python")
    return None


def _pickled(learner: type[Learner] | Learner) -> bytes:
    """A learner with its code: its module need not be on the nodes."""
    kind = learner if isinstance(learner, type) else type(learner)
    module, pickler = sys.modules.get(kind.__module__), cloudpickle()
    if module is None or kind.__module__ == "__main__":
        return bytes(pickler.dumps(learner))
    pickler.register_pickle_by_value(module)
    try:
        return bytes(pickler.dumps(learner))
    finally:
        pickler.unregister_pickle_by_value(module)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: ``python -m occupancy.ray run FILE… --out DIR``."""
    parser = argparse.ArgumentParser(prog="python -m occupancy.ray", description="Experiments on a cluster of Ray.")
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run", help="do the runs that are not stored yet")
    runs.add_argument("files", nargs="+", metavar="FILE", help="experiments, in TOML")
    runs.add_argument("--out", required=True, metavar="DIR", help="where the folders of results are")
    runs.add_argument("--address", metavar="ADDRESS", help="the cluster; auto for the one of this machine")
    runs.add_argument("--batch", type=int, metavar="N", help="runs of a task; by default those of about a second")
    runs.add_argument("--shared", action="store_true", help="all nodes see DIR, and store their runs there")
    given = parser.parse_args(arguments)
    try:
        for found in run([fspath(file) for file in given.files], given.out, batch=given.batch, address=given.address, shared=given.shared):
            print(found.folder)
    except KeyboardInterrupt:
        print(f"stopped; what has come back is stored in {given.out}, and the same command goes on from there", file=sys.stderr)
        return 1
    except (_core.Error, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
