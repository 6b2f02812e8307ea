//! What a learner is before it learns: its name, its options, and how it is made for a task.
//!
//! Every algorithm has a `Config` of its own, declared by [`options!`](crate::options!) and composed of groups that several
//! share. A learner from outside the crate does the same; `examples/own_learner.rs` is one.

use super::Learner;
use crate::error::{Error, LearnerProblem, Result};
use crate::model::{Cmdp, Kernel, Policy, Task};
use crate::options::{OptionInfo, Options};
use std::fmt::Debug;

/// Probabilities of a table of all states for every pair: 2 GB.
const MOST_ENTRIES: usize = 250_000_000;

/// Refuses a table of all states for every pair that would be too large.
pub(crate) fn check_table(learner: &'static str, states: usize, pairs: usize) -> Result<()> {
    let most = MOST_ENTRIES;
    if states.saturating_mul(pairs) > most {
        return Err(LearnerProblem::TooLarge { learner, pairs, states, most }.into());
    }
    Ok(())
}

/// From so many states on, plans on rows of all states take a tenth of a second and more.
const MANY_STATES: usize = 200;

/// A learner's name and options, from which it is made.
pub trait LearnerConfig: Options + CloneConfig + Debug + Send + Sync {
    /// The name in files and on the command line.
    fn name(&self) -> &'static str;

    /// What the learner does, in one line.
    fn about(&self) -> &'static str;

    /// The learner, for a task; asked only if no option is missing and all are in range.
    fn make(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>>;

    /// Gives a value to the options that have none which suits every task.
    fn fill_in(&mut self, rounds: u64) {
        let _ = rounds;
    }

    /// Whether an option without a value has to be given one.
    fn requires(&self, option: &str) -> bool {
        let _ = option;
        true
    }

    /// Whether the learner acts in episodes, and in nothing else.
    fn is_episodic(&self) -> bool {
        false
    }

    /// What the learner has to be told beyond its task and the counts.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// How often it plans in a task at most; `None` if it does not plan.
    fn most_plans(&self, pairs: usize, rounds: u64) -> Option<u64> {
        let _ = (pairs, rounds);
        None
    }

    /// The option by which the learner keeps a table of all states for every pair, if it does.
    fn dense_option(&self) -> Option<DenseOption> {
        None
    }

    /// Sets an option from a text.
    fn set(&mut self, option: &str, text: &str) -> Result<()> {
        if let Some(assigned) = self.assign(option, text, false) {
            assigned?;
            return self.check_ranges();
        }
        let known = self.infos().iter().map(|info| info.name.to_string()).collect();
        Err(Error::UnknownOption { of: self.name().to_string(), option: option.to_string(), known })
    }

    /// Checks that every option is in its range and that none is missing.
    fn check_complete(&self) -> Result<()> {
        self.check_ranges()?;
        let mut missing = self.infos().into_iter().filter(|info| info.value == "own");
        match missing.find(|info| self.requires(info.name)) {
            Some(OptionInfo { name: option, about, expected, .. }) => {
                Err(Error::OptionMissing { of: self.name(), option, about, expected })
            }
            None => Ok(()),
        }
    }

    /// The option by which its plans in a model are slow for nothing: rows of all states, of which few occur.
    fn slow_option(&self, model: &Cmdp) -> Option<DenseOption> {
        let entries = model.states().saturating_mul(model.pairs());
        let is_sparse = model.kernel().entries() < entries / 10;
        self.dense_option().filter(|_| is_sparse && model.states() >= MANY_STATES)
    }

    /// How many bytes its tables of all states for every pair take in a model; 0 if it keeps none.
    fn dense_bytes(&self, model: &Cmdp) -> u64 {
        let entries = model.states().saturating_mul(model.pairs()) as u64;
        if self.dense_option().is_some() { entries.saturating_mul(size_of::<f64>() as u64) } else { 0 }
    }

    /// Refuses a model for which its tables would be too large.
    fn check_size(&self, model: &Cmdp) -> Result<()> {
        let (states, pairs) = (model.states(), model.pairs());
        match self.dense_option() {
            Some(DenseOption { option, value, instead }) if states.saturating_mul(pairs) > MOST_ENTRIES => {
                let (learner, most) = (self.name(), MOST_ENTRIES);
                Err(Error::LearnerTooLarge { learner, option, value, instead, states, pairs, most })
            }
            _ => Ok(()),
        }
    }

    /// Checks the options and makes the learner for a task.
    fn build(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        self.check_complete()?;
        self.make(task, knowledge)
    }
}

/// Copies of a config behind a pointer; every config that is `Clone` has it.
pub trait CloneConfig {
    /// A copy.
    fn boxed(&self) -> Box<dyn LearnerConfig>;
}

impl<T: LearnerConfig + Clone + 'static> CloneConfig for T {
    fn boxed(&self) -> Box<dyn LearnerConfig> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn LearnerConfig> {
    fn clone(&self) -> Box<dyn LearnerConfig> {
        self.as_ref().boxed()
    }
}

impl PartialEq for dyn LearnerConfig {
    fn eq(&self, other: &dyn LearnerConfig) -> bool {
        self.name() == other.name() && self.infos() == other.infos()
    }
}

/// An option by which a learner keeps a table of all states for every pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseOption {
    /// Its name.
    pub option: &'static str,
    /// Its value.
    pub value: String,
    /// A value that needs far less.
    pub instead: &'static str,
}

/// What a learner has to be told beyond its task and the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// The possible successors of every pair.
    pub successors: bool,
    /// The mean rewards and costs of every pair.
    pub signals: bool,
    /// The transition probabilities.
    pub kernel: bool,
    /// The steps of the last epoch, one by one, and where episodes ended.
    pub trajectory: bool,
}

/// What a learner is told beyond its task, because it wants it.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The possible successors of every pair.
    pub successors: Option<Vec<Vec<usize>>>,
    /// The mean rewards and costs: a table of all pairs for every signal, the reward first.
    pub signals: Option<Vec<Vec<f64>>>,
    /// The transition probabilities.
    pub kernel: Option<Kernel>,
    /// The policies of the optimal plan and their weights, for the oracle.
    pub policies: Vec<(f64, Policy)>,
}
