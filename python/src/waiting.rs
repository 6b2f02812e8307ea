//! Long work without Python's lock, so that other threads go on, and with an ear for Ctrl-C.

use occupancy::stop::StopFlag;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often signals are looked for.
const PAUSE: Duration = Duration::from_millis(20);
/// So long after Ctrl-C work may take to end by itself; then it is left alone, and ends at its next look at the flag.
const PATIENCE: Duration = Duration::from_millis(60);

/// So long after its time limit work may still put together and prove what it has.
const GRACE: f64 = 0.6;

/// The result of work, and whether the time limit ended it.
pub struct Done<T> {
    /// What it came to.
    pub result: T,
    /// Whether the limit ran out before.
    pub out_of_time: bool,
}

/// Work that takes less than a thread: done at once.
pub fn at_once<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<Done<T>> {
    let result = py.detach(work);
    py.check_signals()?;
    Ok(Done { result, out_of_time: false })
}

/// Work in a thread of its own, until its end, Ctrl-C (which is raised within 100 ms) or a time limit in seconds; `stop` is told of
/// the last two.
pub fn patiently<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    limit: Option<f64>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<Done<T>> {
    let (began, mut out_of_time) = (Instant::now(), false);
    let ended = Arc::new(AtomicBool::new(false));
    let (bell, waiting) = (Arc::clone(&ended), thread::current());
    let worker = thread::Builder::new().spawn(move || {
        // However the work ends, who waits is woken.
        let _bell = Bell(bell, waiting);
        work()
    })?;
    let wait = |pause: Duration| {
        py.detach(|| {
            if !ended.load(Ordering::Acquire) {
                thread::park_timeout(pause);
            }
        });
    };
    while !ended.load(Ordering::Acquire) {
        wait(PAUSE);
        if let Err(interrupted) = py.check_signals() {
            stop.insist();
            wait(PATIENCE);
            return Err(interrupted);
        }
        let over = limit.map_or(f64::NEG_INFINITY, |limit| began.elapsed().as_secs_f64() - limit);
        if over >= 0.0 {
            out_of_time = true;
            stop.ask();
        }
        if over >= GRACE {
            stop.insist();
        }
    }
    let result = py.detach(|| worker.join()).unwrap_or_else(|fault| resume_unwind(fault));
    Ok(Done { result, out_of_time })
}

struct Bell(Arc<AtomicBool>, thread::Thread);

impl Drop for Bell {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        self.1.unpark();
    }
}
