//! How far an experiment has come: bars on a terminal, a line for each learner with `--plain`, otherwise a line now and then if
//! it is long. All on stderr.

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
    pulse: Option<Pulse>,
}

/// Says now and then how far it is.
struct Pulse {
    name: String,
    /// The seconds at which the next line is due.
    due: f64,
}

/// A line is written every so many seconds if there are no bars: experiments of a few seconds say nothing.
const PULSE: f64 = 20.0;

impl Pulse {
    /// The line, if one is due.
    fn line(&mut self, seconds: f64, learners: &[LearnerProgress]) -> Option<String> {
        let (ended, runs) = learners.iter().fold((0, 0), |(e, r), one| (e + one.ended, r + one.runs));
        if seconds < self.due || ended == runs {
            return None;
        }
        self.due = seconds + PULSE;
        Some(format!("{}: {ended} of {runs} runs after {}", self.name, duration(seconds)))
    }
}

impl Reporter {
    /// For a session that begins now; with a `pulse` if it may be long and has several experiments.
    pub fn start(experiment: &Experiment, agenda: &Agenda, plain: bool, pulse: bool) -> Reporter {
        let name = experiment.name.clone();
        let lively = !plain && std::io::stderr().is_terminal();
        let bars = if lively { bars(experiment, agenda) } else { Vec::new() };
        let told = if plain { vec![false; experiment.learners.len()] } else { Vec::new() };
        let pulse = (pulse && !plain && !lively).then(|| Pulse { name, due: PULSE });
        Reporter { began: Instant::now(), bars, told, pulse }
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
                write_line(&line);
            }
        }
        if let Some(line) = self.pulse.as_mut().and_then(|pulse| pulse.line(seconds, learners)) {
            write_line(&line);
        }
    }

    /// Leaves the terminal as it is.
    pub fn finish(&mut self) {
        self.bars.iter().flatten().filter(|bar| !bar.is_finished()).for_each(ProgressBar::abandon);
        self.bars.clear();
    }
}

/// Progress that cannot be shown is no reason to stop.
fn write_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_no_bars_a_line_is_due_now_and_then() {
        let learner = |ended| LearnerProgress { label: "a".into(), runs: 30, ended, failed: 0, steps: 0 };
        let mut pulse = Pulse { name: "box".into(), due: PULSE };
        assert_eq!(pulse.line(19.0, &[learner(3), learner(0)]), None);
        assert_eq!(
            pulse.line(21.0, &[learner(3), learner(1)]),
            Some("box: 4 of 60 runs after 21.0 s".into())
        );
        assert_eq!(pulse.line(40.0, &[learner(9), learner(1)]), None);
        assert!(pulse.line(41.5, &[learner(9), learner(1)]).is_some());
        assert_eq!(pulse.line(99.0, &[learner(30), learner(30)]), None, "it is done");
    }
}
