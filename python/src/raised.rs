//! Exceptions of Python code that the library calls: they wait here, and are raised where the work was asked for.

use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Where an exception waits to be raised.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// Keeps an exception; the first one is the one that is raised.
pub fn keep(raised: &Raised, error: PyErr) {
    raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// Takes the exception that waits, if there is one.
pub fn take(raised: &Raised) -> Option<PyErr> {
    raised.lock().unwrap_or_else(PoisonError::into_inner).take()
}
