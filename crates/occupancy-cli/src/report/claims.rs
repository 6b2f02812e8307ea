//! The paper's empirical claims, checked against stored runs.

use super::Chapter;
use crate::failure::Result;
use occupancy::run::Preset;

/// What the data say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// It holds in part, or the interval does not decide.
    Depends,
    /// The runs it needs are not there.
    Missing,
}

/// A claim under one preset.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The preset.
    pub preset: Preset,
    /// What the data say.
    pub standing: Standing,
    /// The number with its interval, in words.
    pub evidence: String,
}

/// A claim of the paper in our own words, and the test we apply.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The claim.
    pub text: &'static str,
    /// The test.
    pub test: &'static str,
    /// What the data say, preset by preset.
    pub findings: Vec<Finding>,
}

/// Checks all claims against the chapters of a report.
pub fn check(_chapters: &[Chapter]) -> Result<Vec<Claim>> {
    Ok(Vec::new())
}
