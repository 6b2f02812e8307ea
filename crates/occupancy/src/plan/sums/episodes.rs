//! The response to prices over an episode: backward induction, and a forward pass for what it is worth.
//!
//! ```text
//! v_h(s) = max over a of  w_h(s,a) + max over p in the set of (h,s,a) of p·v_{h+1} ,   v_H = 0
//! ```
//!
//! Without a set of kernels the row is the model's. A policy is stored as the weights that it answers: whoever needs it has it
//! computed again, so that a search over a hundred stages of a hundred thousand states keeps no policy at all.

use super::favourable::Favourable;
use super::search::{Column, Responder, Response};
use crate::arithmetic::dense::products;
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::stop::StopFlag;

/// The models of the stages of an episode: one for all, or one for each, all of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'a> {
    models: &'a [Cmdp],
    horizon: usize,
}

impl<'a> Layers<'a> {
    /// The same model at all stages.
    pub fn same(model: &'a Cmdp, horizon: usize) -> Layers<'a> {
        Layers { models: std::slice::from_ref(model), horizon }
    }

    /// One model for each stage. All need the same states, pairs and costs; the budgets and the start are those of the first.
    pub fn each(models: &'a [Cmdp]) -> Result<Layers<'a>> {
        let Some(first) = models.first() else { return Err(Error::NoStates) };
        let shape = |model: &Cmdp| (model.states(), model.pairs(), model.costs());
        match models.iter().find(|model| shape(model) != shape(first)) {
            Some(other) => {
                let (found, expected) = (other.pairs(), first.pairs());
                Err(Error::TableLength { what: "a stage's list of pairs", found, expected })
            }
            None => Ok(Layers { models, horizon: models.len() }),
        }
    }

    /// The model of a stage.
    pub fn at(&self, stage: usize) -> &'a Cmdp {
        &self.models[stage.min(self.models.len() - 1)]
    }

    /// The model of the first stage: it has the budgets, the start and the names.
    pub fn first(&self) -> &'a Cmdp {
        &self.models[0]
    }

    /// Whether all stages have the same model.
    pub(super) fn is_one_model(&self) -> bool {
        self.models.len() == 1
    }

    /// H.
    pub fn horizon(&self) -> usize {
        self.horizon
    }
}

/// The weights that a policy of an episode answers: it is computed from them.
pub(crate) type Answers = Vec<f64>;

/// Backward induction over the stages of an episode.
pub(crate) struct Episodes<'a> {
    pub layers: Layers<'a>,
    pub favourable: Option<Favourable<'a>>,
    start: Vec<(usize, f64)>,
    stop: StopFlag,
    /// v_{h+1} while stage h is looked at.
    value: [Vec<f64>; 1],
    /// w + p·v of the pairs of one stage, and w alone.
    action_values: Vec<f64>,
    weighted: Vec<f64>,
    /// The action of every state at every stage, counted within its state.
    actions: Vec<u16>,
    /// Where the mass is, now and next.
    law: Vec<f64>,
    next_law: Vec<f64>,
    /// The weights that `actions` answer to.
    answered: Answers,
    /// Σ start v_0 of the last backward pass.
    upper: f64,
}

impl<'a> Episodes<'a> {
    pub fn new(
        layers: Layers<'a>,
        favourable: Option<Favourable<'a>>,
        start: &[(usize, f64)],
        stop: StopFlag,
    ) -> Result<Episodes<'a>> {
        let model = layers.first();
        let (states, pairs) = (model.states(), model.pairs());
        if (0..states).any(|state| model.pairs_of(state).len() > usize::from(u16::MAX)) {
            return Err(Error::TooLarge { what: "actions of a state in an episode", most: u16::MAX.into() });
        }
        Ok(Episodes {
            layers,
            favourable,
            start: start.to_vec(),
            stop,
            value: [vec![0.0; states]],
            action_values: vec![0.0; pairs],
            weighted: vec![0.0; pairs],
            actions: vec![0; states * layers.horizon()],
            law: vec![0.0; states],
            next_law: vec![0.0; states],
            answered: Vec::new(),
            upper: 0.0,
        })
    }

    /// Finds the best actions for weights, unless they are at hand.
    pub fn answer(&mut self, weights: &[f64]) -> Result<()> {
        if self.answered == weights {
            return Ok(());
        }
        self.answered.clear();
        self.value[0].fill(0.0);
        for stage in (0..self.layers.horizon()).rev() {
            if self.stop.asked() {
                return Err(Error::Stopped { violation: f64::INFINITY });
            }
            self.look_ahead(stage, weights);
            self.choose(stage);
        }
        self.upper = self.start.iter().map(|&(state, weight)| weight * self.value[0][state]).sum();
        self.answered.extend_from_slice(weights);
        Ok(())
    }

    /// w(s,a) + max p·v of every pair at a stage.
    fn look_ahead(&mut self, stage: usize, weights: &[f64]) {
        let model = self.layers.at(stage);
        // The weighted signals are those of the stage before, if the model is.
        if stage + 1 == self.layers.horizon() || self.layers.models.len() > 1 {
            self.weighted.fill(0.0);
            for (k, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                let signal = model.signals().signal(k).iter();
                self.weighted.iter_mut().zip(signal).for_each(|(sum, x)| *sum += weight * x);
            }
        }
        let out = &mut self.action_values;
        match (&mut self.favourable, model.kernel().dense()) {
            (Some(favourable), _) => favourable.look_ahead(model, stage, &self.value[0], out),
            (None, Some(rows)) => products(rows, None, &self.value, out),
            (None, None) => {
                for (pair, value) in out.iter_mut().enumerate() {
                    *value = model.kernel().row(pair).dot(&self.value[0]);
                }
            }
        }
        out.iter_mut().zip(&self.weighted).for_each(|(value, w)| *value += w);
    }

    /// Takes the best action of every state, the first of those that are equal.
    fn choose(&mut self, stage: usize) {
        let model = self.layers.first();
        let states = model.states();
        let actions = &mut self.actions[stage * states..(stage + 1) * states];
        for (state, action) in actions.iter_mut().enumerate() {
            let values = &self.action_values[model.pairs_of(state)];
            let (mut best, mut at) = (values[0], 0);
            for (i, &value) in values.iter().enumerate().skip(1) {
                if value > best {
                    (best, at) = (value, i);
                }
            }
            self.value[0][state] = best;
            *action = at as u16;
        }
    }

    /// The pair that is taken in a state at a stage.
    #[inline]
    pub fn pair(&self, stage: usize, state: usize) -> usize {
        let model = self.layers.first();
        model.pairs_of(state).start + self.actions[stage * model.states() + state] as usize
    }

    /// Walks forward under the actions at hand: `visit(stage, pair, mass)` for every pair with a positive mass.
    pub fn walk(&mut self, mut visit: impl FnMut(usize, usize, f64)) {
        let states = self.layers.first().states();
        self.law.fill(0.0);
        self.start.iter().for_each(|&(state, weight)| self.law[state] += weight);
        for stage in 0..self.layers.horizon() {
            let model = self.layers.at(stage);
            self.next_law.fill(0.0);
            for state in (0..states).filter(|&state| self.law[state] > 0.0) {
                let (pair, mass) = (self.pair(stage, state), self.law[state]);
                visit(stage, pair, mass);
                let next = &mut self.next_law;
                match &mut self.favourable {
                    Some(favourable) => {
                        favourable.row(model, stage, pair, |to, p| next[to] += mass * p);
                    }
                    None => push(model, pair, mass, next),
                }
            }
            std::mem::swap(&mut self.law, &mut self.next_law);
        }
    }
}

/// Adds `mass` times the row of a pair.
#[inline]
fn push(model: &Cmdp, pair: usize, mass: f64, next: &mut [f64]) {
    match model.kernel().row(pair) {
        crate::model::Row::Dense(row) => next.iter_mut().zip(row).for_each(|(next, p)| *next += mass * p),
        row => row.iter().for_each(|(to, p)| next[to] += mass * p),
    }
}

impl Responder for Episodes<'_> {
    type Policy = Answers;

    fn respond(&mut self, weights: &[f64]) -> Result<Response<Answers>> {
        self.answer(weights)?;
        let layers = self.layers;
        let mut gains = vec![0.0; layers.first().signals().count()];
        self.walk(|stage, pair, mass| {
            let signals = layers.at(stage).signals();
            gains.iter_mut().enumerate().for_each(|(k, gain)| *gain += mass * signals.signal(k)[pair]);
        });
        let column = Column { gains, policy: weights.to_vec(), loop_states: Vec::new() };
        Ok(Response { column, optimal: true, upper: self.upper })
    }

    fn sizes(&self) -> Vec<f64> {
        let stages = || (0..self.layers.models.len()).map(|stage| self.layers.at(stage).signals());
        let size = |k: usize| stages().map(|signals| signals.size(k)).fold(0.0, f64::max);
        let length = self.layers.horizon() as f64;
        (0..self.layers.first().signals().count()).map(|k| length * size(k)).collect()
    }
}
