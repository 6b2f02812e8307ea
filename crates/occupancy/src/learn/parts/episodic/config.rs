//! What learners of episodes have in common as configs, said once.

use crate::error::Result;
use crate::learn::{CloneConfig, Knowledge, Learner, LearnerConfig, Wants};
use crate::model::Task;
use crate::options::Options;
use std::fmt::Debug;

/// The options of a learner of episodes, and how it is made. What its options do not give, its paper's constants do.
pub trait EpisodicConfig: Options + CloneConfig + Debug + Send + Sync {
    /// The learner.
    type Learner: Learner;

    /// The name in files and on the command line.
    const NAME: &'static str;

    /// What the learner does, in one line.
    const ABOUT: &'static str;

    /// What the learner has to be told.
    fn wants(&self) -> Wants;

    /// Gives options that have no value the one of the preset `sound`.
    fn fill_in(&mut self) {}

    /// The learner, for a task.
    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<Self::Learner>;
}

impl<T: EpisodicConfig> LearnerConfig for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn about(&self) -> &'static str {
        T::ABOUT
    }

    fn is_episodic(&self) -> bool {
        true
    }

    fn wants(&self) -> Wants {
        EpisodicConfig::wants(self)
    }

    fn fill_in(&mut self, _rounds: u64) {
        EpisodicConfig::fill_in(self);
    }

    fn requires(&self, _option: &str) -> bool {
        false
    }

    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        Ok(Box::new(self.learner(task, knowledge)?))
    }
}
