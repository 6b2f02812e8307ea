//! Backward induction on estimates: what a policy is worth, and which one is best.

use super::estimates::Estimates;
use crate::arithmetic::dense::products;

/// Action values of several signals at once, with room for the work.
#[derive(Clone, Debug)]
pub struct Backward {
    /// Q_h(s,a) of every signal and row.
    pub action_values: Vec<Vec<f64>>,
    /// V_{h+1} of every signal while stage h is looked at; V_0 in the end.
    values: Vec<Vec<f64>>,
    onward: Vec<f64>,
}

impl Backward {
    /// For so many signals.
    pub fn new(estimates: &Estimates, signals: usize) -> Backward {
        Backward {
            action_values: vec![vec![0.0; estimates.rows()]; signals],
            values: vec![vec![0.0; estimates.states()]; signals],
            onward: vec![0.0; estimates.pairs() * signals],
        }
    }

    /// What a policy is worth for every signal from the start:
    ///
    /// ```text
    /// Q_h(s,a) = cut( x_h(s,a) + Σ p̄ V_{h+1} ) ,   V_h(s) = Σ_a π_h(a∣s) Q_h(s,a)
    /// ```
    ///
    /// `signal(k, row)` is x, and `cut(k, stage, Q)` keeps action values in their range.
    pub fn evaluate(
        &mut self,
        estimates: &Estimates,
        policy: &[f64],
        signal: impl Fn(usize, usize) -> f64,
        cut: impl Fn(usize, usize, f64) -> f64,
    ) -> Vec<f64> {
        self.evaluate_with(estimates, policy, signal, cut, |_, _, value| value)
    }

    /// The same, where `add(k, rows, V)` is what becomes of the value of the state with these rows.
    pub fn evaluate_with(
        &mut self,
        estimates: &Estimates,
        policy: &[f64],
        signal: impl Fn(usize, usize) -> f64,
        cut: impl Fn(usize, usize, f64) -> f64,
        add: impl Fn(usize, std::ops::Range<usize>, f64) -> f64,
    ) -> Vec<f64> {
        self.values.iter_mut().for_each(|values| values.fill(0.0));
        for stage in (0..estimates.horizon()).rev() {
            self.look_ahead(estimates, stage, &signal, &cut);
            for (k, values) in self.values.iter_mut().enumerate() {
                let q = &self.action_values[k];
                for (state, value) in values.iter_mut().enumerate() {
                    let rows = estimates.rows_of(stage, state);
                    let both = policy[rows.clone()].iter().zip(&q[rows.clone()]);
                    *value = add(k, rows, both.map(|(p, q)| p * q).sum());
                }
            }
        }
        self.values_at_start(estimates)
    }

    /// Takes the best action for a combination of the signals, Σ weight Q, in every state; the first of those that are equal up
    /// to 1e-12. The policy by rows goes into `policy`; the values of the signals are those of this policy.
    pub fn improve(
        &mut self,
        estimates: &Estimates,
        weights: &[f64],
        signal: impl Fn(usize, usize) -> f64,
        policy: &mut [f64],
    ) -> Vec<f64> {
        self.values.iter_mut().for_each(|values| values.fill(0.0));
        policy.fill(0.0);
        for stage in (0..estimates.horizon()).rev() {
            self.look_ahead(estimates, stage, &signal, &|_, _, q| q);
            for state in 0..estimates.states() {
                let rows = estimates.rows_of(stage, state);
                let worth = |row: usize| -> f64 {
                    weights.iter().zip(&self.action_values).map(|(weight, q)| weight * q[row]).sum()
                };
                let (mut best, mut most) = (rows.start, worth(rows.start));
                for row in rows.skip(1) {
                    let found = worth(row);
                    if found > most + 1e-12 * (1.0 + most.abs()) {
                        (best, most) = (row, found);
                    }
                }
                policy[best] = 1.0;
                for (values, q) in self.values.iter_mut().zip(&self.action_values) {
                    values[state] = q[best];
                }
            }
        }
        self.values_at_start(estimates)
    }

    /// Q of all signals at a stage.
    fn look_ahead(
        &mut self,
        estimates: &Estimates,
        stage: usize,
        signal: &impl Fn(usize, usize) -> f64,
        cut: &impl Fn(usize, usize, f64) -> f64,
    ) {
        let (pairs, first) = (estimates.pairs(), stage * estimates.pairs());
        let rows = estimates.models[stage].kernel().dense().unwrap_or(&[]);
        products(rows, None, &self.values, &mut self.onward);
        for (k, q) in self.action_values.iter_mut().enumerate() {
            let onward = &self.onward[k * pairs..(k + 1) * pairs];
            for ((q, onward), row) in q[first..first + pairs].iter_mut().zip(onward).zip(first..) {
                *q = cut(k, stage, signal(k, row) + onward);
            }
        }
    }

    fn values_at_start(&self, estimates: &Estimates) -> Vec<f64> {
        let start = estimates.models[0].start();
        let at_start = |values: &Vec<f64>| start.iter().map(|&(state, weight)| weight * values[state]).sum();
        self.values.iter().map(at_start).collect()
    }
}
