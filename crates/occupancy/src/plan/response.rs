//! The best response to prices: the best policy of a model, in its scope, for a weighted sum of the signals.
//!
//! Each end component is solved by itself. From anywhere the best of them is the answer; from a start, the best
//! components to end in are found by [`super::absorption`].

use super::absorption::{Absorption, Decision};
use super::choices::Choices;
use super::components::{EndComponents, TRANSIENT, end_components};
use super::evaluation::Evaluated;
use super::policy_iteration::{PolicyIteration, Step, dot, doubt};
use super::region::{Chosen, Region};
use super::value_iteration::{self, Stop};
use super::{Evaluations, From};
use crate::error::{Error, Result};
use crate::model::solver::Solver;

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

    /// Whether some component is solved by iteration.
    pub fn is_large(&self) -> bool {
        let kernel = self.choices.model.kernel();
        let per_pair = kernel.entries() / self.choices.model.pairs();
        self.parts.members.iter().any(|states| Solver::is_large(states.len(), states.len() * per_pair))
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
    /// The probability of ending in every component.
    stop: Vec<f64>,
    /// The share of time spent in every state; empty until [`Responder::complete_mass`] where it is costly.
    pub mass: Vec<f64>,
}

/// Answers prices with policies; keeps the last policy as a warm start.
pub(crate) struct Responder {
    inner: Inner,
    pub iteration: PolicyIteration,
    /// The current policy, in every component.
    pub chosen: Chosen,
    /// Its evaluation, by component.
    evaluated: Vec<Evaluated>,
}

/// What a response to prices brings.
pub(crate) struct Response {
    pub column: Column,
    /// An upper bound on the weighted gain of every policy.
    pub upper: f64,
    /// No policy is better at these prices.
    pub optimal: bool,
}

impl Responder {
    pub fn new(inner: Inner) -> Responder {
        let (iteration, chosen) = (PolicyIteration::default(), Chosen::default());
        Responder { inner, iteration, chosen, evaluated: Vec::new() }
    }

    /// Evaluates a first policy: the one given, if it is of this size, or the current one. What does not fit the
    /// model is replaced by the actions that are best at once.
    pub fn begin(&mut self, scope: &mut Scope, weights: &[f64], policy: Option<&Chosen>) -> Result<Column> {
        let states = scope.choices.model.states();
        if let Some(policy) = policy.filter(|policy| policy.pair.len() == states) {
            self.chosen.pair.clone_from(&policy.pair);
        }
        if self.chosen.pair.len() != states || self.chosen.rows.is_empty() == scope.choices.radii.is_some() {
            self.chosen.reset(states, scope.choices.radii.is_some());
            self.iteration.bias.clear();
        }
        // Rows chosen within the radii of an earlier model need not be within those of this one.
        self.chosen.rows.iter_mut().for_each(Vec::clear);
        self.evaluated.resize_with(scope.parts.members.len(), Evaluated::default);
        self.iteration.weigh(scope.choices.model, weights);
        for (component, evaluated) in self.evaluated.iter_mut().enumerate() {
            let region = scope.region(component);
            self.iteration.complete(&region, &mut self.chosen);
            self.iteration.evaluator.evaluate(&region, weights, &mut self.chosen, evaluated)?;
        }
        Ok(self.end(scope, weights)?.0)
    }

    /// Improves the current policy for Σ ω_k x_k: by one step of policy iteration, or to the end by value iteration.
    pub fn respond(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<Response> {
        let inner = self.inner;
        self.advance(scope, weights, |iteration, region, chosen, evaluated| match inner {
            Inner::PolicyIteration => iteration.step(region, weights, chosen, evaluated),
            Inner::ValueIteration(stop) => {
                let upper = value_iteration::solve(iteration, region, weights, chosen, evaluated, stop)?;
                Ok(Step { optimal: true, upper })
            }
        })
    }

    /// Where rounding ended policy iteration above its bound: value iteration from the bias found so far.
    pub fn rescue(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<Response> {
        self.advance(scope, weights, |iteration, region, chosen, evaluated| {
            let kept = (chosen.clone(), evaluated.clone());
            let upper = value_iteration::solve(iteration, region, weights, chosen, evaluated, RESCUE)?;
            if dot(weights, &evaluated.gains) < dot(weights, &kept.1.gains) {
                (*chosen, *evaluated) = kept;
            }
            Ok(Step { optimal: true, upper })
        })
    }

    fn advance(
        &mut self,
        scope: &mut Scope,
        weights: &[f64],
        mut solve: impl FnMut(&mut PolicyIteration, &Region, &mut Chosen, &mut Evaluated) -> Result<Step>,
    ) -> Result<Response> {
        self.iteration.weigh(scope.choices.model, weights);
        let (mut upper, mut excess, mut optimal) = (f64::NEG_INFINITY, 0.0f64, true);
        for (component, evaluated) in self.evaluated.iter_mut().enumerate() {
            let region = scope.region(component);
            let step = solve(&mut self.iteration, &region, &mut self.chosen, evaluated)?;
            optimal &= step.optimal;
            upper = upper.max(step.upper);
            excess = excess.max(step.upper - dot(weights, &evaluated.gains));
        }
        let (column, rounding) = self.end(scope, weights)?;
        let upper = rounding.map_or(upper, |rounding| dot(weights, &column.gains) + excess + rounding);
        Ok(Response { column, upper, optimal })
    }

    /// The column of the current policies; where components have to be chosen between by decisions on the way, with
    /// the rounding error of that choice.
    fn end(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<(Column, Option<f64>)> {
        if let Some((mut absorption, longest)) = scope.absorption.take() {
            let rounding = absorption.solve(&scope.choices, &self.gains(), weights);
            let stop = absorption.stopping(&scope.choices, scope.start.as_deref().unwrap_or_default());
            let column = stop.map(|stop| self.end_best(scope, &absorption, &stop));
            scope.absorption = Some((absorption, longest));
            let gains = self.evaluated.iter().map(|evaluated| dot(weights, &evaluated.gains).abs());
            let size = gains.fold(0.0, f64::max);
            return Ok((column?, Some(rounding? * longest + doubt(size, longest * size))));
        }
        let value = |component: &usize| dot(weights, &self.evaluated[*component].gains);
        let best = (0..self.evaluated.len())
            .max_by(|a, b| value(a).total_cmp(&value(b)).then(b.cmp(a)))
            .unwrap_or(0);
        let mut stop = vec![0.0; self.evaluated.len()];
        stop[best] = 1.0;
        Ok((self.column(scope, &stop, self.chosen.clone()), None))
    }

    fn gains(&self) -> Vec<Vec<f64>> {
        self.evaluated.iter().map(|evaluated| evaluated.gains.clone()).collect()
    }

    /// The policy that ends where the decisions say.
    fn end_best(&self, scope: &Scope, absorption: &Absorption, stop: &[f64]) -> Column {
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
        self.column(scope, stop, chosen)
    }

    /// The column of a policy that ends in every component with the probability `stop`.
    fn column(&self, scope: &Scope, stop: &[f64], chosen: Chosen) -> Column {
        let model = scope.choices.model;
        let mut column = Column {
            gains: vec![0.0; model.signals().count()],
            stop: stop.to_vec(),
            chosen,
            mass: Vec::new(),
        };
        let known = self.evaluated.iter().all(|evaluated| !evaluated.law.is_empty());
        column.mass.resize(if known { model.states() } else { 0 }, 0.0);
        for (component, &weight) in stop.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let evaluated = &self.evaluated[component];
            column.gains.iter_mut().zip(&evaluated.gains).for_each(|(sum, gain)| *sum += weight * gain);
            for (&state, share) in scope.parts.members[component].iter().zip(&evaluated.law).filter(|_| known)
            {
                column.mass[state as usize] = weight * share;
            }
        }
        column
    }

    /// How far gains may be off, as a share of the largest reward or cost they belong to.
    pub fn error(&self, scope: &Scope) -> f64 {
        let signals = scope.choices.model.signals();
        let share = |(k, error): (usize, &f64)| error / signals.size(k).max(f64::MIN_POSITIVE);
        let shares =
            self.evaluated.iter().flat_map(|evaluated| evaluated.errors.iter().enumerate().map(share));
        shares.fold(0.0, f64::max)
    }

    /// Where the evaluation of policies had to change its method.
    pub fn evaluations(&self, scope: &Scope) -> Evaluations {
        let ends = scope.absorption.as_ref().map_or(0, |(absorption, _)| absorption.switched());
        let evaluator = &self.iteration.evaluator;
        Evaluations { switched: ends + evaluator.switched(), left_out: evaluator.left_out }
    }

    /// Finds the share of time spent in every state, where the column was made without it.
    pub fn complete_mass(&mut self, scope: &Scope, column: &mut Column) -> Result<()> {
        if !column.mass.is_empty() {
            return Ok(());
        }
        column.mass.resize(scope.choices.model.states(), 0.0);
        for component in (0..column.stop.len()).filter(|&component| column.stop[component] > 0.0) {
            let region = scope.region(component);
            let mut evaluated = Evaluated::default();
            self.iteration.evaluator.anchor(&region, &column.chosen, &mut evaluated);
            let mut law = vec![0.0; region.states.len()];
            self.iteration.evaluator.law(&region, &column.chosen, &evaluated, &mut law)?;
            for (&state, share) in region.states.iter().zip(&law) {
                column.mass[state as usize] = column.stop[component] * share;
            }
        }
        Ok(())
    }
}
