//! The registry of learners: a kind and its settings become a learner.

use super::settings::{DualSignal, Settings};
use super::{EpochRule, Learner, Prior};
use crate::error::{Error, Result};
use crate::learn::algorithms::cucrl_conservative::CucrlConservative;
use crate::learn::algorithms::cucrl_optimistic::CucrlOptimistic;
use crate::learn::algorithms::cucrl_transitions::CucrlTransitions;
use crate::learn::algorithms::psrl_lagrangian::PsrlLagrangian;
use crate::learn::algorithms::psrl_transitions::PsrlTransitions;
use crate::learn::algorithms::reference::Fixed;
use crate::learn::parts::prior::PriorRows;
use crate::model::{Cmdp, Policy, Task};
use crate::options::OptionInfo;

/// The learners by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LearnerKind {
    /// Posterior sampling of transitions, planned within the budgets.
    PsrlTransitions,
    /// Posterior sampling of transitions, planned by value iteration at prices that adapt.
    PsrlLagrangian,
    /// More reward and less cost where little was seen.
    CucrlOptimistic,
    /// More reward and more cost where little was seen, with random phases.
    CucrlConservative,
    /// The most favourable transitions within a confidence set.
    CucrlTransitions,
    /// Every action with the same probability.
    Uniform,
    /// The optimal policy of the true model.
    Oracle,
}

use LearnerKind::{
    CucrlConservative as Conservative, CucrlOptimistic as Optimistic, CucrlTransitions as Transitions,
    Oracle, PsrlLagrangian as Lagrangian, PsrlTransitions as Posterior, Uniform,
};

/// Probabilities of a table of all states for every pair: 2 GB.
const MOST_ENTRIES: usize = 250_000_000;
const ESTIMATES: [&str; 2] = ["unvisited_reward", "unvisited_cost"];
const PLANS: [&str; 4] = ["from", "off_support", "infeasible", "planner"];
const BONUSES: [&str; 6] = ["unvisited_kernel", "bonus", "coef", "delta", "unvisited_bonus", "clip"];
const VALUE_ITERATION: [&str; 3] = ["tolerance", "staying", "warm"];
const DUAL: [&str; 5] = ["eta", "dual", "gap", "execute", "mixed"];

impl LearnerKind {
    /// All learners.
    pub const ALL: [LearnerKind; 7] =
        [Posterior, Lagrangian, Optimistic, Conservative, Transitions, Uniform, Oracle];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Posterior => "psrl-transitions",
            Lagrangian => "psrl-lagrangian",
            Optimistic => "cucrl-optimistic",
            Conservative => "cucrl-conservative",
            Transitions => "cucrl-transitions",
            Uniform => "uniform",
            Oracle => "oracle",
        }
    }

    /// What it does, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Posterior => "plans within the budgets in a model drawn from the posterior",
            Lagrangian => "plans by value iteration in a drawn model, at prices that adapt to the costs",
            Optimistic => "plans with more reward and less cost where little was seen",
            Conservative => "plans with more reward but also more cost where little was seen; random phases",
            Transitions => "plans with the most favourable transitions within a confidence set",
            Uniform => "takes every action with the same probability",
            Oracle => "follows the optimal policy of the true model",
        }
    }

    /// The learner of a name.
    pub fn from_name(name: &str) -> Result<LearnerKind> {
        let unknown = || Error::Unknown {
            what: "learner",
            name: name.to_string(),
            known: LearnerKind::ALL.map(|kind| kind.name().to_string()).to_vec(),
        };
        LearnerKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(unknown)
    }

    /// Whether it shows the model that it drew ([`super::Learner::drawn`]).
    pub fn shows_drawn(self) -> bool {
        self == Lagrangian
    }

    /// The options that this learner has.
    pub fn keys(self) -> Vec<&'static str> {
        match self {
            Posterior => [&["prior", "epochs"][..], &ESTIMATES, &PLANS].concat(),
            Lagrangian => {
                [&["prior", "epochs"][..], &ESTIMATES, &["infeasible"], &DUAL, &VALUE_ITERATION].concat()
            }
            Optimistic => [&["epochs"][..], &BONUSES, &ESTIMATES, &PLANS].concat(),
            Conservative => [&["h"][..], &BONUSES, &ESTIMATES, &PLANS].concat(),
            Transitions => {
                [&["epochs", "h"][..], &BONUSES[..5], &ESTIMATES, &["off_support", "infeasible"]].concat()
            }
            Uniform | Oracle => Vec::new(),
        }
    }
}

/// A learner and its options.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnerConfig {
    /// Which learner.
    pub kind: LearnerKind,
    /// Its options; those that are not among its [`LearnerKind::keys`] mean nothing.
    pub settings: Settings,
}

/// What a learner is told beyond its task, because its user chose so.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// For the prior `known`: the possible successors of every pair.
    pub successors: Option<Vec<Vec<usize>>>,
    /// For the oracle: the policies of the optimal plan and their weights.
    pub policies: Vec<(f64, Policy)>,
}

impl LearnerConfig {
    /// The options that this learner has, with their present values.
    pub fn options(&self) -> Vec<OptionInfo> {
        let keys = self.kind.keys();
        let mut infos = self.settings.infos();
        infos.retain(|info| keys.contains(&info.name));
        infos
    }

    /// Sets an option from a text.
    pub fn set(&mut self, option: &str, text: &str) -> Result<()> {
        if self.kind.keys().contains(&option)
            && let Some(set) = self.settings.set(option, text, false)
        {
            set?;
            return self.check();
        }
        let known = self.kind.keys().iter().map(|key| key.to_string()).collect();
        Err(Error::UnknownOption { of: self.kind.name().to_string(), option: option.to_string(), known })
    }

    /// Checks that every option is in its range.
    pub fn check(&self) -> Result<()> {
        if self.settings.epochs == EpochRule::Blocks
            && matches!(self.kind, Posterior | Lagrangian | Optimistic)
        {
            let expected = "doubling, tsde, v1.2, fixed:STEPS or power:α; blocks are for cucrl-transitions";
            return Err(Error::Option { option: "epochs", value: "blocks".into(), expected });
        }
        match self.options().into_iter().find(|option| !option.in_range) {
            Some(OptionInfo { name: option, value, expected, .. }) => {
                Err(Error::Option { option, value, expected })
            }
            None => Ok(()),
        }
    }

    /// The option that makes the learner keep a row of all states for every pair, with its value and one that does not.
    fn dense_option(&self) -> Option<(&'static str, String, &'static str)> {
        let value = |key| self.options().into_iter().find(|option| option.name == key).map(|info| info.value);
        let dense = |prior: &String| prior.starts_with("add:") || prior.starts_with("floor:");
        let prior = value("prior").filter(dense).map(|value| ("prior", value, "known:0.05"));
        let kernel = value("unvisited_kernel").filter(|kernel| kernel != "self-loop");
        prior.or(kernel.map(|value| ("unvisited_kernel", value, "self-loop")))
    }

    /// How many bytes its tables of all states for every pair take in a model; 0 if it keeps none.
    pub fn dense_bytes(&self, model: &Cmdp) -> u64 {
        let entries = model.states().saturating_mul(model.pairs()) as u64;
        if self.dense_option().is_some() { entries.saturating_mul(size_of::<f64>() as u64) } else { 0 }
    }

    /// Refuses a model whose tables would be too large.
    pub fn check_size(&self, model: &Cmdp) -> Result<()> {
        let (states, pairs) = (model.states(), model.pairs());
        match self.dense_option() {
            Some((option, value, instead)) if states.saturating_mul(pairs) > MOST_ENTRIES => {
                let (learner, most) = (self.kind.name(), MOST_ENTRIES);
                Err(Error::LearnerTooLarge { learner, option, value, instead, states, pairs, most })
            }
            _ => Ok(()),
        }
    }

    /// Checks in addition that nothing is missing.
    pub fn check_complete(&self) -> Result<()> {
        self.check()?;
        let missing =
            self.options().into_iter().find(|option| option.value == "own" && self.needs(option.name));
        match missing {
            Some(OptionInfo { name: option, about, expected, .. }) => {
                Err(Error::OptionMissing { of: self.kind.name(), option, about, expected })
            }
            None => Ok(()),
        }
    }

    /// Whether an option must have a value.
    fn needs(&self, option: &str) -> bool {
        match option {
            "h" => self.kind == Conservative || self.settings.epochs == EpochRule::Blocks,
            "eta" => self.settings.dual != DualSignal::Ascent,
            _ => true,
        }
    }

    /// Whether it must be told the possible successors.
    pub fn wants_successors(&self) -> bool {
        matches!(self.kind, Posterior | Lagrangian) && matches!(self.settings.prior, Prior::Known(_))
    }

    /// The learner, for a task.
    pub fn build(&self, task: &Task, knowledge: &Knowledge) -> Result<Box<dyn Learner>> {
        self.check_complete()?;
        let settings = &self.settings;
        Ok(match self.kind {
            Posterior => Box::new(PsrlTransitions::new(task, settings, self.prior_rows(task, knowledge)?)),
            Lagrangian => Box::new(PsrlLagrangian::new(task, settings, self.prior_rows(task, knowledge)?)),
            Optimistic => Box::new(CucrlOptimistic::new(task, settings)),
            Conservative => Box::new(CucrlConservative::new(task, settings)),
            Transitions => Box::new(CucrlTransitions::new(task, settings)),
            Uniform => Box::new(Fixed::uniform(task)),
            Oracle => Box::new(Fixed::new(knowledge.policies.clone(), task)),
        })
    }

    /// The prior's weights where they differ by successor.
    fn prior_rows(&self, task: &Task, knowledge: &Knowledge) -> Result<Option<PriorRows>> {
        let blank: Cmdp = task.blank();
        match &self.settings.prior {
            Prior::Add(_) | Prior::Floor(_) => Ok(None),
            Prior::File(path) => crate::learn::parts::prior::read_weights(path, &blank).map(Some),
            Prior::Known(weight) => {
                let all = || vec![(0..task.states()).collect(); task.pairs()];
                let known: Vec<Vec<usize>> = knowledge.successors.clone().unwrap_or_else(all);
                let row = |next: Vec<usize>| next.into_iter().map(|next| (next, *weight)).collect();
                Ok(Some(known.into_iter().map(row).collect()))
            }
        }
    }
}
