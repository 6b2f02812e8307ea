//! Errors of the library as exceptions of Python, in Python's words.

use crate::words;
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;
use std::io::ErrorKind;

pyo3::create_exception!(occupancy, Error, PyValueError, "What is wrong, where, and what would be right.");
pyo3::create_exception!(occupancy, Stopped, Error, "A search was stopped before it had anything to show.");

/// The exception of an error of the library.
pub fn of(error: occupancy::Error) -> PyErr {
    let message = words::of(&error);
    match error {
        occupancy::Error::Stopped { .. } | occupancy::Error::Interrupted { .. } => Stopped::new_err(message),
        occupancy::Error::File { source, .. } if source.kind() == ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(message)
        }
        _ => Error::new_err(message),
    }
}

/// The exception of an error of the lab.
pub fn of_lab(error: occupancy_lab::Error) -> PyErr {
    match error {
        occupancy_lab::Error::Model(error) => of(error),
        occupancy_lab::Error::File { ref source, .. } if source.kind() == ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(words::of_lab(&error))
        }
        other => Error::new_err(words::of_lab(&other)),
    }
}

/// An error in words.
pub fn wrong<T>(message: impl Into<String>) -> PyResult<T> {
    Err(Error::new_err(message.into()))
}
