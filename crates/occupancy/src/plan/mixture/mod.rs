//! The policies that a search has seen, and the small linear program that mixes them within the budgets.

pub(super) mod master;
pub(super) mod pool;
mod square;
