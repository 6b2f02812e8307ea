//! The outer loop: a search over prices, the policies it has seen, and the master that mixes them.

pub(super) mod master;
pub(super) mod pool;
pub(super) mod prices;
mod square;
