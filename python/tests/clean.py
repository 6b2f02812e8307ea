"""Run in an environment with nothing but the wheel and NumPy: the package works, and says what else would be needed."""

import sys
import time
from importlib import import_module

import numpy as np

began = time.perf_counter()
import occupancy as oc  # noqa: E402 — timed after NumPy

took = time.perf_counter() - began
plan = oc.solve("marsrover-4x4")
assert abs(plan.gain + 0.775) < 1e-12 and oc.verify("marsrover-4x4", plan).feasible
run = oc.learn("marsrover-4x4", "psrl-transitions", rounds=1000)
assert np.isfinite(run.curves.regret).all()
for name, use in [("pandas", plan.policy.to_pandas), ("matplotlib", lambda: import_module("occupancy.plot"))]:
    try:
        use()
    except ImportError as error:
        assert f"this needs {name}, which is not installed: pip install 'occupancy[" in str(error), error
    else:
        raise AssertionError(f"{name} is installed: this environment is not clean")
print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}: import after NumPy {took * 1000:.1f} ms")
