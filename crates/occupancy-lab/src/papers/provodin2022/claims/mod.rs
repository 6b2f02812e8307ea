//! The paper's empirical claims, checked against stored runs.
//!
//! Every claim is a comparison of numbers with bootstrap intervals of 95 %. It holds if the whole interval is on its side, and
//! does not hold if all of it is on the other. Otherwise the answer says why there is none: it is mixed if it is true of some
//! learners or environments and false of others, undecided if an interval is on both sides, censored if what it is about did
//! not happen before the runs ended, and not tested if its runs are not there.

mod convergence;
#[cfg(test)]
mod document;
mod effort;
mod judge;
mod study;
#[cfg(test)]
mod tests;

use super::{PAPER_ENVIRONMENTS, Preset};
use crate::report::{Chapter, Claim, Finding, Judged, Standing, chapter_of};
use study::Study;

/// The learners of the paper, by their names.
pub(super) mod learner {
    pub const PSRL_TRANSITIONS: &str = "psrl-transitions";
    pub const PSRL_LAGRANGIAN: &str = "psrl-lagrangian";
    pub const CUCRL_OPTIMISTIC: &str = "cucrl-optimistic";
    pub const CUCRL_CONSERVATIVE: &str = "cucrl-conservative";
    pub const CUCRL_TRANSITIONS: &str = "cucrl-transitions";
}

/// The paper's environments under one preset, as far as they were run.
struct Evidence<'a> {
    rover4: Option<Study<'a>>,
    rover8: Option<Study<'a>>,
    pushing: Option<Study<'a>>,
    /// The sweeps over the options of learners.
    sweeps: Vec<Study<'a>>,
}

impl<'a> Evidence<'a> {
    fn of(judged: &[Judged<'a>], preset: Preset) -> Evidence<'a> {
        let chapters: Vec<&Chapter> = judged.iter().map(|one| one.chapter).collect();
        let is = |one: &&Judged, chapter: &Chapter| std::ptr::eq(one.chapter, chapter);
        let study = |name| {
            let chapter = chapter_of(&chapters, preset.name(), name);
            let found = chapter.and_then(|chapter| judged.iter().find(|one| is(one, chapter)));
            found.and_then(|one| Study::of(*one))
        };
        let [rover4, rover8, pushing] = PAPER_ENVIRONMENTS;
        let swept = |one: &&Judged| {
            let entries = &one.chapter.results.manifest.learners;
            one.chapter.preset() == Some(preset.name())
                && entries.iter().all(|entry| entry.label != entry.kind)
        };
        let sweeps = judged.iter().filter(swept).filter_map(|one| Study::of(*one)).collect();
        Evidence { rover4: study(rover4), rover8: study(rover8), pushing: study(pushing), sweeps }
    }

    fn all(&self) -> impl Iterator<Item = &Study<'a>> {
        [&self.rover4, &self.rover8, &self.pushing].into_iter().flatten()
    }

    fn rovers(&self) -> impl Iterator<Item = &Study<'a>> {
        [&self.rover4, &self.rover8].into_iter().flatten()
    }
}

/// One comparison that a claim rests on.
struct Observation {
    /// Whom or what it is about.
    about: String,
    standing: Standing,
    words: String,
}

/// A claim, its test, and how the test is done.
struct Question {
    text: &'static str,
    test: &'static str,
    ask: fn(&Evidence) -> Vec<Observation>,
}

/// Checks all claims against experiments, under each preset that has some.
pub fn check(judged: &[Judged]) -> Vec<Claim> {
    let mut claims: Vec<Claim> = questions()
        .map(|question| Claim { text: question.text, test: question.test, findings: Vec::new() })
        .collect();
    for preset in Preset::COMPARED {
        let evidence = Evidence::of(judged, preset);
        if evidence.all().chain(&evidence.sweeps).next().is_none() {
            continue;
        }
        for (claim, question) in claims.iter_mut().zip(questions()) {
            claim.findings.push(finding(preset, (question.ask)(&evidence)));
        }
    }
    claims
}

fn questions() -> impl Iterator<Item = Question> {
    convergence::QUESTIONS.into_iter().chain(effort::QUESTIONS)
}

/// What the parts say together, and if they do not agree, which says what.
fn finding(preset: Preset, parts: Vec<Observation>) -> Finding {
    let standings: Vec<Standing> = parts.iter().map(|part| part.standing).collect();
    let standing = Standing::together(&standings);
    let known = || parts.iter().filter(|part| part.standing != Standing::Untested);
    let agree = known().all(|part| part.standing == standing);
    let word = |part: &Observation| {
        let word = match part.standing {
            Standing::Holds => "yes",
            Standing::Fails => "no",
            other => other.word(),
        };
        if agree || part.standing == Standing::Untested {
            part.words.clone()
        } else {
            format!("{} ({word})", part.words)
        }
    };
    let words: Vec<String> = parts.iter().map(word).collect();
    let evidence = if words.is_empty() { "no runs".to_string() } else { words.join("; ") };
    let whom = (standing == Standing::Mixed).then(|| whom(&parts));
    Finding { preset: preset.name().to_string(), standing, word: standing.word(), whom, evidence }
}

/// For whom a claim holds and for whom it does not.
fn whom(parts: &[Observation]) -> String {
    let said = [
        (Standing::Holds, "yes"),
        (Standing::Fails, "no"),
        (Standing::Mixed, "in part"),
        (Standing::Undecided, "undecided"),
        (Standing::Censored, "censored"),
    ];
    let said = said.iter().filter_map(|(standing, word)| {
        let about = parts.iter().filter(|part| part.standing == *standing).map(|part| part.about.as_str());
        let about = about.collect::<Vec<_>>().join(", ");
        (!about.is_empty()).then(|| format!("{word}: {about}"))
    });
    said.collect::<Vec<_>>().join("; ")
}
