"""The parts of make.py: strangers' models, questions about them, and the solvers that answer."""

import sys
from pathlib import Path

# The linear programs and Storm's queries are those of the reference values.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "reference"))
