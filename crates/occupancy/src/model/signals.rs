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
    /// As `means`, but one value per transition, and only for signals that depend on the successor.
    values: Vec<Option<Vec<f64>>>,
}

impl Signals {
    /// Signals that depend on the pair alone.
    pub(super) fn of_pairs(reward: Vec<f64>, costs: Vec<Vec<f64>>) -> Signals {
        Signals::new(std::iter::once(reward).chain(costs).collect(), None)
    }

    fn new(means: Vec<Vec<f64>>, realised: Option<Realised>) -> Signals {
        Signals { ranges: means.iter().map(|means| range_of(means)).collect(), means, realised }
    }

    /// Signals of which some may depend on the successor: those have `values`, one for each transition of `support`.
    pub(super) fn of_transitions(
        means: Vec<Vec<f64>>,
        values: Vec<Option<Vec<f64>>>,
        support: &Arc<Support>,
    ) -> Signals {
        let depends = values.iter().any(Option::is_some);
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
        Some(realised.values[k].as_ref().map_or(self.means[k][pair], |values| values[entry]))
    }

    /// Whether some signal depends on the successor.
    pub fn depends_on_successor(&self) -> bool {
        self.realised.is_some()
    }

    /// The values of a signal on every transition, if they depend on the successor.
    pub(super) fn by_transition(&self, k: usize) -> Option<&[f64]> {
        self.realised.as_ref().and_then(|realised| realised.values[k].as_deref())
    }

    /// The least and the greatest value of a signal over all transitions.
    pub fn bounds(&self, k: usize) -> (f64, f64) {
        let realised = self.realised.as_ref().and_then(|realised| realised.values[k].as_ref());
        realised.map_or(self.ranges[k], |values| range_of(values))
    }

    /// The signal `k` becomes `value` for one pair.
    #[cfg(feature = "learn")]
    pub(super) fn rewrite_one(&mut self, k: usize, pair: usize, value: f64) {
        self.realised = None;
        self.means[k][pair] = value;
        self.ranges[k] = range_of(&self.means[k]);
    }

    /// Gives every pair new means of a signal; nothing depends on the successor afterwards.
    pub(super) fn rewrite(&mut self, k: usize, means: Vec<f64>) {
        self.realised = None;
        self.ranges[k] = range_of(&means);
        self.means[k] = means;
    }

    /// x becomes −x, on every pair and transition.
    pub(super) fn negate(&mut self, k: usize) {
        let realised = self.realised.as_mut().and_then(|realised| realised.values[k].as_mut());
        // Not −x, which may be −0.
        self.means[k].iter_mut().chain(realised.into_iter().flatten()).for_each(|x| *x = 0.0 - *x);
        self.ranges[k] = range_of(&self.means[k]);
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
fn range_of(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &x| (least.min(x), most.max(x)))
}
