"""Experiments: files that describe them, runs that are stored as they end, results as tables, and reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from os import PathLike, fspath
from os.path import join
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._checks import whole_or_none
from ._learners import Learner, describe
from ._learning import Curves, Level
from ._shapes import need

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

Teller = Callable[[list[tuple[str, int, int, int]]], None]
Learners = Sequence[type[Learner] | Learner]


class How(NamedTuple):
    """How an experiment is run, as the Rust side reads it."""

    runs: tuple[int, int] | None = None
    jobs: int | None = None
    set_aside: bool = False
    statistics: bool = True


class Experiment:
    """What a file asks for: an environment, learners, rounds and runs.

    >>> import occupancy as oc, tempfile
    >>> experiment = oc.Experiment.parse('''
    ...     rounds = 500
    ...     runs = 2
    ...     [env]
    ...     name = "marsrover-4x4"
    ...     [[learner]]
    ...     name = "psrl-transitions"
    ... ''', name="small")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = experiment.run(folder)[0]
    ...     (results.labels, results.runs("psrl-transitions"))
    (('psrl-transitions',), [0, 1])
    """

    __slots__ = ("_learners", "_parts", "path")

    def __init__(self, parts: list[_core.Experiment], path: str, learners: Learners) -> None:
        """Use :meth:`read` or :meth:`parse`."""
        self._parts = parts
        self._learners = tuple(learners)
        self.path = path

    @classmethod
    def read(cls, path: str | PathLike[str], *, learners: Learners = ()) -> Experiment:
        """The experiment of a TOML file. Learners of your own that it names are given here; their source is a part of its hash."""
        return cls(_core.Experiment.read(fspath(path), None, [describe(one) for one in learners]), fspath(path), learners)

    @classmethod
    def parse(cls, text: str, *, name: str = "experiment", learners: Learners = ()) -> Experiment:
        """The experiment of a text."""
        path = f"{name}.toml"
        return cls(_core.Experiment.read(path, text, [describe(one) for one in learners]), path, learners)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parts: one, or one for each environment of a sweep."""
        return tuple(part.name for part in self._parts)

    @property
    def labels(self) -> tuple[str, ...]:
        """What its learners are called."""
        return tuple(dict.fromkeys(label for part in self._parts for label in part.labels))

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hash of the settings of each part: what its results depend on."""
        return tuple(part.hash for part in self._parts)

    @property
    def settings(self) -> tuple[dict[str, str], ...]:
        """The settings of each part with defaults filled in."""
        return tuple(dict(part.settings) for part in self._parts)

    def run(
        self,
        folder: str | PathLike[str],
        *,
        jobs: int | None = None,
        runs: range | None = None,
        set_aside: bool = False,
        progress: Teller | bool | None = None,
    ) -> list[Results]:
        """Does the runs that are not stored yet, each stored in ``folder/NAME`` as soon as it ends, and returns all results.

        ``jobs`` is how many are done at once (one a core). ``set_aside`` moves results of other settings out of the way. Runs that fail are
        an :class:`Error` at the end; the others are stored. Ctrl-C stops at once; the same call goes on from there. ``progress`` is
        called with (label, ended, all, steps) of each learner; ``True`` writes it to stderr.
        """
        teller = _to_stderr if progress is True else (progress or None)
        if runs is not None and not (isinstance(runs, range) and runs.step == 1):
            raise _core.Error(f"runs is {runs!r}, expected a range of run numbers such as range(0, 10)")
        slice_of = None if runs is None else (runs.start, runs.stop)
        at_once = whole_or_none(jobs, "jobs", 1)
        results = []
        for part in self._parts:
            target = join(fspath(folder), part.name)
            told = part.run(target, How(slice_of, at_once, set_aside), teller)
            if told["failed"]:
                label, run, why = told["failed"][0]
                more = f" (and {len(told['failed']) - 1} more)" if len(told["failed"]) > 1 else ""
                raise _core.Error(f"run {run} of {label} in {part.name} failed{more}: {why}; the others are stored in {target}")
            if told["stopped"]:
                raise KeyboardInterrupt
            results.append(Results.read(target, learners=self._learners))
        return results

    def __repr__(self) -> str:
        return f"<Experiment {', '.join(self.names)}: {', '.join(self.labels)}>"


def _to_stderr(learners: list[tuple[str, int, int, int]]) -> None:
    ended, runs = sum(one[1] for one in learners), sum(one[2] for one in learners)
    print(f"\r{ended} of {runs} runs", end="\n" if ended == runs else "", file=sys.stderr, flush=True)


class Results:
    """The stored runs of an experiment."""

    __slots__ = ("_core", "_learners", "folder")

    def __init__(self, core: _core.Results, folder: Path, learners: Learners = ()) -> None:
        """Use :meth:`read`."""
        self._core = core
        self._learners = tuple(learners)
        self.folder = folder

    @classmethod
    def read(cls, folder: str | PathLike[str], *, learners: Learners = ()) -> Results:
        """The results in a folder; every file has to be what was written. :meth:`summary` needs the learners of your own among them."""
        from pathlib import Path

        return cls(_core.Results.open(fspath(folder)), Path(folder), learners)

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self._core.name

    @property
    def labels(self) -> tuple[str, ...]:
        """What the learners are called."""
        return tuple(label for label, _ in self._core.learners)

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of the costs."""
        return tuple(self._core.costs)

    @property
    def budgets(self) -> dict[str, float]:
        """Their budgets, a step."""
        return dict(zip(self._core.costs, self._core.budgets, strict=True))

    @property
    def levels(self) -> dict[str, Level | None]:
        """What the true model allows, a step: ``optimal`` within the budgets, ``fast`` without them, ``safe`` at the least cost."""
        return {
            level: None if value is None else Level(value[0], dict(zip(self.costs, value[1], strict=True)))
            for level, value in self._core.levels().items()
        }

    def runs(self, label: str) -> list[int]:
        """The runs of a learner that are stored."""
        return self._core.runs(label)

    def curves(self, label: str, run: int) -> Curves:
        """What was recorded of a run."""
        best = self.levels["optimal"]
        optimum = None if best is None else best.gain
        return Curves(self._core.record(label, run), self.costs, self._core.budgets, optimum, self._core.window)

    def _all(self) -> Iterator[tuple[str, int, Curves]]:
        for label in self.labels:
            for run in self.runs(label):
                yield label, run, self.curves(label, run)

    def to_pandas(self) -> pd.DataFrame:
        """All runs in one DataFrame: learner, run, step, cumulative reward and costs, averages, regret, violations, epochs."""
        pandas = need("pandas", "pandas")
        frames = []
        for label, run, curves in self._all():
            frame = curves.to_pandas()
            frame.insert(0, "learner", label)
            frame.insert(1, "run", run)
            frames.append(frame)
        joined: pd.DataFrame = pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame()
        return joined

    def pack(self) -> int:
        """Puts the runs that have files of their own into few, ``packed/*.csv.gz``, a thousand in each; returns how many runs.

        Everything reads packed runs like others, and so do pandas, polars and DuckDB: tables with ``learner`` and ``run`` in front.
        """
        runs, _ = _core.pack(str(self.folder))
        self._core = _core.Results.open(str(self.folder))
        return runs

    def summary(self, tolerance: float | None = None) -> pd.DataFrame:
        """Every quantity of every learner at the end: runs, mean, standard deviation and 95 % interval."""
        columns = ["learner", "quantity", "runs", "mean", "sd", "low", "high"]
        rows: list[Any] = list(self._core.summary([describe(one) for one in self._learners], tolerance))
        frame: pd.DataFrame = need("pandas", "pandas").DataFrame(rows, columns=columns)
        return frame

    def _repr_html_(self) -> str | None:
        try:
            from .plot import figure_html, results
        except ImportError:
            return None
        return figure_html(results(self))

    def __repr__(self) -> str:
        return f"<Results of {self.name}: {', '.join(self.labels)}>"


def report(folder: str | PathLike[str], *, learners: Learners = (), tolerance: float | None = None) -> Path:
    """Writes the page of a folder of results, or of all such folders in a folder; returns its path."""
    from pathlib import Path

    page, _, left_out = _core.report(fspath(folder), [describe(one) for one in learners], tolerance)
    if left_out:
        raise _core.Error(f"{page} lacks: {'; '.join(left_out)}")
    return Path(page)
