//! Super- and subharmonic pairs (g, h), and what they prove.

use super::drift::{Bias, brings, drift, mean};
use crate::arithmetic::Interval;
use crate::model::{Cmdp, Origin, Policy};
use crate::threads::{at_once, shares};
use serde::{Deserialize, Serialize};

/// g and h by state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Harmonic {
    /// g: what the long run is worth from each state.
    pub gain: Vec<f64>,
    /// h: what it is worth to be in each state now rather than in another.
    pub bias: Vec<f64>,
    /// What is added to h, where h is so large that its last places matter; empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bias_low: Vec<f64>,
}

/// Which side of the long-run average a pair bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Superharmonic: J(x) ≤ g.
    Above,
    /// Subharmonic: J(x) ≥ g.
    Below,
}

/// The rows that the inequalities are about.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// Those of all pairs: whatever is done.
    All,
    /// Those of a policy: its mixture of the pairs of every state.
    Of(&'a Policy),
}

/// Why a proof is not one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refuted {
    /// A table of the wrong length.
    #[error("{what} has {found} numbers, and there are {expected}")]
    Length {
        /// The table.
        what: &'static str,
        /// Its numbers.
        found: usize,
        /// What there should be.
        expected: usize,
    },
    /// A number that proves nothing.
    #[error("{what} is {value}")]
    Number {
        /// Which one.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A question that a proof is not about.
    #[error("{why}")]
    Question {
        /// What does not fit.
        why: String,
    },
    /// An inequality that does not hold.
    #[error("{what} in state {state}: {left} against {right}")]
    Inequality {
        /// Which one.
        what: &'static str,
        /// The state.
        state: String,
        /// The side that should not be less.
        left: f64,
        /// The side that should not be greater.
        right: f64,
    },
}

impl Rows<'_> {
    /// Calls `visit` with every row of a state: its pairs, with their weights.
    pub fn each(&self, model: &Cmdp, state: usize, mut visit: impl FnMut(&[(usize, f64)])) {
        match self {
            Rows::All => model.pairs_of(state).for_each(|pair| visit(&[(pair, 1.0)])),
            Rows::Of(policy) => {
                let weight = |pair: usize| (pair, policy.probabilities()[pair]);
                let taken: Vec<(usize, f64)> =
                    model.pairs_of(state).map(weight).filter(|&(_, weight)| weight > 0.0).collect();
                visit(&taken);
            }
        }
    }
}

impl Harmonic {
    /// The same gain everywhere and a bias of 0: harmonic to either side of a signal that it bounds.
    pub fn constant(gain: f64, states: usize) -> Harmonic {
        Harmonic { gain: vec![gain; states], bias: vec![0.0; states], bias_low: Vec::new() }
    }

    /// The pair for the signal's negative, which bounds that from the other side.
    pub fn negated(self) -> Harmonic {
        let negated = |x: Vec<f64>| x.into_iter().map(|x| -x).collect();
        let Harmonic { gain, bias, bias_low } = self;
        Harmonic { gain: negated(gain), bias: negated(bias), bias_low: negated(bias_low) }
    }

    /// h as a sum.
    pub fn bias(&self) -> Bias<'_> {
        Bias { high: &self.bias, low: &self.bias_low }
    }

    /// Checks that the pair is super- or subharmonic for a signal of pairs, over all rows of all states.
    pub fn check(
        &self,
        model: &Cmdp,
        rows: Rows,
        side: Side,
        signal: impl Fn(usize) -> Interval + Sync,
    ) -> Result<(), Refuted> {
        let expected = model.states();
        let Harmonic { gain, bias, bias_low } = self;
        for (what, table) in [("gain", gain), ("bias", bias), ("bias_low", bias_low)] {
            let may_be_absent = what == "bias_low" && table.is_empty();
            if table.len() != expected && !may_be_absent {
                return Err(Refuted::Length { what, found: table.len(), expected });
            }
            if let Some(&value) = table.iter().find(|value| !value.is_finite()) {
                return Err(Refuted::Number { what, value });
            }
        }
        let checked = at_once(shares(expected), |mut states| {
            states.try_for_each(|state| {
                let mut found = Ok(());
                rows.each(model, state, |row| {
                    if found.is_ok() {
                        found = self.check_row(model, state, row, side, &signal);
                    }
                });
                found
            })
        });
        checked.into_iter().collect()
    }

    /// g ≥ P g and g ≥ x + P h − h, or the reverse, for one row.
    fn check_row(
        &self,
        model: &Cmdp,
        state: usize,
        row: &[(usize, f64)],
        side: Side,
        signal: &impl Fn(usize) -> Interval,
    ) -> Result<(), Refuted> {
        let onward = mean(row, |pair| drift(model, pair, state, &self.gain));
        let value = brings(model, (state, row), signal, self.bias());
        let gain = self.gain[state];
        let (rises, exceeds) = match side {
            Side::Above => ((0.0, onward.high), (gain, value.high)),
            Side::Below => ((onward.low, 0.0), (value.low, gain)),
        };
        let fails = |what, (left, right): (f64, f64)| {
            if left >= right {
                Ok(())
            } else {
                Err(Refuted::Inequality { what, state: model.names().state(state), left, right })
            }
        };
        fails("the gain is not harmonic to the right side", rises)?;
        fails("gain and bias do not bound the signal", exceeds)
    }

    /// What the pair bounds the long-run average by, if it is counted from `origin`: above, from anywhere, the greatest
    /// gain, and below the least.
    pub fn bound(&self, model: &Cmdp, origin: Origin, side: Side) -> Result<f64, Refuted> {
        let ends = |found: Interval| if side == Side::Above { found.high } else { found.low };
        Ok(match origin {
            Origin::Start => {
                let weighted =
                    model.start().iter().map(|&(s, weight)| Interval::exact(self.gain[s]).times(weight));
                let whole: Interval = model.start().iter().map(|&(_, weight)| Interval::exact(weight)).sum();
                match model.start() {
                    [(state, _)] => self.gain[*state],
                    _ => ends(weighted.sum::<Interval>().over(whole)),
                }
            }
            Origin::State(state) => {
                let found = state;
                let expected = self.gain.len();
                *self.gain.get(state).ok_or(Refuted::Length { what: "the states", found, expected })?
            }
            Origin::Anywhere => match side {
                Side::Above => self.gain.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                Side::Below => self.gain.iter().copied().fold(f64::INFINITY, f64::min),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    /// Two states that follow each other; the first one earns 1.
    fn cycle() -> Cmdp {
        let mut model = CmdpBuilder::new(2, &[]);
        model.pair(0, &[(1, 1.0)], 1.0, &[]);
        model.pair(1, &[(0, 1.0)], 0.0, &[]);
        model.build().unwrap()
    }

    fn check(gain: f64, bias: [f64; 2], side: Side) -> Result<(), Refuted> {
        let model = cycle();
        let pair = Harmonic { gain: vec![gain; 2], bias: bias.to_vec(), ..Harmonic::default() };
        pair.check(&model, Rows::All, side, |pair| Interval::exact(model.signals().reward()[pair]))
    }

    #[test]
    fn the_average_of_a_cycle_is_bounded_from_both_sides_and_no_better() {
        assert_eq!(check(0.5 + 1e-15, [0.5, 0.0], Side::Above), Ok(()));
        assert_eq!(check(0.5 - 1e-15, [0.5, 0.0], Side::Below), Ok(()));
        assert!(check(0.5 - 1e-15, [0.5, 0.0], Side::Above).is_err());
        assert!(check(0.5 + 1e-15, [0.5, 0.0], Side::Below).is_err());
        assert!(check(0.5 + 1e-15, [0.4, 0.0], Side::Above).is_err());
    }

    #[test]
    fn a_gain_that_rises_on_the_way_proves_nothing() {
        let model = cycle();
        let pair = Harmonic { gain: vec![9.0, 9.0 + 1e-15], bias: vec![0.0; 2], ..Harmonic::default() };
        let reward = |pair: usize| Interval::exact(model.signals().reward()[pair]);
        let found = pair.check(&model, Rows::All, Side::Above, reward);
        assert!(matches!(found, Err(Refuted::Inequality { left: 0.0, .. })), "{found:?}");
    }

    #[test]
    fn what_is_added_to_a_bias_counts() {
        let model = cycle();
        let reward = |pair: usize| Interval::exact(model.signals().reward()[pair]);
        let check = |bias_low: &[f64], gain: f64, side: Side| {
            let pair =
                Harmonic { gain: vec![gain; 2], bias: vec![1e12 + 0.5, 1e12], bias_low: bias_low.to_vec() };
            pair.check(&model, Rows::All, side, reward)
        };
        assert_eq!(check(&[0.0, 0.0], 0.5 + 1e-15, Side::Above), Ok(()));
        assert!(check(&[1e-6, 0.0], 0.5 + 1e-7, Side::Above).is_err());
        assert_eq!(check(&[1e-6, 1e-6], 0.5 + 1e-15, Side::Above), Ok(()));
        assert_eq!(check(&[1e-6, 1e-6], 0.5 - 1e-15, Side::Below), Ok(()));
        assert!(check(&[1e-6, 0.0], 0.5 - 1e-7, Side::Below).is_err());
        for low in [&[0.0][..], &[0.0; 3], &[0.0, f64::NAN], &[f64::NEG_INFINITY, 0.0]] {
            assert!(check(low, 0.6, Side::Above).is_err(), "{low:?}");
        }
    }

    #[test]
    fn numbers_that_are_none_and_tables_that_are_short_are_refused() {
        let model = cycle();
        let reward = |pair: usize| Interval::exact(model.signals().reward()[pair]);
        let short = Harmonic { gain: vec![1.0], bias: vec![0.0; 2], ..Harmonic::default() };
        assert!(short.check(&model, Rows::All, Side::Above, reward).is_err());
        for value in [f64::NAN, f64::INFINITY] {
            let lost = Harmonic { gain: vec![1.0; 2], bias: vec![0.0, value], ..Harmonic::default() };
            assert!(lost.check(&model, Rows::All, Side::Above, reward).is_err());
        }
    }
}
