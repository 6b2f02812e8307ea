//! The best response to prices: the best policy of a model, in its scope, for a weighted sum of the signals.
//!
//! Each end component is solved by itself. From anywhere the best of them is the answer; from a start, the best
//! components to end in are found by [`super::absorption`].

use super::From;
use super::absorption::{Absorption, Decision};
use super::choices::Choices;
use super::components::{EndComponents, TRANSIENT, end_components};
use super::policy_iteration::{PolicyIteration, dot};
use super::region::{Chosen, Region};
use super::value_iteration::{self, Stop};
use crate::error::{Error, Result};

/// How a component is solved at fixed prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Inner {
    PolicyIteration,
    ValueIteration(Stop),
}

/// Value iteration that takes over where policy iteration ends above its tolerance.
const RESCUE: Stop = Stop { span: 1e-12, sweeps: 20_000 };

/// The structure of a model as seen from a scope.
pub(crate) struct Scope<'a> {
    pub choices: Choices<'a>,
    /// The start distribution; none from anywhere.
    pub start: Option<Vec<(usize, f64)>>,
    /// The states that can be reached (all of them from anywhere).
    pub within: Vec<bool>,
    pub parts: EndComponents,
    /// The position of every state in its component.
    pub local: Vec<u32>,
    /// Which component to end in, and how many decisions that takes at most; none if there is no choice.
    absorption: Option<(Absorption, f64)>,
}

impl<'a> Scope<'a> {
    /// Looks at a model from a scope.
    pub fn new(choices: Choices<'a>, from: From) -> Result<Scope<'a>> {
        let model = choices.model;
        let start = match from {
            From::Anywhere => None,
            From::Start => Some(model.start().to_vec()),
            From::State(state) if state < model.states() => Some(vec![(state, 1.0)]),
            From::State(state) => return Err(Error::UnknownState { state, states: model.states() }),
        };
        let within = match &start {
            Some(start) if !choices.connects_all() => reachable(&choices, start),
            _ => vec![true; model.states()],
        };
        let parts = end_components(&choices, &within);
        let mut local = vec![0; model.states()];
        for states in &parts.members {
            states.iter().enumerate().for_each(|(position, &state)| local[state as usize] = position as u32);
        }
        let settled =
            parts.members.len() == 1 && (0..model.states()).all(|s| !within[s] || parts.of[s] != TRANSIENT);
        let mut scope = Scope { choices, start, within, parts, local, absorption: None };
        if scope.start.is_some() && !settled {
            let mut absorption = Absorption::new(&choices, &scope.parts, &scope.within);
            let longest = absorption.longest(&choices)?;
            scope.absorption = Some((absorption, longest));
        }
        Ok(scope)
    }

    pub fn region(&self, component: usize) -> Region<'_> {
        Region::new(self.choices, &self.parts, &self.local, component)
    }
}

/// The states that can be reached from a start, whatever is done.
fn reachable(choices: &Choices, start: &[(usize, f64)]) -> Vec<bool> {
    let mut seen = vec![false; choices.model.states()];
    let mut waiting: Vec<usize> = start.iter().map(|&(state, _)| state).collect();
    waiting.iter().for_each(|&state| seen[state] = true);
    while let Some(state) = waiting.pop() {
        for pair in choices.model.pairs_of(state) {
            choices.successors(pair, |next| {
                if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            });
        }
    }
    seen
}

/// A deterministic policy and what it attains in its scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// J of every signal.
    pub gains: Vec<f64>,
    pub chosen: Chosen,
    /// The share of time spent in every state.
    pub mass: Vec<f64>,
}

/// Answers prices with policies; keeps the last policy as a warm start.
pub(crate) struct Responder {
    inner: Inner,
    pub iteration: PolicyIteration,
    /// The policy of every component that was the best one last.
    pub chosen: Chosen,
    /// Per component: gains of all signals.
    gains: Vec<Vec<f64>>,
    /// By state: the stationary law of its component's policy.
    law: Vec<f64>,
}

impl Responder {
    pub fn new(inner: Inner) -> Responder {
        let (iteration, chosen) = (PolicyIteration::default(), Chosen::default());
        Responder { inner, iteration, chosen, gains: Vec::new(), law: Vec::new() }
    }

    /// Makes room for a scope; policies of a model of the same size are kept as a warm start.
    pub fn prepare(&mut self, scope: &Scope) {
        let states = scope.choices.model.states();
        if self.chosen.pair.len() != states || self.chosen.rows.is_empty() == scope.choices.radii.is_some() {
            self.chosen.reset(states, scope.choices.radii.is_some());
            self.iteration.bias.clear();
        }
        // Rows chosen within the radii of an earlier model need not be within those of this one.
        self.chosen.rows.iter_mut().for_each(Vec::clear);
        self.gains.resize_with(scope.parts.members.len(), Vec::new);
        self.law.clear();
        self.law.resize(states, 0.0);
    }

    /// The best policy for Σ ω_k x_k, and an upper bound on what any policy attains.
    pub fn respond(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<(Column, f64)> {
        self.iteration.weigh(scope.choices.model, weights);
        let (mut upper, mut excess) = (f64::NEG_INFINITY, 0.0f64);
        for component in 0..scope.parts.members.len() {
            let region = scope.region(component);
            let bound = self.solve(&region, weights)?;
            self.gains[component].clone_from(&self.iteration.gains);
            region
                .states
                .iter()
                .zip(&self.iteration.law)
                .for_each(|(&s, share)| self.law[s as usize] = *share);
            upper = upper.max(bound);
            excess = excess.max(bound - dot(weights, &self.gains[component]));
        }
        if let Some((mut absorption, longest)) = scope.absorption.take() {
            let rounding = absorption.solve(&scope.choices, &self.gains, weights);
            let column = self.end_best(scope, &absorption);
            scope.absorption = Some((absorption, longest));
            let upper = dot(weights, &column.gains) + excess + rounding? * longest;
            return Ok((column, upper));
        }
        let value = |component: &usize| dot(weights, &self.gains[*component]);
        let best =
            (0..self.gains.len()).max_by(|a, b| value(a).total_cmp(&value(b)).then(b.cmp(a))).unwrap_or(0);
        let mut stop = vec![0.0; self.gains.len()];
        stop[best] = 1.0;
        Ok((self.column(scope, &stop, self.chosen.clone()), upper))
    }

    fn solve(&mut self, region: &Region, weights: &[f64]) -> Result<f64> {
        if let Inner::ValueIteration(stop) = self.inner {
            return value_iteration::solve(&mut self.iteration, region, weights, &mut self.chosen, stop);
        }
        let upper = self.iteration.solve(region, weights, &mut self.chosen)?;
        let gain = dot(weights, &self.iteration.gains);
        let size = region
            .states
            .iter()
            .flat_map(|&s| region.pairs(s as usize))
            .map(|pair| self.iteration.weighted[pair].abs());
        if upper - gain <= 1e-10 * size.fold(f64::MIN_POSITIVE, f64::max) {
            return Ok(upper);
        }
        // Near-ties: value iteration decides them by its bounds, from the bias found so far.
        let kept = (self.chosen.clone(), gain);
        let rescued = value_iteration::solve(&mut self.iteration, region, weights, &mut self.chosen, RESCUE)?;
        if dot(weights, &self.iteration.gains) < kept.1 {
            self.chosen = kept.0;
            self.iteration.evaluate(region, weights, &mut self.chosen)?;
        }
        Ok(upper.min(rescued))
    }

    /// The policy that ends where the decisions say.
    fn end_best(&self, scope: &Scope, absorption: &Absorption) -> Column {
        let mut chosen = self.chosen.clone();
        for state in (0..scope.within.len()).filter(|&s| scope.within[s] && scope.parts.of[s] == TRANSIENT) {
            if let Decision::Leave(pair) = absorption.decisions[absorption.node_of[state] as usize] {
                chosen.pair[state] = pair;
            }
        }
        for component in 0..scope.parts.members.len() {
            if let Decision::Leave(pair) = absorption.decisions[component + 1] {
                let region = scope.region(component);
                let exit = scope.choices.model.state_of(pair as usize);
                let mut reached = vec![false; region.states.len()];
                reached[scope.local[exit] as usize] = true;
                region.route(&mut reached, &mut chosen);
                chosen.pair[exit] = pair;
            }
        }
        let stop = absorption.stopping(scope.start.as_deref().unwrap_or_default());
        self.column(scope, &stop, chosen)
    }

    /// The column of a policy that ends in every component with the probability `stop`.
    fn column(&self, scope: &Scope, stop: &[f64], chosen: Chosen) -> Column {
        let mut column =
            Column { gains: vec![0.0; self.gains[0].len()], chosen, mass: vec![0.0; self.law.len()] };
        for (component, &weight) in stop.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            column.gains.iter_mut().zip(&self.gains[component]).for_each(|(sum, gain)| *sum += weight * gain);
            for &state in &scope.parts.members[component] {
                column.mass[state as usize] = weight * self.law[state as usize];
            }
        }
        column
    }
}
