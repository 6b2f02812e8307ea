//! Reference levels: learners that learn nothing.

use crate::error::Result;
use crate::learn::parts::estimate::draw;
use crate::learn::{Epoch, Learner, Now, Until};
use crate::model::{Policy, Task};
use crate::plan::WeightedPolicy;
use crate::seed::Rng;

/// Follows one policy to the end, drawn at the start where there are several.
pub(in crate::learn) struct Fixed {
    policies: Vec<WeightedPolicy>,
}

impl Fixed {
    /// The policies and their weights; the uniform policy where there are none.
    pub fn new(policies: Vec<(f64, Policy)>, task: &Task) -> Fixed {
        if policies.is_empty() {
            return Fixed::uniform(task);
        }
        let weighted = |(weight, policy)| WeightedPolicy { weight, policy };
        Fixed { policies: policies.into_iter().map(weighted).collect() }
    }

    /// Every action with the same probability.
    pub fn uniform(task: &Task) -> Fixed {
        Fixed { policies: vec![WeightedPolicy { weight: 1.0, policy: Policy::uniform(&task.blank()) }] }
    }
}

impl Learner for Fixed {
    fn next_epoch(&mut self, _: &Now, rng: &mut Rng) -> Result<Epoch> {
        let policy = draw(self.policies.clone(), rng);
        Ok(Epoch { policy, until: Until::steps(u64::MAX), begins: true, report: None })
    }
}
