//! From the policies that a search mixed to an answer: policies to follow, their occupancy, and the proof.

pub(super) mod assemble;
pub(super) mod certificate;
pub(super) mod off_support;
pub(super) mod reach;
