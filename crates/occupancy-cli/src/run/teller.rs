//! What the program says while an experiment is run, and what Ctrl-C does to it.

use super::progress::Reporter;
use super::{how_to_go_on, tell};
use crate::args::Run;
use crate::failure::Result;
use crate::interrupt::{Interrupt, Leave};
use crate::output::{complain, say};
use crate::show::ink::Ink;
use crate::{show, stored};
use occupancy::env::Env;
use occupancy::sim::Baseline;
use occupancy_lab::error::Damage;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::runner::Agenda;
use occupancy_lab::store::Checked;
use occupancy_lab::{Estimate, Phase, Progress, RunWatch};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs that do not stop in this time are left: what they have done so far is lost, and nothing else.
const PATIENCE: Duration = Duration::from_millis(600);

/// Tells of an experiment that is run.
pub struct Teller<'a> {
    args: &'a Run,
    experiment: &'a Experiment,
    folder: &'a Path,
    interrupt: &'a Interrupt,
    ink: Ink,
    /// Ends the program at once on a signal, in phases in which nothing can be lost.
    guard: Option<Leave>,
    reporter: Option<Reporter>,
    agenda: Agenda,
    /// When a signal was noticed.
    asked: Option<Instant>,
    /// Whether everything could be said.
    said: Result<()>,
}

impl<'a> Teller<'a> {
    /// For an experiment whose results are in a folder.
    pub fn new(
        args: &'a Run,
        experiment: &'a Experiment,
        folder: &'a Path,
        interrupt: &'a Interrupt,
    ) -> Teller<'a> {
        Teller {
            args,
            experiment,
            folder,
            interrupt,
            ink: Ink::for_stdout(),
            guard: None,
            agenda: Agenda::default(),
            reporter: None,
            asked: None,
            said: Ok(()),
        }
    }

    /// Leaves the terminal as it is; an error if something could not be said.
    pub fn finish(mut self) -> Result<()> {
        self.release();
        self.said
    }

    /// Ends the guard and the bars of the phase before.
    fn release(&mut self) {
        if let Some(guard) = self.guard.take() {
            guard.release();
        }
        if let Some(mut reporter) = self.reporter.take() {
            reporter.finish();
        }
    }

    /// Says something on stdout; after a failure nothing more is said.
    fn tell(&mut self, text: &str) {
        if self.said.is_ok() {
            self.said = tell(text);
        }
    }

    /// What a signal in a phase is answered with; nothing while runs are done, which stop by themselves.
    fn last_words(&self, phase: Phase) -> Option<String> {
        let name = &self.experiment.name;
        match phase {
            Phase::Planning => {
                Some(format!("stopped while the levels of {name} were planned; the same command plans them"))
            }
            Phase::Listing | Phase::Estimating => {
                Some(format!("stopped before the first run of {name}; the same command begins it"))
            }
            Phase::Summarising => Some(format!(
                "stopped before the statistics were made; all runs are stored, and `occupancy stats {}` makes them",
                self.folder.display()
            )),
            _ => None,
        }
    }
}

impl RunWatch for Teller<'_> {
    fn phase(&mut self, phase: Phase) {
        self.release();
        if phase == Phase::Running {
            self.reporter =
                Some(Reporter::start(self.experiment, &self.agenda, self.args.plain, self.args.brief));
        }
        if let Some(text) = self.last_words(phase) {
            self.guard = Some(Leave::guard(Duration::ZERO, self.interrupt.watch(), || text));
        }
    }

    fn levels_planned(&mut self, env: &Env, baseline: &Baseline) {
        self.release();
        for learner in &self.experiment.learners {
            if let Some(hint) = show::hint::of_slow_plans(learner.config.as_ref(), &env.model) {
                say(&format!("{}: {hint}", learner.label));
            }
        }
        if !self.args.brief {
            self.tell(&show::run::heading(self.experiment, env, baseline, self.ink));
        }
    }

    fn set_aside(&mut self, kept: &Path) {
        say(&format!("the results of other settings are in {} now", kept.display()));
    }

    fn agenda(&mut self, agenda: &Agenda) -> ControlFlow<()> {
        self.release();
        self.agenda = agenda.clone();
        let text = if self.args.brief {
            show::run::in_a_line(self.experiment, agenda, self.ink)
        } else {
            show::run::agenda(self.experiment, agenda, self.folder, self.args.dry_run)
        };
        self.tell(&text);
        if self.said.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn estimated(&mut self, label: &str, estimate: &Estimate) {
        if let Some(hint) = show::hint::of_long_runs(estimate) {
            say(&format!("{label}: {hint}"));
        }
    }

    fn damaged_file(&mut self, file: &Path, damage: &Damage) {
        // What a session noted is known to nobody else.
        let then = if file.starts_with("sessions") { "removed" } else { "made again" };
        say(&format!("{} is damaged ({damage}): it is {then}", self.folder.join(file).display()));
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if let Some(reporter) = &mut self.reporter {
            reporter.tell(progress.learners);
        }
        if !self.interrupt.asked() {
            return ControlFlow::Continue(());
        }
        if self.asked.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            self.release();
            progress.leave();
            complain(&how_to_go_on(progress.done(), self.agenda.len(), self.folder));
            std::process::exit(1);
        }
        ControlFlow::Break(())
    }

    fn inspected(&mut self, checked: &Checked) {
        stored::tell(self.folder, checked);
    }
}
