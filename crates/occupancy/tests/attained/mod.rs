//! What the policies of a plan attain, evaluated one by one.

use occupancy::chain::evaluate;
use occupancy::model::Cmdp;
use occupancy::plan::{From, WeightedPolicy};

/// The weighted gain and costs of policies: from the start, or from the occupancy's own marginal.
pub fn attained(model: &Cmdp, from: From, policies: &[WeightedPolicy], occupancy: &[f64]) -> Vec<f64> {
    let marginal = |s: usize| (s, occupancy[model.pairs_of(s)].iter().sum::<f64>());
    let start: Vec<(usize, f64)> = match from {
        From::Anywhere => (0..model.states()).map(marginal).collect(),
        From::Start => model.start().to_vec(),
        From::State(state) => vec![(state, 1.0)],
    };
    let mut sums = vec![0.0; 1 + model.costs()];
    for drawn in policies {
        let found = evaluate(model, &drawn.policy, &start).unwrap();
        sums[0] += drawn.weight * found.gain;
        found.costs.iter().enumerate().for_each(|(i, cost)| sums[i + 1] += drawn.weight * cost);
    }
    sums
}
