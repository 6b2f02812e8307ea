//! The paper's empirical claims, checked against stored runs.
//!
//! Every claim is a comparison of numbers with bootstrap intervals of 95 %. It holds where the whole interval is on its
//! side, does not hold where all of it is on the other, and depends otherwise, or where it is true of some learners or
//! environments and false of others. What *near the optimum* and *settled* mean is in `study.rs`.

mod convergence;
mod effort;
mod numbers;
mod study;
#[cfg(test)]
mod tests;

use super::Chapter;
use super::runs::chapter_of;
use crate::failure::Result;
use occupancy_lab::papers::provodin2022::{PAPER_ENVIRONMENTS, Preset};
use study::Study;

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

/// The paper's environments under one preset, as far as they were run.
struct Evidence {
    rover4: Option<Study>,
    rover8: Option<Study>,
    pushing: Option<Study>,
}

impl Evidence {
    fn all(&self) -> impl Iterator<Item = &Study> {
        [&self.rover4, &self.rover8, &self.pushing].into_iter().flatten()
    }

    fn rovers(&self) -> impl Iterator<Item = &Study> {
        [&self.rover4, &self.rover8].into_iter().flatten()
    }
}

/// One comparison that a claim is made of.
struct Part {
    standing: Standing,
    words: String,
}

/// A claim, its test, and how the test is done.
struct Question {
    text: &'static str,
    test: &'static str,
    ask: fn(&Evidence) -> Vec<Part>,
}

/// Checks all claims against the chapters of a report, under each preset that has chapters.
pub fn check(chapters: &[Chapter]) -> Result<Vec<Claim>> {
    let mut claims: Vec<Claim> = questions()
        .map(|question| Claim { text: question.text, test: question.test, findings: Vec::new() })
        .collect();
    for preset in Preset::ALL {
        let study = |name| chapter_of(chapters, preset, name).map(Study::of).transpose().map(Option::flatten);
        let [rover4, rover8, pushing] = PAPER_ENVIRONMENTS;
        let evidence = Evidence { rover4: study(rover4)?, rover8: study(rover8)?, pushing: study(pushing)? };
        if evidence.all().next().is_none() {
            continue;
        }
        for (claim, question) in claims.iter_mut().zip(questions()) {
            claim.findings.push(finding(preset, (question.ask)(&evidence)));
        }
    }
    Ok(claims)
}

fn questions() -> impl Iterator<Item = Question> {
    convergence::QUESTIONS.into_iter().chain(effort::QUESTIONS)
}

/// What the parts say together: the same if they agree, otherwise it depends, and the words say on what.
fn finding(preset: Preset, parts: Vec<Part>) -> Finding {
    let known: Vec<&Part> = parts.iter().filter(|part| part.standing != Standing::Missing).collect();
    let standing = match known.split_first() {
        None => Standing::Missing,
        Some((first, rest)) if rest.iter().all(|part| part.standing == first.standing) => first.standing,
        Some(_) => Standing::Depends,
    };
    let apart = known.iter().any(|part| part.standing != standing);
    let words: Vec<String> = parts
        .iter()
        .map(|part| match part.standing {
            Standing::Holds if apart => format!("{} (yes)", part.words),
            Standing::Fails if apart => format!("{} (no)", part.words),
            Standing::Depends if apart => format!("{} (open)", part.words),
            _ => part.words.clone(),
        })
        .collect();
    let evidence = if words.is_empty() { "no runs".to_string() } else { words.join("; ") };
    Finding { preset, standing, evidence }
}
