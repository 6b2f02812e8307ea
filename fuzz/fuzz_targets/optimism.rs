//! Tiny models of bad temper with radii around their rows: the optimist believes what it may, and is never worse than
//! the plain plan.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy_fuzz::{Believed, check_optimism};

fuzz_target!(|believed: Believed| {
    if let Err(problem) = check_optimism(&believed) {
        panic!("{problem}\n{believed:?}");
    }
});
