"""What a node of a cluster does of an experiment: some of its runs, in a folder of its own or in one that all nodes share."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import __version__, _core
from ._experiments import How
from ._learners import describe
from ._shapes import need


class Unfit(_core.Error):
    """A node that fails at every task until somebody mends it: no task is tried again."""


class Parcel(NamedTuple):
    """All that a node needs of an experiment."""

    name: str
    text: str
    files: list[tuple[str, bytes]]
    hash: str
    version: str
    learners: list[tuple[bytes, str]]
    """Learners of one's own, pickled with their code, each with the hash of its source, which a node cannot read."""


def cloudpickle() -> Any:
    return need("ray.cloudpickle", "ray")


def do(parcel: Parcel, runs: list[int], target: str | None) -> tuple[dict[str, bytes] | None, float]:
    """Does some runs. Returns the files, unless they are stored in a shared folder, and the seconds."""
    began = time.process_time()
    try:
        with tempfile.TemporaryDirectory(prefix="occupancy-") as scratch:
            place = Path(scratch) / "results" if target is None else Path(target)
            _run(_unpacked(parcel, Path(scratch) / "source"), runs, place)
            seconds = time.process_time() - began
            return (_files(place) if target is None else None), seconds
    except OSError as error:
        raise _core.Error(f"node {socket.gethostname()}: {error}") from error


def _unpacked(parcel: Parcel, source: Path) -> _core.Experiment:
    """The experiment, if this node understands it as the driver does."""
    if parcel.version != __version__:
        raise Unfit(
            f"node {socket.gethostname()} has occupancy {__version__}, and the driver {parcel.version}: install the same on every node"
        )
    learners = [describe(cloudpickle().loads(one))._replace(source=source) for one, source in parcel.learners]
    (source / "files").mkdir(parents=True)
    (source / "experiment.toml").write_text(parcel.text, encoding="utf-8")
    for name, content in parcel.files:
        (source / "files" / name).write_bytes(content)
    try:
        return _core.Experiment.from_copy(str(source), parcel.hash, parcel.name, learners)
    except _core.Error as error:
        raise Unfit(f"node {socket.gethostname()}: {error}") from error


def _run(part: _core.Experiment, runs: list[int], place: Path) -> None:
    for first, end in slices(runs):
        told = part.run(str(place), How((first, end), jobs=1, statistics=False), None)
        if told["failed"]:
            label, number, why = told["failed"][0]
            raise _core.Error(f"run {number} of {label}: {why}")


def _files(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def slices(runs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs as ranges."""
    first = previous = runs[0]
    for one in [*runs[1:], None]:
        if one is None or one != previous + 1:
            yield first, previous + 1
            first = one if one is not None else first
        previous = one if one is not None else previous


def ranges(runs: Sequence[int]) -> str:
    return " ".join(f"{first}..{end}" for first, end in slices(runs))
