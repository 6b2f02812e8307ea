//! The outer loop: a search over prices.

pub(super) mod prices;
mod restarting;
