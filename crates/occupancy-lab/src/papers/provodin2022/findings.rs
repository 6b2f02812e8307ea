//! What the paper's experiments came to, in three sentences: chance, the coefficient of the bonus in Box, and who is first.
//!
//! Every number is counted in the stored runs; a sentence whose experiments are not there is left out.

use super::claims::learner::CUCRL_OPTIMISTIC;
use super::{PAPER_ENVIRONMENTS, Provodin2022};
use crate::analyse::{Ending, LearnerSummary};
use crate::report::{Chapter, Judged, Paper, chapter_of, list};

/// The sentences.
pub fn of(judged: &[Judged]) -> Vec<String> {
    let chapters: Vec<&Chapter> = judged.iter().map(|one| one.chapter).collect();
    let compared = |preset: &str| -> Vec<&Judged> {
        let found = PAPER_ENVIRONMENTS.iter().filter_map(|name| chapter_of(&chapters, preset, name));
        found.filter_map(|chapter| judged.iter().find(|one| std::ptr::eq(one.chapter, chapter))).collect()
    };
    let presets: Vec<(&str, Vec<&Judged>)> =
        Provodin2022.presets().iter().map(|preset| (*preset, compared(preset))).collect();
    let presets: Vec<&(&str, Vec<&Judged>)> = presets.iter().filter(|(_, found)| !found.is_empty()).collect();
    let first = presets.first();
    [chance(&presets), coefficient(judged), first.and_then(|(preset, found)| first_to_settle(preset, found))]
        .into_iter()
        .flatten()
        .collect()
}

fn title(judged: &Judged) -> &'static str {
    let name = PAPER_ENVIRONMENTS.into_iter().find(|name| *name == judged.chapter.env.name);
    name.map_or("", |name| Provodin2022.title(name))
}

/// How many pairs have more than one successor, under each preset.
fn chance(presets: &[&(&str, Vec<&Judged>)]) -> Option<String> {
    let random = |found: &[&Judged]| {
        found.iter().fold((0, 0), |(several, all), one| {
            let model = &one.chapter.env.model;
            let own = (0..model.pairs()).filter(|&pair| model.kernel().row(pair).iter().count() > 1);
            (several + own.count(), all + model.pairs())
        })
    };
    let (first, found) = presets.first()?;
    let (several, pairs) = random(found);
    let names: Vec<&str> = found.iter().map(|one| title(one)).collect();
    let others = presets.iter().skip(1).map(|(preset, found)| {
        let (several, pairs) = random(found);
        format!("; under {preset}, {several} of {pairs}")
    });
    let is = if several == 0 { "There is no chance" } else { "There is chance" };
    Some(format!(
        "{is} in the environments: under {first}, {several} of {pairs} pairs of {} have more than one successor{}.",
        list(&names),
        others.collect::<String>()
    ))
}

/// The runs of `cucrl-optimistic` that end near the optimum of Box, for each coefficient of its sweeps.
fn coefficient(judged: &[Judged]) -> Option<String> {
    let of_box = judged.iter().filter(|one| one.chapter.env.name == "box");
    let learners = of_box.flat_map(|one| &one.summary.learners);
    let mut counted: Vec<(&str, usize, usize)> = Vec::new();
    for learner in learners.filter(|learner| learner.kind == CUCRL_OPTIMISTIC && learner.runs > 0) {
        let Some(coef) = learner.label.split('+').find_map(|part| part.strip_prefix("coef=")) else {
            continue;
        };
        let (near, runs) = (learner.ended(Ending::Near), learner.runs);
        match counted.iter_mut().find(|(known, ..)| *known == coef) {
            Some((_, all_near, all)) => (*all_near, *all) = (*all_near + near, *all + runs),
            None => counted.push((coef, near, runs)),
        }
    }
    said_of(&counted)
}

/// What runs near the optimum say of coefficients, each with all its runs.
fn said_of(counted: &[(&str, usize, usize)]) -> Option<String> {
    let share = |(_, near, runs): &(&str, usize, usize)| *near as f64 / *runs as f64;
    let shares = || counted.iter().map(share);
    let apart = shares().fold(0.0, f64::max) - shares().fold(1.0, f64::min);
    let part = |(coef, near, runs): &(&str, usize, usize)| format!("{near} of {runs} with {coef}");
    let parts: Vec<String> = counted.iter().map(part).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let words = match apart {
        apart if apart >= 0.5 => "The coefficient of the bonus decides Box",
        _ => "The coefficient of the bonus does not decide Box",
    };
    (counted.len() > 1).then(|| {
        format!("{words}: of the runs of {CUCRL_OPTIMISTIC}, {} end near the optimum.", list(&parts))
    })
}

/// Who is first in each environment, and by how much.
fn first_to_settle(preset: &str, found: &[&Judged]) -> Option<String> {
    let part = |one: &&Judged| {
        let learners = one.summary.learners.iter();
        let mut settled: Vec<(u64, &LearnerSummary)> =
            learners.filter_map(|learner| Some((learner.half_settled_by()?, learner))).collect();
        settled.sort_by_key(|(step, _)| *step);
        let place = format!("in {}", title(one));
        match &settled[..] {
            [] => format!("{place} half of the runs of no learner have settled"),
            [(step, learner)] => format!("{place} {} (by round {step}) alone", learner.label),
            [(step, learner), (next, second), ..] => format!(
                "{place} {} (by round {step}), {:.1} times as early as {} (by {next})",
                learner.label,
                *next as f64 / *step as f64,
                second.label
            ),
        }
    };
    let parts: Vec<String> = found.iter().map(part).collect();
    (!parts.is_empty()).then(|| {
        format!(
            "First to have half of its runs settled near the optimum, under {preset}: {}.",
            parts.join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Summary, SummaryConfig};
    use crate::report::fixture::{MadeUp, Story};

    fn told(chapters: &[Chapter]) -> Vec<String> {
        let summary = |chapter: &Chapter| {
            Summary::of(&chapter.results, &chapter.env.model, SummaryConfig::default()).unwrap()
        };
        let summaries: Vec<Summary> = chapters.iter().map(summary).collect();
        let judged = chapters.iter().zip(&summaries).map(|(chapter, summary)| Judged { chapter, summary });
        of(&judged.collect::<Vec<_>>())
    }

    fn learner(name: &'static str, signals: fn(u64, u64) -> [f64; 2]) -> MadeUp {
        MadeUp { name, signals, epochs: 1, planning: 0.1 }
    }

    #[test]
    fn three_sentences_are_made_from_the_runs() {
        let soon = |_, step| if step <= 20 { [-1.0, 0.0] } else { [-0.775, 0.2] };
        let late = |_, step| if step <= 60 { [-1.0, 0.0] } else { [-0.775, 0.2] };
        let learners = [learner("psrl-transitions", late), learner("cucrl-optimistic", soon)];
        let small = Story::default().chapter("told-small", &learners);
        // A sweep has the learners of its list, one after the other.
        let sweep = Story { environment: "box", options: "coef = [0.01, 0.5]", ..Story::default() };
        let there = |_, _| [-0.865, 0.2];
        let sweep = sweep.chapter("told-sweep", &[learner("cucrl-optimistic", there)]);
        let said = told(&[small, sweep]);
        assert_eq!(
            said[0],
            "There is no chance in the environments: under published, 0 of 64 pairs of Marsrover 4x4 have more than one \
             successor."
        );
        assert_eq!(
            said.last().unwrap(),
            "First to have half of its runs settled near the optimum, under published: in Marsrover 4x4 \
             cucrl-optimistic (by round 38), 2.1 times as early as psrl-transitions (by 78)."
        );
    }

    #[test]
    fn chance_is_told_where_there_is_some_and_nothing_of_nothing() {
        let there = |_, _| [-0.805, 0.2];
        let sound = Story { preset: "sound", ..Story::default() };
        let said = told(&[sound.chapter("told-sound", &[learner("uniform", there)])]);
        assert!(
            said[0].starts_with("There is chance in the environments: under sound, 60 of 64 pairs"),
            "{said:?}"
        );
        assert!(told(&[]).is_empty());
    }

    #[test]
    fn the_coefficient_decides_if_runs_differ_by_it() {
        let at = |coef: &str, near: usize| -> (String, usize) { (coef.to_string(), near) };
        let counted = [at("0.01", 10), at("0.5", 0)];
        let counted: Vec<(&str, usize, usize)> =
            counted.iter().map(|(coef, near)| (coef.as_str(), *near, 10)).collect();
        assert_eq!(
            said_of(&counted).unwrap(),
            "The coefficient of the bonus decides Box: of the runs of cucrl-optimistic, 10 of 10 with 0.01 and 0 of 10 with \
             0.5 end near the optimum."
        );
        assert!(said_of(&[("0.01", 9, 10), ("0.5", 8, 10)]).unwrap().contains("does not decide"));
        assert_eq!(said_of(&counted[..1]), None);
    }
}
