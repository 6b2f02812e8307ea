//! Counts of a world whose transitions are not known beforehand: every step may bring one that was never seen.
//!
//! What a step brought may be random there. A transition keeps the mean of what it brought so far, so that
//! Σ_t x_t = Σ N(s,a,s′) x̄(s,a,s′) holds as in a known model.

use super::{Counts, Ends};
use crate::model::Task;
use crate::model::support::Support;

impl Counts {
    /// Nothing seen yet of a task.
    pub(crate) fn of_task(task: &Task) -> Counts {
        let (states, pairs) = (task.states(), task.pairs());
        let ends = task.horizon().map(|horizon| Ends {
            support: Support::unknown(pairs / horizon),
            taken: Vec::new(),
            first: pairs - pairs / horizon,
            states: states / horizon,
        });
        Counts {
            support: Support::unknown(pairs),
            first_pair: (0..states).map(|state| task.pairs_of(state).start).chain([pairs]).collect(),
            values: vec![Vec::new(); 1 + task.costs()],
            taken: Vec::new(),
            visits: vec![0; pairs],
            ends,
        }
    }

    /// Counts a step and what it brought: the reward, then the costs.
    pub(crate) fn observe(&mut self, pair: usize, next: usize, signals: &[f64]) {
        let entry = self.support.find(pair, next).unwrap_or_else(|| {
            let entry = self.support.insert(pair, next as u32);
            self.taken.insert(entry, 0);
            self.values.iter_mut().zip(signals).for_each(|(values, &signal)| values.insert(entry, signal));
            entry
        });
        self.taken[entry] += 1;
        self.visits[pair] += 1;
        for (values, signal) in self.values.iter_mut().zip(signals) {
            // A signal that is always the same keeps its bits.
            values[entry] += (signal - values[entry]) / self.taken[entry] as f64;
        }
    }

    /// Counts where the last step of an episode led before the next one began: a pair of the last stage, and a state of a stage.
    pub(crate) fn observe_end(&mut self, pair: usize, next: usize) {
        let Some(ends) = &mut self.ends else { return };
        let pair = pair - ends.first;
        let entry = ends.support.find(pair, next).unwrap_or_else(|| {
            let entry = ends.support.insert(pair, next as u32);
            ends.taken.insert(entry, 0);
            entry
        });
        ends.taken[entry] += 1;
    }

    /// The step from a pair to a state, which was seen before.
    pub(crate) fn visit(&self, pair: usize, next: usize) -> Option<super::Visit> {
        let transition = self.support.find(pair, next)? as u32;
        Some(super::Visit { pair: pair as u32, transition })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;

    #[test]
    fn what_is_seen_is_counted_like_in_a_known_model() {
        let model = text::parse("state a\n  x -> a 0.5, b 0.5\n  y -> b\nstate b\n  x -> a").unwrap();
        let mut counts = Counts::of_task(&Task::of(&model, 10));
        for (pair, next, reward) in [(1, 1, 2.0), (0, 1, 3.0), (0, 0, 1.0), (0, 1, 4.0), (2, 0, 0.1)] {
            counts.observe(pair, next, &[reward]);
        }
        assert_eq!(counts.transitions(0).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!(counts.transitions(1).collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!((counts.visits(0), counts.state_visits(0)), (3, 4));
        assert_eq!((counts.sum(0, 0), counts.mean(0, 2)), (8.0, Some(0.1)));
    }

    #[test]
    fn a_constant_signal_keeps_its_bits_however_often_it_is_seen() {
        let model = text::parse("state a\n  x -> a").unwrap();
        let mut counts = Counts::of_task(&Task::of(&model, 10));
        (0..1000).for_each(|_| counts.observe(0, 0, &[0.1]));
        assert_eq!(counts.mean(0, 0), Some(1000.0 * 0.1 / 1000.0));
    }
}
