//! Episodes as a model of averages: a state for every stage and state, and from the last stage back to a start.
//!
//! ```text
//! P((h+1, s′) ∣ (h, s), a) = P(s′∣s,a) ,     the last stage leads to the start distribution under every action
//! ```
//!
//! Every policy spends 1/H of the time at each stage, so that H times an average is the sum over an episode, and a budget τ of
//! an episode is τ/H a step. State (h, s) has the number h S + s, and its pairs follow in the same order: a policy by stage is a
//! stationary policy here, number by number.

use super::{Cmdp, CmdpBuilder, Kernel, Names, Outcome};
use crate::error::{Error, Result};
use std::sync::Arc;

/// What a model of stages remembers of the episodes that it is made of.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    /// H.
    pub horizon: usize,
    /// The names of the states and actions of one stage.
    pub names: Names,
    /// Where the last step of an episode leads before the next one begins: a row for each pair of the last stage.
    pub ends: Kernel,
}

impl Cmdp {
    /// The length of an episode, if the states are those of the stages of an episode.
    pub fn horizon(&self) -> Option<usize> {
        self.stages.as_ref().map(|stages| stages.horizon)
    }

    /// Where the last step of an episode leads before the next one begins, for each pair of the last stage.
    pub fn ends(&self) -> Option<&Kernel> {
        self.stages.as_ref().map(|stages| &stages.ends)
    }

    /// The model of episodes of `horizon` steps.
    pub fn layered(&self, horizon: usize) -> Result<Cmdp> {
        if horizon == 0 {
            let (option, expected) = ("horizon", "a number of steps from 1 on");
            return Err(Error::Option { option, value: "0".into(), expected });
        }
        self.staged(horizon, |_| self)
    }

    /// The model of episodes with these stages, all of one shape; budgets, start and names are those of the first.
    pub(crate) fn of_stages(stages: &[Cmdp]) -> Result<Cmdp> {
        stages.first().ok_or(Error::NoStates)?.staged(stages.len(), |stage| &stages[stage])
    }

    fn staged<'a>(&self, horizon: usize, at: impl Fn(usize) -> &'a Cmdp) -> Result<Cmdp> {
        let states = self.states();
        let budgets: Vec<f64> = self.budgets().iter().map(|budget| budget / horizon as f64).collect();
        let mut layered = CmdpBuilder::new(states.saturating_mul(horizon), &budgets);
        for stage in 0..horizon {
            let model = at(stage);
            for state in 0..states {
                for pair in model.pairs_of(state) {
                    if stage + 1 < horizon {
                        let next = |s: usize| (stage + 1) * states + s;
                        layered.outcomes(stage * states + state, &model.outcomes(pair, next));
                    } else {
                        model.add_reset(self.start(), &mut layered, stage * states + state, pair);
                    }
                    layered.action(model.action_name(pair));
                }
            }
        }
        let name = |node: usize| format!("{}@{}", self.names().state(node % states), node / states);
        layered.state_names((0..states * horizon).map(name).collect());
        layered.cost_names((0..self.costs()).map(|i| self.names().cost(i)).collect());
        let ends = at(horizon - 1).kernel.clone();
        let stages = Stages { horizon, names: self.names.clone(), ends };
        let mut layered = layered.start_distribution(self.start()).build()?;
        layered.names.negated.clone_from(&self.names.negated);
        Ok(Cmdp { stages: Some(Arc::new(stages)), ..layered })
    }

    /// What a pair may bring, with its successors renamed.
    pub(crate) fn outcomes(&self, pair: usize, next: impl Fn(usize) -> usize) -> Vec<Outcome> {
        let value = |k: usize, s: usize| {
            self.signals().realised(k, pair, s).unwrap_or_else(|| self.signals().signal(k)[pair])
        };
        let outcome = |(s, probability): (usize, f64)| Outcome {
            next: next(s),
            probability,
            reward: value(0, s),
            costs: (1..=self.costs()).map(|k| value(k, s)).collect(),
        };
        self.kernel().row(pair).iter().map(outcome).collect()
    }

    /// The last step of an episode: wherever it leads, the next episode begins. Its signals are the pair's means, because the
    /// state that they may depend on is not seen.
    fn add_reset(&self, start: &[(usize, f64)], layered: &mut CmdpBuilder, state: usize, pair: usize) {
        let costs: Vec<f64> = (0..self.costs()).map(|i| self.signals().cost(i)[pair]).collect();
        layered.pair(state, start, self.signals().reward()[pair], &costs);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Task, text};

    #[test]
    fn an_episode_goes_through_its_stages_and_begins_again() {
        let text = "cost c <= 3\nstate A\n  go reward 1 c 2 -> B 0.5, A 0.5\nstate B\n  stay -> B";
        let layered = text::parse(text).unwrap().layered(3).unwrap();
        assert_eq!((layered.states(), layered.pairs(), layered.budgets()), (6, 6, &[1.0][..]));
        assert_eq!(layered.names().state(3), "B@1");
        let successors = |pair: usize| layered.kernel().row(pair).iter().collect::<Vec<_>>();
        assert_eq!(successors(0), [(2, 0.5), (3, 0.5)]);
        assert_eq!((successors(4), successors(5)), (vec![(0, 1.0)], vec![(0, 1.0)]));
        assert_eq!((layered.signals().reward()[2], layered.signals().cost(0)[4]), (1.0, 2.0));
        let stage = Task::of(&layered, 30).stage().unwrap();
        assert_eq!((stage.states(), stage.pairs(), stage.budgets()), (2, 2, &[3.0][..]));
        assert_eq!((layered.horizon(), stage.blank().names().state(1).as_str()), (Some(3), "B"));
    }

    #[test]
    fn stages_may_differ_and_a_cost_that_is_wanted_stays_one() {
        let stage = |reward: u32| {
            let text = format!("cost c >= 2\nstate A\n  go reward {reward} c 1 -> A");
            text::parse(&text).unwrap()
        };
        let layered = super::Cmdp::of_stages(&[stage(1), stage(5)]).unwrap();
        assert_eq!(layered.signals().reward(), [1.0, 5.0]);
        assert_eq!(layered.bound(0), crate::model::Bound::AtLeast(1.0));
        assert_eq!(layered.signals().cost(0), [-1.0, -1.0]);
    }
}
