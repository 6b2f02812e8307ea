//! What an evaluation of a policy on a region finds.

use crate::model::Signals;
use crate::plan::response::policy_iteration::dot;

/// What an evaluation of a policy on a region finds, by position in the region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluated {
    /// J of every signal.
    pub gains: Vec<f64>,
    /// How far each of them may be off.
    pub errors: Vec<f64>,
    /// The stationary law; empty where it has to be asked for by [`Evaluator::law`].
    pub law: Vec<f64>,
    /// The bias of every signal.
    pub biases: Vec<Vec<f64>>,
    /// Weights of the signals and the bias of their weighted sum, where it is known better than as a sum of biases.
    pub sum: Option<(Vec<f64>, Vec<f64>)>,
    /// The recurrent state whose bias is 0.
    pub reference: u32,
    /// The policy leads into this pair, which stays where it is, so that what it attains are the pair's signals; nothing but
    /// the reference has been written yet. The bias of a lone state is 0 and is never written.
    pub stays: Option<u32>,
}

impl Evaluated {
    /// J of the weighted sum of the signals.
    pub fn weighted_gain(&self, signals: &Signals, weights: &[f64]) -> f64 {
        let Some(pair) = self.stays else { return dot(weights, &self.gains) };
        weights.iter().enumerate().map(|(k, weight)| weight * signals.signal(k)[pair as usize]).sum()
    }

    /// What the bias of the weighted sum is to be multiplied by to be that of other weights, if they are the same in other units.
    pub fn units_of_sum(&self, weights: &[f64]) -> Option<f64> {
        let (known, _) = self.sum.as_ref()?;
        let size = |weights: &[f64]| weights.iter().map(|weight| weight.abs()).sum::<f64>();
        let factor = size(weights) / size(known);
        let is_same = |(x, y): (&f64, &f64)| (x - factor * y).abs() <= 4.0 * f64::EPSILON * x.abs();
        (known.len() == weights.len() && weights.iter().zip(known).all(is_same)).then_some(factor)
    }

    /// Whether the biases of so many signals are known on a region of so many states.
    pub fn has_biases(&self, signals: usize, states: usize) -> bool {
        states == 1 && self.stays.is_some()
            || self.biases.len() == signals && self.biases.iter().all(|bias| bias.len() == states)
    }
}
