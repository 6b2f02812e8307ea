//! How much memory there is, so that what cannot fit is refused and not begun.

use crate::error::{Error, Result};
use std::path::Path;

/// The bytes that are free: what the system has left, or the group of processes that this one belongs to if that is less;
/// `None` where the system does not say.
pub fn free() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(Path::new(path)).ok();
    let system = read("/proc/meminfo").and_then(|text| of_system(&text));
    let groups = [
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ];
    let group = groups.iter().filter_map(|(most, used)| of_group(&read(most)?, &read(used)?));
    system.into_iter().chain(group).min()
}

/// Refuses what takes more memory than is free.
pub(crate) fn refuse_more(needed: u64, free: Option<u64>) -> Result<()> {
    let free = free.unwrap_or(u64::MAX);
    if needed > free { Err(Error::Memory { needed, free }) } else { Ok(()) }
}

/// `MemAvailable` and free swap, in kB each.
fn of_system(text: &str) -> Option<u64> {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some(1024 * (value("MemAvailable:")? + value("SwapFree:").unwrap_or(0)))
}

/// What a group may use less what it does; `None` for one without a limit.
fn of_group(most: &str, used: &str) -> Option<u64> {
    let (most, used): (u64, u64) = (most.trim().parse().ok()?, used.trim().parse().ok()?);
    Some(most.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_is_read_as_the_system_writes_it() {
        let text = "MemTotal:       24682416 kB\nMemAvailable:   1000 kB\nSwapFree:       24 kB\n";
        assert_eq!(of_system(text), Some(1024 * 1024));
        assert_eq!(of_system("MemTotal: 5 kB"), None);
        assert_eq!(of_group("1000\n", "400\n"), Some(600));
        assert_eq!((of_group("max\n", "400\n"), of_group("10", "20")), (None, Some(0)));
    }
}
