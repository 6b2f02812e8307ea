//! How the tests send signals to the program.

use super::start;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// Sends a signal, `INT` or `TERM`.
pub fn send(signal: &str, child: &Child) {
    // The shell's own kill: no program of that name is needed.
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(sent.success(), "a child that has ended is there until it is waited for");
}

/// The output of a run that is sent a signal while it works, and how long after the signal it ended; one that was hit
/// before it listened died of it, and the next one is given more time.
pub fn interrupted(args: &[&str], signal: &str) -> (Output, Duration) {
    for wait in (0..8).map(|i| Duration::from_millis(100 << i)) {
        let child = start(args);
        std::thread::sleep(wait);
        let began = Instant::now();
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        if output.status.signal().is_none() {
            return (output, began.elapsed());
        }
    }
    panic!("the program did not begin to work");
}
