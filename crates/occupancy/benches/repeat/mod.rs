//! Times of work that is too short for the clock.

use crate::clock::processor_seconds;

/// The processor time of some work, which is done again and again until the clock tells; and what came out last.
pub fn seconds_each<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let (before, mut times) = (processor_seconds(), 0.0);
    loop {
        let done = work();
        times += 1.0;
        let passed = processor_seconds() - before;
        if passed > 0.1 {
            return (passed / times, done);
        }
    }
}
