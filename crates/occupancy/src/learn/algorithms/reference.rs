//! Reference levels: learners that learn nothing.

use crate::error::Result;
use crate::learn::parts::planning::draw;
use crate::learn::{Epoch, Knowledge, Learner, LearnerConfig, Now, Until};
use crate::model::{Policy, Task};
use crate::options;
use crate::plan::WeightedPolicy;
use crate::seed::Rng;

options! {
    /// Takes every action with the same probability; there is nothing to choose.
    pub struct Uniform {}
}

options! {
    /// Follows the optimal policy of the true model, which it is told; there is nothing to choose.
    pub struct Oracle {}
}

impl LearnerConfig for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn about(&self) -> &'static str {
        "takes every action with the same probability"
    }

    fn make(&self, task: &Task, _knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(Fixed::uniform(task)))
    }
}

impl LearnerConfig for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn about(&self) -> &'static str {
        "follows the optimal policy of the true model"
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        if knowledge.policies.is_empty() {
            return Ok(Box::new(Fixed::uniform(task)));
        }
        let weighted = |(weight, policy)| WeightedPolicy { weight, policy };
        Ok(Box::new(Fixed { policies: knowledge.policies.iter().cloned().map(weighted).collect() }))
    }
}

/// Follows one policy to the end, drawn at the start if there are several.
pub struct Fixed {
    policies: Vec<WeightedPolicy>,
}

impl Fixed {
    /// Every action with the same probability.
    fn uniform(task: &Task) -> Fixed {
        Fixed { policies: vec![WeightedPolicy { weight: 1.0, policy: Policy::uniform(&task.blank()) }] }
    }
}

impl Learner for Fixed {
    fn next_epoch(&mut self, _: &Now, rng: &mut Rng) -> Result<Epoch> {
        Ok(Epoch::unplanned(draw(self.policies.clone(), rng), Until::steps(u64::MAX)))
    }
}
