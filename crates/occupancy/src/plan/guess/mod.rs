//! Good guesses of where a search on a dense model ends: it begins there. No claim rests on anything in this folder.

mod contenders;
pub(super) mod forecast;
pub(super) mod scout;
