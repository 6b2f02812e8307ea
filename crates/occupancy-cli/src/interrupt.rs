//! Ctrl-C and SIGTERM during long work: the first asks for what there is so far, the second ends the program.
//!
//! Work that does not hear of the first in time is left by [`Leave`].

use crate::output;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How often the guard of some work looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What the handlers of signals look at: one for the whole program, since a handler is never taken away.
struct Signals {
    asked: Arc<AtomicBool>,
    /// The next signal ends the program: nobody listens, or one has been noted already.
    deaf: Arc<AtomicBool>,
    /// The last signal, 0 before the first.
    last: Arc<AtomicUsize>,
    listeners: AtomicUsize,
}

static SIGNALS: OnceLock<Signals> = OnceLock::new();

impl Signals {
    /// Where the system refuses, signals end the program as ever.
    fn register() -> Signals {
        let (asked, deaf) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        let last = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            // In this order: a signal finds the flag as the one before it left it. 128 + signal is a shell's own code.
            if flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&deaf)).is_ok() {
                let _ = flag::register_usize(signal, Arc::clone(&last), signal as usize);
                let _ = flag::register(signal, Arc::clone(&asked));
                let _ = flag::register(signal, Arc::clone(&deaf));
            }
        }
        Signals { asked, deaf, last, listeners: AtomicUsize::new(0) }
    }
}

/// Listens for signals.
pub struct Interrupt {
    signals: &'static Signals,
}

impl Interrupt {
    /// From now on the first signal is only noted. What was asked of work that is over is forgotten.
    pub fn listen() -> Interrupt {
        let signals = SIGNALS.get_or_init(Signals::register);
        if signals.listeners.fetch_add(1, Ordering::AcqRel) == 0 {
            signals.asked.store(false, Ordering::Relaxed);
            signals.deaf.store(false, Ordering::Relaxed);
        }
        Interrupt { signals }
    }

    /// Whether there was a signal.
    pub fn asked(&self) -> bool {
        self.signals.asked.load(Ordering::Relaxed)
    }

    /// The same, for a thread of its own.
    pub fn watch(&self) -> impl Fn() -> bool + Clone + Send + 'static {
        let asked = Arc::clone(&self.signals.asked);
        move || asked.load(Ordering::Relaxed)
    }

    /// The number of the signal there was.
    pub fn signal(&self) -> Option<u8> {
        if !self.asked() {
            return None;
        }
        u8::try_from(self.signals.last.load(Ordering::Relaxed)).ok()
    }
}

/// Once nobody asks any more, the next signal ends the program: whatever it does then has nothing to keep.
impl Drop for Interrupt {
    fn drop(&mut self) {
        if self.signals.listeners.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.signals.deaf.store(true, Ordering::Relaxed);
        }
    }
}

/// Guards work that may be deaf for long: if it goes on too long after it was asked to stop, the program ends.
pub struct Leave {
    /// Set by whoever comes first: the end of the work, or the end of its patience.
    decided: Arc<AtomicBool>,
}

impl Leave {
    /// Ends the program with `text` and exit code 1 once `asked` has been true for as long as `patience`.
    pub fn guard(
        patience: Duration,
        asked: impl Fn() -> bool + Send + 'static,
        text: impl FnOnce() -> String + Send + 'static,
    ) -> Leave {
        let decided = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&decided);
        let watch = move || {
            let mut since: Option<Instant> = None;
            while !seen.load(Ordering::Acquire) {
                if asked() && since.get_or_insert_with(Instant::now).elapsed() >= patience {
                    if !seen.swap(true, Ordering::AcqRel) {
                        output::complain(&text());
                        std::process::exit(1);
                    }
                    return;
                }
                thread::sleep(PAUSE);
            }
        };
        // A system that has no thread left for the guard still does the work.
        let _ = thread::Builder::new().spawn(watch);
        Leave { decided }
    }

    /// The work has come to its end; waits for the end of the program if that came first.
    pub fn release(self) {
        while self.decided.swap(true, Ordering::AcqRel) {
            thread::sleep(Duration::from_secs(1));
        }
    }
}

/// Work that panics has come to an end, too.
impl Drop for Leave {
    fn drop(&mut self) {
        self.decided.store(true, Ordering::Release);
    }
}
