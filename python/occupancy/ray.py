"""Experiments on a cluster of Ray: the same bytes as on one machine.

    occupancy.ray.run("big.toml", "results")                          # from Python
    python -m occupancy.ray run big.toml --address auto --out results  # from a shell

A task is a range of runs. It stores them in a folder of its own on its node and sends the folder back, which the driver unites with the
results: no shared folder is needed. With ``shared=True`` tasks store their runs in ``out`` at once, which all nodes have to see. Tasks
of nodes that die are done again by Ray; tasks that fail are tried three times. A driver that is stopped or killed loses nothing that
has come back: the same call goes on from there.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from . import __version__, _core
from ._experiments import Experiment, How, Results
from ._learners import Learner, describe
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

Learners = Sequence[type[Learner] | Learner]


class Parcel(NamedTuple):
    """All that a node needs of an experiment."""

    name: str
    text: str
    files: list[tuple[str, bytes]]
    hash: str
    version: str
    learners: list[tuple[bytes, str]]
    """Learners of one's own, pickled with their code, each with the hash of its source, which a node cannot read."""


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
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    told = _teller(progress)
    results = []
    for one in _experiments(experiment, learners):
        for part in one._parts:
            _Job(ray, part, one._learners, Path(out) / part.name, batch, shared, told).run()
            part.run(str(Path(out) / part.name), How(), None)
            results.append(Results.read(Path(out) / part.name))
    return results


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
        parcel = self.ray.put(self.parcel())
        task = self.ray.remote(max_retries=20, retry_exceptions=False)(_task)
        slots = max(2, 2 * int(self.ray.cluster_resources().get("CPU", 1)))
        began, all_runs = time.monotonic(), len(missing)
        flying: dict[Any, tuple[list[int], int]] = {}
        failed: list[tuple[list[int], BaseException]] = []
        again: list[tuple[list[int], int]] = []
        united = time.monotonic()
        try:
            while missing or flying or again:
                while len(flying) < slots and (missing or again):
                    runs, tries = again.pop() if again else (self.next_runs(missing, slots), 1)
                    target = str(self.folder.absolute()) if self.shared else None
                    flying[task.remote(parcel, runs, target)] = (runs, tries)
                ready, _ = self.ray.wait(list(flying), num_returns=1, timeout=0.5)
                for ref in ready:
                    runs, tries = flying.pop(ref)
                    try:
                        self.take(self.ray.get(ref), runs)
                    except KeyboardInterrupt:
                        raise
                    except BaseException as error:
                        if tries < ATTEMPTS:
                            again.append((runs, tries + 1))
                        else:
                            failed.append((runs, error))
                if time.monotonic() - united > UNITE_SECONDS:
                    self.unite()
                    united = time.monotonic()
                self.tell(self.line(all_runs, time.monotonic() - began))
        finally:
            # What has come back is kept, whatever ends this.
            for ref in flying:
                self.ray.cancel(ref, force=False)
            self.unite()
            self.tell("")
        if failed:
            runs, why = failed[0]
            cause = getattr(why, "cause", why)
            raise _core.Error(
                f"{self.part.name}: runs {_ranges(runs)} failed {ATTEMPTS} times: {cause}; the others are stored in {self.folder}"
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
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=f".{self.part.name}{ARRIVING}", dir=self.folder.parent))
        for name, content in files.items():
            target = place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        self.waiting.append(place.rename(place.with_name(place.name.replace(ARRIVING, ARRIVED))))

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
        _core.merge(str(self.folder), [str(place) for place in self.waiting])
        for place in self.waiting:
            shutil.rmtree(place)
        self.waiting.clear()

    def line(self, all_runs: int, elapsed: float) -> str:
        left = elapsed * (all_runs - self.came) / self.came if self.came else None
        rest = "" if left is None else f", about {left:.0f} s left"
        each = ", ".join(f"{label} {self.came}/{all_runs}" for label in self.part.labels[:5])
        more = "" if len(self.part.labels) <= 5 else ", …"
        learners = len(self.part.labels)
        return f"{self.part.name}: {self.came * learners} of {all_runs * learners} runs ({each}{more}){rest}"


def _cloudpickle() -> Any:
    return need("ray.cloudpickle", "ray")


def _pickled(learner: type[Learner] | Learner) -> bytes:
    """A learner with its code: its module need not be on the nodes."""
    kind = learner if isinstance(learner, type) else type(learner)
    module, pickler = sys.modules.get(kind.__module__), _cloudpickle()
    if module is None or kind.__module__ == "__main__":
        return bytes(pickler.dumps(learner))
    pickler.register_pickle_by_value(module)
    try:
        return bytes(pickler.dumps(learner))
    finally:
        pickler.unregister_pickle_by_value(module)


def _task(parcel: Parcel, runs: list[int], target: str | None) -> tuple[dict[str, bytes] | None, float]:
    """On a node: does some runs. Returns the files, unless they are stored in a shared folder, and the seconds."""
    if parcel.version != __version__:
        raise _core.Error(f"this node has occupancy {__version__}, and the driver {parcel.version}: install the same on every node")
    began = time.process_time()
    learners = [describe(_cloudpickle().loads(one))._replace(source=source) for one, source in parcel.learners]
    with tempfile.TemporaryDirectory(prefix="occupancy-") as scratch:
        source = Path(scratch) / "source"
        (source / "files").mkdir(parents=True)
        (source / "experiment.toml").write_text(parcel.text, encoding="utf-8")
        for name, content in parcel.files:
            (source / "files" / name).write_bytes(content)
        part = _core.Experiment.from_copy(str(source), parcel.hash, parcel.name, learners)
        place = Path(target) if target is not None else Path(scratch) / "results"
        for first, end in _slices(runs):
            told = part.run(str(place), How((first, end), jobs=1, statistics=False), None)
            if told["failed"]:
                label, number, why = told["failed"][0]
                raise _core.Error(f"run {number} of {label}: {why}")
        seconds = time.process_time() - began
        if target is not None:
            return None, seconds
        return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}, seconds


def _slices(runs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs as ranges."""
    first = previous = runs[0]
    for one in [*runs[1:], None]:
        if one is None or one != previous + 1:
            yield first, previous + 1
            first = one if one is not None else first
        previous = one if one is not None else previous


def _ranges(runs: Sequence[int]) -> str:
    return " ".join(f"{first}..{end}" for first, end in _slices(runs))


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
    except (_core.Error, ImportError, ConnectionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
