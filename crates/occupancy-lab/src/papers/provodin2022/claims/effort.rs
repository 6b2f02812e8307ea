//! Claims about computation: times and epochs. Times are CPU times of the thread that does a run.

use super::convergence::{against_optimists, pair};
use super::judge::{at_least, at_most, shown};
use super::learner::{CUCRL_TRANSITIONS, PSRL_LAGRANGIAN, PSRL_TRANSITIONS};
use super::study::Study;
use super::{Evidence, Observation, Question, Standing};
use crate::analyse::{Runs, Statistic};
use crate::number::duration;
use occupancy::arithmetic::elementary::ln;

/// A learner that takes so many times as long as the slowest other one is impractical beside it.
const IMPRACTICAL: f64 = 10.0;

/// The claims.
pub const QUESTIONS: [Question; 4] = [
    Question {
        text: "psrl-transitions costs more computation than psrl-lagrangian.",
        test: "A run spends more CPU time in the learner.",
        ask: |evidence| evidence.all().map(|study| pair(study, costs_more)).collect(),
    },
    Question {
        text: "Posterior sampling is computationally cheaper than optimism.",
        test: "A run of each posterior sampler spends less CPU time in the learner than one of each optimistic learner of \
               the same experiment.",
        ask: |evidence| evidence.all().map(less_computation).collect(),
    },
    Question {
        text: "Posterior samplers plan at most √(2 S A T ln T) times, under the epochs of TSDE.",
        test: "The mean number of epochs is at most that bound, in runs of their own under the rule tsde: no preset has it.",
        ask: few_epochs,
    },
    Question {
        text: "cucrl-transitions is impractical beyond 4x4.",
        test: "A run spends at least ten times as much CPU time in the learner as one of the slowest other learner. Here the \
               program is solved exactly as a linear one; the paper's code searches the bilinear form.",
        ask: |evidence| {
            [&evidence.rover8, &evidence.pushing].into_iter().flatten().map(impractical).collect()
        },
    },
];

fn no_times(study: &Study) -> Observation {
    let (about, words) = (study.name().to_string(), format!("{}: no times", study.name()));
    Observation { about, standing: Standing::Untested, words }
}

fn costs_more(study: &Study, transitions: &Runs, lagrangian: &Runs) -> Observation {
    let (Some(one), Some(other)) = (study.planning(transitions), study.planning(lagrangian)) else {
        return no_times(study);
    };
    let ratio = one.with(&other, |a, b| a / b);
    let [time, against] = [&one, &other].map(|number| duration(number.value));
    let words = format!("{}: {} times, {time} against {against}", study.name(), shown(&ratio, 2));
    Observation { about: study.name().to_string(), standing: at_least(&ratio, 1.0), words }
}

fn less_computation(study: &Study) -> Observation {
    let times: Vec<Option<Statistic>> = study.learners.iter().map(|runs| study.planning(runs)).collect();
    let compare = |a: usize, b: usize| match (&times[a], &times[b]) {
        (Some(a), Some(b)) => at_most(&a.with(b, |a, b| a / b), 1.0),
        _ => Standing::Untested,
    };
    let listed = study.learners.iter().zip(&times).map(|(runs, time)| match time {
        Some(time) => format!("{} {}", runs.label, duration(time.value)),
        None => format!("{} not known", runs.label),
    });
    against_optimists(study, compare, "less", &listed.collect::<Vec<_>>().join(", "))
}

/// Of the sweeps, the posterior samplers that plan by the rule of the bound.
fn few_epochs(evidence: &Evidence) -> Vec<Observation> {
    let mut found = Vec::new();
    for study in &evidence.sweeps {
        let samplers =
            study.learners.iter().filter(|runs| is_sampler(runs) && rule(study, runs) == Some("tsde".into()));
        found.extend(samplers.map(|runs| within_bound(study, runs)));
    }
    found
}

fn is_sampler(runs: &Runs) -> bool {
    [PSRL_TRANSITIONS, PSRL_LAGRANGIAN].contains(&runs.kind.as_str())
}

/// When a learner plans again.
fn rule(study: &Study, runs: &Runs) -> Option<String> {
    let learners = &study.judged.chapter.experiment.learners;
    let learner = learners.iter().find(|learner| learner.label == runs.label)?;
    learner.config.infos().into_iter().find(|info| info.name == "epochs").map(|info| info.value)
}

fn within_bound(study: &Study, runs: &Runs) -> Observation {
    let rounds = study.rounds();
    let bound = (2.0 * study.pairs() * rounds * ln(rounds)).sqrt();
    let epochs = study.epochs(runs);
    let about = format!("{} {}", study.name(), runs.kind);
    let words = format!("{about}: {} epochs in {rounds} rounds, bound {bound:.0}", shown(&epochs, 0));
    Observation { about, standing: at_most(&epochs, bound), words }
}

fn impractical(study: &Study) -> Observation {
    let Some(runs) = study.learner(CUCRL_TRANSITIONS) else { return study.untested(CUCRL_TRANSITIONS) };
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
        shown(&ratio, 2),
        other.label
    );
    Observation { about: study.name().to_string(), standing: at_least(&ratio, IMPRACTICAL), words }
}
