"""Python environments with exactly the pinned packages, under target/benchmarks. Needs none of them."""

import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
REQUIREMENTS = "requirements.txt"
STORM = "requirements-storm.txt"
# The package of Storm 2.0 takes no settings of long-run averages; that of 1.14 was the last that does.
STORM_SETTINGS = "requirements-storm-settings.txt"


def place(name):
    """The folder of an environment, and its interpreter."""
    home = HERE.parent / "target" / "benchmarks" / name
    return home, home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def python_with(home, *files):
    """The interpreter of an environment with the packages of these files, made unless it is there."""
    home, python = place(home)
    stamp = home / "installed.txt"
    wanted = "".join((HERE / file).read_text() for file in files)
    if not stamp.exists() or stamp.read_text() != wanted:
        print("installing", ", ".join(wanted.split()), flush=True)
        venv.create(home, with_pip=True, clear=True)
        options = [word for file in files for word in ("-r", HERE / file)]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *options], check=True)
        stamp.write_text(wanted)
    return python


def python_with_package(home, extra):
    """The interpreter of an environment with the project's own package, built in release from what is in this folder."""
    home, python = place(home)
    if not python.exists():
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", f"{HERE.parent / 'python'}[{extra}]"], check=True)
    return python


def enter(home, *files):
    """Restarts the script that runs in such an environment."""
    python = python_with(home, *files)
    if Path(sys.prefix).resolve() != python.parents[1].resolve():
        sys.exit(subprocess.run([python, *sys.argv]).returncode)
