//! The paper's empirical claims, checked against stored runs.
//!
//! Every claim is a comparison of numbers with bootstrap intervals of 95 %. It holds if the whole interval is on its
//! side, does not hold if all of it is on the other, and depends otherwise, or if it is true of some learners or
//! environments and false of others. What *near the optimum* and *settled* mean is in `study.rs`.

mod convergence;
mod effort;
mod numbers;
mod study;
#[cfg(test)]
mod tests;

use super::{PAPER_ENVIRONMENTS, Preset};
use crate::Result;
use crate::report::{Chapter, Claim, Finding, Standing, chapter_of};
use study::Study;

/// The learners of the paper, by their names.
mod learner {
    pub const PSRL_TRANSITIONS: &str = "psrl-transitions";
    pub const PSRL_LAGRANGIAN: &str = "psrl-lagrangian";
    pub const CUCRL_OPTIMISTIC: &str = "cucrl-optimistic";
    pub const CUCRL_CONSERVATIVE: &str = "cucrl-conservative";
    pub const CUCRL_TRANSITIONS: &str = "cucrl-transitions";
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

/// One comparison that a claim rests on.
struct Observation {
    standing: Standing,
    words: String,
}

/// A claim, its test, and how the test is done.
struct Question {
    text: &'static str,
    test: &'static str,
    ask: fn(&Evidence) -> Vec<Observation>,
}

/// Checks all claims against the chapters of a report, under each preset that has chapters.
pub fn check(chapters: &[Chapter]) -> Result<Vec<Claim>> {
    let mut claims: Vec<Claim> = questions()
        .map(|question| Claim { text: question.text, test: question.test, findings: Vec::new() })
        .collect();
    for preset in Preset::ALL {
        let study =
            |name| chapter_of(chapters, preset.name(), name).map(Study::of).transpose().map(Option::flatten);
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
fn finding(preset: Preset, parts: Vec<Observation>) -> Finding {
    let known: Vec<&Observation> = parts.iter().filter(|part| part.standing != Standing::Missing).collect();
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
    Finding { preset: preset.name().to_string(), standing, evidence }
}
