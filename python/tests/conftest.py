"""What the tests have in common."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The command line, by which answers are compared: OCCUPANCY_PROGRAM, or the one that `cargo build` made."""
    built = [ROOT / "target" / kind / "occupancy" for kind in ("debug", "release")]
    given = os.environ.get("OCCUPANCY_PROGRAM") or next((str(path) for path in built if path.exists()), None)
    found = given or shutil.which("occupancy")
    if found is None:
        pytest.fail("the command line is not built: cargo build, or set OCCUPANCY_PROGRAM")
    return found
