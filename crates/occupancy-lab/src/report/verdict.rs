//! The verdict of a report: a few sentences made from the statistics and the claims.

use super::digest::Digest;
use super::paper::{Claim, Paper, Standing};
use super::{Chapter, about};
use crate::analyse::{Ending, LearnerSummary};
use crate::number::brief;

/// One sentence for each preset of a paper if there are several, and one about its claims.
pub fn of_paper(owned: &[(&Chapter, &Digest)], claims: &[Claim], paper: &dyn Paper) -> Vec<String> {
    let of = |preset: &str| {
        let own = owned.iter().filter(|(chapter, _)| chapter.preset() == Some(preset));
        own.copied().collect::<Vec<_>>()
    };
    let presets = paper.presets();
    let mut found: Vec<String> =
        presets.iter().filter_map(|preset| beside(preset, &of(preset), paper)).collect();
    if found.len() < 2 {
        found.clear();
    }
    found.extend(counted(claims, presets));
    found
}

/// Where the runs of an experiment ended, and who settled first.
pub fn ends(chapter: &Chapter, digest: &Digest, paper: &dyn Paper) -> String {
    let optimum =
        chapter.results.manifest.optimum().map(|best| format!(" {}", brief(best))).unwrap_or_default();
    let mut parts = Vec::new();
    for (ending, words) in [
        (Ending::Near, format!("near the optimum{optimum}")),
        (Ending::Safe, "with the safe policy".to_string()),
        (Ending::Over, "above the budget".to_string()),
        (Ending::Short, format!("short of the optimum{optimum}")),
        (Ending::Nowhere, "no runs yet".to_string()),
    ] {
        let learners: Vec<String> = digest.at(ending).into_iter().map(with_runs).collect();
        if !learners.is_empty() {
            parts.push(format!("{words}: {}", learners.join(", ")));
        }
    }
    format!("{}: {}{}.", about::title(chapter, paper), parts.join("; "), first(digest))
}

/// `psrl-lagrangian (17 of 30 runs; 8 above the budget)`.
fn with_runs(learner: &LearnerSummary) -> String {
    let (place, runs) = (learner.place(), learner.runs);
    if runs == 0 {
        return learner.label.clone();
    }
    let mut parts =
        vec![format!("{} of {runs} {}", learner.ended(place), if runs == 1 { "run" } else { "runs" })];
    for (ending, words) in [
        (Ending::Near, "near the optimum"),
        (Ending::Safe, "with the safe policy"),
        (Ending::Over, "above the budget"),
        (Ending::Short, "short of the optimum"),
    ] {
        let count = learner.ended(ending);
        if ending != place && count > 0 {
            parts.push(format!("{count} {words}"));
        }
    }
    format!("{} ({})", learner.label, parts.join("; "))
}

/// Who settled first and last, if several did.
fn first(digest: &Digest) -> String {
    let learners = digest.summary.learners.iter();
    let mut settled: Vec<(u64, &str)> =
        learners.filter_map(|learner| Some((learner.half_settled_by()?, learner.label.as_str()))).collect();
    settled.sort_unstable();
    match &settled[..] {
        [] => String::new(),
        [(step, label)] => format!("; half of the runs of {label} have settled by round {step}"),
        [(step, label), .., (late, last)] => {
            format!(
                "; {label} is first, half of its runs have settled by round {step}; {last} is last, by {late}"
            )
        }
    }
}

/// How many runs of a preset end near the optimum.
fn beside(preset: &str, pairs: &[(&Chapter, &Digest)], paper: &dyn Paper) -> Option<String> {
    let part = |(chapter, digest): &(&Chapter, &Digest)| {
        let (near, all) = (digest.at(Ending::Near).len(), digest.present());
        format!("{near} of {all} learners in {}", about::title(chapter, paper))
    };
    let parts: Vec<String> = pairs.iter().map(part).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    (!parts.is_empty())
        .then(|| format!("Under preset {preset}, most runs end near the optimum for {}.", list(&parts)))
}

/// How the claims stand, preset by preset.
fn counted(claims: &[Claim], presets: &[&str]) -> Option<String> {
    let part = |preset: &&str| {
        let findings = claims.iter().flat_map(|claim| &claim.findings);
        let standings: Vec<Standing> =
            findings.filter(|finding| finding.preset == *preset).map(|finding| finding.standing).collect();
        let said = Standing::ALL.into_iter().filter_map(|standing| {
            let number = standings.iter().filter(|&&other| other == standing).count();
            let word = match (standing, number) {
                (Standing::Holds, 2..) => "hold",
                (Standing::Fails, 2..) => "do not hold",
                _ => standing.word(),
            };
            (number > 0).then(|| format!("{number} {word}"))
        });
        let words = said.collect::<Vec<_>>().join(", ");
        (!standings.is_empty()).then(|| format!("under {preset} {words}"))
    };
    let parts: Vec<String> = presets.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| format!("Of the paper's {} claims, {}.", claims.len(), parts.join("; ")))
}

/// `a`, `a and b`, `a, b and c`.
pub fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => word.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::{MadeUp, Story};
    use crate::report::paper::Finding;

    #[test]
    fn claims_are_counted_for_each_preset() {
        let finding = |preset: &str, standing: Standing| {
            let (preset, evidence) = (preset.to_string(), String::new());
            Finding { preset, standing, word: standing.word(), whom: None, evidence }
        };
        let claim = |standing| Claim {
            text: "",
            test: "",
            findings: vec![finding("published", standing), finding("sound", Standing::Untested)],
        };
        let claims = [claim(Standing::Holds), claim(Standing::Mixed), claim(Standing::Holds)];
        let presets = ["published", "paper", "sound"];
        let said = counted(&claims, &presets).unwrap();
        assert_eq!(
            said,
            "Of the paper's 3 claims, under published 2 hold, 1 mixed; under sound 3 not tested."
        );
        assert_eq!(counted(&[], &presets), None);
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!([list(&["a"]), list(&["a", "b"]), list(&["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    }

    /// The mean over such runs is near the optimum, and no run is.
    #[test]
    fn learners_are_judged_run_by_run() {
        // Two thirds of the runs are at the safe policy, −0.875 at cost 0; the others earn more than they may.
        let torn = |run: u64, _| if run.is_multiple_of(3) { [-0.5725, 0.6] } else { [-0.875, 0.0] };
        let there = |_, _| [-0.775, 0.2];
        let learner = |name, signals| MadeUp { name, signals, epochs: 1, planning: 0.1 };
        let chapter = Story::default()
            .chapter("run-by-run", &[learner("psrl-lagrangian", torn), learner("cucrl-optimistic", there)]);
        let digest = Digest::of(&chapter, 0.25);
        let torn = &digest.summary.learners[0];
        let mean = |name| torn.quantity(name).unwrap().mean;
        assert!(
            digest.summary.limits.admit(&[mean("reward"), mean("cost_0")]),
            "the mean is near the optimum"
        );
        let said = ends(&chapter, &digest, &());
        assert_eq!(
            said,
            "story: near the optimum -0.775: cucrl-optimistic (12 of 12 runs); with the safe policy: psrl-lagrangian \
             (8 of 12 runs; 4 above the budget); half of the runs of cucrl-optimistic have settled by round 20."
        );
    }
}
