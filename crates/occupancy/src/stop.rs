//! A request to end long work early, which any thread can make.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A flag that long loops look at: cheap to read, shared by all of its clones. The default one can never be set.
///
/// Whoever asks for the end still wants what was found so far, put together and proved. Whoever insists wants the end at once, and
/// takes what there is: on a million states putting together takes seconds.
#[derive(Clone, Debug)]
pub struct StopFlag {
    urgency: Option<Arc<AtomicU8>>,
    /// From which urgency on this clone counts as set.
    heeds: u8,
}

const ASKED: u8 = 1;
const INSISTED: u8 = 2;

/// A look at so many nodes takes some 10 ms.
const ONCE_IN_A_WHILE: usize = 1 << 16;

impl Default for StopFlag {
    fn default() -> StopFlag {
        StopFlag { urgency: None, heeds: ASKED }
    }
}

impl StopFlag {
    /// A flag that has not been set yet.
    pub fn new() -> StopFlag {
        StopFlag { urgency: Some(Arc::default()), heeds: ASKED }
    }

    /// Asks for the end.
    pub fn ask(&self) {
        self.raise(ASKED);
    }

    /// Asks for the end at once.
    pub fn insist(&self) {
        self.raise(INSISTED);
    }

    fn raise(&self, to: u8) {
        if let Some(urgency) = &self.urgency {
            urgency.fetch_max(to, Ordering::Relaxed);
        }
    }

    /// The same flag for work that is to be done even if the end was asked for: it counts as set once somebody insists.
    pub fn insisted_only(&self) -> StopFlag {
        StopFlag { urgency: self.urgency.clone(), heeds: INSISTED }
    }

    /// Whether the end was asked for.
    #[inline]
    pub fn asked(&self) -> bool {
        self.urgency.as_ref().is_some_and(|urgency| urgency.load(Ordering::Relaxed) >= self.heeds)
    }

    /// The same in a loop over nodes of a graph, which looks once in a while.
    #[inline]
    pub(crate) fn asked_at(&self, node: usize) -> bool {
        node.is_multiple_of(ONCE_IN_A_WHILE) && self.asked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_puts_together_what_there_is_and_who_is_insisted_on_does_not() {
        let flag = StopFlag::new();
        let last_words = flag.insisted_only();
        assert_eq!((flag.asked(), last_words.asked()), (false, false));
        flag.clone().ask();
        assert_eq!((flag.asked(), last_words.asked()), (true, false));
        flag.insist();
        flag.ask();
        assert_eq!((flag.asked(), last_words.asked()), (true, true));
        let never = StopFlag::default();
        never.insist();
        assert!(!never.asked());
    }
}
