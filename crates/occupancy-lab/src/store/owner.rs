//! Who owns a file in `tmp/`: this process, another that is alive, or one that is no more.
//!
//! An owner is written `<boot>.<namespace>.<user>.<process>.<start>`: the start of the machine, the process's namespace,
//! user and number, and its own start. A host's name is not enough: containers share it, and each counts its processes from 1. Only
//! an owner of the same start, namespace and user can be asked for in `/proc`, and only that answer is believed; files of
//! the others are kept for a week. A lock that dies with its process would need no such rules, but `File::lock` is newer than
//! the oldest Rust that builds this, and locks on network disks are not to be trusted.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// Files of processes that cannot be asked, because they are elsewhere, are kept for this long.
const FOREIGN: Duration = Duration::from_secs(7 * 24 * 3600);

/// The name of this machine.
pub(super) fn host() -> String {
    let read = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = read.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let name = name.unwrap_or_default();
    let tame: String = name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
    if tame.is_empty() { "unknown".to_string() } else { tame }
}

/// A number that no other process has: the standard library's hashers begin at random.
pub(super) fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// This process, in one word without dashes.
pub(super) fn own() -> &'static str {
    static OWN: OnceLock<String> = OnceLock::new();
    OWN.get_or_init(|| {
        // Where the system tells nothing, a number of its own tells the process from all others.
        let place = place().unwrap_or_else(|| format!("{:016x}.0.0", random()));
        let number = std::process::id();
        format!("{place}.{number}.{}", start_of(number).unwrap_or(0))
    })
}

/// Where processes can be asked for: the machine's start, the namespace of processes and the user.
fn place() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let boot: String = boot.chars().filter(char::is_ascii_hexdigit).collect();
    let namespace = std::fs::read_link("/proc/self/ns/pid").ok()?.to_string_lossy().into_owned();
    let namespace: String = namespace.chars().filter(char::is_ascii_digit).collect();
    // Where /proc shows the processes of another namespace, it has no answers about this one.
    let seen = std::fs::read_link("/proc/self").ok()?;
    if seen.as_path() != Path::new(&std::process::id().to_string()) || boot.is_empty() {
        return None;
    }
    Some(format!("{boot}.{namespace}.{}", user()?))
}

/// The user's number: some systems show nobody the processes of others.
#[cfg(unix)]
fn user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").ok().map(|found| found.uid())
}

#[cfg(not(unix))]
fn user() -> Option<u32> {
    None
}

/// When a process began, in the system's own unit; `None` where there is no such process, or no such answer.
fn start_of(number: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name before the bracket may hold anything; the start is the twentieth field after it.
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a file of an owner, of this age, was left behind by a process that is no more.
pub(super) fn is_gone(owner: &str, age: Option<Duration>) -> bool {
    if owner == own() {
        return false;
    }
    let (here, other) = (split(own()), split(owner));
    match other.filter(|other| here.is_some_and(|here| here.0 == other.0)) {
        Some((_, number, start)) => start_of(number) != Some(start),
        None => age.is_some_and(|age| age > FOREIGN),
    }
}

/// The place, the number and the start of an owner.
fn split(owner: &str) -> Option<(&str, u32, u64)> {
    let (rest, start) = owner.rsplit_once('.')?;
    let (place, number) = rest.rsplit_once('.')?;
    Some((place, number.parse().ok()?, start.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_processes_that_can_be_asked_for_are_said_to_be_gone() {
        let (here, number, start) = split(own()).unwrap();
        assert!(!is_gone(own(), None));
        // The first process of the system is alive, but began at another time.
        let known = cfg!(target_os = "linux");
        assert_eq!(is_gone(&format!("{here}.1.{}", start + 1), None), known);
        assert_eq!(is_gone(&format!("{here}.{number}.{}", start + 1), None), known);
        // A container of the same host: the same numbers mean other processes.
        let (boot, rest) = here.split_once('.').unwrap();
        let elsewhere = format!("{boot}.1{rest}.{number}.{}", start + 1);
        assert!(!is_gone(&elsewhere, None) && !is_gone(&elsewhere, Some(FOREIGN)));
        assert!(is_gone(&elsewhere, Some(2 * FOREIGN)));
        // Those of programs that knew the host alone.
        assert!(!is_gone("host-1.7", None) && !is_gone("notes", None) && !is_gone("", None));
    }
}
