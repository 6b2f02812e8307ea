//! The verdict of a report: a few sentences made from the statistics and the claims.

use super::Chapter;
use super::claims::{Claim, Standing};
use super::digest::{Digest, Place};
use crate::show::number::brief;
use occupancy_lab::analyse::LearnerSummary;
use occupancy_lab::papers::provodin2022::Preset;

/// What each experiment of the first preset came to.
pub fn of_first_preset(chapters: &[Chapter], digests: &[&Digest]) -> Vec<String> {
    let first = chapters.first().map(Chapter::preset);
    let pairs = chapters.iter().zip(digests);
    pairs.filter(|(one, _)| Some(one.preset()) == first).map(|(one, digest)| ends(one, digest)).collect()
}

/// One sentence for each preset where there are several, and one about the claims.
pub fn general(chapters: &[Chapter], digests: &[&Digest], claims: &[Claim]) -> Vec<String> {
    let of = |preset: Preset| {
        let pairs = chapters.iter().zip(digests.iter().copied());
        pairs.filter(move |(chapter, _)| chapter.preset() == Some(preset)).collect::<Vec<_>>()
    };
    let mut found: Vec<String> =
        Preset::ALL.into_iter().filter_map(|preset| beside(preset, &of(preset))).collect();
    if found.len() < 2 {
        found.clear();
    }
    found.extend(counted(claims));
    found
}

/// Where the learners of an experiment ended, and who was there first.
pub fn ends(chapter: &Chapter, digest: &Digest) -> String {
    let manifest = &chapter.results.manifest;
    let all = digest.present();
    let near = digest.labels(Place::Near);
    let mut parts = Vec::new();
    let optimum = manifest.optimum().map(|best| format!(" {}", brief(best))).unwrap_or_default();
    if !near.is_empty() {
        let who = if near.len() == all && all > 1 { format!("all {all} learners") } else { list(&near) };
        let end = if near.len() == 1 { "ends" } else { "end" };
        parts.push(format!("{who} {end} near the optimum{optimum}{}", first(digest)));
    }
    for (place, does, do_) in [
        (Place::Safe, "stays nearer the safe policy", "stay nearer the safe policy"),
        (Place::Over, "is far above the budget", "are far above the budget"),
        (Place::Short, "falls short", "fall short"),
        (Place::Nowhere, "has no runs yet", "have no runs yet"),
    ] {
        let labels = digest.labels(place);
        if !labels.is_empty() {
            let numbers: Vec<String> = labels.iter().filter_map(|label| numbers(digest, label)).collect();
            let numbers =
                if numbers.is_empty() { String::new() } else { format!(" ({})", numbers.join("; ")) };
            parts.push(format!("{} {}{numbers}", list(&labels), if labels.len() == 1 { does } else { do_ }));
        }
    }
    format!("{}: {}.", title(&chapter.env.name), parts.join("; "))
}

/// Who settled first and last, where several did.
fn first(digest: &Digest) -> String {
    let learners = digest.summary.learners.iter().zip(&digest.settled).zip(&digest.places);
    let near = learners.filter(|(_, place)| **place == Place::Near);
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
fn beside(preset: Preset, pairs: &[(&Chapter, &Digest)]) -> Option<String> {
    let part = |(chapter, digest): &(&Chapter, &Digest)| {
        let all = digest.present();
        format!("{} of {all} in {}", digest.labels(Place::Near).len(), title(&chapter.env.name))
    };
    let parts: Vec<String> = pairs.iter().map(part).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    (!parts.is_empty())
        .then(|| format!("Under preset {}, {} end near the optimum.", preset.name(), list(&parts)))
}

/// How the claims stand, preset by preset.
fn counted(claims: &[Claim]) -> Option<String> {
    let part = |preset: Preset| {
        let standings: Vec<Standing> = claims
            .iter()
            .flat_map(|claim| &claim.findings)
            .filter(|finding| finding.preset == preset && finding.standing != Standing::Missing)
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
            format!("under {} {}", preset.name(), words.join(", "))
        })
    };
    let parts: Vec<String> = Preset::ALL.into_iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| format!("Of the paper's {} claims, {}.", claims.len(), parts.join("; ")))
}

/// The name of an environment as the paper writes it.
fn title(name: &str) -> String {
    match name {
        "marsrover-4x4" => "Marsrover 4x4".into(),
        "marsrover-8x8" => "Marsrover 8x8".into(),
        "box" => "Box".into(),
        other => other.to_string(),
    }
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
    use crate::report::claims::Finding;

    #[test]
    fn claims_are_counted_for_each_preset() {
        let finding = |preset, standing| Finding { preset, standing, evidence: String::new() };
        let claim = |standing| Claim {
            text: "",
            test: "",
            findings: vec![finding(Preset::Published, standing), finding(Preset::Sound, Standing::Missing)],
        };
        let claims = [claim(Standing::Holds), claim(Standing::Fails), claim(Standing::Holds)];
        let said = counted(&claims).unwrap();
        assert_eq!(said, "Of the paper's 3 claims, under published 2 hold, 1 does not, 0 depend.");
        assert_eq!(counted(&[]), None);
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!([list(&["a"]), list(&["a", "b"]), list(&["a", "b", "c"])], ["a", "a and b", "a, b and c"]);
    }
}
