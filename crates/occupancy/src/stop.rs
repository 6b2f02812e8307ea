//! A request to end long work early, which any thread can make.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that long loops look at: cheap to read, shared by all of its clones. The default one can never be set.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Option<Arc<AtomicBool>>);

impl StopFlag {
    /// A flag that has not been set yet.
    pub fn new() -> StopFlag {
        StopFlag(Some(Arc::default()))
    }

    /// Asks for the end.
    pub fn ask(&self) {
        if let Some(flag) = &self.0 {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the end was asked for.
    #[inline]
    pub fn asked(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
