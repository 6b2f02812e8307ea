//! Vectors as arrays of NumPy that nobody may write to; no number is copied.

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// An array that takes over a vector.
pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyArray1<T>>> {
    let array = PyArray1::from_vec(py, values);
    array.try_readwrite()?.make_nonwriteable();
    Ok(array)
}

/// The numbers of an array in a vector.
pub fn vector<T: Element + Clone>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Vec<T>> {
    Ok(array.try_readonly()?.as_array().iter().cloned().collect())
}
