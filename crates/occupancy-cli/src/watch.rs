//! Watches a search: tells of its progress, and breaks it off when the time is up or the user asks for it.

use crate::interrupt::Interrupt;
use crate::show::progress::StatusLine;
use occupancy::plan::Progress;
use occupancy::stop::StopFlag;
use std::io::{IsTerminal, Stderr};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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

/// How progress is told on the terminal: seconds and progress in, a line out.
pub type Words = fn(f64, &Progress) -> String;

/// How often it is looked whether the time is up or the user has asked for the end.
const PAUSE: Duration = Duration::from_millis(20);

/// Watches one search.
pub struct Watcher {
    began: Instant,
    limit: Option<f64>,
    interrupt: Interrupt,
    shown: Option<Arc<Mutex<Shown>>>,
    stopped: Option<Stopped>,
    /// Ends the search in the middle of a step.
    pub flag: StopFlag,
    finished: Arc<AtomicBool>,
}

/// What a terminal shows of a search.
struct Shown {
    line: StatusLine<Stderr>,
    words: Words,
    /// How far it had come at its last step; none before the first.
    latest: Option<Progress>,
}

impl Shown {
    fn tell(&mut self, seconds: f64) {
        let Shown { line, words, latest } = self;
        line.tell(seconds, || match latest {
            Some(progress) => words(seconds, progress),
            None => format!("looking at the parts of the model, {seconds:.1} s"),
        });
    }
}

impl Watcher {
    /// Signals are noted from now on; the time began when the question was asked.
    pub fn since(began: Instant, limit: Option<f64>, words: Words) -> Watcher {
        let interrupt = Interrupt::listen();
        let shown = status_line().map(|line| Arc::new(Mutex::new(Shown { line, words, latest: None })));
        let (flag, finished) = (StopFlag::new(), Arc::new(AtomicBool::new(false)));
        let (asked, stop, done) = (interrupt.watch(), flag.clone(), Arc::clone(&finished));
        let (line, searching) = (shown.clone(), Instant::now());
        let listen = move || {
            while !done.load(Ordering::Relaxed) {
                if reason(began.elapsed().as_secs_f64(), limit, asked()).is_some() {
                    return stop.ask();
                }
                // A step of a large model takes minutes, and its seconds go on.
                if let Some(mut shown) = line.as_ref().and_then(|shown| shown.lock().ok())
                    && !done.load(Ordering::Relaxed)
                {
                    shown.tell(searching.elapsed().as_secs_f64());
                }
                std::thread::sleep(PAUSE);
            }
        };
        // A system that has no thread left still hears of the end, between two steps.
        let _ = std::thread::Builder::new().spawn(listen);
        Watcher { began, limit, interrupt, shown, stopped: None, flag, finished }
    }

    /// What the planner calls at every step.
    pub fn see(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.is_over().is_some() {
            return ControlFlow::Break(());
        }
        if let Some(mut shown) = self.shown.as_ref().and_then(|shown| shown.lock().ok()) {
            shown.latest = Some(*progress);
        }
        ControlFlow::Continue(())
    }

    /// Why the search has to end, if it has; the first reason counts.
    fn is_over(&mut self) -> Option<Stopped> {
        let seconds = self.began.elapsed().as_secs_f64();
        self.stopped = self.stopped.or_else(|| reason(seconds, self.limit, self.interrupt.asked()));
        self.stopped
    }

    /// Ends the watch: why the search was stopped, if it was. The line of progress is gone from the terminal.
    pub fn finish(mut self) -> Option<Stopped> {
        self.finished.store(true, Ordering::Relaxed);
        if self.flag.asked() {
            self.is_over();
        }
        if let Some(mut shown) = self.shown.as_ref().and_then(|shown| shown.lock().ok()) {
            shown.line.erase();
        }
        self.stopped
    }
}

/// Why work has to end after so many seconds, if it has.
pub fn reason(seconds: f64, limit: Option<f64>, asked: bool) -> Option<Stopped> {
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
