//! The response to prices by policy iteration, on a chain that ends: by a discount, or on the states that end a sum.
//!
//! ```text
//! v = w_π + γ P_π v          switch to a if  w(s,a) + γ P(·∣s,a) v > v(s)
//! ```
//!
//! Where only targets end the chain (γ = 1), policy iteration begins with a policy that is certain to get there and takes
//! strict improvements alone. A policy that then goes round for ever has found a loop that pays: summed over the loop's
//! stationary law, the v cancel out and an improvement is left, so that its average is positive. That loop is the response.

use super::search::{Column, Responder, Response};
use super::swept;
use crate::arithmetic::dense::products;
use crate::arithmetic::extremes::{greater, greatest_size};
use crate::chain::reaching::{Reaching, reaching};
use crate::chain::solver::Solver;
use crate::chain::sums::{Ending, marked};
use crate::chain::{astray, evaluate};
use crate::error::{Error, Result, SumProblem};
use crate::model::{Cmdp, Criterion, Policy};
use crate::stop::StopFlag;

/// Improvements below this share of the values' size are rounding: of elimination, and of one step where the values of large
/// models are known by their residual.
const ROUNDING: [f64; 2] = [1e-13, 4e-15];

/// Improvements below this many times the residual of the policy's own actions are made of it.
const RESIDUALS: f64 = 4.0;

/// Models above this size are answered by value iteration, which costs a fraction of a system of equations.
pub(super) const LARGE: usize = 1000;

/// A deterministic stationary policy: the pair of every state.
pub(crate) type Pairs = Vec<u32>;

/// Policy iteration on a model.
pub(crate) struct Stationary<'a> {
    pub model: &'a Cmdp,
    pub criterion: Criterion,
    /// γ; 1 if only states end the sum.
    pub factor: f64,
    /// The states that end the sum, and those that no policy may visit because it could not be certain to get there.
    pub is_end: Vec<bool>,
    /// The pairs that may be taken; none if all may.
    allowed: Vec<bool>,
    pub start: Vec<(usize, f64)>,
    pub(super) solver: Solver,
    pub(super) stop: StopFlag,
    /// The policy evaluated last, and its values by signal and node: node 0 is the end, node s + 1 is state s.
    pub policy: Pairs,
    values: Vec<Vec<f64>>,
    /// The weighted values of the states, and w + γ P v of the pairs.
    pub weighted: Vec<f64>,
    action_values: Vec<f64>,
    /// How often the start's states are followed by others, roughly: the length of the sum.
    pub(super) length: f64,
    pub(super) is_evaluated: bool,
}

impl<'a> Stationary<'a> {
    pub fn new(
        model: &'a Cmdp,
        criterion: &Criterion,
        start: Vec<(usize, f64)>,
        stop: StopFlag,
    ) -> Result<Stationary<'a>> {
        let first = |state: usize| model.pairs_of(state).start as u32;
        let mut solver = Solver::default();
        solver.stop_by(stop.clone());
        let mut found = Stationary {
            model,
            criterion: criterion.clone(),
            factor: 1.0,
            is_end: vec![false; model.states()],
            allowed: Vec::new(),
            start,
            solver,
            stop,
            policy: (0..model.states()).map(first).collect(),
            values: vec![Vec::new(); model.signals().count()],
            weighted: vec![0.0; model.states()],
            action_values: vec![0.0; model.pairs()],
            length: 1.0,
            is_evaluated: false,
        };
        match criterion {
            Criterion::Discounted { factor } => {
                (found.factor, found.length) = (*factor, 1.0 / (1.0 - factor));
            }
            Criterion::Until { states } => found.aim_at(states)?,
            other => {
                let what = format!("the criterion {} in policy iteration", other.name());
                return Err(Error::Criterion { what, expected: "a discounted sum, or one until absorption" });
            }
        }
        Ok(found)
    }

    /// Keeps to policies that are certain to reach the targets, and begins with one that is.
    fn aim_at(&mut self, states: &[usize]) -> Result<()> {
        let model = self.model;
        let is_target = marked(model, states);
        let Reaching { state: within, pair, nearer } = reaching(model, &is_target);
        if let Some(&(state, _)) = self.start.iter().find(|&&(state, weight)| weight > 0.0 && !within[state])
        {
            return Err(Error::Sum(SumProblem::OutOfReach { state: model.names().state(state) }));
        }
        for state in 0..model.states() {
            self.is_end[state] = is_target[state] || !within[state];
            if !self.is_end[state] {
                self.policy[state] = nearer[state];
            }
        }
        self.allowed = pair;
        self.evaluate()?;
        let visits = self.visits()?;
        self.length = visits.iter().sum::<f64>().max(1.0);
        Ok(())
    }

    /// Begins with the likeliest actions of a policy, as far as these are certain to end.
    pub fn begin_with(&mut self, policy: &Policy) -> Result<()> {
        let probabilities = policy.probabilities();
        let likeliest = |state: usize| {
            let pairs = self.model.pairs_of(state).filter(|&pair| self.is_allowed(pair));
            pairs.max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b])).unwrap_or(0) as u32
        };
        let states = 0..self.model.states();
        let chosen: Pairs =
            states.map(|s| if self.is_end[s] { self.policy[s] } else { likeliest(s) }).collect();
        if self.stray_state(&chosen)?.is_none() {
            self.policy = chosen;
            self.evaluate()?;
            self.weigh(&[1.0]);
        }
        Ok(())
    }

    /// The chain of the policy, to be asked for its visits.
    pub fn ending(&self) -> Ending<'_> {
        Ending { model: self.model, factor: self.factor, is_target: &self.is_end }
    }

    /// Takes the chain of the policy into the solver, with so many signals x(k, pair).
    pub(super) fn load(&mut self, signals: usize, x: impl Fn(usize, usize) -> f64 + Sync) -> Result<()> {
        let model = self.model;
        let ending = Ending { model, factor: self.factor, is_target: &self.is_end };
        let policy = &self.policy;
        let taken = |node: usize| node.checked_sub(1).map(|state| (policy[state] as usize, 1.0)).into_iter();
        let signal = |node: usize, k: usize| match node.checked_sub(1) {
            Some(state) if !self.is_end[state] => x(k, policy[state] as usize),
            _ => 0.0,
        };
        let nodes = (model.states() + 1, signals);
        let solved = self.solver.solve(nodes, true, |node| ending.row(node, taken(node)), signal);
        solved.map_err(|why| ending.failed(why))
    }

    /// Solves for the values of all signals under the policy.
    fn evaluate(&mut self) -> Result<()> {
        let signals = self.model.signals();
        self.load(signals.count(), |k, pair| signals.signal(k)[pair])?;
        let mut gains = vec![0.0; self.values.len()];
        let solved = self.solver.biases(true, &mut gains, &mut self.values);
        solved.map_err(|why| self.ending().failed(why))?;
        self.is_evaluated = true;
        Ok(())
    }

    /// Expected visits of the states from the start, under the policy that was evaluated last.
    pub(super) fn visits(&mut self) -> Result<Vec<f64>> {
        let mut solver = std::mem::take(&mut self.solver);
        let visits = self.ending().visits(&mut solver, &self.start);
        self.solver = solver;
        visits
    }

    /// Expected visits of the states from the start, under some policy.
    pub fn visits_of(&mut self, policy: &Pairs) -> Result<Vec<f64>> {
        self.policy.clone_from(policy);
        self.solver.stop_by(StopFlag::default());
        self.is_evaluated = false;
        self.load(0, |_, _| 0.0)?;
        self.visits()
    }

    /// The long-run share of time in each state of a loop, and the averages of the signals there.
    pub fn law_of(&self, policy: &Pairs, state: usize) -> Result<(Vec<f64>, Vec<f64>)> {
        let policy = Policy::deterministic(self.model, policy.iter().map(|&pair| pair as usize))?;
        let within = evaluate(self.model, &policy, &[(state, 1.0)])?;
        let recurrent = within.occupancy.iter().position(|&share| share > 0.0).unwrap_or(0);
        let class = evaluate(self.model, &policy, &[(self.model.state_of(recurrent), 1.0)])?;
        let gains = std::iter::once(class.value.reward).chain(class.value.costs).collect();
        let law = (0..self.model.states()).map(|s| class.occupancy[self.model.pairs_of(s)].iter().sum());
        Ok((law.collect(), gains))
    }

    /// J(x) of every signal from the start.
    fn gains(&self) -> Vec<f64> {
        let value = |values: &Vec<f64>| self.start.iter().map(|&(s, weight)| weight * values[s + 1]).sum();
        self.values.iter().map(value).collect()
    }

    /// J of the weighted sum of the signals from the start.
    pub(super) fn weighted_gain(&self) -> f64 {
        self.start.iter().map(|&(state, weight)| weight * self.weighted[state]).sum()
    }

    /// The values of the weighted sum of the signals under the policy.
    fn weigh(&mut self, weights: &[f64]) {
        self.weighted.fill(0.0);
        for (values, &weight) in self.values.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            self.weighted.iter_mut().zip(&values[1..]).for_each(|(sum, v)| *sum += weight * v);
        }
        self.weighted.iter_mut().zip(&self.is_end).filter(|(_, end)| **end).for_each(|(v, _)| *v = 0.0);
    }

    /// w(s,a) + γ P(·∣s,a) v of every pair.
    pub(super) fn look_ahead(&mut self, weights: &[f64]) {
        let (model, factor) = (self.model, self.factor);
        match model.kernel().dense() {
            Some(rows) => {
                let v = std::mem::take(&mut self.weighted);
                let mut one = [v];
                products(rows, None, &one, &mut self.action_values);
                self.weighted = std::mem::take(&mut one[0]);
            }
            None => {
                for (pair, value) in self.action_values.iter_mut().enumerate() {
                    *value = model.kernel().row(pair).dot(&self.weighted);
                }
            }
        }
        self.action_values.iter_mut().for_each(|value| *value *= factor);
        for (k, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            let signal = model.signals().signal(k).iter();
            self.action_values.iter_mut().zip(signal).for_each(|(value, x)| *value += weight * x);
        }
    }

    /// Whether a pair may be taken.
    fn is_allowed(&self, pair: usize) -> bool {
        self.allowed.is_empty() || self.allowed[pair]
    }

    /// What an improvement has to exceed.
    fn tolerance(&self) -> f64 {
        let size = greatest_size(self.weighted.iter().copied());
        if self.model.states() <= LARGE {
            return ROUNDING[0] * size;
        }
        let states = (0..self.model.states()).filter(|&state| !self.is_end[state]);
        let residual = |state: usize| self.action_values[self.policy[state] as usize] - self.weighted[state];
        ROUNDING[1] * size + RESIDUALS * greatest_size(states.map(residual))
    }

    /// The policy with every strict improvement, and the largest one.
    pub(super) fn improved(&self) -> (Pairs, f64) {
        let tolerance = self.tolerance();
        let (mut policy, mut most) = (self.policy.clone(), 0.0);
        for state in (0..self.model.states()).filter(|&state| !self.is_end[state]) {
            let (mut best, mut chosen) = (f64::NEG_INFINITY, 0);
            for pair in self.model.pairs_of(state).filter(|&pair| self.is_allowed(pair)) {
                if self.action_values[pair] > best {
                    (best, chosen) = (self.action_values[pair], pair);
                }
            }
            let excess = best - self.weighted[state];
            most = greater(most, excess);
            if excess > tolerance {
                policy[state] = chosen as u32;
            }
        }
        (policy, most)
    }

    /// A state from which a policy never comes to the end, if there is one.
    fn stray_state(&self, policy: &Pairs) -> Result<Option<usize>> {
        if self.factor < 1.0 {
            return Ok(None);
        }
        let as_policy = Policy::deterministic(self.model, policy.iter().map(|&pair| pair as usize))?;
        let everywhere: Vec<(usize, f64)> =
            (0..self.model.states()).filter(|&s| !self.is_end[s]).map(|s| (s, 1.0)).collect();
        Ok(astray(self.model, &as_policy, &everywhere, &self.is_end))
    }

    /// The loop that a policy goes round for ever, if it does.
    fn loop_of(&self, policy: &Pairs, weights: &[f64]) -> Result<Option<Column<Pairs>>> {
        let Some(state) = self.stray_state(policy)? else { return Ok(None) };
        let (law, gains) = self.law_of(policy, state)?;
        let loop_states = (0..law.len() as u32).filter(|&s| law[s as usize] > 0.0).collect();
        let pays: f64 = weights.iter().zip(&gains).map(|(weight, gain)| weight * gain).sum();
        if pays <= 0.0 {
            return Err(Error::Sum(SumProblem::Astray { state: self.model.names().state(state) }));
        }
        Ok(Some(Column { gains, policy: policy.clone(), loop_states }))
    }

    /// The best policy for weights, changed so that it comes to some states by pairs that are as good up to a share of the values'
    /// size; `None` if there is no such way.
    pub fn tied_policy_to(&mut self, states: &[u32], weights: &[f64], tied: f64) -> Result<Option<Pairs>> {
        self.respond(weights)?;
        self.weigh(weights);
        self.look_ahead(weights);
        let slack = tied * greatest_size(self.weighted.iter().copied());
        let (mut from, mut order) = (vec![None; self.model.states()], Vec::new());
        for &(state, _) in self.start.iter().filter(|&&(state, _)| !self.is_end[state]) {
            from[state] = Some((state, u32::MAX));
            order.push(state);
        }
        let mut next = 0;
        while next < order.len() {
            let state = order[next];
            next += 1;
            let good = |pair: &usize| {
                self.is_allowed(*pair) && self.action_values[*pair] >= self.weighted[state] - slack
            };
            for pair in self.model.pairs_of(state).filter(good) {
                for (to, _) in self.model.kernel().row(pair).iter() {
                    if from[to].is_none() && !self.is_end[to] {
                        from[to] = Some((state, pair as u32));
                        order.push(to);
                    }
                }
            }
        }
        let Some(&reached) = states.iter().find(|&&state| from[state as usize].is_some()) else {
            return Ok(None);
        };
        let (mut policy, mut at) = (self.policy.clone(), reached as usize);
        while let Some((before, pair)) = from[at].filter(|&(_, pair)| pair != u32::MAX) {
            policy[before] = pair;
            at = before;
        }
        Ok(if self.stray_state(&policy)?.is_none() { Some(policy) } else { None })
    }

    /// A policy with what it is worth.
    pub fn column_of(&mut self, policy: Pairs) -> Result<Column<Pairs>> {
        self.policy.clone_from(&policy);
        self.evaluate()?;
        Ok(Column { gains: self.gains(), policy, loop_states: Vec::new() })
    }
}

impl Responder for Stationary<'_> {
    type Policy = Pairs;

    fn respond(&mut self, weights: &[f64]) -> Result<Response<Pairs>> {
        if self.is_swept() {
            return self.respond_by_sweeps(weights);
        }
        if !self.is_evaluated {
            self.evaluate()?;
        }
        self.weigh(weights);
        self.look_ahead(weights);
        let (policy, excess) = self.improved();
        let optimal = policy == self.policy;
        let upper = self.weighted_gain() + excess.max(0.0) * self.length;
        if optimal {
            let column = Column { gains: self.gains(), policy, loop_states: Vec::new() };
            return Ok(Response { column, optimal, upper });
        }
        if let Some(column) = self.loop_of(&policy, weights)? {
            return Ok(Response { column, optimal, upper: f64::INFINITY });
        }
        self.policy = policy;
        self.evaluate()?;
        let column = Column { gains: self.gains(), policy: self.policy.clone(), loop_states: Vec::new() };
        let upper = if self.factor < 1.0 { upper } else { f64::INFINITY };
        Ok(Response { column, optimal, upper })
    }

    fn sizes(&self) -> Vec<f64> {
        let signals = self.model.signals();
        (0..signals.count()).map(|k| self.length * signals.size(k)).collect()
    }

    fn resolution(&self) -> f64 {
        if self.is_swept() { swept::RESOLUTION } else { 0.0 }
    }
}
