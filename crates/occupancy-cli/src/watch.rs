//! Watches a search: tells of its progress, and breaks it off when the time is up or the user asks for it.

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
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

/// What is told of a search.
#[derive(Clone, Copy)]
pub struct Words {
    /// Its progress on the terminal: seconds and progress in, a line out.
    pub progress: fn(f64, &Progress) -> String,
    /// That it was stopped with nothing to show, at the least violation of the budgets that is known.
    pub nothing: fn(Stopped, f64) -> String,
}

/// How often it is looked whether the time is up or the user has asked for the end.
const PAUSE: Duration = Duration::from_millis(20);
/// So many seconds after the end is due what was found may still be put together and proved; then it has to do as it is.
const GRACE: f64 = 0.6;
/// Of models with more states than this hardly anything can be put together and proved in that time, and steps that cannot be left take longer:
/// of a million states some 0.3 s.
const LARGE: usize = 300_000;
const GRACE_OF_LARGE: f64 = 0.1;
/// So many seconds after the end is due a search that knows nothing is left: on ten million states it takes seconds to look at the parts
/// of the model alone, and there is nothing to wait for.
const DEAF: f64 = 0.5;
/// So many seconds a state that takes: from 5 microseconds on grids to 10 on graphs without any order.
const CLOSING: f64 = 8e-6;
/// And so much of a time limit it may have at most.
const CLOSING_SHARE: f64 = 0.25;

/// Watches one search.
pub struct Watcher {
    began: Instant,
    limit: Option<TimeLimit>,
    interrupt: Interrupt,
    shown: Arc<Mutex<Shown>>,
    stopped: Option<Stopped>,
    /// Ends the search in the middle of a step.
    pub flag: StopFlag,
    finished: Arc<AtomicBool>,
}

/// What a terminal shows of a search.
struct Shown {
    /// None if nobody would see it.
    line: Option<StatusLine<Stderr>>,
    words: Words,
    /// How far it had come at its last step; none before the first.
    latest: Option<Progress>,
    /// Whether there is a plan that can be put together.
    knows_plan: bool,
    is_proving: bool,
}

/// How long a search may take.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    /// As it was asked for.
    seconds: f64,
    /// When a search that found a plan ends, so that there is time to put it together and to prove it.
    searching: f64,
}

impl TimeLimit {
    /// So many seconds, after which nothing has to be proved.
    pub fn whole(seconds: f64) -> TimeLimit {
        TimeLimit { seconds, searching: seconds }
    }

    /// So many seconds for a plan of so many states.
    fn of_plan(seconds: f64, states: usize) -> TimeLimit {
        let closing = (CLOSING * states as f64).min(CLOSING_SHARE * seconds);
        TimeLimit { seconds, searching: seconds - closing }
    }

    fn is_over(self, seconds: f64, knows_plan: bool) -> bool {
        seconds >= if knows_plan { self.searching } else { self.seconds }
    }
}

impl Shown {
    fn tell(&mut self, seconds: f64) {
        let Shown { line: Some(line), words, latest, is_proving, .. } = self else { return };
        line.tell(seconds, || match latest {
            _ if *is_proving => format!("proving the numbers of the plan, {seconds:.1} s"),
            Some(progress) => (words.progress)(seconds, progress),
            None => format!("looking at the parts of the model, {seconds:.1} s"),
        });
    }

    /// Ends the program from beside a search that knows nothing.
    fn leave(&mut self, why: Stopped) -> ! {
        self.erase();
        let violation = self.latest.map_or(f64::INFINITY, |latest| latest.violation);
        let failure = Failure::Stopped((self.words.nothing)(why, violation));
        output::complain(&failure.to_string());
        std::process::exit(i32::from(failure.exit_code()))
    }

    fn erase(&mut self) {
        if let Some(line) = &mut self.line {
            line.erase();
        }
    }
}

impl Watcher {
    /// Signals are noted from now on; the time began when the question was asked, which is about so many states.
    pub fn since((began, limit): (Instant, Option<f64>), states: usize, words: Words) -> Watcher {
        let interrupt = Interrupt::listen();
        let limit = limit.map(|seconds| TimeLimit::of_plan(seconds, states));
        let shown = Shown { line: status_line(), words, latest: None, knows_plan: false, is_proving: false };
        let shown = Arc::new(Mutex::new(shown));
        let (flag, finished) = (StopFlag::new(), Arc::new(AtomicBool::new(false)));
        let (asked, stop, done) = (interrupt.watch(), flag.clone(), Arc::clone(&finished));
        let (line, searching) = (Arc::clone(&shown), Instant::now());
        let grace = if states > LARGE { GRACE_OF_LARGE } else { GRACE };
        let listen = move || {
            let mut interrupted_at = None;
            while !done.load(Ordering::Relaxed) {
                let seconds = began.elapsed().as_secs_f64();
                let Ok(mut shown) = line.lock() else { return };
                if let Some(why) = reason(seconds, limit, shown.knows_plan, asked()) {
                    stop.ask();
                    let due = match why {
                        Stopped::TimeLimit(limit) => limit,
                        Stopped::Interrupt => *interrupted_at.get_or_insert(seconds),
                    };
                    if seconds >= due + grace {
                        stop.insist();
                    }
                    // Whoever knows something, or has ended, is past this lock.
                    if seconds >= due + DEAF && !shown.knows_plan && !shown.is_proving {
                        shown.leave(why);
                    }
                }
                // A step of a large model takes minutes, and its seconds go on.
                if !done.load(Ordering::Relaxed) {
                    shown.tell(searching.elapsed().as_secs_f64());
                }
                drop(shown);
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
        if let Ok(mut shown) = self.shown.lock() {
            shown.latest = Some(*progress);
            shown.knows_plan |= progress.gain.is_some();
        }
        ControlFlow::Continue(())
    }

    /// Why the search has to end, if it has; the first reason counts.
    fn is_over(&mut self) -> Option<Stopped> {
        let seconds = self.began.elapsed().as_secs_f64();
        let knows_plan = self.shown.lock().is_ok_and(|shown| shown.knows_plan);
        let why = || reason(seconds, self.limit, knows_plan, self.interrupt.asked());
        self.stopped = self.stopped.or_else(why);
        self.stopped
    }

    /// The search is over: why it was stopped, if it was. What it found is being proved from now on.
    pub fn searched(&mut self) -> Option<Stopped> {
        if self.flag.asked() {
            self.is_over();
        }
        if let Ok(mut shown) = self.shown.lock() {
            shown.is_proving = true;
        }
        self.stopped
    }

    /// Ends the watch: why the search or the proof was stopped, if one was. The line of progress is gone from the terminal.
    pub fn finish(mut self) -> Option<Stopped> {
        self.finished.store(true, Ordering::Relaxed);
        if self.flag.insisted_only().asked() {
            self.is_over();
        }
        if let Ok(mut shown) = self.shown.lock() {
            shown.erase();
        }
        self.stopped
    }
}

/// Why work that knows a plan, or none, has to end after so many seconds, if it has.
pub fn reason(seconds: f64, limit: Option<TimeLimit>, knows_plan: bool, asked: bool) -> Option<Stopped> {
    if asked {
        return Some(Stopped::Interrupt);
    }
    limit.filter(|limit| limit.is_over(seconds, knows_plan)).map(|limit| Stopped::TimeLimit(limit.seconds))
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
        let after = |seconds: f64, states: usize, knows_plan: bool| {
            reason(seconds, Some(TimeLimit::of_plan(0.5, states)), knows_plan, false)
        };
        let over = Some(Stopped::TimeLimit(0.5));
        assert_eq!(reason(1e9, None, true, false), None);
        assert_eq!((after(0.4, 9, true), after(0.5, 9, true)), (None, over));
        let interrupted = reason(0.5, Some(TimeLimit::whole(0.5)), false, true);
        assert_eq!(interrupted, Some(Stopped::Interrupt));
        // A plan of 6000 states has 0.048 s for its proof, one of ten million a quarter of the time.
        assert_eq!((after(0.44, 6000, true), after(0.46, 6000, true)), (None, over));
        assert_eq!(after(0.38, 10_000_000, true), over);
        // Without a plan there is nothing to prove.
        assert_eq!((after(0.49, 10_000_000, false), after(0.5, 10_000_000, false)), (None, over));
        assert_eq!(
            [Stopped::TimeLimit(1.0), Stopped::Interrupt].map(Stopped::name),
            ["time-limit", "interrupt"]
        );
    }
}
