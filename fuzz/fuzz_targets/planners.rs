//! Tiny models of bad temper: every planner answers, its answer holds when its policies are evaluated, and the planners
//! agree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy_fuzz::{Tiny, check_planners};

fuzz_target!(|tiny: Tiny| {
    if let Err(problem) = check_planners(&tiny) {
        panic!("{problem}\n{tiny:?}");
    }
});
