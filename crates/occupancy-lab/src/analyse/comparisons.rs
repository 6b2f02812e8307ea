//! By how much learners differ: each from the reference and from the best one, or every two of them.
//!
//! The reference is the learner of kind `oracle`, or the first one where there is none. The best one, oracles apart, has
//! the greatest mean reward at the end of those whose mean costs are within their budgets, as far as that is near; if there are
//! none, it exceeds its budgets least. So a thousand learners have two thousand comparisons and not half a million.

use super::limits::Limits;
use super::summary::Values;
use crate::analyse::stats::{Bootstrap, mean};
use crate::parallel;
use crate::store::Manifest;

/// By how much two learners differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The first learner.
    pub label: String,
    /// The second one.
    pub other: String,
    /// In what.
    pub quantity: String,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// Its bootstrap interval.
    pub interval: Option<(f64, f64)>,
}

/// Whom the others are compared with, by their places among the learners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Anchors {
    pub reference: Option<usize>,
    pub best: Option<usize>,
}

impl Anchors {
    /// Those of some learners, of which only such with runs are taken.
    pub fn of(values: &[Values], manifest: &Manifest, limits: &Limits) -> Anchors {
        let oracle = |&at: &usize| manifest.learners.get(at).is_some_and(|entry| entry.kind == "oracle");
        let present = || (0..values.len()).filter(|&at| values[at].runs > 0);
        let excess = |at: usize| {
            let costs = manifest.environment.budgets.iter().enumerate();
            let over = costs.map(|(i, budget)| values[at].mean(&format!("cost_{i}")) - budget);
            over.fold(f64::NEG_INFINITY, |most, x| if x > most || x.is_nan() { x } else { most })
        };
        let known = |&at: &usize| !values[at].mean("reward").is_nan() && !excess(at).is_nan();
        let candidates: Vec<usize> = present().filter(|at| !oracle(at)).filter(known).collect();
        let costs = manifest.environment.costs.len();
        let means =
            |at: usize| (0..costs).map(|i| values[at].mean(&format!("cost_{i}"))).collect::<Vec<f64>>();
        let within: Vec<usize> =
            candidates.iter().copied().filter(|&at| limits.affords(&means(at))).collect();
        // Of equals the first, which is the last in the other direction.
        let most = within
            .into_iter()
            .rev()
            .max_by(|&a, &b| values[a].mean("reward").total_cmp(&values[b].mean("reward")));
        let least = || candidates.into_iter().min_by(|&a, &b| excess(a).total_cmp(&excess(b)));
        Anchors { reference: present().find(oracle).or_else(|| present().next()), best: most.or_else(least) }
    }

    /// Every learner with the reference and the best one.
    pub fn pairs(self, learners: usize) -> Vec<(usize, usize)> {
        let others = |one: usize| {
            let best = self.best.filter(|_| self.reference != Some(one));
            [self.reference, best.filter(|best| self.reference != Some(*best))].into_iter().flatten()
        };
        let with_others = |one| others(one).filter(move |&other| other != one).map(move |other| (one, other));
        (0..learners).flat_map(with_others).collect()
    }
}

/// Every two learners.
pub(super) fn all_pairs(learners: usize) -> Vec<(usize, usize)> {
    (0..learners).flat_map(|one| (one + 1..learners).map(move |other| (one, other))).collect()
}

/// The differences of pairs of learners in every quantity that a reader compares, each inside the range that is possible.
pub(super) fn compare(
    values: &[Values],
    pairs: &[(usize, usize)],
    level: f64,
    possible: &(dyn Fn(&str) -> (f64, f64) + Sync),
) -> Vec<Comparison> {
    let found =
        parallel::map(pairs, |&(one, other)| differences(&values[one], &values[other], level, possible));
    found.into_iter().flatten().collect()
}

fn is_compared(name: &str) -> bool {
    let numbered = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    ["reward", "regret"].contains(&name) || numbered("cost_") || numbered("violation_")
}

/// A quantity and its values in the runs of two learners.
type Compared<'a> = (&'a String, &'a [f64], &'a [f64]);

/// Learners of one kind draw the same random numbers in runs of the same number: their resamples are the same, and so they
/// are compared in pairs.
fn differences(
    one: &Values,
    other: &Values,
    level: f64,
    possible: &dyn Fn(&str) -> (f64, f64),
) -> Vec<Comparison> {
    let compared = one.quantities.iter().filter(|(name, _)| is_compared(name));
    let both = compared.filter_map(|(name, of_one)| Some((name, of_one.as_slice(), other.numbers(name)?)));
    let both: Vec<Compared> = both.collect();
    let (of_one, of_other): (Vec<&[f64]>, Vec<&[f64]>) = both.iter().map(|(_, a, b)| (*a, *b)).unzip();
    let [a, b] = [one, other].map(|values| Bootstrap::new(values.runs, level, &values.kind));
    let intervals = a.differences(&of_one, &b, &of_other);
    let comparison = |((name, a, b), interval): (&Compared, Option<(f64, f64)>)| {
        let (least, most) = possible(name);
        let inside = |x: f64| x.clamp(least - most, most - least);
        Comparison {
            label: one.label.clone(),
            other: other.label.clone(),
            quantity: name.to_string(),
            difference: mean(a) - mean(b),
            interval: interval.map(|(low, high)| (inside(low), inside(high))),
        }
    };
    both.iter().zip(intervals).map(comparison).collect()
}

/// The resamples of the runs of a kind of learner, made once for each count of numbers.
pub(super) struct Resamples<'a> {
    kind: &'a str,
    level: f64,
    made: Vec<(usize, Bootstrap)>,
}

impl Resamples<'_> {
    pub fn new(kind: &str, level: f64) -> Resamples<'_> {
        Resamples { kind, level, made: Vec::new() }
    }

    pub fn of(&mut self, count: usize) -> &Bootstrap {
        let place = self.made.iter().position(|(known, _)| *known == count).unwrap_or_else(|| {
            self.made.push((count, Bootstrap::new(count, self.level, self.kind)));
            self.made.len() - 1
        });
        &self.made[place].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_learner_is_compared_with_the_reference_and_the_best_and_no_two_twice() {
        let pairs = |reference, best| Anchors { reference, best }.pairs(4);
        assert_eq!(pairs(Some(0), Some(2)), [(1, 0), (1, 2), (2, 0), (3, 0), (3, 2)]);
        assert_eq!(pairs(Some(1), Some(1)), [(0, 1), (2, 1), (3, 1)]);
        assert_eq!(pairs(None, None), []);
        assert_eq!(all_pairs(3), [(0, 1), (0, 2), (1, 2)]);
        let many = Anchors { reference: Some(0), best: Some(1) }.pairs(1000);
        assert_eq!(many.len(), 2 * 998 + 1);
    }

    #[test]
    fn quantities_that_a_reader_compares_are_those_at_the_end() {
        let names = ["reward", "cost_0", "violation_12", "cost_0_total", "average_reward", "regret_total"];
        assert_eq!(names.map(is_compared), [true, true, true, false, false, false]);
    }
}
