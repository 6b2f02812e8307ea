//! Claims about computation: times and epochs.

use super::convergence::{against_optimists, pair};
use super::learner::{CUCRL_TRANSITIONS, PSRL_LAGRANGIAN, PSRL_TRANSITIONS};
use super::numbers::Number;
use super::study::Study;
use super::{Observation, Question, Standing};
use crate::number::duration;
use crate::report::Runs;
use occupancy::arithmetic::elementary::ln;

/// A learner that takes so many times as long as the slowest other one is impractical beside it.
const IMPRACTICAL: f64 = 10.0;

/// The claims.
pub const QUESTIONS: [Question; 4] = [
    Question {
        text: "PSRLTransitions costs more computation than PSRLLagrangian.",
        test: "A run spends more time in the learner.",
        ask: |evidence| evidence.all().map(|study| pair(study, costs_more)).collect(),
    },
    Question {
        text: "Posterior sampling is computationally cheaper than optimism.",
        test: "A run of each posterior sampler spends less time in the learner than one of each optimistic learner of \
               the same experiment.",
        ask: |evidence| evidence.all().map(less_computation).collect(),
    },
    Question {
        text: "Posterior samplers plan at most √(2 S A T ln T) times, under the epochs of TSDE.",
        test: "The mean number of epochs is at most that bound. Under another rule the bound is not the paper's claim, \
               and the numbers are given only.",
        ask: |evidence| evidence.all().flat_map(few_epochs).collect(),
    },
    Question {
        text: "CUCRLTransitions is impractical beyond 4x4.",
        test: "A run spends at least ten times as long in the learner as one of the slowest other learner. Here the \
               program is solved exactly as a linear one; the paper's code searches the bilinear form.",
        ask: |evidence| {
            [&evidence.rover8, &evidence.pushing].into_iter().flatten().map(impractical).collect()
        },
    },
];

fn no_times(study: &Study) -> Observation {
    Observation { standing: Standing::Missing, words: format!("{}: no times", study.name()) }
}

fn costs_more(study: &Study, transitions: &Runs, lagrangian: &Runs) -> Observation {
    let (Some(one), Some(other)) = (study.planning(transitions), study.planning(lagrangian)) else {
        return no_times(study);
    };
    let ratio = one.with(&other, |a, b| a / b);
    let [shown, against] = [&one, &other].map(|number| duration(number.value));
    let words = format!("{}: {} times, {shown} against {against}", study.name(), ratio.shown(2));
    Observation { standing: ratio.at_least(1.0), words }
}

fn less_computation(study: &Study) -> Observation {
    let times: Vec<Option<Number>> = study.learners.iter().map(|runs| study.planning(runs)).collect();
    let compare = |a: usize, b: usize| match (&times[a], &times[b]) {
        (Some(a), Some(b)) => a.with(b, |a, b| a / b).at_most(1.0),
        _ => Standing::Depends,
    };
    let (standing, counts) = against_optimists(&study.learners, compare);
    let listed = study.learners.iter().zip(&times).map(|(runs, time)| match time {
        Some(time) => format!("{} {}", runs.label, duration(time.value)),
        None => format!("{} not known", runs.label),
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    Observation {
        standing,
        words: format!("{}: {} ({listed})", study.name(), counts.replace("fewer", "less")),
    }
}

fn few_epochs(study: &Study) -> Vec<Observation> {
    let (pairs, rounds) = (study.manifest.environment.pairs as f64, study.rounds());
    let bound = (2.0 * pairs * rounds * ln(rounds)).sqrt();
    let ask = |kind: &str| {
        let Some(runs) = study.learner(kind) else { return study.missing(kind) };
        let epochs = study.epochs(runs);
        let rule = study.experiment.learners.iter().find(|learner| learner.label == runs.label);
        let rule = rule.and_then(|learner| {
            learner.config.infos().into_iter().find(|info| info.name == "epochs").map(|info| info.value)
        });
        let standing =
            if rule.as_deref() == Some("tsde") { epochs.at_most(bound) } else { Standing::Depends };
        let words = format!(
            "{} {}: {} epochs by the rule {}, bound {bound:.0}",
            study.name(),
            kind,
            epochs.shown(0),
            rule.as_deref().map_or("not known", rule_name)
        );
        Observation { standing, words }
    };
    [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].map(ask).into()
}

/// The name of a rule without its number.
fn rule_name(rule: &str) -> &str {
    rule.split(':').next().unwrap_or(rule)
}

fn impractical(study: &Study) -> Observation {
    let Some(runs) = study.learner(CUCRL_TRANSITIONS) else { return study.missing(CUCRL_TRANSITIONS) };
    let others = study.learners.iter().filter(|other| other.kind != CUCRL_TRANSITIONS);
    let slowest = others
        .filter_map(|other| Some((other, study.planning(other)?)))
        .max_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let (Some(own), Some((other, time))) = (study.planning(runs), slowest) else { return no_times(study) };
    let ratio = own.with(&time, |own, time| own / time);
    let words = format!(
        "{}: {} a run, {} times that of {}",
        study.name(),
        duration(own.value),
        ratio.shown(2),
        other.label
    );
    Observation { standing: ratio.at_least(IMPRACTICAL), words }
}
