//! What a paper adds to a report: words for its own experiments, findings, and claims that are checked against the stored runs.
//!
//! A report knows no paper by name; whoever asks for one hands its paper in, or `()` for none. What a paper says is said of
//! the experiments that it owns, and of no other.

use super::Chapter;
use crate::analyse::Summary;
use serde::Serialize;

/// A paper, as far as a report asks for it.
pub trait Paper: Sync {
    /// Whether an experiment is one of its own.
    fn owns(&self, _chapter: &Chapter) -> bool {
        false
    }

    /// What the page says of it.
    fn words(&self) -> PaperWords {
        PaperWords::default()
    }

    /// Its environments, in its order.
    fn environments(&self) -> &[&str] {
        &[]
    }

    /// The presets under which it is run, in the order of a report.
    fn presets(&self) -> &[&str] {
        &[]
    }

    /// What a preset is, in a few words.
    fn about_preset(&self, _preset: &str) -> &str {
        ""
    }

    /// The name of an environment as it writes it.
    fn title<'n>(&self, environment: &'n str) -> &'n str {
        environment
    }

    /// The commands that repeat some of its experiments.
    fn commands(&self, _chapters: &[&Chapter]) -> Vec<String> {
        Vec::new()
    }

    /// What its experiments came to, in a few sentences with their numbers.
    fn findings(&self, _judged: &[Judged]) -> Vec<String> {
        Vec::new()
    }

    /// Its claims, with what the stored runs say of them.
    fn claims(&self, _judged: &[Judged]) -> Vec<Claim> {
        Vec::new()
    }
}

/// No paper at all.
impl Paper for () {}

/// An experiment and its statistics.
#[derive(Clone, Copy)]
pub struct Judged<'a> {
    /// The experiment.
    pub chapter: &'a Chapter,
    /// Its statistics.
    pub summary: &'a Summary,
}

/// What the page says of a paper.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PaperWords {
    /// The title of a report about its experiments.
    pub title: &'static str,
    /// Its authors and year.
    pub name: &'static str,
    /// Where it can be found.
    pub citation: &'static str,
    /// The heading of its claims.
    pub claims: &'static str,
    /// The heading of its sweeps.
    pub sweeps: &'static str,
    /// What the sums that regret is made of are in it.
    pub terms: &'static str,
}

/// What the data say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// It holds for some, and not for others.
    Mixed,
    /// The interval is on both sides.
    Undecided,
    /// What it is about did not happen before the runs ended.
    Censored,
    /// The runs that it needs are not there.
    Untested,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 6] = [
        Standing::Holds,
        Standing::Fails,
        Standing::Mixed,
        Standing::Undecided,
        Standing::Censored,
        Standing::Untested,
    ];

    /// What several say of all of them together: one against and none for it is enough. One that is not tested says nothing.
    pub fn together(parts: &[Standing]) -> Standing {
        use Standing::{Censored, Fails, Holds, Mixed, Undecided, Untested};
        let has = |standing| parts.contains(&standing);
        match () {
            () if has(Mixed) || has(Holds) && has(Fails) => Mixed,
            () if has(Fails) => Fails,
            () if has(Undecided) => Undecided,
            () if has(Censored) => Censored,
            () if has(Holds) => Holds,
            () => Untested,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Fails => "does not hold",
            Standing::Mixed => "mixed",
            Standing::Undecided => "undecided",
            Standing::Censored => "censored",
            Standing::Untested => "not tested",
        }
    }
}

/// A claim under one preset.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The preset's name.
    pub preset: String,
    /// What the data say.
    pub standing: Standing,
    /// Its word.
    pub word: &'static str,
    /// For whom it holds and for whom not, if that is mixed.
    pub whom: Option<String>,
    /// The numbers with their intervals, in words.
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

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Censored, Fails, Holds, Mixed, Undecided, Untested};

    #[test]
    fn what_several_parts_say_together_has_one_word() {
        let together = Standing::together;
        assert_eq!([together(&[Holds, Holds, Untested]), together(&[Fails, Fails])], [Holds, Fails]);
        assert_eq!([together(&[Holds, Fails, Undecided]), together(&[Mixed, Holds])], [Mixed, Mixed]);
        assert_eq!([together(&[Holds, Undecided]), together(&[Censored, Undecided])], [Undecided; 2]);
        assert_eq!([together(&[Holds, Censored]), together(&[Censored, Censored])], [Censored; 2]);
        assert_eq!([together(&[Fails, Undecided]), together(&[Censored, Fails])], [Fails; 2]);
        assert_eq!([together(&[]), together(&[Untested])], [Untested; 2]);
    }
}
