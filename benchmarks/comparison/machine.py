"""What the numbers depend on: processor, compiler, packages."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import scipy

from .highs import solver
from .ours import ROOT


def tell():
    first_word = lambda path, key: next(
        (line.split(":", 1)[1].strip() for line in Path(path).read_text().splitlines() if line.startswith(key)), "?"
    )
    linux = sys.platform == "linux"
    processor = first_word("/proc/cpuinfo", "model name") if linux else platform.processor()
    memory = f"{int(first_word('/proc/meminfo', 'MemTotal').split()[0]) / 2**20:.0f} GiB" if linux else "?"
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, cwd=ROOT).stdout.strip()
    print(f"processor   {processor}, {os.cpu_count()} cores, {memory}")
    print(f"system      {platform.system()}, load {os.getloadavg()[0]:.1f}")
    print(f"compiler    {rustc}")
    highs = solver({}).version()
    python = f"numpy {np.__version__}, scipy {scipy.__version__}, Python {platform.python_version()}"
    print(f"packages    HiGHS {highs}, {python}", flush=True)
