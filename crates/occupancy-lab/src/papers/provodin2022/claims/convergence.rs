//! Claims about what learners arrive at, and how soon.

use super::learner::{
    CUCRL_CONSERVATIVE, CUCRL_OPTIMISTIC, CUCRL_TRANSITIONS, PSRL_LAGRANGIAN, PSRL_TRANSITIONS,
};
use super::numbers::{Number, both};
use super::study::Study;
use super::{Evidence, Observation, Question, Standing};
use crate::report::Runs;

/// The growth in rounds that counts as considerable: that of the number of states.
const CONSIDERABLE: f64 = 4.0;
const OPTIMISTS: [&str; 3] = [CUCRL_OPTIMISTIC, CUCRL_CONSERVATIVE, CUCRL_TRANSITIONS];

/// The claims.
pub const QUESTIONS: [Question; 10] = [
    Question {
        text: "On Marsrover 4x4 every learner converges to the optimum.",
        test: "Over the last window, the mean reward is at least what three quarters of the budget would allow, and the \
               mean cost at most a quarter above the budget.",
        ask: |evidence| evidence.rover4.iter().flat_map(all_converge).collect(),
    },
    Question {
        text: "On Marsrover 8x8 every learner converges to the optimum.",
        test: "As on 4x4.",
        ask: |evidence| evidence.rover8.iter().flat_map(all_converge).collect(),
    },
    Question {
        text: "On Marsrover 4x4 CUCRLOptimistic is there first.",
        test: "It settles near the optimum in fewer rounds than each other learner.",
        ask: |evidence| evidence.rover4.iter().flat_map(optimistic_is_first).collect(),
    },
    Question {
        text: "CUCRLConservative does not violate the budget while it learns (Marsrover).",
        test: "The largest moving average of its cost, mean over the runs, is at most the budget.",
        ask: |evidence| evidence.rovers().map(keeps_the_budget).collect(),
    },
    Question {
        text: "64 states instead of 16 slow the posterior samplers down considerably.",
        test: "They settle on 8x8 after at least four times as many rounds as on 4x4.",
        ask: slowed_down,
    },
    Question {
        text: "On Box the optimistic learners get stuck with the safe policy.",
        test: "Over the last window the mean cost is below half of the budget, and the mean reward below what half of \
               the budget would allow, but not below what a tenth of it would by more than half of it is worth.",
        ask: |evidence| evidence.pushing.iter().flat_map(stuck).collect(),
    },
    Question {
        text: "On Box both posterior samplers converge to the optimum.",
        test: "As on Marsrover.",
        ask: |evidence| evidence.pushing.iter().flat_map(samplers_converge).collect(),
    },
    Question {
        text: "PSRLLagrangian varies more than PSRLTransitions.",
        test: "The standard deviation over the runs of the moving average of the reward, averaged over the second half of \
               the rounds, is larger.",
        ask: |evidence| evidence.all().map(|study| pair(study, more_spread)).collect(),
    },
    Question {
        text: "PSRLTransitions converges faster than PSRLLagrangian.",
        test: "It settles near the optimum in fewer rounds.",
        ask: |evidence| evidence.all().map(|study| pair(study, faster)).collect(),
    },
    Question {
        text: "Posterior sampling is statistically more efficient: it needs fewer rounds than optimism.",
        test: "Each posterior sampler settles in fewer rounds than each optimistic learner of the same experiment.",
        ask: |evidence| evidence.all().map(fewer_rounds).collect(),
    },
];

/// A question about one learner, where it was run.
fn one(study: &Study, kind: &str, ask: impl Fn(&Study, &Runs) -> Observation) -> Observation {
    study.learner(kind).map_or_else(|| study.missing(kind), |runs| ask(study, runs))
}

/// A question about both posterior samplers, where both were run.
pub fn pair(study: &Study, ask: fn(&Study, &Runs, &Runs) -> Observation) -> Observation {
    match [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(|kind| study.learner(kind)) {
        [Some(transitions), Some(lagrangian)] => ask(study, transitions, lagrangian),
        [None, _] => study.missing(PSRL_TRANSITIONS),
        [_, None] => study.missing(PSRL_LAGRANGIAN),
    }
}

fn all_converge(study: &Study) -> Vec<Observation> {
    within_limits(study, study.learners.iter().map(|runs| study.converges(runs)).collect())
}

fn samplers_converge(study: &Study) -> Vec<Observation> {
    let parts = [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(|kind| one(study, kind, Study::converges));
    within_limits(study, parts.into())
}

/// Says first what is near the optimum.
fn within_limits(study: &Study, mut parts: Vec<Observation>) -> Vec<Observation> {
    let (least, most) = study.limits();
    if let Some(first) = parts.first_mut() {
        first.words = format!("near is at least {least:.4} at cost {most:.3} at most: {}", first.words);
    }
    parts
}

fn optimistic_is_first(study: &Study) -> Vec<Observation> {
    let Some(runs) = study.learner(CUCRL_OPTIMISTIC) else { return vec![study.missing(CUCRL_OPTIMISTIC)] };
    let own = study.settles(runs);
    let others = study.learners.iter().filter(|other| other.kind != CUCRL_OPTIMISTIC);
    let compare = |(at, other): (usize, &Runs)| {
        let settled = study.settles(other);
        let words = format!("{} {}", other.label, study.settling(&settled));
        let first = format!("settled from round: cucrl-optimistic {}, ", study.settling(&own));
        Observation { standing: earlier(&own, &settled), words: if at == 0 { first + &words } else { words } }
    };
    others.enumerate().map(compare).collect()
}

/// Whether one number of rounds is below another; two learners that never settle are not compared.
fn earlier(one: &Number, other: &Number) -> Standing {
    let difference = one.with(other, |a, b| a - b);
    match difference.interval() {
        Some((_, high)) if high < 0.0 => Standing::Holds,
        Some((low, _)) if low > 0.0 => Standing::Fails,
        _ => Standing::Depends,
    }
}

fn keeps_the_budget(study: &Study) -> Observation {
    one(study, CUCRL_CONSERVATIVE, |study, runs| {
        let highest = study.highest_cost(runs);
        let words = format!("{}: at most {}, budget {}", study.name(), highest.shown(3), study.budget());
        Observation { standing: highest.at_most(study.budget()), words }
    })
}

fn slowed_down(evidence: &Evidence) -> Vec<Observation> {
    let (Some(small), Some(large)) = (&evidence.rover4, &evidence.rover8) else { return Vec::new() };
    let compare = |kind: &str| {
        let (Some(few), Some(many)) = (small.learner(kind), large.learner(kind)) else {
            return large.missing(kind);
        };
        let (few, many) = (small.settles(few), large.settles(many));
        let ratio = many.with(&few, |many, few| many / few);
        let words = format!(
            "{}: {} times, from {} to {}",
            kind,
            ratio.shown(1),
            small.settling(&few),
            large.settling(&many)
        );
        // Where the small one never settles, the ratio means nothing.
        let standing =
            if few.value >= small.rounds() { Standing::Depends } else { ratio.at_least(CONSIDERABLE) };
        Observation { standing, words }
    };
    [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(compare).into()
}

fn stuck(study: &Study) -> Vec<Observation> {
    let worst = study.tenth - (study.optimum - study.half);
    let ask = |runs: &Runs| {
        let (reward, cost) = (study.at_end(runs, 0), study.at_end(runs, 1));
        let between = both(reward.at_most(study.half), reward.at_least(worst));
        let standing = both(between, cost.at_most(study.budget() / 2.0));
        Observation {
            standing,
            words: format!("{} {} at cost {}", runs.label, reward.shown(4), cost.shown(3)),
        }
    };
    study.learners.iter().filter(|runs| OPTIMISTS.contains(&runs.kind.as_str())).map(ask).collect()
}

fn more_spread(study: &Study, transitions: &Runs, lagrangian: &Runs) -> Observation {
    let (few, many) = (study.spread(transitions), study.spread(lagrangian));
    let ratio = many.with(&few, |many, few| many / few.max(1e-12));
    let words = format!("{}: {} against {}", study.name(), many.shown(4), few.shown(4));
    Observation { standing: ratio.at_least(1.0), words }
}

fn faster(study: &Study, transitions: &Runs, lagrangian: &Runs) -> Observation {
    let [one, other] = [transitions, lagrangian].map(|runs| study.settles(runs));
    let words = format!("{}: {} against {}", study.name(), study.settling(&one), study.settling(&other));
    Observation { standing: earlier(&one, &other), words }
}

/// Every posterior sampler against every optimistic learner.
fn fewer_rounds(study: &Study) -> Observation {
    let settled: Vec<(&Runs, Number)> =
        study.learners.iter().map(|runs| (runs, study.settles(runs))).collect();
    let compare = |a: usize, b: usize| earlier(&settled[a].1, &settled[b].1);
    let listed: Vec<String> =
        settled.iter().map(|(runs, number)| format!("{} {}", runs.label, study.settling(number))).collect();
    let (standing, counts) = against_optimists(&study.learners, compare);
    Observation { standing, words: format!("{}: {counts} ({})", study.name(), listed.join(", ")) }
}

/// What all comparisons of a posterior sampler with an optimistic learner say together, and how many say what.
pub fn against_optimists(
    learners: &[Runs],
    compare: impl Fn(usize, usize) -> Standing,
) -> (Standing, String) {
    let of = |kinds: &[&str]| -> Vec<usize> {
        (0..learners.len()).filter(|&at| kinds.contains(&learners[at].kind.as_str())).collect()
    };
    let (samplers, optimists) = (of(&[PSRL_TRANSITIONS, PSRL_LAGRANGIAN]), of(&OPTIMISTS));
    let found: Vec<Standing> = samplers
        .iter()
        .flat_map(|&a| optimists.iter().map(move |&b| (a, b)))
        .map(|(a, b)| compare(a, b))
        .collect();
    let count = |standing| found.iter().filter(|&&other| other == standing).count();
    let (less, more, all) = (count(Standing::Holds), count(Standing::Fails), found.len());
    let standing = match all {
        0 => Standing::Missing,
        all if less == all => Standing::Holds,
        all if more == all => Standing::Fails,
        _ => Standing::Depends,
    };
    (standing, format!("fewer in {less}, more in {more} of {all} pairs"))
}
