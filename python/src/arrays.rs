//! Vectors as arrays of NumPy that nobody may write to; no number is copied.

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array that takes over a vector.
pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyArray1<T>>> {
    let array = PyArray1::from_vec(py, values);
    let read_only = PyDict::new(py);
    read_only.set_item("write", false)?;
    array.call_method("setflags", (), Some(&read_only))?;
    Ok(array)
}

/// The numbers of an array in a vector.
pub fn vector<T: Element + Clone>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Vec<T>> {
    Ok(array.try_readonly()?.as_array().iter().cloned().collect())
}
