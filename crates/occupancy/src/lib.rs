//! Constrained reinforcement learning on finite models.
//!
//! ```text
//! max over policies π   J(r)      subject to   J(c_i) ≤ τ_i ,  i = 1..m
//! J(x) = lim 1/T Σ_t E[x(S_t, A_t)]          (long-run average)
//! ```

pub mod env;
pub mod error;
pub mod model;
pub mod plan;
pub mod seed;

pub use error::{Error, Result};
