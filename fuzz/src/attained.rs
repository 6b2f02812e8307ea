//! What policies attain, by evaluating them.

use occupancy::Result;
use occupancy::chain::evaluate;
use occupancy::model::Origin;
use occupancy::model::{Cmdp, Policy};
use occupancy::plan::WeightedPolicy;

/// The long-run averages of a policy, the reward's first.
pub struct Attained {
    /// J(r), J(c_1), ….
    pub signals: Vec<f64>,
}

impl Attained {
    /// By one policy; from anywhere means from the start, which is one place of many.
    pub fn by(model: &Cmdp, policy: &Policy, from: Origin) -> Result<Attained> {
        let start = match from {
            Origin::State(state) => vec![(state, 1.0)],
            Origin::Start | Origin::Anywhere => model.start().to_vec(),
        };
        Attained::on_average(model, &[(1.0, policy)], &start)
    }

    /// By the policies of a plan; from anywhere means from its own occupancy.
    pub fn by_plan(
        model: &Cmdp,
        policies: &[WeightedPolicy],
        occupancy: &[f64],
        from: Origin,
    ) -> Result<Attained> {
        let marginal = |state: usize| (state, occupancy[model.pairs_of(state)].iter().sum::<f64>());
        let start: Vec<(usize, f64)> = match from {
            Origin::Anywhere => (0..model.states()).map(marginal).collect(),
            Origin::Start => model.start().to_vec(),
            Origin::State(state) => vec![(state, 1.0)],
        };
        let policies: Vec<(f64, &Policy)> =
            policies.iter().map(|drawn| (drawn.weight, &drawn.policy)).collect();
        Attained::on_average(model, &policies, &start)
    }

    fn on_average(model: &Cmdp, policies: &[(f64, &Policy)], start: &[(usize, f64)]) -> Result<Attained> {
        let mut signals = vec![0.0; 1 + model.costs()];
        for &(weight, policy) in policies {
            let found = evaluate(model, policy, start)?;
            let values = std::iter::once(&found.value.reward).chain(&found.value.costs);
            signals.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        Ok(Attained { signals })
    }
}
