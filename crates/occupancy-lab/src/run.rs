//! One call that runs an experiment: levels are planned, the folder is looked at, what is missing is run and stored, and the
//! statistics of all that is stored are written beside it.
//!
//! Nothing is printed here. Whoever wants to know what happens, or to stop it, hands in a [`RunWatch`].

use crate::analyse::{Statistics, Summary, SummaryConfig, write_tables};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::estimate::Estimate;
use crate::experiment::Experiment;
use crate::runner::{Agenda, LearnerProgress, Outcome, Runner};
use crate::store::{Checked, Results, Session, Store, set_aside};
use occupancy::env::{Env, Episodes};
use occupancy::memory;
use occupancy::model::Cmdp;
use occupancy::seed::Seed;
use occupancy::sim::check_learner;
use occupancy::sim::{Baseline, TrialConfig};
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// How an experiment is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Which runs of each learner; `None` for all. Those beyond the experiment's own are not run.
    pub runs: Option<Range<u64>>,
    /// Threads; `None` for one on each core.
    pub jobs: Option<usize>,
    /// Whether results of other settings that are in the way are moved aside; otherwise they are an error.
    pub set_aside: bool,
    /// Whether to stop before the first run.
    pub dry_run: bool,
    /// Whether statistics are made of all that is stored: not by slices, of which there may be thousands.
    pub statistics: bool,
    /// The version of the program, noted with the results.
    pub version: String,
    /// The revision that the program was built from, noted with the results.
    pub revision: String,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            runs: None,
            jobs: None,
            set_aside: false,
            dry_run: false,
            statistics: true,
            version: env!("CARGO_PKG_VERSION").to_string(),
            revision: "unknown".to_string(),
        }
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// The environment is built and its levels are planned: nothing is lost if that is stopped.
    Planning,
    /// What is stored is looked at: nothing is lost either.
    Listing,
    /// The first plans of each learner are timed: nothing is lost here either.
    Estimating,
    /// Runs are done and stored.
    Running,
    /// Statistics are made of what is stored.
    Summarising,
}

/// How far the runs have come.
pub struct Progress<'a> {
    /// Each learner, in the order of the experiment.
    pub learners: &'a [LearnerProgress],
    store: &'a Store<'a>,
}

impl Progress<'_> {
    /// How many runs are stored.
    pub fn done(&self) -> usize {
        self.learners.iter().map(|learner| learner.ended - learner.failed).sum()
    }

    /// Takes back the note in the folder that this process is at work there: for a watcher that ends the process.
    pub fn leave(&self) {
        self.store.leave();
    }
}

/// Told of what happens while an experiment is run. Every method does nothing unless it is written.
pub trait RunWatch {
    /// Something else is done from now on.
    fn phase(&mut self, _phase: Phase) {}

    /// The levels of the true model are known.
    fn levels_planned(&mut self, _env: &Env, _baseline: &Baseline) {}

    /// Results of other settings were in the way, and are kept here now.
    fn set_aside(&mut self, _kept: &Path) {}

    /// It is known what is to be done; breaks off before anything is written.
    fn agenda(&mut self, _agenda: &Agenda) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// What a run of a learner will take, if the learner plans.
    fn estimated(&mut self, _label: &str, _estimate: &Estimate) {}

    /// A stored file is not what was written, and is made again or removed.
    fn damaged_file(&mut self, _file: &Path, _damage: &Damage) {}

    /// Told again and again while runs are done; breaks them off.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Every stored file was looked at before statistics are made of them.
    fn inspected(&mut self, _checked: &Checked) {}
}

/// Nobody watches.
impl RunWatch for () {}

/// What became of an experiment.
#[derive(Debug)]
pub struct RunReport {
    /// The environment.
    pub env: Env,
    /// The levels of the true model.
    pub baseline: Baseline,
    /// What was to be done.
    pub agenda: Agenda,
    /// How the runs ended; `None` if none was begun, as after a dry run.
    pub outcome: Option<Outcome>,
    /// All that is stored now, and its statistics; `None` if no run was begun, if the runs were broken off, and if none are wanted.
    pub statistics: Option<(Results, Summary)>,
}

/// Runs an experiment; its results are in `folder`. Runs that are stored there already are left alone.
pub fn run(
    experiment: &Experiment,
    folder: &Path,
    options: &RunOptions,
    watch: &mut dyn RunWatch,
) -> Result<RunReport> {
    let jobs = options.jobs.unwrap_or_else(cores);
    watch.phase(Phase::Planning);
    let env = experiment.build()?;
    refuse_what_is_too_large(experiment, &env.model, jobs)?;
    let baseline = levels(&env.model, env.episodes.as_ref())?;
    watch.levels_planned(&env, &baseline);
    let store = Store::new(folder, experiment, &env.model, &baseline);
    make_room(&store, options, watch)?;
    let runs = options.runs.clone().unwrap_or(0..experiment.runs);
    let horizon = env.episodes.as_ref().map(|episodes| episodes.horizon);
    let runner = Runner { experiment, model: &env.model, horizon, baseline: &baseline, runs, jobs };
    watch.phase(Phase::Listing);
    let agenda = runner.agenda(&store)?;
    let goes_on = watch.agenda(&agenda).is_continue();
    let (mut outcome, mut statistics) = (None, None);
    if goes_on && !options.dry_run {
        watch.phase(Phase::Estimating);
        estimate(&runner, &agenda, watch);
        let ended = do_runs(&runner, &store, &agenda, options, watch)?;
        if options.statistics && ended.broken.is_none() && !ended.stopped {
            watch.phase(Phase::Summarising);
            statistics = Some(summarise(folder, &env.model, watch)?);
        }
        outcome = Some(ended);
    }
    drop(store);
    Ok(RunReport { env, baseline, agenda, outcome, statistics })
}

/// Says what the runs to be done will take.
fn estimate(runner: &Runner, agenda: &Agenda, watch: &mut dyn RunWatch) {
    let experiment = runner.experiment;
    let grid = experiment.grid();
    for (place, learner) in experiment.learners.iter().enumerate() {
        let config = TrialConfig {
            model: runner.model,
            baseline: runner.baseline,
            learner: learner.config.as_ref(),
            rounds: experiment.rounds,
            grid: &grid,
            seed: Seed(experiment.seed),
            run: 0,
        };
        if agenda.of(place) > 0
            && let Some(estimate) = Estimate::of(&config)
        {
            watch.estimated(&learner.label, &estimate);
        }
    }
}

/// The levels of the true model, or of its episodes, told for one step.
pub fn levels(model: &Cmdp, episodes: Option<&Episodes>) -> occupancy::Result<Baseline> {
    match episodes {
        Some(Episodes { model, horizon, alike: true }) => {
            Baseline::of_episodes(model, *horizon, &mut |_| ControlFlow::Continue(()))
        }
        // A model of stages that differ is planned like any other: its averages are those of a step.
        _ => Baseline::of(model),
    }
}

fn do_runs(
    runner: &Runner,
    store: &Store,
    agenda: &Agenda,
    options: &RunOptions,
    watch: &mut dyn RunWatch,
) -> Result<Outcome> {
    for (file, damage) in &agenda.damaged {
        watch.damaged_file(file, damage);
    }
    let session = Session::begin(&options.version, &options.revision, runner.jobs);
    watch.phase(Phase::Running);
    runner.run(agenda, store, &session, &mut |learners| watch.progress(&Progress { learners, store }))
}

/// The statistics of what is stored, written beside it.
fn summarise(folder: &Path, model: &Cmdp, watch: &mut dyn RunWatch) -> Result<(Results, Summary)> {
    let results = Results::open(folder)?;
    let config = SummaryConfig::default();
    let statistics = Statistics::of(&results, model, config, |checked| watch.inspected(checked))?;
    write_tables(&results, &statistics)?;
    Ok((results, statistics.summary))
}

/// Refuses learners that the task does not suit, and those whose tables have no room, alone or in so many runs at once.
fn refuse_what_is_too_large(experiment: &Experiment, model: &Cmdp, jobs: usize) -> Result<()> {
    for learner in &experiment.learners {
        let in_file = |error: occupancy::Error| error.in_file(&experiment.path);
        learner.config.check_size(model).map_err(in_file)?;
        // What else is wrong with a learner, e.g. the file of its prior, is told when it runs, and the others go on.
        let checked = check_learner(model, learner.config.as_ref(), experiment.rounds);
        if let Err(error @ occupancy::Error::Learner(_)) = checked {
            return Err(in_file(error).into());
        }
    }
    let each = experiment.learners.iter().map(|learner| learner.config.dense_bytes(model)).max().unwrap_or(0);
    let free = memory::free().unwrap_or(u64::MAX);
    let at_once = (free / each.max(1)).max(1);
    if jobs as u64 <= at_once {
        return Ok(());
    }
    Err(Error::TooManyJobs { path: experiment.path.clone(), jobs, each, free, at_once })
}

/// One thread for each core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses a folder with other results, or moves them aside if that is asked for.
fn make_room(store: &Store, options: &RunOptions, watch: &mut dyn RunWatch) -> Result<()> {
    let Err(error) = store.check() else { return Ok(()) };
    let is_other = matches!(&error, Error::Results { problem: ResultsProblem::Other { .. }, .. });
    if !is_other && !error.is_damage() {
        return Err(error);
    }
    if !options.set_aside {
        return Err(Error::Occupied { source: Box::new(error) });
    }
    if !options.dry_run {
        watch.set_aside(&set_aside(store.folder())?);
    }
    Ok(())
}
