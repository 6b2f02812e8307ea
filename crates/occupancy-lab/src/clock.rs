//! The time that this thread has spent computing, whatever else the machine does meanwhile.
//!
//! Wall times of two learners depend on what runs beside them: under load the answer to which of two learners computes more
//! has changed. If the system does not tell the time of a thread, the clock on the wall stands in for it.

use std::time::Duration;

/// CPU time of this thread since some moment; only differences mean something.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd"))]
pub fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // Neither part is below 0 in a time that has passed.
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

/// Time since the first question; only differences mean something.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd")))]
pub fn thread_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sleeping for 50 ms takes no more than a hundredth of that in computing, if the system tells the two apart.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_sleeps_does_not_compute() {
        let before = thread_time();
        std::thread::sleep(Duration::from_millis(50));
        let slept = thread_time() - before;
        assert!(slept < Duration::from_millis(25), "{slept:?}");
    }

    #[test]
    fn a_thread_that_computes_takes_time() {
        let before = thread_time();
        let sum = (0..2_000_000u64).fold(0, |sum, i| std::hint::black_box(sum ^ i));
        assert!(thread_time() > before, "{sum}");
    }
}
