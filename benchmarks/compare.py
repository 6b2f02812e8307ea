#!/usr/bin/env python3
"""Compares the planners with a general solver of linear programs, HiGHS, on the same models.

    python3 benchmarks/compare.py             dense posterior draws: the occupancy program
    python3 benchmarks/compare.py --sparse    empirical gridworlds, and optimism: the extended program
    python3 benchmarks/compare.py --sums      discounted sums, episodes, and the extended program of episodes
    python3 benchmarks/compare.py --growth    time and memory against the number of states, and docs/growth.svg
    python3 benchmarks/compare.py --large     large sparse models in files, and Storm beside HiGHS; --states, --limit

Needs Python 3.11 or newer and cargo; makes its own environment under target/benchmarks with the versions of
requirements.txt, and for --large those of requirements-storm.txt and requirements-storm-settings.txt. Several options may be given at once. The exit code is
1 if any value disagrees.

How it measures:

- `cargo bench -p occupancy --bench planner -- --export DIR` times our planners and writes the models. It and HiGHS take
  turns on every size, up to five, so that both see the same states of the machine; the times of each are pooled.
- HiGHS has its model already built. Only its solve is timed, not the passing of the model or of a basis.
- Cold: nothing is known. Warm: ours keeps its planner, HiGHS gets the last optimal basis; the first draw is left out.
- A time is wall-clock time minus the time that the scheduler kept the thread waiting for a processor (Linux; plain
  wall-clock time elsewhere), on both sides alike. Times are medians over draws, ratios are taken on the same draws.
- "best" is the fastest of the SETTINGS in comparison/highs.py, chosen afterwards for each size, for cold and for
  warm; HiGHS' tolerances are its defaults.
"""

import argparse
import subprocess
import sys
import time

from comparison import environments


def main():
    parser = argparse.ArgumentParser(description="Compares the planners with HiGHS on the same models.")
    parser.add_argument("--dense", action="store_true", help="dense posterior draws (what is done without options)")
    parser.add_argument("--sparse", action="store_true", help="empirical gridworlds, and optimism")
    parser.add_argument("--sums", action="store_true", help="discounted sums and episodes")
    parser.add_argument("--growth", action="store_true", help="time and memory against the number of states")
    parser.add_argument("--large", action="store_true", help="large sparse models in files, beside HiGHS and Storm")
    parser.add_argument("--states", type=int, nargs="+", help="the sizes of --large; 1e3 to 1e6 if not told")
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds of a tool for a question of --large")
    chosen = parser.parse_args()
    if chosen.large:
        environments.enter("venv-storm", environments.REQUIREMENTS, environments.STORM)
    else:
        environments.enter("venv", environments.REQUIREMENTS)
    from comparison import machine, tables  # only the environment has what they import
    from comparison.growth import growth
    from comparison.ours import BENCH, ROOT

    machine.tell()
    clock, agree = time.monotonic(), []
    if chosen.large:
        from comparison.large import large

        agree.append(large(chosen.states, chosen.limit))
    if chosen.dense or chosen.sparse or chosen.sums or chosen.growth or not chosen.large:
        subprocess.run([*BENCH, "--no-run"], cwd=ROOT, check=True)
    if chosen.dense or not (chosen.sparse or chosen.sums or chosen.growth or chosen.large):
        agree.append(tables.dense())
    if chosen.sparse:
        agree.append(tables.sparse())
    if chosen.sums:
        agree.append(tables.sums())
    if chosen.growth:
        growth()
    print(f"\n{time.monotonic() - clock:.0f} s")
    if agree:
        print("all values agree" if all(agree) else "VALUES DISAGREE")
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
