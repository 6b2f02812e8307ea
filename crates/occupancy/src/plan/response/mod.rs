//! The best response to prices: the best policy of a model, in its scope, for a weighted sum of the signals.
//!
//! Each end component is solved by itself. From anywhere the best of them is the answer; from a start, the best
//! components to end in are found by [`absorption`].

pub(super) mod absorption;
mod action_values;
pub(super) mod choices;
pub(super) mod column;
pub(super) mod components;
pub(super) mod evaluation;
mod leading;
mod lone_state;
mod look_ahead;
mod masses;
mod places;
pub(super) mod policy_iteration;
pub(super) mod region;
mod scope;
mod settling;
mod shares;
pub(super) mod sources;
pub(super) mod value_iteration;

use crate::arithmetic::extremes::{greater, greatest_size};
use crate::error::Result;
use crate::plan::Evaluations;
use crate::plan::tolerance::RESCUE_GAP;
use crate::stop::StopFlag;
use absorption::{Absorption, Decision};
use column::Column;
use components::TRANSIENT;
use evaluation::Evaluated;
use policy_iteration::{PolicyIteration, Step, dot, doubt};
use region::{Chosen, Region};
pub(crate) use scope::{Scope, Structure};
use value_iteration::Stop;

/// How a component is solved at fixed prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Inner {
    PolicyIteration,
    ValueIteration(Stop),
}

/// How many columns are made at first: a plan of a small model may need one alone, and 16 of them took 2 % of its instructions.
const FIRST_COLUMNS: usize = 2;

/// Value iteration that takes over where policy iteration ends above its tolerance.
const RESCUE: Stop = Stop { span: 1e-12, sweeps: 20_000, leaps: true };

/// Rounding of a choice between components that is a smaller share of their gains is not looked at twice.
const NEGLIGIBLE: f64 = 1e-12;

/// Ways of more decisions than this are made of probabilities that products may lose.
const RESOLVED: f64 = 1e30;

/// Answers prices with policies; keeps the last policy as a warm start.
pub(crate) struct Responder {
    pub inner: Inner,
    pub iteration: PolicyIteration,
    /// The current policy, in every component.
    pub chosen: Chosen,
    /// Its evaluation, by component.
    pub evaluated: Vec<Evaluated>,
    /// Columns that are no longer in use, and room for the probabilities of ending in each component.
    spare: Vec<Column>,
    stop: Vec<f64>,
    /// How many columns have been made.
    made: usize,
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
        Responder {
            inner,
            iteration,
            chosen,
            evaluated: Vec::new(),
            spare: Vec::new(),
            stop: Vec::new(),
            made: 0,
        }
    }

    /// Evaluates a first policy: the one given, if it is of this size, or the current one. What does not fit the
    /// model is replaced by the actions that are best at once.
    pub fn evaluate_first(
        &mut self,
        scope: &mut Scope,
        weights: &[f64],
        policy: Option<&Chosen>,
    ) -> Result<Column> {
        let column = self.first_column(scope, weights, policy)?;
        self.evaluate_the_rest(scope, weights, |region| !region.is_lone_state())?;
        Ok(column)
    }

    /// [`Responder::evaluate_first`] without the components in which the policy comes to rest: what it attains there is known
    /// at once, and the rest is found when it is asked for. Where the pairs that have not been visited stay where they are,
    /// nearly all components are of that kind.
    pub fn first_column(
        &mut self,
        scope: &mut Scope,
        weights: &[f64],
        policy: Option<&Chosen>,
    ) -> Result<Column> {
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
        let may_wait = !scope.is_large();
        for (region, evaluated) in scope.regions().zip(&mut self.evaluated) {
            if may_wait && region.is_lone_state() {
                self.iteration.complete_lone_state(&region, &mut self.chosen, evaluated);
                continue;
            }
            let aim = self.iteration.complete(&region, &mut self.chosen);
            evaluated.stays = aim.filter(|&pair| may_wait && region.stays(pair as usize));
            if let Some(pair) = evaluated.stays {
                evaluated.reference = scope.choices.model.state_of(pair as usize) as u32;
                evaluated.biases.clear();
            } else {
                self.iteration.evaluator.evaluate(&region, weights, &mut self.chosen, evaluated)?;
            }
        }
        Ok(self.finish_column(scope, weights)?.0)
    }

    /// Evaluates the current policy where [`Responder::first_column`] has put it off, in regions of some kind.
    fn evaluate_the_rest(
        &mut self,
        scope: &Scope,
        weights: &[f64],
        is_wanted: impl Fn(&Region) -> bool,
    ) -> Result<()> {
        for (region, evaluated) in scope.regions().zip(&mut self.evaluated) {
            if evaluated.stays.is_some() && is_wanted(&region) {
                self.iteration.evaluator.evaluate(&region, weights, &mut self.chosen, evaluated)?;
            }
        }
        Ok(())
    }

    /// Whether the current policy comes to rest in every component, so that what it attains was known without an evaluation. Value
    /// iteration, which is there to check the answers of policy iteration, goes its own way.
    pub fn rests(&self) -> bool {
        self.inner == Inner::PolicyIteration && self.evaluated.iter().all(|found| found.stays.is_some())
    }

    /// The bias of a policy that rests in every component, where it rests: 0.
    pub fn forget_bias(&mut self) {
        self.iteration.bias.fill(0.0);
    }

    /// What a policy attains on the one component of a dense model, for which biases are not asked.
    pub fn attain(&mut self, scope: &mut Scope, weights: &[f64], policy: &Chosen) -> Result<Column> {
        self.chosen.clone_from(policy);
        let (region, evaluator) = (scope.region(0), &mut self.iteration.evaluator);
        evaluator.attain(&region, weights, &mut self.chosen, &mut self.evaluated[0])?;
        Ok(self.finish_column(scope, weights)?.0)
    }

    /// Improves the current policy for Σ ω_k x_k: by one step of policy iteration, or to the end by value iteration.
    pub fn respond(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<Response> {
        let inner = self.inner;
        // A step needs no evaluation of a lone state, of which there may be a hundred in a model of 121 states.
        let by_steps = inner == Inner::PolicyIteration;
        self.evaluate_the_rest(scope, weights, |region| !(by_steps && region.is_lone_state()))?;
        self.advance(scope, weights, |iteration, region, chosen, evaluated| match inner {
            Inner::PolicyIteration => iteration.step(region, weights, chosen, evaluated),
            Inner::ValueIteration(stop) => {
                let upper = value_iteration::solve(iteration, region, weights, chosen, evaluated, stop)?;
                Ok(Step { optimal: true, upper })
            }
        })
    }

    /// Whether a chain of the search had to be eliminated, because iteration did not solve it.
    pub fn eliminates(&self, scope: &Scope) -> bool {
        (0..scope.parts.members.len()).any(|part| self.iteration.evaluator.eliminates(&scope.region(part)))
    }

    /// Where rounding ended policy iteration above its bound: value iteration from the bias found so far; or if classes are tied that are
    /// hardly ever left, which shows in chains that are eliminated and in a bound that is far off, the bias at a raised gain.
    pub fn rescue(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<Response> {
        self.evaluate_the_rest(scope, weights, |_| true)?;
        self.advance(scope, weights, |iteration, region, chosen, evaluated| {
            if iteration.evaluator.eliminates(region) || iteration.is_far_off(region, weights, evaluated) {
                let step = iteration.settle(region, weights, chosen, evaluated)?;
                let gap = step.upper - dot(weights, &evaluated.gains);
                if !step.optimal || gap <= RESCUE_GAP * iteration.sizes(region).0 {
                    return Ok(step);
                }
            }
            let kept = (chosen.clone(), evaluated.clone());
            let upper = value_iteration::solve(iteration, region, weights, chosen, evaluated, RESCUE)?;
            if dot(weights, &evaluated.gains) < dot(weights, &kept.1.gains) {
                let sum = evaluated.sum.take();
                (*chosen, *evaluated) = kept;
                evaluated.sum = sum;
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
        let (mut upper, mut excess, mut optimal) = (f64::NEG_INFINITY, 0.0, true);
        for (region, evaluated) in scope.regions().zip(&mut self.evaluated) {
            self.iteration.evaluator.check_stop()?;
            let step = solve(&mut self.iteration, &region, &mut self.chosen, evaluated)?;
            optimal &= step.optimal;
            upper = greater(upper, step.upper);
            excess =
                greater(excess, step.upper - evaluated.weighted_gain(scope.choices.model.signals(), weights));
        }
        let (column, rounding) = self.finish_column(scope, weights)?;
        let upper = rounding.map_or(upper, |rounding| dot(weights, &column.gains) + excess + rounding);
        Ok(Response { column, upper, optimal })
    }

    /// The column of the current policies; where components have to be chosen between by decisions on the way, with
    /// the rounding error of that choice.
    fn finish_column(&mut self, scope: &mut Scope, weights: &[f64]) -> Result<(Column, Option<f64>)> {
        if let Some((mut absorption, longest)) = scope.absorption.take() {
            let gains = self.gains(scope);
            let rounding = absorption.solve(&scope.choices, &gains, weights);
            let stop = absorption.stopping(&scope.choices, &scope.structure.start);
            let column = stop.map(|stop| self.end_best(scope, &absorption, &stop));
            let size = greatest_size(gains.iter().map(|gains| dot(weights, gains)));
            let lost = rounding.and_then(|rounding| {
                let at_most = if rounding == 0.0 { 0.0 } else { rounding * longest };
                let at_most = at_most + doubt(size, longest * size);
                if at_most <= NEGLIGIBLE * size || longest > RESOLVED {
                    return Ok(at_most);
                }
                // A policy that wanders for long makes much of little; what it can really get is found by another solution.
                let left =
                    absorption.left_to_gain(&scope.choices, &gains, weights, &scope.structure.start)?;
                Ok(at_most.min(left))
            });
            scope.absorption = Some((absorption, longest));
            return Ok((column?, Some(lost?)));
        }
        let signals = scope.choices.model.signals();
        let values = self.evaluated.iter().map(|found| found.weighted_gain(signals, weights)).enumerate();
        let best = values.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let best = best.map_or(0, |(component, _)| component);
        let mut stop = std::mem::take(&mut self.stop);
        stop.clear();
        stop.resize(self.evaluated.len(), 0.0);
        stop[best] = 1.0;
        let mut column = self.unused(scope);
        column.chosen.clone_from(&self.chosen);
        self.fill(scope, &stop, &mut column);
        self.stop = stop;
        Ok((column, None))
    }

    /// A column to be filled. Where none is left, as many are made as there are, so that of many plans of about the
    /// same length only the first ones allocate; of large models only one, without room for a mass that it may never have.
    fn unused(&mut self, scope: &Scope) -> Column {
        if self.spare.is_empty() {
            if scope.is_large() {
                return Column::default();
            }
            let more = self.made.max(FIRST_COLUMNS);
            self.made += more;
            self.spare.resize_with(more, || Column::with_room(scope.choices.model));
        }
        self.spare.pop().unwrap_or_default()
    }

    /// Long work ends early when this flag asks for it.
    pub fn stop_by(&mut self, stop: StopFlag) {
        self.iteration.evaluator.stop_by(stop);
    }

    /// Takes back columns that are no longer in use.
    pub fn reuse(&mut self, columns: impl Iterator<Item = Column>) {
        self.spare.extend(columns);
    }

    /// Gives memory back that only the search needs.
    pub fn shrink(&mut self) {
        self.spare = Vec::new();
        self.iteration.shrink();
    }

    /// Gives all memory back but that of the current policy, with which the next search begins.
    pub fn rest(&mut self) {
        (self.spare, self.evaluated) = (Vec::new(), Vec::new());
        self.iteration = PolicyIteration::default();
    }

    /// What the current policy attains in every component, of all signals.
    fn gains(&self, scope: &Scope) -> Vec<Vec<f64>> {
        let signals = scope.choices.model.signals();
        let of = |evaluated: &Evaluated| match evaluated.stays {
            Some(pair) => (0..signals.count()).map(|k| signals.signal(k)[pair as usize]).collect(),
            None => evaluated.gains.clone(),
        };
        self.evaluated.iter().map(of).collect()
    }

    /// The policy that ends where the decisions say.
    fn end_best(&self, scope: &Scope, absorption: &Absorption, stop: &[f64]) -> Column {
        let mut column = Column { chosen: self.chosen.clone(), ..Column::default() };
        let chosen = &mut column.chosen;
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
                region.route(&mut reached, chosen);
                chosen.pair[exit] = pair;
            }
        }
        self.fill(scope, stop, &mut column);
        column
    }

    /// Fills in what the policy of a column attains that ends in every component with the probability `stop`.
    fn fill(&self, scope: &Scope, stop: &[f64], column: &mut Column) {
        let model = scope.choices.model;
        column.packed.clear();
        column.gains.clear();
        column.gains.resize(model.signals().count(), 0.0);
        column.errors.clear();
        column.errors.resize(model.signals().count(), 0.0);
        column.stop.clear();
        column.stop.extend_from_slice(stop);
        let known = self.evaluated.iter().all(|found| found.stays.is_some() || !found.law.is_empty());
        column.mass.clear();
        column.mass.resize(if known { model.states() } else { 0 }, 0.0);
        for (component, &weight) in stop.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let evaluated = &self.evaluated[component];
            if let Some(pair) = evaluated.stays {
                let signals = (0..).map(|k| model.signals().signal(k)[pair as usize]);
                column.gains.iter_mut().zip(signals).for_each(|(sum, x)| *sum += weight * x);
                column.mass[evaluated.reference as usize] = weight;
                continue;
            }
            column.gains.iter_mut().zip(&evaluated.gains).for_each(|(sum, gain)| *sum += weight * gain);
            column.errors.iter_mut().zip(&evaluated.errors).for_each(|(sum, error)| *sum += weight * error);
            for (&state, share) in scope.parts.members[component].iter().zip(&evaluated.law).filter(|_| known)
            {
                column.mass[state as usize] = weight * share;
            }
        }
    }

    /// Where the evaluation of policies had to change its method.
    pub fn evaluations(&self, scope: &Scope) -> Evaluations {
        let ends = scope.absorption.as_ref().map_or(0, |(absorption, _)| absorption.switched());
        let evaluator = &self.iteration.evaluator;
        let (left_out, out_of_sweeps) = (evaluator.left_out, evaluator.out_of_sweeps);
        let iterations = evaluator.iterations();
        Evaluations { switched: ends + evaluator.switched(), left_out, out_of_sweeps, iterations }
    }
}

#[cfg(test)]
mod tests;
