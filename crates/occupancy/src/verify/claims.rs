//! What an answer claims, held against what its witness proves.

use super::Proof;
use crate::arithmetic::Interval;
use crate::model::Cmdp;

/// By how much a cost may exceed its budget and still be called within it, as a share of its largest value.
const WITHIN: f64 = 1e-9;

/// What an answer says.
#[derive(Clone, Debug, PartialEq)]
pub enum Claims {
    /// No policy meets the budgets.
    Infeasible,
    /// These policies meet them.
    Feasible {
        /// J(r) of the policies.
        gain: f64,
        /// The optimum is at most `gain + gap`, and the policies earn at least `gain − gap`.
        gap: f64,
        /// J(c_i) of the policies.
        costs: Vec<f64>,
        /// Where J(r) of the policies lies.
        gain_range: (f64, f64),
        /// Where J(c_i) of the policies lies.
        cost_ranges: Vec<(f64, f64)>,
    },
}

impl Claims {
    /// The claims that are not proved, in words; none if all are.
    pub fn unproved(&self, model: &Cmdp, proof: &Proof) -> Vec<String> {
        let mut found = Vec::new();
        let mut claim = |holds: bool, text: String| {
            if !holds {
                found.push(text);
            }
        };
        match self {
            Claims::Infeasible => {
                let excess = proof.excess.unwrap_or(f64::NEG_INFINITY);
                claim(
                    excess > 0.0,
                    format!("that no policy meets the budgets: the excess is {excess} at least"),
                );
            }
            Claims::Feasible { gain, gap, costs, gain_range, cost_ranges } => {
                let (most, least) = (
                    Interval::exact(*gain) + Interval::exact(*gap),
                    Interval::exact(*gain) - Interval::exact(*gap),
                );
                let optimum = proof.optimum;
                claim(
                    most.low >= optimum,
                    format!("that the optimum is at most {gain} + {gap}: only {optimum} is"),
                );
                let low = proof.gain.low;
                claim(
                    low >= least.high,
                    format!("that the policies earn at least {gain} - {gap}: only {low} is"),
                );
                claim(holds(*gain_range, proof.gain, *gain), format!("that the gain lies in {gain_range:?}"));
                for (i, cost) in proof.costs.iter().enumerate() {
                    let name = model.names().cost(i);
                    let range = cost_ranges.get(i).copied().unwrap_or((f64::NAN, f64::NAN));
                    let stated = costs.get(i).copied().unwrap_or(f64::NAN);
                    claim(holds(range, *cost, stated), format!("that the cost {name} lies in {range:?}"));
                    let missed = missed(model, i, *cost);
                    let limit = WITHIN * model.signals().size(i + 1).max(1e-12);
                    claim(
                        missed <= limit,
                        format!("that the budget of {name} is met: it may be missed by {missed}"),
                    );
                }
            }
        }
        found
    }
}

/// Whether a claimed range holds all that is proved possible, and the number that is stated.
fn holds((low, high): (f64, f64), proved: Interval, stated: f64) -> bool {
    low <= proved.low && proved.high <= high && low <= stated && stated <= high
}

/// By how much a cost may exceed its budget at most.
pub fn missed(model: &Cmdp, i: usize, cost: Interval) -> f64 {
    let over = Interval::exact(cost.high) - Interval::exact(model.budgets()[i]);
    if over.high > 0.0 { over.high } else { 0.0 }
}
