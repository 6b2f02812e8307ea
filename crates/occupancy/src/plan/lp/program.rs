//! The occupancy LP, solved by a general simplex code: the plain reference for every other planner.
//!
//! From anywhere (the paper's program (1)–(4)):
//!
//! ```text
//! max Σ x r    s.t.  Σ x c_i ≤ τ_i ,   Σ_a x(j,a) = Σ_{s,a} x(s,a) P(j∣s,a)  for all j ,   Σ x = 1 ,   x ≥ 0
//! ```
//!
//! From a start distribution β, exact for multichain models (Kallenberg, 1983): the normalisation gives way to
//!
//! ```text
//! Σ_a x(j,a) + Σ_a y(j,a) = β_j + Σ_{s,a} y(s,a) P(j∣s,a)  for all j ,    0 ≤ y ≤ some bound
//! ```
//!
//! where y counts visits on the way to the recurrent classes that x lives on. The bound on y (far above any vertex
//! of these programs) stops a solver from carrying mass out of balance by cycling y without end.
//!
//! The solver reports no duals, so the dual program is solved as well: its optimum is the upper bound that makes the
//! gap, its variables are prices and biases.

use crate::chain::Evaluation;
use crate::error::{Error, Result};
use crate::model::Cmdp;
use crate::model::Origin;
use crate::plan::tolerance::FEASIBLE;
use crate::plan::tolerance::{LP_OCCUPANCY, LP_WEIGHT};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions, Tolerances, Variable};

/// The solution of the program and of its dual.
pub(crate) struct Solution {
    /// x(s,a), and y(s,a) where there is a start.
    pub occupancy: Vec<f64>,
    pub visits: Vec<f64>,
    /// The dual's optimum: an upper bound on the gain.
    pub upper: f64,
    pub prices: Vec<f64>,
    pub bias: Vec<f64>,
}

/// Bound on expected visits before a recurrent class is entered.
const MOST_VISITS: f64 = 1e7;

/// A program under construction, in units of the largest signals.
pub(crate) struct Program<'a> {
    pub model: &'a Cmdp,
    /// The start distribution; none from anywhere.
    start: Option<Vec<f64>>,
    /// The largest size of every signal.
    scale: Vec<f64>,
}

impl<'a> Program<'a> {
    pub fn new(model: &'a Cmdp, from: Origin) -> Result<Program<'a>> {
        let distribution = |weights: &[(usize, f64)]| {
            let mut start = vec![0.0; model.states()];
            weights.iter().for_each(|&(state, weight)| start[state] += weight);
            start
        };
        let start = match from {
            Origin::Anywhere => None,
            Origin::Start => Some(distribution(model.start())),
            Origin::State(state) if state < model.states() => Some(distribution(&[(state, 1.0)])),
            Origin::State(state) => return Err(Error::UnknownState { state, states: model.states() }),
        };
        let size = |k: usize| model.signals().size(k);
        let scale = (0..model.signals().count())
            .map(|k| if size(k) > 0.0 { size(k).max(1e-12) } else { 1.0 })
            .collect();
        Ok(Program { model, start, scale })
    }

    fn signal(&self, k: usize, pair: usize) -> f64 {
        self.model.signals().signal(k)[pair] / self.scale[k]
    }

    fn budget(&self, i: usize) -> f64 {
        self.model.budgets()[i] / self.scale[i + 1]
    }

    /// The budgets of costs that a policy can influence.
    fn constrained(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.model.costs()).filter(|&i| self.is_constrained(i))
    }

    fn is_constrained(&self, i: usize) -> bool {
        self.model.budgets()[i].is_finite() && self.model.signals().size(i + 1) > 0.0
    }

    /// The least greatest violation max_i (J(c_i) − τ_i) / scale_i, and x and y that attain it.
    pub fn least_violation(&self) -> Result<(f64, Vec<f64>, Vec<f64>)> {
        // A cost that is zero everywhere violates its budget by a constant.
        let constant = (0..self.model.costs()).filter(|&i| self.model.signals().size(i + 1) == 0.0);
        let constant = constant.map(|i| -self.model.budgets()[i] / 1e-12).fold(f64::NEG_INFINITY, f64::max);
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let lowest = constant.max(if self.constrained().next().is_some() { f64::NEG_INFINITY } else { 0.0 });
        let level = problem.add_var(1.0, (lowest, f64::INFINITY));
        let x = self.balance(&mut problem, |_| 0.0);
        for i in self.constrained() {
            let terms = x.iter().enumerate().map(|(pair, &x)| (x, self.signal(i + 1, pair)));
            problem.add_constraint(
                terms.chain([(level, -1.0)]).collect::<Vec<_>>(),
                ComparisonOp::Le,
                self.budget(i),
            );
        }
        let values = self.run(&problem)?;
        let (occupancy, visits) = self.split(&values[1..]);
        Ok((values[level.idx()], occupancy, visits))
    }

    /// The best occupancy within the budgets, each widened by `slack`, and the dual of that.
    pub fn optimum(&self, slack: f64) -> Result<Solution> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let x = self.balance(&mut problem, |pair| self.signal(0, pair));
        for i in self.constrained() {
            let terms: Vec<_> =
                x.iter().enumerate().map(|(pair, &x)| (x, self.signal(i + 1, pair))).collect();
            problem.add_constraint(terms, ComparisonOp::Le, self.budget(i) + slack);
        }
        let values = self.run(&problem)?;
        let (occupancy, visits) = self.split(&values);
        self.dual(slack, occupancy, visits)
    }

    /// The weights of policies in their best mixture within the budgets widened by `slack`, or, without one, in that of the
    /// least greatest violation. A vertex of this program has at most m + 1 of them.
    pub fn mix<'b>(
        &self,
        policies: impl Iterator<Item = &'b Evaluation> + Clone,
        slack: Option<f64>,
    ) -> Result<Vec<f64>> {
        if policies.clone().next().is_none() {
            return Err(self.failed("its solution cannot be taken apart into policies".into()));
        }
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let level = problem.add_var(-1.0, (f64::NEG_INFINITY, f64::INFINITY));
        let reward = |one: &Evaluation| if slack.is_some() { one.value.reward / self.scale[0] } else { 0.0 };
        let weights: Vec<Variable> =
            policies.clone().map(|one| problem.add_var(reward(one), (0.0, 1.0))).collect();
        problem.add_constraint(weights.iter().map(|&w| (w, 1.0)).collect::<Vec<_>>(), ComparisonOp::Eq, 1.0);
        if let Some(slack) = slack {
            problem.add_constraint([(level, 1.0)], ComparisonOp::Eq, slack);
        }
        for i in self.constrained() {
            let terms = weights.iter().copied().zip(policies.clone());
            let terms = terms.map(|(weight, one)| (weight, one.value.costs[i] / self.scale[i + 1]));
            let terms: Vec<_> = terms.chain([(level, -1.0)]).collect();
            problem.add_constraint(terms, ComparisonOp::Le, self.budget(i));
        }
        let values = self.run(&problem)?;
        let clean = |&value: &f64| if value > LP_WEIGHT { value } else { 0.0 };
        let mut weights: Vec<f64> = values[1..].iter().map(clean).collect();
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        Ok(weights)
    }

    /// x and y from the values of the variables, rounding errors set to zero.
    fn split(&self, values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let pairs = self.model.pairs();
        let clean = |values: &[f64]| -> Vec<f64> {
            let most = values.iter().copied().fold(0.0, f64::max);
            values.iter().map(|&x| if x > LP_OCCUPANCY * most { x } else { 0.0 }).collect()
        };
        (clean(&values[..pairs]), clean(values.get(pairs..2 * pairs).unwrap_or_default()))
    }

    /// Variables x (and y), balanced.
    fn balance(&self, problem: &mut Problem, objective: impl Fn(usize) -> f64) -> Vec<Variable> {
        let model = self.model;
        let x: Vec<Variable> =
            (0..model.pairs()).map(|pair| problem.add_var(objective(pair), (0.0, f64::INFINITY))).collect();
        let mut rows: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); model.states()];
        self.flow(&x, &mut rows);
        rows.into_iter().for_each(|row| problem.add_constraint(row, ComparisonOp::Eq, 0.0));
        let Some(start) = &self.start else {
            problem.add_constraint(x.iter().map(|&x| (x, 1.0)).collect::<Vec<_>>(), ComparisonOp::Eq, 1.0);
            return x;
        };
        let y: Vec<Variable> = (0..model.pairs()).map(|_| problem.add_var(0.0, (0.0, MOST_VISITS))).collect();
        let mut rows: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); model.states()];
        self.flow(&y, &mut rows);
        for (state, (mut row, &weight)) in rows.into_iter().zip(start).enumerate() {
            row.extend(model.pairs_of(state).map(|pair| (x[pair], 1.0)));
            problem.add_constraint(row, ComparisonOp::Eq, weight);
        }
        x
    }

    /// Σ_a z(j,a) − Σ z(s,a) P(j∣s,a), for every j.
    fn flow(&self, z: &[Variable], rows: &mut [Vec<(Variable, f64)>]) {
        for state in 0..self.model.states() {
            for pair in self.model.pairs_of(state) {
                let mut stay = 0.0;
                for (next, p) in self.model.kernel().row(pair).iter() {
                    if next == state { stay = p } else { rows[next].push((z[pair], -p)) }
                }
                if stay < 1.0 {
                    rows[state].push((z[pair], 1.0 - stay));
                }
            }
        }
    }

    /// min Σ β_s g(s) + λ·τ  s.t.  g(s) ≥ Σ P g ,  g(s) + h(s) ≥ r − λ·c + Σ P h   (one g for all s from anywhere).
    fn dual(&self, slack: f64, occupancy: Vec<f64>, visits: Vec<f64>) -> Result<Solution> {
        let model = self.model;
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let gain: Vec<Variable> = match &self.start {
            None => {
                let one = problem.add_var(1.0, free);
                vec![one; model.states()]
            }
            Some(start) => start.iter().map(|&weight| problem.add_var(weight, free)).collect(),
        };
        let bias: Vec<Variable> = (0..model.states()).map(|_| problem.add_var(0.0, free)).collect();
        let unbound = |i: usize| if self.is_constrained(i) { f64::INFINITY } else { 0.0 };
        let budget = |i: usize| if self.is_constrained(i) { self.budget(i) + slack } else { 0.0 };
        let prices: Vec<Variable> =
            (0..model.costs()).map(|i| problem.add_var(budget(i), (0.0, unbound(i)))).collect();
        problem.add_constraint([(bias[0], 1.0)], ComparisonOp::Eq, 0.0);
        for state in 0..model.states() {
            for pair in model.pairs_of(state) {
                if self.start.is_some() {
                    let row = self.difference(pair, state, &gain);
                    if !row.is_empty() {
                        problem.add_constraint(row, ComparisonOp::Ge, 0.0);
                    }
                }
                let mut row = self.difference(pair, state, &bias);
                row.push((gain[state], 1.0));
                row.extend((0..model.costs()).map(|i| (prices[i], self.signal(i + 1, pair))));
                problem.add_constraint(row, ComparisonOp::Ge, self.signal(0, pair));
            }
        }
        let values = self.run(&problem)?;
        let upper = gain
            .iter()
            .zip(self.start.as_deref().unwrap_or(&[1.0]))
            .map(|(g, weight)| values[g.idx()] * weight);
        let upper: f64 =
            upper.sum::<f64>() + (0..model.costs()).map(|i| values[prices[i].idx()] * budget(i)).sum::<f64>();
        Ok(Solution {
            occupancy,
            visits,
            upper: upper * self.scale[0],
            prices: (0..model.costs())
                .map(|i| values[prices[i].idx()].max(0.0) * self.scale[0] / self.scale[i + 1])
                .collect(),
            bias: bias.iter().map(|h| values[h.idx()] * self.scale[0]).collect(),
        })
    }

    /// z(s) − Σ P(s′∣s,a) z(s′), the same variable once.
    fn difference(&self, pair: usize, state: usize, z: &[Variable]) -> Vec<(Variable, f64)> {
        let mut own = 1.0;
        let mut row = Vec::new();
        for (next, p) in self.model.kernel().row(pair).iter() {
            if next == state { own -= p } else { row.push((z[next], -p)) }
        }
        if !row.is_empty() {
            row.push((z[state], own));
        }
        row
    }

    /// The error of a program without an answer.
    pub fn failed(&self, reason: String) -> Error {
        Error::LinearProgram { states: self.model.states(), pairs: self.model.pairs(), reason }
    }

    /// Solves a program; the values of its variables.
    fn run(&self, problem: &Problem) -> Result<Vec<f64>> {
        let mut tolerances = Tolerances::default();
        tolerances.feasibility = FEASIBLE * 0.1;
        let mut options = SolveOptions::default();
        options.tolerances = tolerances;
        let outcome = problem.solve_with(options).map_err(|error| self.failed(error.to_string()))?;
        let solution = outcome.into_solution().map_err(|_| self.failed("it was interrupted".into()))?;
        Ok(solution.iter().map(|(_, value)| value).collect())
    }
}
