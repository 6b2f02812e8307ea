#!/usr/bin/env python3
"""Where the time of `occupancy reproduce` goes: sampling, planning, stepping, recording, report.

    python3 benchmarks/profile.py                       preset published, as in docs/benchmarks.md
    python3 benchmarks/profile.py reproduce --quick     any other command of the program

Builds the program with frame pointers in a folder of its own, runs it under Linux' perf, and adds up the samples by the
innermost function that belongs to a part. Needs `perf` (Debian: linux-perf) and the right to use it.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target" / "profile"

# Whatever happens for the report is the report's, whichever function does it.
REPORT = re.compile(r"\boccupancy::report::")
PARTS = [
    ("recording", re.compile(r"occupancy(::sim::(recorder|metrics)|_lab::(store|analyse))\b|\bcsv(_core)?::|sha2")),
    ("sampling", re.compile(r"Cmdp::resample|learn::(dirichlet|posterior|prior|variates)|Estimate::empirical")),
    ("planning", re.compile(r"occupancy::(plan|learn|model)::")),
    ("stepping", re.compile(r"occupancy::sim::trial")),
]


def part_of(frames):
    """The part that a stack, innermost function first, belongs to."""
    if any(REPORT.search(frame) for frame in frames):
        return "report"
    for frame in frames:
        for part, pattern in PARTS:
            if pattern.search(frame):
                return part
    return "other"


def stacks(text):
    """The stacks that `perf script` prints, one a paragraph."""
    for paragraph in text.split("\n\n"):
        frames = [line.strip() for line in paragraph.splitlines() if line.strip()]
        if frames:
            yield frames


def main():
    if shutil.which("perf") is None:
        sys.exit("profile.py: `perf` is not installed (Debian: linux-perf)")
    command = sys.argv[1:] or ["reproduce"]
    build = ["cargo", "build", "--release", "--package", "occupancy-cli", "--target-dir", TARGET]
    flags = ["--config", 'build.rustflags=["-Cforce-frame-pointers=yes"]']
    subprocess.run(build + flags, cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "samples"
        record = ["perf", "record", "--quiet", "--freq", "200", "--call-graph", "fp", "--output", samples, "--"]
        out = ["--out", Path(folder) / "results"] if command[0] == "reproduce" else []
        subprocess.run(record + [TARGET / "release" / "occupancy"] + command + out, check=True, stdout=subprocess.DEVNULL)
        script = ["perf", "script", "--input", samples, "--fields", "ip,sym"]
        text = subprocess.run(script, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    counts = Counter(part_of(frames) for frames in stacks(text))
    total = sum(counts.values())
    print(f"| part | share of {total / 200:.0f} CPU seconds |\n|---|--:|")
    for part, count in counts.most_common():
        print(f"| {part} | {100 * count / total:.1f} % |")


if __name__ == "__main__":
    main()
