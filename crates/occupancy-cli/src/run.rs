//! `occupancy run`: the runs of experiments, each stored as soon as it ends.

mod progress;
mod repeat;
mod teller;

use crate::args::Run;
use crate::failure::{Failure, Result, wrong};
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::show::ink::Ink;
use crate::{output, show, slices};
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::number::count;
use occupancy_lab::runner::Outcome;
use occupancy_lab::{RunOptions, RunReport};
use std::path::Path;
use teller::Teller;

/// Runs the command.
pub fn run(args: &Run) -> Result<()> {
    let unfinished = match (&args.slices, args.slice) {
        (Some(slices), Some(slice)) => slice_of(args, slices, slice)?,
        _ => all(args, &read(args)?)?,
    };
    if unfinished.is_empty() { Ok(()) } else { Err(Failure::Stopped(unfinished.join("; "))) }
}

/// Runs the parts of a slice one after another; what is left undone, in words.
fn slice_of(args: &Run, slices: &Path, slice: u32) -> Result<Vec<String>> {
    let mut unfinished = Vec::new();
    for (file, runs) in slices::parts(slices, slice)? {
        let part = Run {
            files: vec![file],
            runs: Some(runs),
            slices: None,
            slice: None,
            is_slice: true,
            ..args.clone()
        };
        unfinished.extend(all(&part, &read(&part)?)?);
    }
    Ok(unfinished)
}

/// Runs experiments one after another; what is left undone, in words.
pub fn all(args: &Run, experiments: &[Experiment]) -> Result<Vec<String>> {
    let interrupt = Interrupt::listen();
    let mut unfinished = Vec::new();
    for experiment in experiments {
        if let Some(text) = one(args, experiment, &interrupt)? {
            unfinished.push(text);
        }
    }
    Ok(unfinished)
}

/// All experiments, before anything is run.
fn read(args: &Run) -> Result<Vec<Experiment>> {
    let mut experiments: Vec<Experiment> = Vec::new();
    for file in &args.files {
        for experiment in Experiment::read(file, &Catalogue::standard())? {
            if let Some(other) = experiments.iter().find(|other| other.name == experiment.name) {
                let (name, other) = (&experiment.name, other.path.display());
                return wrong(format!("{} and {other} are both called {name}", file.display()));
            }
            if let Some(runs) = args.runs.as_ref().filter(|runs| runs.start >= experiment.runs) {
                let (first, all) = (runs.start, experiment.runs);
                return wrong(format!("--runs begins with {first}, but {} has {all} runs", file.display()));
            }
            experiments.push(experiment);
        }
    }
    Ok(experiments)
}

/// One experiment; what is left undone, in words.
fn one(args: &Run, experiment: &Experiment, interrupt: &Interrupt) -> Result<Option<String>> {
    let options = RunOptions {
        runs: args.runs.clone(),
        jobs: args.jobs.map(usize::from),
        set_aside: args.set_aside,
        dry_run: args.dry_run,
        statistics: !args.is_slice,
        version: env!("CARGO_PKG_VERSION").to_string(),
        revision: env!("OCCUPANCY_REVISION").to_string(),
    };
    let folder = args.out.join(&experiment.name);
    let mut teller = Teller::new(args, experiment, &folder, interrupt);
    let report = occupancy_lab::run(experiment, &folder, &options, &mut teller);
    teller.finish()?;
    conclude(args, experiment, &folder, report?)
}

/// How a session that was stopped is continued.
fn how_to_go_on(done: usize, all: usize, folder: &Path) -> String {
    let runs = count(all, "run");
    format!(
        "stopped after {done} of {runs}, stored in {}; the same command goes on from there",
        folder.display()
    )
}

/// Shows the statistics of what is stored; what is left undone, in words.
fn conclude(args: &Run, experiment: &Experiment, folder: &Path, report: RunReport) -> Result<Option<String>> {
    let Some(outcome) = report.outcome else { return Ok(None) };
    let (done, all) = (outcome.done + outcome.elsewhere, report.agenda.len());
    if let Some(error) = outcome.broken {
        let left = how_to_go_on(done, all, folder);
        return Err(Failure::Stopped(format!("cannot write {error}; {left}")));
    }
    if outcome.stopped {
        return Err(Failure::Stopped(how_to_go_on(done, all, folder)));
    }
    if let (false, Some((results, summary))) = (args.brief, &report.statistics) {
        let text = show::stats::describe(&results.manifest, summary, Ink::for_stdout());
        tell(&format!("\n{text}\nstored in {}\n", folder.display()))?;
    }
    if outcome.unsettled > 0 {
        let plans = count(outcome.unsettled as usize, "plan");
        say(&format!("{plans} of these runs were followed without being known as the best of their models"));
    }
    for failed in &outcome.failed {
        say(&format!(
            "run {} of {} failed (seed {}): {}",
            failed.run, failed.label, experiment.seed, failed.reason
        ));
        say(&format!("  alone: {}", repeat::command(experiment, &report.env, failed)));
    }
    Ok(failures(args, experiment, &outcome, all))
}

/// How many of all runs failed, if any did.
fn failures(args: &Run, experiment: &Experiment, outcome: &Outcome, all: usize) -> Option<String> {
    if outcome.failed.is_empty() {
        return None;
    }
    let runs = args.runs.as_ref().map(|runs| format!(" {}..{}", runs.start, runs.end)).unwrap_or_default();
    let (failed, all) = (outcome.failed.len(), count(all, "run"));
    Some(format!("{failed} of {all}{runs} of {} failed; the others are stored", experiment.name))
}

/// Says something on stdout. Where nobody listens (`occupancy run … | head`), the runs are done all the same.
fn tell(text: &str) -> Result<()> {
    match output::print(text) {
        Err(Failure::Closed) => Ok(()),
        other => other,
    }
}
