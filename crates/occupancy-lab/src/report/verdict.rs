//! The verdict of a report: a few sentences made from the statistics and the claims.

use super::Chapter;
use super::digest::{Digest, Ending};
use super::paper::{Claim, Paper, Standing};
use crate::analyse::LearnerSummary;
use crate::number::brief;

/// What each experiment of the first preset came to.
pub fn of_first_preset(chapters: &[Chapter], digests: &[&Digest], paper: &dyn Paper) -> Vec<String> {
    let first = chapters.first().map(Chapter::preset);
    let pairs = chapters.iter().zip(digests);
    pairs
        .filter(|(one, _)| Some(one.preset()) == first)
        .map(|(one, digest)| ends(one, digest, paper))
        .collect()
}

/// One sentence for each preset if there are several, and one about the claims.
pub fn general(
    chapters: &[Chapter],
    digests: &[&Digest],
    claims: &[Claim],
    paper: &dyn Paper,
) -> Vec<String> {
    let of = |preset: &str| {
        let pairs = chapters.iter().zip(digests.iter().copied());
        pairs.filter(|(chapter, _)| chapter.preset() == Some(preset)).collect::<Vec<_>>()
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

/// Where the learners of an experiment ended, and who was there first.
pub fn ends(chapter: &Chapter, digest: &Digest, paper: &dyn Paper) -> String {
    let manifest = &chapter.results.manifest;
    let all = digest.present();
    let near = digest.labels(Ending::Near);
    let mut parts = Vec::new();
    let optimum = manifest.optimum().map(|best| format!(" {}", brief(best))).unwrap_or_default();
    if !near.is_empty() {
        let who = if near.len() == all && all > 1 { format!("all {all} learners") } else { list(&near) };
        let end = if near.len() == 1 { "ends" } else { "end" };
        parts.push(format!("{who} {end} near the optimum{optimum}{}", first(digest)));
    }
    for (ending, does, do_) in [
        (Ending::Safe, "stays nearer the safe policy", "stay nearer the safe policy"),
        (Ending::Over, "is far above the budget", "are far above the budget"),
        (Ending::Short, "falls short", "fall short"),
        (Ending::Nowhere, "has no runs yet", "have no runs yet"),
    ] {
        let labels = digest.labels(ending);
        if !labels.is_empty() {
            let numbers: Vec<String> = labels.iter().filter_map(|label| numbers(digest, label)).collect();
            let numbers =
                if numbers.is_empty() { String::new() } else { format!(" ({})", numbers.join("; ")) };
            parts.push(format!("{} {}{numbers}", list(&labels), if labels.len() == 1 { does } else { do_ }));
        }
    }
    format!("{}: {}.", paper.title(&chapter.env.name), parts.join("; "))
}

/// Who settled first and last, where several did.
fn first(digest: &Digest) -> String {
    let learners = digest.summary.learners.iter().zip(&digest.settled).zip(&digest.endings);
    let near = learners.filter(|(_, ending)| **ending == Ending::Near);
    let mut settled: Vec<(u64, &str)> =
        near.filter_map(|((learner, step), _)| Some(((*step)?, learner.label.as_str()))).collect();
    settled.sort_unstable();
    match &settled[..] {
        [] => String::new(),
        [(step, label)] => format!(", {label} from round {step} on"),
        [(step, label), .., (late, last)] => {
            format!(", {label} first (from round {step}), {last} last (from {late})")
        }
    }
}

fn numbers(digest: &Digest, label: &str) -> Option<String> {
    let learner = digest.summary.learners.iter().find(|learner| learner.label == label)?;
    let mean = |learner: &LearnerSummary, name: &str| Some(learner.quantity(name)?.mean);
    let (reward, cost) = (mean(learner, "reward")?, mean(learner, "cost_0"));
    let cost = cost.map(|cost| format!(", cost {cost:.3}")).unwrap_or_default();
    Some(format!("reward {reward:.3}{cost}"))
}

/// How many learners of another preset end near the optimum.
fn beside(preset: &str, pairs: &[(&Chapter, &Digest)], paper: &dyn Paper) -> Option<String> {
    let part = |(chapter, digest): &(&Chapter, &Digest)| {
        let all = digest.present();
        format!("{} of {all} in {}", digest.labels(Ending::Near).len(), paper.title(&chapter.env.name))
    };
    let parts: Vec<String> = pairs.iter().map(part).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    (!parts.is_empty()).then(|| format!("Under preset {preset}, {} end near the optimum.", list(&parts)))
}

/// How the claims stand, preset by preset.
fn counted(claims: &[Claim], presets: &[&str]) -> Option<String> {
    let part = |preset: &&str| {
        let standings: Vec<Standing> = claims
            .iter()
            .flat_map(|claim| &claim.findings)
            .filter(|finding| finding.preset == *preset && finding.standing != Standing::Missing)
            .map(|finding| finding.standing)
            .collect();
        let number = |standing| standings.iter().filter(|&&other| other == standing).count();
        let (holds, fails, depends) =
            (number(Standing::Holds), number(Standing::Fails), number(Standing::Depends));
        (!standings.is_empty()).then(|| {
            let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
            let words = [
                count(holds, "holds", "hold"),
                count(fails, "does not", "do not"),
                count(depends, "depends", "depend"),
            ];
            format!("under {preset} {}", words.join(", "))
        })
    };
    let parts: Vec<String> = presets.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| format!("Of the paper's {} claims, {}.", claims.len(), parts.join("; ")))
}

/// `a`, `a and b`, `a, b and c`.
fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => word.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::paper::Finding;

    #[test]
    fn claims_are_counted_for_each_preset() {
        let finding = |preset: &str, standing| {
            let (preset, evidence) = (preset.to_string(), String::new());
            Finding { preset, standing, evidence }
        };
        let claim = |standing| Claim {
            text: "",
            test: "",
            findings: vec![finding("published", standing), finding("sound", Standing::Missing)],
        };
        let claims = [claim(Standing::Holds), claim(Standing::Fails), claim(Standing::Holds)];
        let presets = ["published", "paper", "sound"];
        let said = counted(&claims, &presets).unwrap();
        assert_eq!(said, "Of the paper's 3 claims, under published 2 hold, 1 does not, 0 depend.");
        assert_eq!(counted(&[], &presets), None);
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!([list(&["a"]), list(&["a", "b"]), list(&["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    }
}
