"""Packed runs: the readers of others find every row, and ours what it was before."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import occupancy as oc

TEXT = """
rounds = 300
runs = 7
[env]
name = "marsrover-4x4"
[[learner]]
name = "psrl-transitions"
[[learner]]
name = "uniform"
"""


@pytest.fixture
def results(tmp_path: Path) -> oc.Results:
    return oc.Experiment.parse(TEXT, name="small").run(tmp_path)[0]


def test_pandas_polars_and_duckdb_read_every_row(results: oc.Results) -> None:
    files = sorted(results.folder.glob("trials/*/*.csv"))
    alone = pd.concat(pd.read_csv(file).assign(learner=file.parent.name, run=int(file.stem)) for file in files)
    assert results.pack() == 14
    packed = str(results.folder / "packed" / "0000.csv.gz")
    by_pandas = pd.read_csv(packed)
    pd.testing.assert_frame_equal(by_pandas, alone[by_pandas.columns].reset_index(drop=True))
    by_polars = pl.read_csv(packed)
    assert by_polars.columns == list(by_pandas.columns) and by_polars.height == len(alone)
    np.testing.assert_array_equal(by_polars["reward"].to_numpy(), by_pandas["reward"].to_numpy())
    query = "select count(*), count(distinct learner), count(distinct run), sum(reward) from read_csv(?)"
    rows, learners, runs, reward = duckdb.execute(query, [packed]).fetchone() or ()
    assert (rows, learners, runs) == (len(alone), 2, 7)
    assert reward == pytest.approx(alone.reward.sum(), rel=1e-12)


def test_what_is_packed_is_read_like_the_rest(results: oc.Results) -> None:
    before, summary = results.to_pandas(), results.summary()
    assert results.pack() == 14 and results.pack() == 0
    assert not list(results.folder.glob("trials/*/*.csv"))
    for read in (results, oc.Results.read(results.folder)):
        assert read.runs("uniform") == list(range(7))
        pd.testing.assert_frame_equal(read.to_pandas(), before)
        pd.testing.assert_frame_equal(read.summary(), summary)
