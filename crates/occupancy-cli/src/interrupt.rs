//! Ctrl-C and SIGTERM during long work: the first asks for what there is so far, the second ends the program.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Listens for signals.
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    /// The last signal, 0 before the first.
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// From now on the first signal is only noted. Where the system refuses, signals end the program as ever.
    pub fn listen() -> Interrupt {
        let (asked, last) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        for signal in [SIGINT, SIGTERM] {
            // In this order: a signal finds the flag as the one before it left it. 128 + signal is a shell's own code.
            if flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&asked)).is_ok() {
                let _ = flag::register_usize(signal, Arc::clone(&last), signal as usize);
                let _ = flag::register(signal, Arc::clone(&asked));
            }
        }
        Interrupt { asked, signal: last }
    }

    /// Whether there was a signal.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// The number of the signal there was.
    pub fn signal(&self) -> Option<u8> {
        u8::try_from(self.signal.load(Ordering::Relaxed)).ok().filter(|_| self.asked())
    }
}

/// Once nobody asks any more, the next signal ends the program: whatever it does then has nothing to keep.
impl Drop for Interrupt {
    fn drop(&mut self) {
        self.asked.store(true, Ordering::Relaxed);
    }
}
