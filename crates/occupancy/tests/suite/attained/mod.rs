//! What the policies of a plan attain, evaluated one by one.

use occupancy::chain::evaluate;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::plan::WeightedPolicy;

/// The weighted gain and costs of policies: from the start, or from the occupancy's own marginal.
pub fn attained(model: &Cmdp, from: Origin, policies: &[WeightedPolicy], occupancy: &[f64]) -> Vec<f64> {
    let marginal = |s: usize| (s, occupancy[model.pairs_of(s)].iter().sum::<f64>());
    let start: Vec<(usize, f64)> = match from {
        Origin::Anywhere => (0..model.states()).map(marginal).collect(),
        Origin::Start => model.start().to_vec(),
        Origin::State(state) => vec![(state, 1.0)],
    };
    let mut sums = vec![0.0; 1 + model.costs()];
    for drawn in policies {
        let found = evaluate(model, &drawn.policy, &start).unwrap();
        sums[0] += drawn.weight * found.value.reward;
        found.value.costs.iter().enumerate().for_each(|(i, cost)| sums[i + 1] += drawn.weight * cost);
    }
    sums
}
