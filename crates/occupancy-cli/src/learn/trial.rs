//! The run itself, in a thread of its own: whatever the learner is busy with, Ctrl-C and the time limit are heard at once.

use super::kept::{Keeper, Kept, Shared};
use super::{Asked, Run};
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::show::hint;
use crate::show::progress::{StatusLine, of_run};
use crate::watch::{self, Stopped, TimeLimit};
use occupancy::chain::evaluate;
use occupancy::error::system;
use occupancy::model::Policy;
use occupancy::seed::Seed;
use occupancy::sim::{Grid, TrialConfig, ValueObserver};
use occupancy_lab::{Estimate, levels};
use std::io::Stderr;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often signals are looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs to the end, or until a signal or the time limit.
pub fn run(asked: &Arc<Asked>, limit: Option<f64>) -> Result<Run> {
    let (began, interrupt, mut line) = (Instant::now(), Interrupt::listen(), watch::status_line());
    let kept = Shared::default();
    let (bell, ringing) = mpsc::channel::<()>();
    let worker = {
        let (asked, kept) = (Arc::clone(asked), kept.clone());
        // The bell falls silent when the thread ends, however it ends.
        let started = thread::Builder::new().spawn(move || (work(&asked, &kept), bell).0);
        started.map_err(|error| {
            Failure::Stopped(format!("no thread can be started for the run: {}", system(&error)))
        })?
    };
    let stopped = loop {
        if ringing.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
            worker.join().unwrap_or_else(|fault| resume_unwind(fault))?;
            break None;
        }
        let seconds = began.elapsed().as_secs_f64();
        if let Some(stopped) = watch::reason(seconds, limit.map(TimeLimit::whole), false, interrupt.asked()) {
            break Some(stopped);
        }
        tell(&mut kept.lock(), &mut line, seconds, asked.rounds);
    };
    let mut kept = kept.lock();
    tell_hints(&mut kept, &mut line);
    if let Some(line) = &mut line {
        line.erase();
    }
    let kept = std::mem::take(&mut *kept);
    conclude(asked, kept, stopped).ok_or_else(|| {
        let words = stopped.map_or(String::new(), Stopped::what);
        let text = format!("{words} before the first of {} rounds", asked.rounds);
        match interrupt.signal() {
            Some(signal) => Failure::Interrupted { text, signal },
            None => Failure::Stopped(text),
        }
    })
}

/// Shows how far the run has come, and what is to be said of it.
fn tell(kept: &mut Kept, line: &mut Option<StatusLine<Stderr>>, seconds: f64, rounds: u64) {
    tell_hints(kept, line);
    if let Some(line) = line {
        line.tell(seconds, || of_run(seconds, kept.record.steps(), rounds));
    }
}

fn tell_hints(kept: &mut Kept, line: &mut Option<StatusLine<Stderr>>) {
    for hint in kept.hints.drain(..) {
        if let Some(line) = line {
            line.erase();
        }
        say(&hint);
    }
}

/// Plans with the true model, and lets the learner act.
fn work(asked: &Arc<Asked>, kept: &Shared) -> occupancy::Result<()> {
    let (model, learner) = (&asked.source.model, asked.learner.as_ref());
    let name = learner.name();
    let tell = |hint: String| kept.lock().hints.push(format!("{name}: {hint}"));
    hint::of_slow_plans(learner, model).into_iter().for_each(tell);
    let episodes = asked.source.episodes.as_ref();
    let baseline = levels(model, episodes)?;
    kept.lock().baseline = Some(baseline.clone());
    let config = TrialConfig {
        model,
        baseline: &baseline,
        learner,
        rounds: asked.rounds,
        grid: &Grid::new(asked.rounds, &[asked.window]),
        seed: Seed(asked.seed),
        run: asked.run,
    };
    let estimate = Estimate::of(&config);
    estimate.as_ref().and_then(hint::of_long_runs).into_iter().for_each(tell);
    let horizon = episodes.map(|episodes| episodes.horizon);
    let values = ValueObserver::new(model, horizon, baseline.optimum());
    config.run(&mut [&mut Keeper::new(kept.clone(), values)]).map(drop)
}

/// The run as it was kept, with its last policy evaluated; `None` if nothing happened before it was stopped.
fn conclude(asked: &Arc<Asked>, kept: Kept, stopped: Option<Stopped>) -> Option<Run> {
    let Kept { baseline, record, policy, values, unsettled, planning, total, .. } = kept;
    let baseline = baseline.filter(|_| record.steps() > 0)?;
    let model = &asked.source.model;
    let policy = policy.unwrap_or_else(|| Policy::uniform(model));
    let last = evaluate(model, &policy, model.start());
    let asked = Arc::clone(asked);
    Some(Run { asked, baseline, record, policy, values, unsettled, planning, total, stopped, last })
}
