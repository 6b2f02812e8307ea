//! Claims about what learners arrive at, and how soon.

use super::judge::{at_least, at_most, earlier, rounds, shown};
use super::learner::{
    CUCRL_CONSERVATIVE, CUCRL_OPTIMISTIC, CUCRL_TRANSITIONS, PSRL_LAGRANGIAN, PSRL_TRANSITIONS,
};
use super::study::Study;
use super::{Evidence, Observation, Question, Standing};
use crate::analyse::{Ending, Runs, Statistic};

/// The growth in rounds that counts as considerable: that of the number of states.
const CONSIDERABLE: f64 = 4.0;
const OPTIMISTS: [&str; 3] = [CUCRL_OPTIMISTIC, CUCRL_CONSERVATIVE, CUCRL_TRANSITIONS];

/// The claims.
pub const QUESTIONS: [Question; 10] = [
    Question {
        text: "On Marsrover 4x4 every learner converges to the optimum.",
        test: "At the end, at least half of the runs are near the optimum.",
        ask: |evidence| evidence.rover4.iter().flat_map(all_converge).collect(),
    },
    Question {
        text: "On Marsrover 8x8 every learner converges to the optimum.",
        test: "As on 4x4.",
        ask: |evidence| evidence.rover8.iter().flat_map(all_converge).collect(),
    },
    Question {
        text: "On Marsrover 4x4 cucrl-optimistic is there first.",
        test: "Half of its runs have settled near the optimum by an earlier round than half of those of each other learner.",
        ask: |evidence| evidence.rover4.iter().flat_map(optimistic_is_first).collect(),
    },
    Question {
        text: "cucrl-conservative does not violate the budget while it learns (Marsrover).",
        test: "The largest moving average of its cost, mean over the runs, is at most the budget.",
        ask: |evidence| evidence.rovers().map(keeps_the_budget).collect(),
    },
    Question {
        text: "64 states instead of 16 slow the posterior samplers down considerably.",
        test: "Half of the runs have settled on 8x8 after at least four times as many rounds as on 4x4.",
        ask: slowed_down,
    },
    Question {
        text: "On Box the optimistic learners get stuck with the safe policy.",
        test: "At the end, at least half of the runs are with the safe policy: the reward is at least that of the safe policy, \
               as far as that is near, and the cost nearer that of the safe policy than the budget.",
        ask: |evidence| evidence.pushing.iter().flat_map(stuck).collect(),
    },
    Question {
        text: "On Box both posterior samplers converge to the optimum.",
        test: "As on Marsrover.",
        ask: |evidence| evidence.pushing.iter().flat_map(samplers_converge).collect(),
    },
    Question {
        text: "psrl-lagrangian varies more than psrl-transitions.",
        test: "The standard deviation over the runs of the moving average of the reward, averaged over the second half of \
               the rounds, is larger.",
        ask: |evidence| evidence.all().map(|study| pair(study, more_spread)).collect(),
    },
    Question {
        text: "psrl-transitions converges faster than psrl-lagrangian.",
        test: "Half of its runs have settled near the optimum by an earlier round.",
        ask: |evidence| evidence.all().map(|study| pair(study, faster)).collect(),
    },
    Question {
        text: "Posterior sampling is statistically more efficient: it needs fewer rounds than optimism.",
        test: "Half of the runs of each posterior sampler have settled by an earlier round than half of those of each \
               optimistic learner of the same experiment.",
        ask: |evidence| evidence.all().map(fewer_rounds).collect(),
    },
];

/// A question about one learner, where it was run.
fn one(study: &Study, kind: &str, ask: impl Fn(&Study, &Runs) -> Observation) -> Observation {
    study.learner(kind).map_or_else(|| study.untested(kind), |runs| ask(study, runs))
}

/// A question about both posterior samplers, where both were run.
pub fn pair(study: &Study, ask: fn(&Study, &Runs, &Runs) -> Observation) -> Observation {
    match [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(|kind| study.learner(kind)) {
        [Some(transitions), Some(lagrangian)] => ask(study, transitions, lagrangian),
        [None, _] => study.untested(PSRL_TRANSITIONS),
        [_, None] => study.untested(PSRL_LAGRANGIAN),
    }
}

fn all_converge(study: &Study) -> Vec<Observation> {
    within_limits(study, study.learners.iter().map(|runs| study.ends(runs, Ending::Near)).collect())
}

fn samplers_converge(study: &Study) -> Vec<Observation> {
    let near = |study: &Study, runs: &Runs| study.ends(runs, Ending::Near);
    within_limits(study, [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(|kind| one(study, kind, near)).into())
}

/// Says first what is near the optimum.
fn within_limits(study: &Study, mut parts: Vec<Observation>) -> Vec<Observation> {
    if let Some(first) = parts.first_mut() {
        first.words = format!("{}: {}", study.near(), first.words);
    }
    parts
}

fn optimistic_is_first(study: &Study) -> Vec<Observation> {
    let Some(runs) = study.learner(CUCRL_OPTIMISTIC) else { return vec![study.untested(CUCRL_OPTIMISTIC)] };
    let own = study.settles(runs);
    let others = study.learners.iter().copied().filter(|other| other.kind != CUCRL_OPTIMISTIC);
    let compare = |(at, other): (usize, &Runs)| {
        let standing = earlier(&own, &study.settles(other));
        let words = format!("{} {}", other.label, study.settling(other));
        let first = format!("half settled by round: cucrl-optimistic {}, ", study.settling(runs));
        let words = if at == 0 { first + &words } else { words };
        Observation { about: format!("earlier than {}", other.label), standing, words }
    };
    others.enumerate().map(compare).collect()
}

fn keeps_the_budget(study: &Study) -> Observation {
    one(study, CUCRL_CONSERVATIVE, |study, runs| {
        let highest = study.highest_cost(runs);
        let words = format!("{}: at most {}, budget {}", study.name(), shown(&highest, 3), study.budget());
        Observation { about: study.name().to_string(), standing: at_most(&highest, study.budget()), words }
    })
}

fn slowed_down(evidence: &Evidence) -> Vec<Observation> {
    let (Some(small), Some(large)) = (&evidence.rover4, &evidence.rover8) else { return Vec::new() };
    let compare = |kind: &str| {
        let (Some(few), Some(many)) = (small.learner(kind), large.learner(kind)) else {
            return large.untested(kind);
        };
        let from = format!("from {} to {}", small.settling(few), large.settling(many));
        let (standing, times) = slowdown(&small.settles(few), &large.settles(many), large.rounds());
        Observation { about: kind.to_string(), standing, words: format!("{kind}: {times}{from}") }
    };
    [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(compare).into()
}

/// Whether a number of rounds is considerably larger than another, and by how much in words. One that was not reached before
/// the last round is larger than that, and how much larger is not known.
fn slowdown(few: &Statistic, many: &Statistic, last: f64) -> (Standing, String) {
    if few.value.is_infinite() {
        return (Standing::Censored, String::new());
    }
    let ratio = many.with(few, |many, few| many.min(last) / few);
    if many.value.is_finite() {
        return (at_least(&ratio, CONSIDERABLE), format!("{} times, ", shown(&ratio, 1)));
    }
    let standing =
        if at_least(&ratio, CONSIDERABLE) == Standing::Holds { Standing::Holds } else { Standing::Censored };
    (standing, format!("more than {:.1} times, ", last / few.value))
}

fn stuck(study: &Study) -> Vec<Observation> {
    let optimists = study.learners.iter().filter(|runs| OPTIMISTS.contains(&runs.kind.as_str()));
    optimists.map(|runs| study.ends(runs, Ending::Safe)).collect()
}

fn more_spread(study: &Study, transitions: &Runs, lagrangian: &Runs) -> Observation {
    let (few, many) = (study.spread(transitions), study.spread(lagrangian));
    let ratio = many.with(&few, |many, few| many / few.max(1e-12));
    let (about, words) = (study.name().to_string(), study.beside(&many, &few, 4));
    Observation { about, standing: at_least(&ratio, 1.0), words }
}

fn faster(study: &Study, transitions: &Runs, lagrangian: &Runs) -> Observation {
    let standing = earlier(&study.settles(transitions), &study.settles(lagrangian));
    let [one, other] = [transitions, lagrangian].map(|runs| study.settling(runs));
    Observation {
        about: study.name().to_string(),
        standing,
        words: format!("{}: {one} against {other}", study.name()),
    }
}

/// Every posterior sampler against every optimistic learner.
fn fewer_rounds(study: &Study) -> Observation {
    let settled: Vec<Statistic> = study.learners.iter().map(|runs| study.settles(runs)).collect();
    let compare = |a: usize, b: usize| earlier(&settled[a], &settled[b]);
    let listed: Vec<String> = study
        .learners
        .iter()
        .zip(&settled)
        .map(|(runs, half)| format!("{} {}", runs.label, rounds(half.value)))
        .collect();
    against_optimists(study, compare, "fewer", &listed.join(", "))
}

/// What all comparisons of a posterior sampler with an optimistic learner say together: how many say what, and which ones
/// hold.
pub fn against_optimists(
    study: &Study,
    compare: impl Fn(usize, usize) -> Standing,
    less: &str,
    listed: &str,
) -> Observation {
    let of = |kinds: &[&str]| -> Vec<usize> {
        (0..study.learners.len()).filter(|&at| kinds.contains(&study.learners[at].kind.as_str())).collect()
    };
    let (samplers, optimists) = (of(&[PSRL_TRANSITIONS, PSRL_LAGRANGIAN]), of(&OPTIMISTS));
    let pairs: Vec<(usize, usize)> =
        samplers.iter().flat_map(|&a| optimists.iter().map(move |&b| (a, b))).collect();
    let found: Vec<Standing> = pairs.iter().map(|&(a, b)| compare(a, b)).collect();
    let count = |standing| found.iter().filter(|&&other| other == standing).count();
    let said = [
        (Standing::Holds, less),
        (Standing::Fails, "more"),
        (Standing::Undecided, "undecided"),
        (Standing::Censored, "neither settled"),
    ];
    let said = said.iter().filter(|(standing, _)| count(*standing) > 0);
    let said: Vec<String> = said.map(|(standing, word)| format!("{word} in {}", count(*standing))).collect();
    let label = |at: usize| study.learners[at].label.as_str();
    let holding = pairs.iter().zip(&found).filter(|(_, standing)| **standing == Standing::Holds);
    let holding: Vec<String> =
        holding.map(|((a, b), _)| format!("{} than {}", label(*a), label(*b))).collect();
    let whom = match holding.len() {
        0 => String::new(),
        all if all == pairs.len() => String::new(),
        _ => format!(", {less} {}", holding.join(" and ")),
    };
    let words = format!("{}: {} of {} pairs{whom} ({listed})", study.name(), said.join(", "), pairs.len());
    Observation { about: study.name().to_string(), standing: Standing::together(&found), words }
}
