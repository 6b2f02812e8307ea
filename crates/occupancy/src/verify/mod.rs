//! Checks proofs about long-run averages and sums, without any code of the planners and in arithmetic that rounds outward.
//!
//! For a signal x, rows P and vectors g and h over the states:
//!
//! ```text
//! superharmonic   g ≥ P g  and  g + h ≥ x + P h     ⇒   J(x) ≤ g(s)  from every state s
//! subharmonic     g ≤ P g  and  g + h ≤ x + P h     ⇒   J(x) ≥ g(s)
//! ```
//!
//! (Sum the second inequality over T steps: the h cancel out, and E g(S_t) never rises; divide by T.) With the rows of a
//! policy this bounds what the policy attains. With all rows of a model it bounds what any policy attains: at prices
//! λ ≥ 0, with x = r − λ·c, no policy within the budgets τ earns more than λ·τ + start·g (Kallenberg, 1983), and if
//! Σ y_i J(c_i) > Σ y_i τ_i for weights y ≥ 0, no policy is within them.
//!
//! The model is taken as it is stored, each row and each policy's row divided by its exact sum. An inequality counts only if
//! it holds for every number that the rounded ones may stand for.

mod claims;
mod drift;
mod harmonic;
mod proofs;
mod sums;

pub use claims::{Claims, missed};
pub use drift::{Bias, brings, drift, mean};
pub use harmonic::{Harmonic, Refuted, Rows, Side};
pub(crate) use proofs::priced;
pub use proofs::{PolicyWitness, PricedWitness, Proof, SignalWitness, Witness, prove};
pub(crate) use sums::SumQuestion;
pub use sums::{PolicyValues, PricedValue, SignalValue, Values};
