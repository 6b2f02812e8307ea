//! Rewards and costs: a mean per pair and, where they differ by successor, the realised values (s,a,s′).

use super::support::Support;
use std::sync::Arc;

/// The reward and the costs c_1 … c_m of every pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    /// `means[0]` is the reward, `means[i]` the cost i − 1; one value per pair.
    means: Vec<Vec<f64>>,
    /// The least and the greatest of the means: planners ask for them in every step.
    ranges: Vec<(f64, f64)>,
    /// Values of single transitions, where some signal depends on the successor.
    realised: Option<Realised>,
}

/// Signals of single transitions.
#[derive(Clone, Debug, PartialEq)]
struct Realised {
    /// That of the kernel the model was built with.
    support: Arc<Support>,
    /// As `means`, but only for signals that depend on the successor.
    values: Vec<Option<Values>>,
}

/// The values of a signal that depends on the successor.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    /// One for each state, where whatever leads there brings the same: on a map of ten million cells 80 MB, not 1.3 GB. A state that
    /// nothing leads to has 0.
    BySuccessor(Vec<f64>),
    /// One for each transition.
    ByTransition(Vec<f64>),
}

impl Values {
    /// Values by transition, kept by successor where that says the same to the last bit in half the room or less.
    fn of(by_transition: Vec<f64>, support: &Support, states: usize) -> Values {
        if support.transitions() < 2 * states {
            return Values::ByTransition(by_transition);
        }
        let mut of_state: Vec<Option<f64>> = vec![None; states];
        for (&next, &value) in support.all_successors().iter().zip(&by_transition) {
            let known = *of_state[next as usize].get_or_insert(value);
            if known.to_bits() != value.to_bits() {
                return Values::ByTransition(by_transition);
            }
        }
        Values::BySuccessor(of_state.into_iter().map(|value| value.unwrap_or(0.0)).collect())
    }

    /// The value of a transition to a successor.
    fn get(&self, transition: usize, successor: usize) -> f64 {
        match self {
            Values::BySuccessor(values) => values[successor],
            Values::ByTransition(values) => values[transition],
        }
    }

    fn all_mut(&mut self) -> &mut [f64] {
        match self {
            Values::BySuccessor(values) | Values::ByTransition(values) => values,
        }
    }
}

impl Signals {
    /// Signals that depend on the pair alone.
    pub(super) fn of_pairs(reward: Vec<f64>, costs: Vec<Vec<f64>>) -> Signals {
        Signals::new(std::iter::once(reward).chain(costs).collect(), None)
    }

    fn new(means: Vec<Vec<f64>>, realised: Option<Realised>) -> Signals {
        Signals {
            ranges: means.iter().map(|means| range_of(means.iter().copied())).collect(),
            means,
            realised,
        }
    }

    /// Signals of which some may depend on the successor: those have `values`, one for each transition of `support`.
    pub(super) fn of_transitions(
        means: Vec<Vec<f64>>,
        values: Vec<Option<Vec<f64>>>,
        (support, states): (&Arc<Support>, usize),
    ) -> Signals {
        let depends = values.iter().any(Option::is_some);
        let kept = |values: Option<Vec<f64>>| values.map(|values| Values::of(values, support, states));
        let values = values.into_iter().map(kept).collect();
        Signals::new(means, depends.then(|| Realised { support: Arc::clone(support), values }))
    }

    /// r(s,a) of every pair.
    pub fn reward(&self) -> &[f64] {
        &self.means[0]
    }

    /// c_i(s,a) of every pair.
    pub fn cost(&self, i: usize) -> &[f64] {
        &self.means[i + 1]
    }

    /// Signal 0 is the reward, signal i + 1 the cost i.
    #[inline]
    pub fn signal(&self, k: usize) -> &[f64] {
        &self.means[k]
    }

    /// How many signals there are: 1 + m.
    pub fn count(&self) -> usize {
        self.means.len()
    }

    /// The value of a signal on the transition (pair, successor). Where no signal depends on the successor this is the
    /// pair's mean; otherwise it is `None` where the transition does not exist.
    pub fn realised(&self, k: usize, pair: usize, successor: usize) -> Option<f64> {
        let Some(realised) = &self.realised else { return Some(self.means[k][pair]) };
        let entry = realised.support.find(pair, successor)?;
        Some(realised.values[k].as_ref().map_or(self.means[k][pair], |values| values.get(entry, successor)))
    }

    /// Whether some signal depends on the successor.
    pub fn depends_on_successor(&self) -> bool {
        self.realised.is_some()
    }

    /// The values of a signal on every transition, if they depend on the successor.
    pub(super) fn by_transition(&self, k: usize) -> Option<impl Iterator<Item = f64> + '_> {
        let realised = self.realised.as_ref()?;
        let (values, successors) = (realised.values[k].as_ref()?, realised.support.all_successors());
        Some(successors.iter().enumerate().map(|(transition, &next)| values.get(transition, next as usize)))
    }

    /// The least and the greatest value of a signal over all transitions.
    pub fn bounds(&self, k: usize) -> (f64, f64) {
        self.by_transition(k).map_or(self.ranges[k], range_of)
    }

    /// The signal `k` becomes `value` for one pair.
    #[cfg(feature = "learn")]
    pub(super) fn rewrite_one(&mut self, k: usize, pair: usize, value: f64) {
        self.realised = None;
        self.means[k][pair] = value;
        self.ranges[k] = range_of(self.means[k].iter().copied());
    }

    /// Gives every pair new means of a signal; nothing depends on the successor afterwards.
    pub(super) fn rewrite(&mut self, k: usize, means: Vec<f64>) {
        self.realised = None;
        self.ranges[k] = range_of(means.iter().copied());
        self.means[k] = means;
    }

    /// x becomes −x, on every pair and transition.
    pub(super) fn negate(&mut self, k: usize) {
        let realised = self.realised.as_mut().and_then(|realised| realised.values[k].as_mut());
        // Not −x, which may be −0.
        let realised = realised.into_iter().flat_map(Values::all_mut);
        self.means[k].iter_mut().chain(realised).for_each(|x| *x = 0.0 - *x);
        self.ranges[k] = range_of(self.means[k].iter().copied());
    }

    /// The largest size of a signal over all pairs.
    pub fn size(&self, k: usize) -> f64 {
        let (least, most) = self.ranges[k];
        if least <= most { least.abs().max(most.abs()) } else { 0.0 }
    }

    /// The least and the greatest value of a signal over all pairs.
    pub(crate) fn range(&self, k: usize) -> (f64, f64) {
        self.ranges[k]
    }
}

/// The least and the greatest of some values.
fn range_of(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three states in a ring, each of which leads to every one of them.
    fn ring(values: [f64; 9]) -> Signals {
        let support = Arc::new(Support::of(vec![0, 3, 6, 9], vec![0, 1, 2, 0, 1, 2, 0, 1, 2]));
        Signals::of_transitions(vec![vec![0.0; 3]], vec![Some(values.to_vec())], (&support, 3))
    }

    #[test]
    fn values_that_follow_from_the_successor_are_kept_once_a_state_and_told_by_transition() {
        let same = [1.0, 0.0, 3.0, 1.0, 0.0, 3.0, 1.0, 0.0, 3.0];
        let mut signals = ring(same);
        let kept = |signals: &Signals| signals.realised.as_ref().unwrap().values[0].clone().unwrap();
        assert_eq!(kept(&signals), Values::BySuccessor(vec![1.0, 0.0, 3.0]));
        assert_eq!(signals.by_transition(0).unwrap().collect::<Vec<_>>(), same);
        assert_eq!((signals.realised(0, 1, 2), signals.bounds(0)), (Some(3.0), (0.0, 3.0)));
        signals.negate(0);
        assert_eq!((signals.realised(0, 2, 0), signals.bounds(0)), (Some(-1.0), (-3.0, 0.0)));
    }

    #[test]
    fn values_that_differ_in_a_bit_are_kept_by_transition() {
        let zeros = [1.0, 0.0, 3.0, 1.0, -0.0, 3.0, 1.0, 0.0, 3.0];
        let signals = ring(zeros);
        let back: Vec<u64> = signals.by_transition(0).unwrap().map(f64::to_bits).collect();
        assert_eq!(back, zeros.map(f64::to_bits));
        let values = signals.realised.unwrap().values;
        assert!(matches!(&values[0], Some(Values::ByTransition(_))));
    }
}
