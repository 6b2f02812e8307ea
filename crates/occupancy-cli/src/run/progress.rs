//! How far an experiment has come: bars on a terminal, lines with `--plain`, otherwise nothing. All on stderr.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use occupancy_lab::experiment::Experiment;
use occupancy_lab::number::duration;
use occupancy_lab::runner::{Agenda, LearnerProgress};
use std::io::{IsTerminal, Write};
use std::time::Instant;

/// Bars are redrawn so many times a second.
const RATE: u8 = 8;
const BAR: &str = "{prefix}  {bar:24}  {msg:>9}  {elapsed:>4} gone, {eta:>4} left";

/// Tells of the progress.
pub struct Reporter {
    began: Instant,
    bars: Vec<Option<ProgressBar>>,
    /// Learners whose lines are written; empty where no lines are asked for.
    told: Vec<bool>,
}

impl Reporter {
    /// For a session that begins now.
    pub fn start(experiment: &Experiment, agenda: &Agenda, plain: bool) -> Reporter {
        let lively = !plain && std::io::stderr().is_terminal();
        let bars = if lively { bars(experiment, agenda) } else { Vec::new() };
        let told = if plain { vec![false; experiment.learners.len()] } else { Vec::new() };
        Reporter { began: Instant::now(), bars, told }
    }

    /// Shows how far it has come.
    pub fn tell(&mut self, learners: &[LearnerProgress]) {
        for (bar, learner) in self.bars.iter().zip(learners) {
            let Some(bar) = bar else { continue };
            if bar.is_finished() {
                continue;
            }
            if learner.steps == 0 {
                // Its time begins with its first run.
                bar.reset();
            }
            bar.set_position(learner.steps);
            bar.set_message(runs(learner));
            if learner.ended == learner.runs {
                bar.finish();
            }
        }
        let seconds = self.began.elapsed().as_secs_f64();
        for (told, learner) in self.told.iter_mut().zip(learners) {
            if !*told && learner.runs > 0 && learner.ended == learner.runs {
                *told = true;
                let line = format!("{}: {} after {}", learner.label, runs(learner), duration(seconds));
                // Progress that cannot be shown is no reason to stop.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }

    /// Leaves the terminal as it is.
    pub fn finish(&mut self) {
        self.bars.iter().flatten().filter(|bar| !bar.is_finished()).for_each(ProgressBar::abandon);
        self.bars.clear();
    }
}

fn runs(learner: &LearnerProgress) -> String {
    let failed = if learner.failed > 0 { format!(", {} failed", learner.failed) } else { String::new() };
    format!("{}/{} runs{failed}", learner.ended, learner.runs)
}

/// One bar for each learner that has anything to do.
fn bars(experiment: &Experiment, agenda: &Agenda) -> Vec<Option<ProgressBar>> {
    let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(RATE));
    let style = ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar());
    let width = experiment.learners.iter().map(|learner| learner.label.chars().count()).max().unwrap_or(0);
    let bar = |(place, learner): (usize, &occupancy_lab::experiment::NamedLearner)| {
        let runs = agenda.of(place) as u64;
        (runs > 0).then(|| {
            let bar = all.add(ProgressBar::new(runs.saturating_mul(experiment.rounds)));
            bar.set_style(style.clone().progress_chars("━╸ "));
            bar.set_prefix(format!("{:<width$}", learner.label));
            bar
        })
    };
    experiment.learners.iter().enumerate().map(bar).collect()
}
