//! Watches a search: tells of its progress, and breaks it off when the time is up or the user asks for it.

use crate::interrupt::{Interrupt, Leave};
use crate::show::number::{number, rough};
use crate::show::progress::{StatusLine, of_frontier, of_search};
use occupancy::plan::Progress;
use std::io::{IsTerminal, Stderr};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A search that goes on for longer than this after it was asked to stop is left.
const PATIENCE: Duration = Duration::from_millis(700);

/// Why a search was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stopped {
    /// These seconds had passed.
    TimeLimit(f64),
    /// Ctrl-C, or a request to end.
    Interrupt,
}

impl Stopped {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Stopped::TimeLimit(_) => "time-limit",
            Stopped::Interrupt => "interrupt",
        }
    }

    /// What happened, as the beginning of a sentence.
    pub fn what(self) -> String {
        match self {
            Stopped::TimeLimit(seconds) => format!("--time-limit {seconds} ran out"),
            Stopped::Interrupt => "interrupted".to_string(),
        }
    }
}

/// How a search is told of.
#[derive(Clone, Copy)]
pub struct Words {
    /// How far it has come after some seconds, on the terminal.
    progress: fn(f64, &Progress) -> String,
    /// What is lost if it does not stop in time.
    lost: fn(f64, f64) -> String,
}

impl Words {
    /// A search for one plan, of which gain and upper bound are known.
    pub const PLAN: Words = Words {
        progress: of_search,
        lost: |gain, upper| {
            let gap = rough((upper - gain).max(0.0));
            format!("its plan so far, of gain {} and gap {gap}, is not whole", number(gain))
        },
    };

    /// A search for the corners of a frontier.
    pub const FRONTIER: Words =
        Words { progress: of_frontier, lost: |_, _| "the corners found so far are lost with it".into() };
}

/// Watches one search.
pub struct Watcher {
    began: Instant,
    limit: Option<f64>,
    interrupt: Interrupt,
    line: Option<StatusLine<Stderr>>,
    words: Words,
    stopped: Option<Stopped>,
    /// What the search told last.
    last: Arc<Mutex<Option<Progress>>>,
    guard: Leave,
}

impl Watcher {
    /// The time begins now, and signals are noted from now on.
    pub fn start(limit: Option<f64>, words: Words) -> Watcher {
        let (began, interrupt, line) = (Instant::now(), Interrupt::listen(), status_line());
        let last = Arc::new(Mutex::new(None));
        let why = {
            let asked = interrupt.watch();
            move || reason(began.elapsed().as_secs_f64(), limit, asked())
        };
        let (told, still) = (Arc::clone(&last), why.clone());
        let text = move || {
            status_line().iter_mut().for_each(StatusLine::erase_any);
            deaf(still(), &told, words)
        };
        let guard = Leave::guard(PATIENCE, move || why().is_some(), text);
        Watcher { began, limit, interrupt, line, words, stopped: None, last, guard }
    }

    /// What the planner calls at every step.
    pub fn see(&mut self, progress: &Progress) -> ControlFlow<()> {
        let seconds = self.began.elapsed().as_secs_f64();
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress);
        self.stopped = self.stopped.or_else(|| reason(seconds, self.limit, self.interrupt.asked()));
        if self.stopped.is_some() {
            return ControlFlow::Break(());
        }
        if let Some(line) = &mut self.line {
            line.tell(seconds, || (self.words.progress)(seconds, progress));
        }
        ControlFlow::Continue(())
    }

    /// Ends the watch: why the search was stopped, if it was. The line of progress is gone from the terminal.
    pub fn finish(mut self) -> Option<Stopped> {
        self.guard.release();
        if let Some(line) = &mut self.line {
            line.erase();
        }
        self.stopped
    }
}

/// What is said of a search that did not stop in time.
fn deaf(stopped: Option<Stopped>, last: &Mutex<Option<Progress>>, words: Words) -> String {
    let what = stopped.unwrap_or(Stopped::Interrupt).what();
    let last = *last.lock().unwrap_or_else(PoisonError::into_inner);
    match last.and_then(|progress| Some((progress.gain?, progress.upper))) {
        None => format!("{what} before a plan within the budgets was known"),
        Some((gain, upper)) => format!("{what} in the middle of a step; {}", (words.lost)(gain, upper)),
    }
}

fn reason(seconds: f64, limit: Option<f64>, asked: bool) -> Option<Stopped> {
    if asked {
        return Some(Stopped::Interrupt);
    }
    limit.filter(|&limit| seconds >= limit).map(Stopped::TimeLimit)
}

/// The line of progress, where somebody sees it.
pub fn status_line() -> Option<StatusLine<Stderr>> {
    is_lively_terminal().then(|| StatusLine::new(std::io::stderr()))
}

/// Whether stderr is a terminal whose lines can be rewritten.
fn is_lively_terminal() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_does_not_stop_says_how_far_it_was() {
        let evaluations = Default::default();
        let progress = |gain| Progress { steps: 3, gain, upper: 2.0, violation: 0.0, evaluations };
        let said = |last| deaf(Some(Stopped::TimeLimit(0.5)), &Mutex::new(last), Words::PLAN);
        assert_eq!(said(None), "--time-limit 0.5 ran out before a plan within the budgets was known");
        assert_eq!(said(Some(progress(None))), said(None));
        let expected = "--time-limit 0.5 ran out in the middle of a step; its plan so far, of gain 1.5 and gap 5.0e-1, is not whole";
        assert_eq!(said(Some(progress(Some(1.5)))), expected);
    }

    #[test]
    fn a_search_is_stopped_by_the_limit_or_the_user_and_by_nothing_else() {
        assert_eq!(reason(1e9, None, false), None);
        assert_eq!(reason(0.4, Some(0.5), false), None);
        assert_eq!(reason(0.5, Some(0.5), false), Some(Stopped::TimeLimit(0.5)));
        assert_eq!(reason(0.5, Some(0.5), true), Some(Stopped::Interrupt));
        assert_eq!(
            [Stopped::TimeLimit(1.0), Stopped::Interrupt].map(Stopped::name),
            ["time-limit", "interrupt"]
        );
    }
}
