//! What a paper adds to a report: the order of its experiments, and claims that are checked against the stored runs.
//!
//! A report knows no paper by name; whoever asks for one hands its paper in, or `()` for none.

use super::Chapter;
use crate::Result;
use serde::Serialize;

/// A paper, as far as a report asks for it.
pub trait Paper: Sync {
    /// Its environments, in its order.
    fn environments(&self) -> &[&str] {
        &[]
    }

    /// The presets under which it is run, in the order of a report.
    fn presets(&self) -> &[&str] {
        &[]
    }

    /// The name of an environment as it writes it.
    fn title<'n>(&self, environment: &'n str) -> &'n str {
        environment
    }

    /// Its claims, with what the stored runs say of them.
    fn claims(&self, _chapters: &[Chapter]) -> Result<Vec<Claim>> {
        Ok(Vec::new())
    }
}

/// No paper at all.
impl Paper for () {}

/// What the data say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The preset's name.
    pub preset: String,
    /// What the data say.
    pub standing: Standing,
    /// The number with its interval, in words.
    pub evidence: String,
}

/// A claim of a paper in our own words, and the test we apply.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// The claim.
    pub text: &'static str,
    /// The test.
    pub test: &'static str,
    /// What the data say, preset by preset.
    pub findings: Vec<Finding>,
}
