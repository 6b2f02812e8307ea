//! The model of every stage that a learner of episodes believes in.
//!
//! ```text
//! r̄ = R / max(1, n) ,   c̄_i = C_i / max(1, n) ,   p̄ = n(·) / n        for every pair of every stage
//! ```
//!
//! Only the rows of the last episode are touched: an episode of H steps changes H rows of H S A.

use super::units::Units;
use crate::error::{LearnerProblem, Result};
use crate::learn::parts::episodic::options::Counting;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::parts::told::{SignalSource, known_signals};
use crate::learn::{Counts, Knowledge, Now, check_table};
use crate::model::{Cmdp, Policy, Task};
use std::ops::Range;

/// Estimated transitions, rewards and costs, in [`Units`].
#[derive(Clone, Debug)]
pub struct Estimates {
    /// The model of every stage: p̄, the budgets, and the signals that were written last.
    pub models: Vec<Cmdp>,
    /// The units of signals, budgets and prices.
    pub units: Units,
    /// n of every row.
    pub visits: Vec<u64>,
    /// r̄ and c̄_i of every row, or what was told.
    pub means: Vec<Vec<f64>>,
    /// The rows that the last update changed.
    pub changed: Vec<usize>,
    /// The layout of a stage.
    stage: Task,
    pooled: bool,
    known: bool,
    unvisited: UnvisitedKernel,
    /// How often each state was arrived in, and the sums of the signals, of the row that is being written.
    arrivals: Vec<u64>,
    sums: Vec<f64>,
    begun: bool,
}

impl Estimates {
    /// Nothing seen yet. A pair that was never visited leads where `unvisited` says; `Fresh` is not known to episodes.
    pub fn new(
        learner: &'static str,
        task: &Task,
        knowledge: &Knowledge,
        counting: &Counting,
        unvisited: UnvisitedKernel,
    ) -> Result<Estimates> {
        let (Some(horizon), Some(stage)) = (task.horizon(), task.stage()) else {
            return Err(LearnerProblem::NoEpisodes { learner }.into());
        };
        check_table(learner, stage.states(), task.pairs())?;
        let units = Units::of(task, horizon);
        let budgets = stage.budgets().iter().enumerate().map(|(i, &sum)| units.cost_of_episode(i, sum));
        let model = stage.blank().with_budgets(&budgets.collect::<Vec<f64>>())?;
        let known = counting.signals == SignalSource::Known;
        let means = if known {
            let told = known_signals(learner, knowledge)?.iter().enumerate();
            told.map(|(k, signal)| signal.iter().map(|&x| units.signal(k, x)).collect()).collect()
        } else {
            vec![vec![0.0; task.pairs()]; task.costs() + 1]
        };
        let mut estimates = Estimates {
            models: vec![model; horizon],
            units,
            visits: vec![0; task.pairs()],
            means,
            changed: Vec::new(),
            arrivals: vec![0; stage.states()],
            sums: vec![0.0; task.costs() + 1],
            stage,
            pooled: counting.pool_steps,
            known,
            unvisited,
            begun: false,
        };
        (0..task.pairs()).for_each(|row| estimates.write_row(row));
        Ok(estimates)
    }

    /// H.
    pub fn horizon(&self) -> usize {
        self.models.len()
    }

    /// The states of a stage.
    pub fn states(&self) -> usize {
        self.stage.states()
    }

    /// The pairs of a stage.
    pub fn pairs(&self) -> usize {
        self.stage.pairs()
    }

    /// How many rows there are: one for each pair of each stage.
    pub fn rows(&self) -> usize {
        self.visits.len()
    }

    /// How many costs there are.
    pub fn costs(&self) -> usize {
        self.stage.costs()
    }

    /// Whether rewards and costs were told.
    pub fn knows_signals(&self) -> bool {
        self.known
    }

    /// The stage of a row.
    pub fn stage_of(&self, row: usize) -> usize {
        row / self.pairs()
    }

    /// The rows of a state at a stage.
    pub fn rows_of(&self, stage: usize, state: usize) -> Range<usize> {
        let (pairs, first) = (self.stage.pairs_of(state), stage * self.pairs());
        first + pairs.start..first + pairs.end
    }

    /// The budget of a cost over an episode, in units.
    pub fn budget(&self, i: usize) -> f64 {
        self.models[0].budgets()[i]
    }

    /// p̄ of a row.
    pub fn kernel(&self, row: usize) -> &[f64] {
        let (stage, pair, states) = (self.stage_of(row), row % self.pairs(), self.states());
        let rows = self.models[stage].kernel().dense().unwrap_or(&[]);
        &rows[pair * states..(pair + 1) * states]
    }

    /// Takes in what was seen in the last episode; before the first one, all that was seen.
    pub fn update(&mut self, now: &Now) {
        self.changed.clear();
        if self.begun {
            now.trajectory.iter().for_each(|visit| self.take_in(visit.pair as usize, now.counts));
        } else {
            self.begun = true;
            (0..self.rows()).for_each(|row| self.take_in(row, now.counts));
        }
    }

    /// Takes in the counts of a row, and of its like at other stages if they are pooled.
    fn take_in(&mut self, row: usize, counts: &Counts) {
        let pairs = self.pairs();
        let like = |stage: usize| stage * pairs + row % pairs;
        let stages = if self.pooled { 0..self.horizon() } else { self.stage_of(row)..self.stage_of(row) + 1 };
        self.arrivals.fill(0);
        self.sums.fill(0.0);
        for row in stages.clone().map(like) {
            counts.arrivals(row).for_each(|(state, n)| self.arrivals[state] += n);
            for (k, sum) in self.sums.iter_mut().enumerate() {
                *sum += counts.sum(k, row);
            }
        }
        stages.map(like).for_each(|row| self.write_row(row));
    }

    /// Takes in the counts of a row alone, as numbers: n(·), and Σ x of every signal in the units of the task.
    #[cfg(test)]
    pub fn set_row(&mut self, row: usize, arrivals: &[u64], sums: &[f64]) {
        self.arrivals.copy_from_slice(arrivals);
        self.sums.copy_from_slice(sums);
        self.write_row(row);
    }

    /// Writes n, p̄ and the means of a row from its counts.
    fn write_row(&mut self, row: usize) {
        let (stage, pair, states) = (self.stage_of(row), row % self.pairs(), self.states());
        let visits: u64 = self.arrivals.iter().sum();
        let (arrivals, unvisited) = (&self.arrivals, self.unvisited);
        let own = self.models[stage].state_of(pair);
        self.models[stage].rewrite_row(pair, |row| match (visits, unvisited) {
            (0, UnvisitedKernel::SelfLoop) => {
                row.fill(0.0);
                row[own] = 1.0;
            }
            (0, _) => row.fill(1.0 / states as f64),
            _ => row.iter_mut().zip(arrivals).for_each(|(p, &n)| *p = n as f64 / visits as f64),
        });
        self.visits[row] = visits;
        if !self.known {
            for (k, means) in self.means.iter_mut().enumerate() {
                let mean = self.sums[k] / visits.max(1) as f64;
                means[row] = if visits > 0 { self.units.signal(k, mean) } else { 0.0 };
            }
        }
        self.changed.push(row);
    }

    /// The signals of all models become `change(k, row, mean)`: 0 is the reward, i + 1 the cost i.
    pub fn write_signals(&mut self, change: impl Fn(usize, usize, f64) -> f64) -> Result<()> {
        let pairs = self.pairs();
        for (stage, model) in self.models.iter_mut().enumerate() {
            for (k, means) in self.means.iter().enumerate() {
                let first = stage * pairs;
                model.rewrite_signal(k, |pair| change(k, first + pair, means[first + pair]))?;
            }
        }
        Ok(())
    }

    /// The same for the rows that the last update changed.
    pub fn write_changed_signals(&mut self, change: impl Fn(usize, usize, f64) -> f64) -> Result<()> {
        let pairs = self.pairs();
        if self.changed.len() >= pairs {
            return self.write_signals(change);
        }
        for &row in &self.changed {
            for (k, means) in self.means.iter().enumerate() {
                self.models[row / pairs].rewrite_signal_of(k, row % pairs, change(k, row, means[row]))?;
            }
        }
        Ok(())
    }

    /// The policy that takes every action with the same probability.
    pub fn uniform(&self) -> Policy {
        let rows = Policy::uniform(&self.models[0]).probabilities().repeat(self.horizon());
        Policy::unchecked(rows, 1)
    }

    /// The state of a row in the model of all stages.
    pub fn layered_state(&self, row: usize) -> usize {
        let stage = self.stage_of(row);
        stage * self.states() + self.models[stage].state_of(row % self.pairs())
    }

    /// Every stage and state.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let states = self.states();
        (0..self.horizon()).flat_map(move |stage| (0..states).map(move |state| (stage, state)))
    }

    /// A: the greatest number of actions of a state.
    pub fn most_actions(&self) -> usize {
        (0..self.states()).map(|state| self.stage.pairs_of(state).len()).max().unwrap_or(1)
    }
}
