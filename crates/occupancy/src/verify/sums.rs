//! Proofs about sums: values by state, held against what one more step makes of them.
//!
//! ```text
//! discounted   v ≥ x + γ P v        on all pairs   ⇒   J(x) ≤ start·v  under every policy
//! episodes     v_h ≥ x + P v_{h+1}  on all pairs   ⇒   the same, with v_H = 0
//! until        v ≥ x + P v          on all pairs that a policy may take which is certain to end, v = 0 at the end
//! ```
//!
//! (Sum the inequality along a run: the v cancel out, and what is left of them in the end vanishes.) With the rows of one policy,
//! ρ = x + γ P v − v is what is missing to equality: J(x) = start·v + E Σ γ^t ρ(S_t), so that the least and the greatest ρ bound
//! it from both sides. Until absorption, that needs the length of a run; a vector u ≥ 1 + P u bounds it.

use super::drift::{drift, mean};
use super::harmonic::{Refuted, Rows};
use crate::arithmetic::Interval;
use crate::chain::sums::marked;
use crate::chain::{astray, reaching};
use crate::model::{Cmdp, Criterion, Origin, Policy};
use serde::{Deserialize, Serialize};

/// Values by state; for episodes a list of them for each stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Values {
    /// The same at any time.
    Stationary(Vec<f64>),
    /// By stage.
    Staged(Vec<Vec<f64>>),
}

impl Values {
    /// The same with the other sign.
    pub fn negated(&self) -> Values {
        let negated = |table: &Vec<f64>| table.iter().map(|v| 0.0 - v).collect();
        match self {
            Values::Stationary(table) => Values::Stationary(negated(table)),
            Values::Staged(tables) => Values::Staged(tables.iter().map(negated).collect()),
        }
    }
}

/// Values that no policy exceeds for r − λ·c.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PricedValue {
    /// λ ≥ 0, one for each cost.
    pub prices: Vec<f64>,
    /// By state.
    pub value: Values,
}

/// What a policy is worth by state, nearly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalValue {
    /// By state.
    pub value: Values,
}

/// What a policy is worth: the reward first, then the costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyValues {
    /// One for each signal.
    pub signals: Vec<SignalValue>,
    /// For sums until absorption: at least the expected number of steps, by state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<f64>>,
}

/// A question about sums, with what has to be known of its graph.
pub(crate) struct SumQuestion<'a> {
    model: &'a Cmdp,
    criterion: &'a Criterion,
    start: Vec<(usize, f64)>,
    /// The states that end the sum.
    is_target: Vec<bool>,
    /// The states that matter, and the pairs that may be taken in them; none if all do.
    within: Vec<bool>,
    allowed: Vec<bool>,
}

impl<'a> SumQuestion<'a> {
    pub fn new(
        model: &'a Cmdp,
        criterion: &'a Criterion,
        origin: Origin,
    ) -> Result<SumQuestion<'a>, Refuted> {
        let start = match origin {
            Origin::Start => model.start().to_vec(),
            Origin::State(state) if state < model.states() => vec![(state, 1.0)],
            _ => {
                return Err(Refuted::Number {
                    what: "the state that a sum is counted from",
                    value: f64::NAN,
                });
            }
        };
        if let Err(error) = criterion.check(model) {
            return Err(Refuted::Question { why: error.to_string() });
        }
        let mut found = SumQuestion {
            model,
            criterion,
            start,
            is_target: vec![false; model.states()],
            within: Vec::new(),
            allowed: Vec::new(),
        };
        if let Criterion::Until { states } = criterion {
            found.is_target = marked(model, states);
            let reaching = reaching(model, &found.is_target);
            (found.within, found.allowed) = (reaching.state, reaching.pair);
        }
        Ok(found)
    }

    /// 1 − γ.
    fn leak(&self) -> Interval {
        match self.criterion {
            Criterion::Discounted { factor } => Interval::exact(1.0) - Interval::exact(*factor),
            _ => Interval::ZERO,
        }
    }

    /// x + γ P v′ − v(s) of a pair, where v′ is what follows.
    pub fn residual(
        &self,
        pair: usize,
        state: usize,
        signal: Interval,
        here: &[f64],
        later: &[f64],
    ) -> Interval {
        let factor = if let Criterion::Discounted { factor } = self.criterion { *factor } else { 1.0 };
        // γ P v − v = γ (P v − v) − (1 − γ) v: differences keep the digits.
        let onward = drift(self.model, pair, state, later).times(factor) - self.leak().times(later[state]);
        let rise = Interval::exact(later[state]) - Interval::exact(here[state]);
        signal + onward + rise
    }

    /// Whether a state matters: it does not end the sum, and can be visited.
    pub fn matters(&self, state: usize) -> bool {
        !self.is_target[state] && (self.within.is_empty() || self.within[state])
    }

    /// Whether a pair may be taken.
    pub fn may_take(&self, pair: usize) -> bool {
        self.allowed.is_empty() || self.allowed[pair]
    }

    /// The tables of values by stage, with zeros at the end and one more table of zeros for episodes.
    fn tables(&self, values: &Values) -> Result<Vec<Vec<f64>>, Refuted> {
        let states = self.model.states();
        let mut tables = match (values, self.criterion) {
            (Values::Staged(tables), Criterion::Episodes { horizon }) if tables.len() == *horizon => {
                let mut tables = tables.clone();
                tables.push(vec![0.0; states]);
                tables
            }
            (Values::Staged(tables), Criterion::Episodes { horizon }) => {
                let (found, expected) = (tables.len(), *horizon);
                return Err(Refuted::Length { what: "the list of stages", found, expected });
            }
            (Values::Stationary(table), Criterion::Discounted { .. } | Criterion::Until { .. }) => {
                vec![table.clone()]
            }
            _ => return Err(Refuted::Question { why: "the values are of another criterion".into() }),
        };
        for table in &mut tables {
            if table.len() != states {
                return Err(Refuted::Length { what: "value", found: table.len(), expected: states });
            }
            table.iter_mut().zip(&self.is_target).filter(|(_, end)| **end).for_each(|(v, _)| *v = 0.0);
            if let Some(&value) = table.iter().find(|value| !value.is_finite()) {
                return Err(Refuted::Number { what: "value", value });
            }
        }
        Ok(tables)
    }

    /// start·v.
    fn at_start(&self, table: &[f64]) -> Interval {
        match &self.start[..] {
            [(state, _)] => Interval::exact(table[*state]),
            start => {
                let whole: Interval = start.iter().map(|&(_, weight)| Interval::exact(weight)).sum();
                let sum: Interval =
                    start.iter().map(|&(state, weight)| Interval::exact(table[state]).times(weight)).sum();
                sum.over(whole)
            }
        }
    }

    /// start·v, if no policy has a greater sum of the signal.
    pub fn bound_above(&self, values: &Values, signal: impl Fn(usize) -> Interval) -> Result<f64, Refuted> {
        let tables = self.tables(values)?;
        self.each_stage(&tables, |here, later| {
            for state in (0..self.model.states()).filter(|&state| self.matters(state)) {
                for pair in self.model.pairs_of(state).filter(|&pair| self.may_take(pair)) {
                    let over = self.residual(pair, state, signal(pair), here, later).high;
                    if over.is_nan() || over > 0.0 {
                        let what = "the value does not bound what follows";
                        let state = self.model.names().state(state);
                        return Err(Refuted::Inequality { what, state, left: 0.0, right: over });
                    }
                }
            }
            Ok(())
        })?;
        Ok(self.at_start(&tables[0]).high)
    }

    /// Calls `visit` with the values now and one step later, at every stage.
    fn each_stage(
        &self,
        tables: &[Vec<f64>],
        mut visit: impl FnMut(&[f64], &[f64]) -> Result<(), Refuted>,
    ) -> Result<(), Refuted> {
        match tables {
            [table] => visit(table, table),
            tables => tables.windows(2).try_for_each(|two| visit(&two[0], &two[1])),
        }
    }

    /// Where the sum of signal `k` lies under a policy.
    pub fn range(
        &self,
        policy: &Policy,
        k: usize,
        values: &Values,
        steps: Option<&[f64]>,
    ) -> Result<Interval, Refuted> {
        let tables = self.tables(values)?;
        let signal = |pair: usize| Interval::exact(self.model.signals().signal(k)[pair]);
        let visited = self.visited(policy)?;
        let (mut sum, mut stage) = (Interval::ZERO, 0);
        self.each_stage(&tables, |here, later| {
            let table = Policy::unchecked(policy.table(stage).to_vec(), 1);
            let mut missing = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY };
            for state in (0..self.model.states()).filter(|&state| visited[state]) {
                Rows::Of(&table).each(self.model, state, |row| {
                    let rest = mean(row, |pair| self.residual(pair, state, signal(pair), here, later));
                    missing.low = missing.low.min(rest.low);
                    missing.high = if rest.high.is_nan() { f64::NAN } else { missing.high.max(rest.high) };
                });
            }
            stage += 1;
            if visited.contains(&true) {
                sum = sum + missing;
            }
            Ok(())
        })?;
        if !sum.is_finite() {
            return Err(Refuted::Number { what: "what is missing to a policy's value", value: sum.high });
        }
        Ok(self.at_start(&tables[0]) + self.over_a_run(policy, sum, &visited, steps)?)
    }

    /// What a quantity of single steps comes to over a whole run, if it lies in a range.
    fn over_a_run(
        &self,
        policy: &Policy,
        each: Interval,
        visited: &[bool],
        steps: Option<&[f64]>,
    ) -> Result<Interval, Refuted> {
        match self.criterion {
            Criterion::Discounted { .. } => Ok(each.over(self.leak())),
            Criterion::Until { .. } => {
                let length = self.length(policy, visited, steps)?;
                let both = Interval { low: each.low.min(0.0), high: each.high.max(0.0) };
                Ok(both.times(length))
            }
            _ => Ok(each),
        }
    }

    /// At most so many steps, expected, until the end: start·u, if u ≥ 1 + P u wherever the policy goes.
    fn length(&self, policy: &Policy, visited: &[bool], steps: Option<&[f64]>) -> Result<f64, Refuted> {
        let steps = steps.ok_or(Refuted::Length { what: "steps", found: 0, expected: visited.len() })?;
        let tables = self.tables(&Values::Stationary(steps.to_vec()))?;
        let table = &tables[0];
        for state in (0..visited.len()).filter(|&state| visited[state]) {
            let mut over = f64::NAN;
            Rows::Of(policy).each(self.model, state, |row| {
                let one = Interval::exact(1.0);
                over = mean(row, |pair| self.residual(pair, state, one, table, table)).high;
            });
            if over.is_nan() || over > 0.0 || table[state] < 0.0 {
                let (what, state) =
                    ("the steps do not bound those that follow", self.model.names().state(state));
                return Err(Refuted::Inequality { what, state, left: 0.0, right: over });
            }
        }
        Ok(self.at_start(table).high.max(0.0))
    }

    /// The states whose values matter for a policy: until absorption those that it visits, and it must get to the end from
    /// all of them; otherwise all.
    fn visited(&self, policy: &Policy) -> Result<Vec<bool>, Refuted> {
        if !matches!(self.criterion, Criterion::Until { .. }) {
            return Ok(vec![true; self.model.states()]);
        }
        if let Some(state) = astray(self.model, policy, &self.start, &self.is_target) {
            return Err(Refuted::Question {
                why: format!(
                    "a policy never comes from state {} to the end",
                    self.model.names().state(state)
                ),
            });
        }
        let mut visited = vec![false; self.model.states()];
        let order =
            crate::chain::reaching::visited(self.model, policy, &self.start, &self.is_target, |_, _| {});
        order.into_iter().for_each(|state| visited[state] = !self.is_target[state]);
        Ok(visited)
    }
}
