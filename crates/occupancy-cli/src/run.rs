//! `occupancy run`: the runs of experiments, each stored as soon as it ends.

mod progress;
mod repeat;

use crate::args::Run;
use crate::failure::{Failure, Result, wrong};
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::show::ink::Ink;
use crate::{output, show, stored};
use occupancy::env::Env;
use occupancy::memory;
use occupancy::sim::Baseline;
use occupancy_lab::Error;
use occupancy_lab::analyse::{Summary, SummaryConfig};
use occupancy_lab::error::ResultsProblem;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::number::count;
use occupancy_lab::runner::{Agenda, Outcome, Runner};
use occupancy_lab::store::{Results, Session, Store, set_aside};
use progress::Reporter;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs that do not stop in this time are left: what they have done so far is lost, and nothing else.
const PATIENCE: Duration = Duration::from_millis(600);

/// Runs the command.
pub fn run(args: &Run) -> Result<()> {
    let unfinished = all(args, &read(args)?)?;
    if unfinished.is_empty() { Ok(()) } else { Err(Failure::Stopped(unfinished.join("; "))) }
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
        for experiment in Experiment::read(file)? {
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
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let (env, baseline) = levels(experiment, jobs, interrupt)?;
    let ink = Ink::for_stdout();
    if !args.brief {
        tell(&show::run::heading(experiment, &env, &baseline, ink))?;
    }
    let folder = args.out.join(&experiment.name);
    let store = Store::new(&folder, experiment, &env.model, &baseline);
    make_room(args, &store)?;
    let runner = Runner {
        experiment,
        model: &env.model,
        baseline: &baseline,
        runs: args.runs.clone().unwrap_or(0..experiment.runs),
        jobs,
    };
    let text = format!("stopped before the first run of {}; the same command begins it", experiment.name);
    let agenda = interrupt.ending(|| text, || runner.agenda(&store))?;
    tell(&match args.brief {
        true => show::run::in_a_line(experiment, &agenda, ink),
        false => show::run::agenda(experiment, &agenda, &folder, args.dry_run),
    })?;
    if args.dry_run {
        return Ok(None);
    }
    for (file, damage) in &agenda.damaged {
        // What a session noted is known to nobody else.
        let then = if file.starts_with("sessions") { "removed" } else { "made again" };
        say(&format!("{} is damaged ({damage}): it is {then}", folder.join(file).display()));
    }
    let outcome = work(args, &runner, &store, &agenda, interrupt)?;
    conclude(args, experiment, &env, &folder, &agenda, outcome, interrupt)
}

/// The environment and its levels; a signal ends the program at once, as there is nothing to lose.
fn levels(experiment: &Experiment, jobs: usize, interrupt: &Interrupt) -> Result<(Env, Baseline)> {
    let text =
        format!("stopped while the levels of {} were planned; the same command plans them", experiment.name);
    interrupt.ending(
        || text,
        || {
            let env = experiment.build()?;
            refuse_what_is_too_large(experiment, &env, jobs)?;
            let baseline = Baseline::of(&env.model)?;
            Ok((env, baseline))
        },
    )
}

/// Refuses learners whose tables have no room, alone or in so many runs at once.
fn refuse_what_is_too_large(experiment: &Experiment, env: &Env, jobs: usize) -> Result<()> {
    let path = &experiment.path;
    for learner in &experiment.learners {
        learner.config.check_size(&env.model).map_err(|error| error.in_file(path))?;
    }
    let each = experiment.learners.iter().map(|learner| learner.config.dense_bytes(&env.model)).max();
    let (each, free) = (each.unwrap_or(0), memory::free().unwrap_or(u64::MAX));
    let at_once = (free / each.max(1)).max(1);
    if jobs as u64 <= at_once {
        return Ok(());
    }
    let megabytes = |bytes: u64| bytes / 1_000_000;
    wrong(format!(
        "{}: {jobs} runs at once have tables of {} MB each, and {} MB of memory are free; --jobs {at_once} needs less",
        path.display(),
        megabytes(each),
        megabytes(free)
    ))
}

/// One thread for each core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses a folder with other results, or moves them aside where that is asked for.
fn make_room(args: &Run, store: &Store) -> Result<()> {
    let Err(error) = store.check() else { return Ok(()) };
    let Error::Results { problem, .. } = &error else { return Err(error.into()) };
    if !matches!(problem, ResultsProblem::Other { .. }) && !problem.is_damage() {
        return Err(error.into());
    }
    if !args.set_aside {
        return wrong(format!(
            "{error}; choose: --set-aside keeps them beside and begins afresh, --out DIR uses another folder"
        ));
    }
    if !args.dry_run {
        let kept = set_aside(store.folder())?;
        say(&format!("the results of other settings are in {} now", kept.display()));
    }
    Ok(())
}

/// Does the runs, until the end or a signal.
fn work(
    args: &Run,
    runner: &Runner,
    store: &Store,
    agenda: &Agenda,
    interrupt: &Interrupt,
) -> Result<Outcome> {
    let session = Session::begin(env!("CARGO_PKG_VERSION"), env!("OCCUPANCY_REVISION"), runner.jobs);
    let mut reporter = Reporter::start(runner.experiment, agenda, args.plain);
    let mut asked: Option<Instant> = None;
    let outcome = runner.run(agenda, store, &session, &mut |learners| {
        reporter.tell(learners);
        if !interrupt.asked() {
            return ControlFlow::Continue(());
        }
        if asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            reporter.finish();
            store.leave();
            let done = learners.iter().map(|learner| learner.ended - learner.failed).sum();
            output::complain(&how_to_go_on(done, agenda.len(), store.folder()));
            std::process::exit(1);
        }
        ControlFlow::Break(())
    });
    reporter.finish();
    Ok(outcome?)
}

fn how_to_go_on(done: usize, all: usize, folder: &Path) -> String {
    let runs = count(all, "run");
    format!(
        "stopped after {done} of {runs}, stored in {}; the same command goes on from there",
        folder.display()
    )
}

/// Statistics of what is stored, and what is left undone in words.
fn conclude(
    args: &Run,
    experiment: &Experiment,
    env: &Env,
    folder: &Path,
    agenda: &Agenda,
    outcome: Outcome,
    interrupt: &Interrupt,
) -> Result<Option<String>> {
    let done = outcome.done + outcome.elsewhere;
    if let Some(error) = outcome.broken {
        let left = how_to_go_on(done, agenda.len(), folder);
        return Err(Failure::Stopped(format!("cannot write {error}; {left}")));
    }
    if outcome.stopped {
        return Err(Failure::Stopped(how_to_go_on(done, agenda.len(), folder)));
    }
    let (results, summary) = statistics(folder, interrupt)?;
    if !args.brief {
        let text = show::stats::describe(&results.manifest, &summary, Ink::for_stdout());
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
        say(&format!("  alone: {}", repeat::command(experiment, env, failed)));
    }
    let runs = args.runs.as_ref().map(|runs| format!(" {}..{}", runs.start, runs.end)).unwrap_or_default();
    let failed = (!outcome.failed.is_empty()).then(|| {
        let (failed, all) = (outcome.failed.len(), count(agenda.len(), "run"));
        format!("{failed} of {all}{runs} of {} failed; the others are stored", experiment.name)
    });
    Ok(failed)
}

/// The statistics of what is stored, written beside it.
fn statistics(folder: &Path, interrupt: &Interrupt) -> Result<(Results, Summary)> {
    let text = format!(
        "stopped before the statistics were made; all runs are stored, and `occupancy stats {0}` makes them",
        folder.display()
    );
    interrupt.ending(
        || text,
        || {
            let results = stored::open(folder)?;
            let summary = Summary::of(&results, SummaryConfig::default())?;
            crate::stats::write_tables(&results, &summary)?;
            Ok((results, summary))
        },
    )
}

/// Says something on stdout. Where nobody listens (`occupancy run … | head`), the runs are done all the same.
fn tell(text: &str) -> Result<()> {
    match output::print(text) {
        Err(Failure::Closed) => Ok(()),
        other => other,
    }
}
