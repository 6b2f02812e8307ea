//! Slices of experiments: ranges of runs of equal estimated work, for as many machines as there are.
//!
//! A slice is what `run --runs A..B` does of one or several files. Which machine does it, when, and how often makes no
//! difference to the bytes that are stored.

use crate::clock::thread_time;
use crate::error::Result;
use crate::experiment::Experiment;
use crate::run::levels;
use crate::timed::Stopwatch;
use occupancy::seed::Seed;
use occupancy::sim::{OnRecord, TrialConfig};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

/// A run is tried for so long; what it takes in all follows from how far it has come.
const PILOT: Duration = Duration::from_millis(300);

/// How many slices there are, or how long each takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// So many.
    Count(usize),
    /// As many as take so many seconds each.
    Seconds(f64),
}

/// How much there is to do in a file: every run of it takes as long as the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// How many runs there are of each learner.
    pub runs: u64,
    /// The CPU seconds of one run of all its learners.
    pub seconds: f64,
}

/// A share of the work.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The files, by their places, and which of their runs.
    pub parts: Vec<(usize, Range<u64>)>,
    /// CPU seconds, as they were estimated.
    pub seconds: f64,
}

impl Work {
    /// What the experiments of a file take, by a look at the beginning of their first runs.
    pub fn of(experiments: &[Experiment]) -> Result<Work> {
        let mut work = Work { runs: 0, seconds: 0.0 };
        for experiment in experiments {
            let env = experiment.build()?;
            let baseline = levels(&env.model, env.episodes.as_ref())?;
            let grid = experiment.grid();
            for learner in &experiment.learners {
                work.seconds += pilot(&TrialConfig {
                    model: &env.model,
                    baseline: &baseline,
                    learner: learner.config.as_ref(),
                    rounds: experiment.rounds,
                    grid: &grid,
                    seed: Seed(experiment.seed),
                    run: 0,
                })?;
            }
            work.runs = work.runs.max(experiment.runs);
        }
        Ok(work)
    }
}

/// The CPU seconds of a run. Steps go on as they began; plans become rarer if the learner's rule of epochs says so: a run of 20 000 rounds
/// in the 8x8 rover would be taken for sixteen times as long otherwise.
fn pilot(config: &TrialConfig) -> Result<f64> {
    let (began, mut done) = (thread_time(), 0);
    let spent = || thread_time().saturating_sub(began);
    let mut stopwatch = Stopwatch::default();
    let mut watch = OnRecord(|steps| {
        done = steps;
        if spent() < PILOT { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match config.run(&mut [&mut stopwatch, &mut watch]) {
        Ok(_) | Err(occupancy::Error::Interrupted { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let (planning, all) = (stopwatch.planning.as_secs_f64(), spent().as_secs_f64());
    let further = config.rounds as f64 / done.max(1) as f64;
    let plans = |rounds: u64| config.learner.most_plans(config.model.pairs(), rounds);
    let more_plans = match (plans(done.max(1)), plans(config.rounds)) {
        (Some(so_far), Some(in_all)) => in_all.max(1) as f64 / so_far.max(1) as f64,
        _ => further,
    };
    Ok(planning * more_plans.clamp(1.0, further.max(1.0)) + (all - planning).max(0.0) * further)
}

/// Cuts the work of files into slices, each run into exactly one; there are no more slices than runs.
pub fn cut(work: &[Work], wanted: Wanted) -> Vec<Slice> {
    let total: f64 = work.iter().map(|one| one.runs as f64 * one.seconds).sum();
    let count = match wanted {
        Wanted::Count(count) => count.max(1),
        Wanted::Seconds(seconds) => (total / seconds).ceil().max(1.0) as usize,
    };
    let mut slices = vec![Slice { parts: Vec::new(), seconds: 0.0 }; count];
    let mut before = 0.0;
    for (place, one) in work.iter().enumerate() {
        // The slice that the middle of a run falls into.
        let slice_of = |run: u64| {
            let middle = before + (run as f64 + 0.5) * one.seconds;
            ((middle / total * count as f64) as usize).min(count - 1)
        };
        let mut first = 0;
        while first < one.runs {
            let slice = slice_of(first);
            let end = end_of(first..one.runs, |run| slice_of(run) == slice);
            slices[slice].parts.push((place, first..end));
            slices[slice].seconds += (end - first) as f64 * one.seconds;
            first = end;
        }
        before += one.runs as f64 * one.seconds;
    }
    slices.retain(|slice| !slice.parts.is_empty());
    slices
}

/// The first number of a range, or its end, for which something is not true any more; it is true for the first one.
fn end_of(range: Range<u64>, is_inside: impl Fn(u64) -> bool) -> u64 {
    let (mut inside, mut outside) = (range.start, range.end);
    while inside + 1 < outside {
        let middle = inside + (outside - inside) / 2;
        if is_inside(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_runs_are_cut_into_equal_slices() {
        let slices = cut(&[Work { runs: 100, seconds: 2.0 }], Wanted::Count(4));
        let ranges: Vec<_> = slices.iter().map(|slice| slice.parts.clone()).collect();
        assert_eq!(ranges, [[(0, 0..25)], [(0, 25..50)], [(0, 50..75)], [(0, 75..100)]]);
        assert!(slices.iter().all(|slice| slice.seconds == 50.0));
        assert_eq!(cut(&[Work { runs: 100, seconds: 2.0 }], Wanted::Seconds(50.0)), slices);
    }

    #[test]
    fn a_slice_may_hold_runs_of_several_files_and_there_are_no_more_slices_than_runs() {
        let work = [Work { runs: 2, seconds: 1.0 }, Work { runs: 4, seconds: 0.5 }];
        let slices = cut(&work, Wanted::Count(1));
        assert_eq!(slices[0].parts, [(0, 0..2), (1, 0..4)]);
        assert_eq!(cut(&work, Wanted::Count(1000)).len(), 6);
        let nothing = [Work { runs: 3, seconds: 0.0 }];
        assert_eq!(cut(&nothing, Wanted::Seconds(60.0)).len(), 1);
    }

    proptest! {
        #[test]
        fn every_run_is_in_exactly_one_slice(
            work in prop::collection::vec((1u64..200, 0.0f64..10.0), 1..5), count in 1usize..50,
        ) {
            let work: Vec<Work> = work.iter().map(|&(runs, seconds)| Work { runs, seconds }).collect();
            let slices = cut(&work, Wanted::Count(count));
            prop_assert!(slices.len() <= count);
            for (place, one) in work.iter().enumerate() {
                let mut seen = vec![0; one.runs as usize];
                for (_, runs) in slices.iter().flat_map(|slice| &slice.parts).filter(|part| part.0 == place) {
                    runs.clone().for_each(|run| seen[run as usize] += 1);
                }
                prop_assert!(seen.iter().all(|&times| times == 1));
            }
        }
    }
}
