//! The run itself, in a thread of its own: whatever the learner is busy with, Ctrl-C is heard at once.

use super::{Asked, Run};
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::show::progress::of_run;
use crate::watch;
use occupancy::chain::evaluate;
use occupancy::env::Episodes;
use occupancy::error::system;
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, TrialConfig, ValueObserver};
use occupancy_lab::timed::TimedTrial;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often signals are looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs to the end, or until a signal.
pub fn run(asked: &Arc<Asked>) -> Result<Run> {
    let (began, interrupt, mut line) = (Instant::now(), Interrupt::listen(), watch::status_line());
    let steps = Arc::new(AtomicU64::new(0));
    let (bell, ringing) = mpsc::channel::<()>();
    let worker = {
        let (asked, steps) = (Arc::clone(asked), Arc::clone(&steps));
        // The bell falls silent when the thread ends, however it ends.
        let started = thread::Builder::new().spawn(move || (work(&asked, &steps), bell).0);
        started.map_err(|error| {
            Failure::Stopped(format!("no thread can be started for the run: {}", system(&error)))
        })?
    };
    let found = loop {
        if ringing.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
            break worker.join().unwrap_or_else(|fault| resume_unwind(fault)).map_err(Failure::from);
        }
        let (step, seconds) = (steps.load(Ordering::Relaxed), began.elapsed().as_secs_f64());
        if let Some(signal) = interrupt.signal() {
            break Err(Failure::Interrupted { text: interrupted(step, asked.rounds), signal });
        }
        if let Some(line) = &mut line {
            line.tell(seconds, || of_run(seconds, step, asked.rounds));
        }
    };
    if let Some(line) = &mut line {
        line.erase();
    }
    found
}

/// Plans with the true model, lets the learner act, and evaluates its last policy.
fn work(asked: &Arc<Asked>, steps: &AtomicU64) -> occupancy::Result<Run> {
    let model = &asked.source.model;
    let episodes = asked.source.episodes.as_ref();
    let baseline = match episodes {
        Some(Episodes { model, horizon }) => {
            Baseline::of_episodes(model, *horizon, &mut |_| ControlFlow::Continue(()))?
        }
        None => Baseline::of(model)?,
    };
    let config = TrialConfig {
        model,
        baseline: &baseline,
        learner: asked.learner.as_ref(),
        rounds: asked.rounds,
        grid: &Grid::new(asked.rounds, &[asked.window]),
        seed: Seed(asked.seed),
        run: asked.run,
    };
    let horizon = episodes.map(|episodes| episodes.horizon);
    let mut values = ValueObserver::new(model, horizon, baseline.optimum());
    let timed = TimedTrial::run_beside(&config, &mut [&mut values], &mut |step| {
        steps.store(step, Ordering::Relaxed);
        ControlFlow::Continue(())
    })?;
    let values = values.gaps;
    let TimedTrial { trial, planning, total, .. } = timed;
    let last = evaluate(model, &trial.policy, model.start());
    Ok(Run { asked: Arc::clone(asked), baseline, trial, values, planning, total, last })
}

fn interrupted(step: u64, rounds: u64) -> String {
    match step {
        0 => format!("interrupted before the first of {rounds} rounds"),
        step => format!("interrupted after {step} of {rounds} rounds; nothing is printed or written"),
    }
}
