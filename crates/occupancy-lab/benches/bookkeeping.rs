//! What it costs to store runs: runs a second that take no time themselves, with 10, 1000 and 10 000 learners.
//!
//! ```text
//! cargo bench -p occupancy --bench bookkeeping                all three, 15 seconds
//! cargo bench -p occupancy --bench bookkeeping -- 10000 1     so many learners, so many runs of each
//! ```
//!
//! Everything is brought to the disk that holds the build. Files that are left over from an earlier measurement are removed first.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and fails where it cannot go on"
)]

use occupancy::sim::Baseline;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::runner::Runner;
use occupancy_lab::store::{Session, Store};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let sizes = match &words[..] {
        [] => vec![(10, 300), (1000, 3), (10_000, 1)],
        [learners, runs] => vec![(learners.parse().unwrap(), runs.parse().unwrap())],
        _ => panic!("what is asked for is said in the first lines of this benchmark"),
    };
    for (learners, runs) in sizes {
        measure(learners, runs);
    }
}

fn measure(learners: usize, runs: u64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bookkeeping");
    let _ = std::fs::remove_dir_all(&folder);
    let coefs: Vec<String> = (0..learners).map(|i| format!("0.{i:05}")).collect();
    let text = format!(
        "rounds = 10\nruns = {runs}\n[env]\nname = \"river-swim\"\n[[learner]]\nname = \"cucrl-optimistic\"\ncoef = [{}]\n",
        coefs.join(", ")
    );
    let experiment =
        Experiment::from_text(&text, "bookkeeping.toml", &Catalogue::standard()).unwrap().remove(0);
    let model = experiment.build().unwrap().model;
    let baseline = Baseline::of(&model).unwrap();
    let store = Store::new(&folder, &experiment, &model, &baseline);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let runner = Runner {
        experiment: &experiment,
        model: &model,
        horizon: None,
        baseline: &baseline,
        runs: 0..runs,
        jobs,
    };
    let session = Session::begin("0", "0", jobs);
    let clock = Instant::now();
    let agenda = runner.agenda(&store).unwrap();
    let outcome = runner.run(&agenda, &store, &session, &mut |_| ControlFlow::Continue(())).unwrap();
    let seconds = clock.elapsed().as_secs_f64();
    assert!(outcome.broken.is_none() && outcome.done == agenda.len(), "{outcome:?}");
    let again = Instant::now();
    assert!(runner.agenda(&store).unwrap().is_empty());
    println!(
        "{learners:>6} learners × {runs:>3} runs: {:>5.0} runs a second stored, {:>6.0} looked at again",
        outcome.done as f64 / seconds,
        outcome.done as f64 / again.elapsed().as_secs_f64()
    );
}
