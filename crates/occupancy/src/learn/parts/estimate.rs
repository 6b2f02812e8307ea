//! The model that a learner believes in.
//!
//! ```text
//! r̄ = R / N ,   c̄_i = C_i / N ,   p̄ = N(s,a,·) / N        if N = N(s,a) > 0
//! ```
//!
//! For a pair that was never visited, the paper's estimates are 0 / 1 and its row is no distribution; what stands there is
//! an option.

use super::dirichlet::draw_dense;
use crate::error::Result;
use crate::learn::{Counts, DenseOption};
use crate::model::{Cmdp, Task};
use crate::options::{Form, OptionValue};
use crate::seed::Rng;
use crate::{options, words};

words! {
    /// Where a pair that was never visited is thought to lead.
    pub enum UnvisitedKernel {
        /// Back to its own state.
        SelfLoop = "self-loop",
        /// To any state, with probabilities drawn afresh in every epoch from Dir(1).
        Fresh = "fresh",
        /// To any state with the same probability.
        Uniform = "uniform",
    }
}

/// A reward or cost that is assumed where nothing was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnvisitedSignal {
    /// The best value that the signal can have: the greatest reward, the least cost.
    Best,
    /// A number.
    Value(f64),
}

impl UnvisitedSignal {
    fn in_range(&self) -> bool {
        !matches!(self, UnvisitedSignal::Value(value) if !value.is_finite())
    }
}

impl OptionValue for UnvisitedSignal {
    const FORM: Form = Form::NumberOrWord;

    fn parse(text: &str) -> Option<UnvisitedSignal> {
        if text == "best" {
            Some(UnvisitedSignal::Best)
        } else {
            text.parse().ok().map(UnvisitedSignal::Value)
        }
    }

    fn show(&self) -> String {
        match self {
            UnvisitedSignal::Best => "best".into(),
            UnvisitedSignal::Value(number) => number.to_string(),
        }
    }
}

options! {
    /// What is assumed of rewards and costs where nothing was seen.
    pub struct UnvisitedSignals {
        /// The reward of a pair never visited.
        unvisited_reward: UnvisitedSignal = UnvisitedSignal::Best, "a number, or best" => UnvisitedSignal::in_range;
        /// The costs of a pair never visited.
        unvisited_cost: UnvisitedSignal = UnvisitedSignal::Best, "a number, or best" => UnvisitedSignal::in_range;
    }
}

options! {
    /// What is assumed of a pair of which nothing was seen.
    pub struct UnvisitedPairs {
        /// Where a pair never visited is thought to lead.
        unvisited_kernel: UnvisitedKernel = UnvisitedKernel::SelfLoop, "self-loop, fresh or uniform" => |_| true;
        with {
            /// Its reward and costs.
            signals: UnvisitedSignals = UnvisitedSignals::default();
        }
    }
}

impl UnvisitedPairs {
    /// The option by which rows hold all states, if they do.
    pub fn dense_option(&self) -> Option<DenseOption> {
        let value = self.unvisited_kernel.show();
        let dense = self.unvisited_kernel != UnvisitedKernel::SelfLoop;
        dense.then_some(DenseOption { option: "unvisited_kernel", value, instead: "self-loop" })
    }
}

/// An estimated model.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The model; its rows and signals are what was last written.
    pub model: Cmdp,
    task: Task,
    /// What is assumed of each signal where nothing was seen.
    unvisited: Vec<f64>,
}

impl Estimate {
    /// Nothing estimated yet.
    pub fn new(task: &Task, assumed: &UnvisitedSignals) -> Estimate {
        let unvisited = |k: usize| {
            let (least, greatest) = task.bounds(k);
            match if k == 0 { assumed.unvisited_reward } else { assumed.unvisited_cost } {
                UnvisitedSignal::Value(value) => value,
                UnvisitedSignal::Best if k == 0 => greatest,
                UnvisitedSignal::Best => least,
            }
        };
        let unvisited = (0..=task.costs()).map(unvisited).collect();
        Estimate { model: task.blank(), task: task.clone(), unvisited }
    }

    /// The signals become their means, changed by `bonus(signal, pair, mean)`.
    pub fn means(&mut self, counts: &Counts, mut bonus: impl FnMut(usize, usize, f64) -> f64) -> Result<()> {
        for k in 0..=self.task.costs() {
            let unvisited = self.unvisited[k];
            self.model.rewrite_signal(k, |pair| bonus(k, pair, counts.mean(k, pair).unwrap_or(unvisited)))?;
        }
        Ok(())
    }

    /// The rows become the shares of the successors seen.
    pub fn empirical(&mut self, counts: &Counts, unvisited: UnvisitedKernel, rng: &mut Rng) -> Result<()> {
        let states = self.task.states();
        let mut fresh = vec![0.0; states];
        let mut state = 0;
        let task = &self.task;
        self.model.rewrite_rows(|pair, row| {
            while !task.pairs_of(state).contains(&pair) {
                state += 1;
            }
            if counts.visits(pair) > 0 {
                return row.extend(counts.transitions(pair).map(|(next, n)| (next, n as f64)));
            }
            match unvisited {
                UnvisitedKernel::SelfLoop => row.push((state, 1.0)),
                UnvisitedKernel::Uniform => row.extend((0..states).map(|next| (next, 1.0))),
                UnvisitedKernel::Fresh => {
                    draw_dense(&mut fresh, 1.0, std::iter::empty(), rng);
                    row.extend(fresh.iter().copied().enumerate().filter(|&(_, p)| p > 0.0));
                }
            }
        })
    }
}

/// The least value and the width of a signal as papers have it: from 0 to 1 if its values lie there, otherwise its own range.
pub fn unit_range(task: &Task, signal: usize) -> (f64, f64) {
    match task.bounds(signal) {
        (least, greatest) if least >= 0.0 && greatest <= 1.0 => (0.0, 1.0),
        (least, greatest) if greatest > least => (least, greatest - least),
        (least, _) => (least, 1.0),
    }
}

/// An estimate within the range of its signal.
pub fn within(task: &Task, signal: usize, estimate: f64) -> f64 {
    let (least, most) = task.bounds(signal);
    estimate.clamp(least, most)
}
