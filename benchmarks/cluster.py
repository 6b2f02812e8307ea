"""What many machines cost: experiments in one process, in slices, and on Ray; and a simulation of more nodes from the times measured.

    python3 benchmarks/cluster.py all [--runs 1000 100000] [--rounds 200] [--times 3]
    python3 benchmarks/cluster.py measure FILE.toml… [--program target/release/occupancy] [--times 3]
    python3 benchmarks/cluster.py simulate DIR [--nodes 64] [--merge-seconds 0.001] [--task-seconds 0.01]

`all` builds the program and the package, both in release, and measures tiny runs, so many each time, and the paper's experiments; it needs
nothing installed but Rust and Python. `measure` does that for any experiments, and needs the package with its extra `ray`. Rows of the
program and rows of the package are compared with their own first row, because the two may be built with different optimisation. `simulate` takes the seconds of each run from the receipts in DIR, a folder of results,
hands tasks of about a second to the nodes in order, and lets the driver unite what comes back, one run after another.
"""

import argparse
import heapq
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from comparison import environments

ROOT = Path(__file__).resolve().parents[1]
TASK_SECONDS = 1.0  # that of occupancy.ray
SLICES = 8
# Experiments with so many runs are done once, and not in slices.
MANY = 10_000

# Runs of some milliseconds, most of it planning.
TINY = """rounds = {rounds}
runs = {runs}
seed = 1

[env]
name = "marsrover-4x4"

[[learner]]
name = "psrl-transitions"
"""
PAPER = [f"experiments/provodin2022/{name}-published.toml" for name in ("marsrover-4x4", "marsrover-8x8", "box")]


def best(times, work):
    """The least of some wall times, each in a folder of its own."""
    seconds = []
    for _ in range(times):
        place = Path(tempfile.mkdtemp(prefix="occupancy-cluster-"))
        began = time.perf_counter()
        work(place)
        seconds.append(time.perf_counter() - began)
        shutil.rmtree(place)
    return min(seconds)


def by_program(program, file, times, is_sliced):
    run = lambda *words: subprocess.run([str(program), *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def sliced(place):
        text = subprocess.run([program, "slices", file, "--count", str(SLICES)], check=True, capture_output=True).stdout
        (place / "slices.txt").write_bytes(text)
        numbers = "\n".join(map(str, range(1, SLICES + 1)))
        command = ["xargs", "-P2", "-I%", program, "run", "--slices", place / "slices.txt", "--slice", "%", "--out", place / "parts/%"]
        subprocess.run([*command, "--jobs", "1", "--plain"], input=numbers, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        name = next((place / "parts/1").iterdir()).name
        run("merge", *place.glob(f"parts/*/{name}"), "--out", place / name, "--whole")
        run("stats", place / name)

    for jobs in (1, 2):
        yield f"run --jobs {jobs}", jobs, best(times, lambda place: run("run", file, "--jobs", jobs, "--out", place, "--plain"))
    if is_sliced:
        yield f"{SLICES} slices, xargs -P2", 2, best(times, sliced)


def by_package(file, times):
    import occupancy
    import occupancy.ray
    import ray

    experiment = occupancy.Experiment.read(file)
    for jobs in (1, 2):
        yield f"Experiment.run(jobs={jobs})", jobs, best(times, lambda place: experiment.run(place, jobs=jobs))
    ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR")
    # The first tasks start the workers.
    wait = ray.remote(lambda: time.sleep(0.5))
    ray.get([wait.remote() for _ in range(4)])
    for shared in (False, True):
        name = "occupancy.ray, 2 cores" + (", shared folder" if shared else "")
        yield name, 2, best(times, lambda place: occupancy.ray.run(experiment, place, shared=shared, progress=False))
    ray.shutdown()


def measure(given):
    import occupancy

    print("| experiment | runs | how | seconds | a run | more than alone, a run | efficiency |\n|---|--:|---|--:|--:|--:|--:|")
    for file in given.files:
        text = Path(file).read_text()
        experiment = occupancy.Experiment.parse(text)
        runs = int(dict(line.split(" = ") for line in text.splitlines() if line.startswith("runs"))["runs"]) * len(experiment.labels)
        times = given.times if runs < MANY else 1
        for rows in (by_program(given.program, file, times, runs < MANY), by_package(file, times)):
            alone = None
            for how, cores, seconds in rows:
                alone = alone or seconds
                more = f"{1e3 * (cores * seconds - alone) / runs:.2f} ms | {alone / (cores * seconds):.0%}"
                print(f"| {Path(file).stem} | {runs} | {how} | {seconds:.1f} | {1e3 * seconds / runs:.2f} ms | {more} |", flush=True)


def measure_all(given):
    """Builds both sides and measures in the environment of the package."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "occupancy-cli"], cwd=ROOT, check=True)
    python = environments.python_with_package("venv-ray", "ray")
    folder = ROOT / "target" / "benchmarks" / "cluster"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"tiny-{runs}-of-{given.rounds}.toml" for runs in given.runs]
    for file, runs in zip(files, given.runs):
        file.write_text(TINY.format(runs=runs, rounds=given.rounds))
    papers = [] if given.no_paper else [ROOT / file for file in PAPER]
    command = [python, __file__, "measure", *files, *papers, "--times", given.times, "--program", ROOT / "target/release/occupancy"]
    subprocess.run(list(map(str, command)), check=True)


def tasks_of(seconds):
    """Runs in order, in tasks of about a second: (seconds, runs)."""
    task, runs = 0.0, 0
    for one in seconds:
        task, runs = task + one, runs + 1
        if task >= TASK_SECONDS:
            yield task, runs
            task, runs = 0.0, 0
    if runs:
        yield task, runs


def makespan(tasks, nodes, task_seconds, merge_seconds):
    """When the last run is united with the others; the next task goes to the node that is free first."""
    free, came = [0.0] * nodes, []
    for seconds, runs in tasks:
        end = heapq.heappop(free) + task_seconds + seconds
        heapq.heappush(free, end)
        came.append((end, runs))
    driver = 0.0
    for end, runs in sorted(came):
        driver = max(driver, end) + runs * merge_seconds
    return driver


def simulate(given):
    receipts = sorted(Path(given.folder).glob("timings/*/*.csv"))
    seconds = [float(path.read_text().splitlines()[1].split(",")[1]) for path in receipts] * given.repeat
    alone, tasks = sum(seconds), list(tasks_of(seconds))
    print(f"{len(seconds)} runs, {alone:.0f} s on one core, {len(tasks)} tasks\n\n| nodes | driver unites | seconds | efficiency |\n|--:|---|--:|--:|")
    for nodes in (1, 8, given.nodes):
        for how, merge in (("every run", given.merge_seconds), ("nothing: shared folder", 0.0)):
            took = makespan(tasks, nodes, given.task_seconds, merge)
            print(f"| {nodes} | {how} | {took:.0f} | {alone / (nodes * took):.0%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    whole = commands.add_parser("all")
    whole.add_argument("--runs", type=int, nargs="+", default=[1000, 100_000], help="tiny runs, so many each time")
    whole.add_argument("--rounds", type=int, default=200, help="of a tiny run")
    whole.add_argument("--no-paper", action="store_true", help="without the paper's experiments")
    whole.add_argument("--times", type=int, default=3)
    whole.set_defaults(do=measure_all)
    measured = commands.add_parser("measure")
    measured.add_argument("files", nargs="+")
    measured.add_argument("--program", default="target/release/occupancy")
    measured.add_argument("--times", type=int, default=3)
    measured.set_defaults(do=measure)
    simulated = commands.add_parser("simulate")
    simulated.add_argument("folder")
    simulated.add_argument("--nodes", type=int, default=64, help="each with one core")
    simulated.add_argument("--repeat", type=int, default=1, help="so many times the runs of the folder")
    simulated.add_argument("--merge-seconds", type=float, default=0.001, help="of the driver, for each run that comes back")
    simulated.add_argument("--task-seconds", type=float, default=0.01, help="of a node, for each task")
    simulated.set_defaults(do=simulate)
    given = parser.parse_args()
    given.do(given)


if __name__ == "__main__":
    main()
