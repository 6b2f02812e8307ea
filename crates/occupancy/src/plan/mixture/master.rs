//! The master program of the price search: the best mixture of the points known so far.
//!
//! ```text
//! max Σ w_k r_k   subject to   Σ w_k d_ik + s_i + u = 0  for every budget i ,   Σ w_k = 1 ,   w, s, u ≥ 0
//! ```
//!
//! where d_ik is how far point k is above budget i. The level u is a slack that all budgets share: with u free and
//! maximised, −u is the least greatest violation, and the basis that attains it is where the search for the greatest
//! reward begins. So there is never an infeasible start to get rid of, and a basis stays good when points are added.
//!
//! The simplex method on m + 1 rows, whose few numbers are computed afresh from the points in every step: budgets may
//! be missed by 1e-9 or met by 1e-12, and a tableau would have lost such differences after some pivots. Entering
//! variables by the greatest reduced cost, by Bland's rule after a while, so that it ends.

use super::square::Square;
use crate::arithmetic::extremes::greatest_size;
use crate::plan::tolerance::{LOST_WEIGHTS, PIVOTS, REDUCED_COST};

/// What policies attain: of each its reward, and how far it is above every budget.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    budgets: usize,
    rewards: Vec<f64>,
    /// Of every point, of every budget.
    violations: Vec<f64>,
    /// Which of them are rays.
    is_ray: Vec<bool>,
}

impl Points {
    /// No points, of so many budgets; room for some.
    pub fn reset(&mut self, budgets: usize, room: usize) {
        self.budgets = budgets;
        self.rewards.clear();
        self.rewards.reserve(room);
        self.violations.clear();
        self.violations.reserve(room * budgets);
        self.is_ray.clear();
        self.is_ray.reserve(room);
    }

    /// One more point; as many violations as there are budgets.
    pub fn push(&mut self, reward: f64, violations: impl Iterator<Item = f64>) {
        self.rewards.push(reward);
        self.violations.extend(violations);
        self.is_ray.push(false);
    }

    /// One more ray: what one round of a loop adds to any point, as often as the budgets last. It takes no share of the weight.
    pub fn push_ray(&mut self, reward: f64, costs: impl Iterator<Item = f64>) {
        self.push(reward, costs);
        if let Some(last) = self.is_ray.last_mut() {
            *last = true;
        }
    }

    /// The first that is no ray.
    fn first_point(&self) -> usize {
        self.is_ray.iter().position(|is_ray| !is_ray).unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.rewards.len()
    }

    fn violations(&self, point: usize) -> &[f64] {
        &self.violations[point * self.budgets..(point + 1) * self.budgets]
    }
}

/// The best mixture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mixed {
    /// The greatest reward, or the least greatest violation.
    pub value: f64,
    /// The points used and their weights.
    pub weights: Vec<(usize, f64)>,
    /// The dual value of every budget, not negative.
    pub prices: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Variable {
    Weight(usize),
    Slack(usize),
    Level,
}

/// What is maximised.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    Level,
    Reward,
}

/// A basis that stays from one program to the next, and the best mixture found last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Master {
    basis: Vec<Variable>,
    pub mixed: Mixed,
    /// The factors of the basis: its columns in the rows of the program.
    factors: Square,
    /// The values of the basic variables, the duals of the rows, the direction of the entering variable.
    values: Vec<f64>,
    duals: Vec<f64>,
    direction: Vec<f64>,
    /// The goal, the shift and the value of the program that these numbers belong to, as long as the basis stays: a program with
    /// one point more begins with them.
    solved: Option<(Goal, f64, f64)>,
}

/// The program: its points, by how much budgets are shifted, and what is maximised.
#[derive(Clone, Copy)]
struct Program<'a> {
    points: &'a Points,
    shift: f64,
    goal: Goal,
}

impl Program<'_> {
    fn rows(&self) -> usize {
        self.points.budgets + 1
    }

    /// Writes a variable's column, an entry for each row.
    #[inline]
    fn column(&self, variable: Variable, into: &mut [f64]) {
        let Some((whole, budgets)) = into.split_last_mut() else { return };
        match variable {
            Variable::Weight(k) => {
                let shift = self.shift_of(k);
                let above = budgets.iter_mut().zip(self.points.violations(k));
                above.for_each(|(entry, above)| *entry = (above - shift).max(-1e3));
                *whole = f64::from(!self.points.is_ray[k]);
            }
            Variable::Slack(j) => {
                (budgets.iter_mut().enumerate()).for_each(|(row, entry)| *entry = f64::from(row == j));
                *whole = 0.0;
            }
            Variable::Level => {
                budgets.fill(1.0);
                *whole = 0.0;
            }
        }
    }

    /// By how much the budgets of a point are shifted: rays have none.
    #[inline]
    fn shift_of(&self, point: usize) -> f64 {
        if self.points.is_ray[point] { 0.0 } else { self.shift }
    }

    #[inline]
    fn worth(&self, variable: Variable) -> f64 {
        match (variable, self.goal) {
            (Variable::Weight(k), Goal::Reward) => self.points.rewards[k],
            (Variable::Level, Goal::Level) => 1.0,
            _ => 0.0,
        }
    }

    /// By how much a unit of a variable would raise the value, given its worth and the products of its column with the duals; 0
    /// where that is rounding.
    #[inline(always)]
    fn reduced(worth: f64, products: impl Iterator<Item = f64>) -> f64 {
        let (sum, size) = products.fold((0.0, worth.abs()), |(sum, size), t| (sum + t, size + t.abs()));
        if worth - sum > REDUCED_COST * size { worth - sum } else { 0.0 }
    }

    /// Offers every variable of which a unit would raise the value, and by how much; compiled for N budgets, or if N is 0
    /// for any number.
    #[inline(always)]
    fn offer<const N: usize>(&self, duals: &[f64], mut take: impl FnMut(f64, Variable)) {
        let Some((&whole, prices)) = duals.split_last() else { return };
        let budgets = if N > 0 { N } else { prices.len() };
        let prices = &prices[..budgets];
        let mut offer = |reduced: f64, variable| {
            if reduced > 0.0 {
                take(reduced, variable);
            }
        };
        for (k, &is_ray) in self.points.is_ray.iter().enumerate() {
            let (above, shift) = (&self.points.violations[k * budgets..][..budgets], self.shift_of(k));
            let products = above.iter().zip(prices).map(|(above, y)| (above - shift).max(-1e3) * y);
            let products = products.chain([f64::from(!is_ray) * whole]);
            offer(Program::reduced(self.worth(Variable::Weight(k)), products), Variable::Weight(k));
        }
        for j in (0..budgets).filter(|&j| prices[j] < 0.0) {
            let products = prices.iter().enumerate().map(|(row, y)| f64::from(row == j) * y);
            offer(Program::reduced(0.0, products.chain([0.0 * whole])), Variable::Slack(j));
        }
        let products = prices.iter().copied().chain([0.0 * whole]);
        offer(Program::reduced(self.worth(Variable::Level), products), Variable::Level);
    }
}

impl Master {
    /// Forgets the basis.
    pub fn reset(&mut self) {
        self.basis.clear();
        self.solved = None;
    }

    /// The mixture whose greatest violation, counted from `floor`, is least; stops at the first one that is within
    /// all budgets. `None` where rounding has made the basis singular.
    pub fn least_violation(&mut self, points: &Points, floor: f64) -> Option<()> {
        if self.basis.len() != points.budgets + 1 {
            self.reset_basis(points);
        }
        let program = Program { points, shift: floor, goal: Goal::Level };
        self.optimise(program, PIVOTS[0]).or_else(|| {
            self.reset_basis(points);
            self.optimise(program, PIVOTS[1])
        })?;
        self.mixed.value = floor - self.mixed.value;
        Some(())
    }

    /// The basis of the first point alone.
    fn reset_basis(&mut self, points: &Points) {
        let first = points.violations(points.first_point());
        let worst = (0..points.budgets).max_by(|&a, &b| first[a].total_cmp(&first[b]));
        let row = |i: usize| if Some(i) == worst { Variable::Level } else { Variable::Slack(i) };
        self.reset();
        self.basis.extend((0..points.budgets).map(row).chain([Variable::Weight(points.first_point())]));
    }

    /// The mixture of greatest reward within the budgets, each widened by `slack`; call
    /// [`Master::least_violation`] first.
    pub fn best(&mut self, points: &Points, slack: f64) -> Option<()> {
        if self.basis.is_empty() {
            self.basis.push(Variable::Weight(points.first_point()));
        }
        let (level, reward) = (Goal::Level, Goal::Reward);
        let program = |goal| Program { points, shift: slack, goal };
        let found = self.optimise(program(reward), PIVOTS[0]);
        found.filter(|()| self.is_within(points, slack)).or_else(|| {
            self.reset_basis(points);
            self.optimise(program(level), PIVOTS[1])?;
            self.optimise(program(reward), PIVOTS[1])
        })
    }

    /// Whether the mixture found last meets the budgets, each widened by `slack`.
    fn is_within(&self, points: &Points, slack: f64) -> bool {
        let above =
            |i: usize| self.mixed.weights.iter().map(|&(k, w)| w * points.violations(k)[i]).sum::<f64>();
        (0..points.budgets).all(|i| above(i) <= slack + LOST_WEIGHTS)
    }

    fn optimise(&mut self, program: Program, pivot: f64) -> Option<()> {
        let patience = 50 + 4 * (program.points.len() + program.rows());
        let solved =
            self.solved.take().filter(|&(goal, shift, _)| (goal, shift) == (program.goal, program.shift));
        let mut known = solved.map(|(_, _, value)| value);
        for step in 0..=20 * patience {
            let value = match known.take() {
                Some(value) => value,
                None => self.solve_basis(&program)?,
            };
            let entering = self.entering(&program, step >= patience);
            let within = program.goal == Goal::Level && value - program.shift >= 0.0;
            let Some(entering) = entering.filter(|_| !within && step < 20 * patience) else {
                self.mix(value);
                self.solved = Some((program.goal, program.shift, value));
                return Some(());
            };
            let leaving = self.leaving(&program, entering, pivot)?;
            self.basis[leaving] = entering;
        }
        None
    }

    /// The variable that would raise the value most, the last of several; or, so that the search ends, the first one that would.
    fn entering(&self, program: &Program, first: bool) -> Option<Variable> {
        match program.points.budgets {
            1 => self.entering_of::<1>(program, first),
            2 => self.entering_of::<2>(program, first),
            3 => self.entering_of::<3>(program, first),
            _ => self.entering_of::<0>(program, first),
        }
    }

    /// [`Master::entering`] for N budgets, or for any number of them if N is 0.
    fn entering_of<const N: usize>(&self, program: &Program, first: bool) -> Option<Variable> {
        let (mut most, mut best) = (0.0, None);
        program.offer::<N>(&self.duals, |reduced, variable| {
            let is_better = if first { best.is_none() } else { reduced >= most };
            if is_better && !self.basis.contains(&variable) {
                (most, best) = (reduced, Some(variable));
            }
        });
        best
    }

    /// Finds the values of the basic variables and the duals; returns the value of the program.
    fn solve_basis(&mut self, program: &Program) -> Option<f64> {
        let rows = program.rows();
        self.factors.factor(rows, |k, column| program.column(self.basis[k], column))?;
        self.values.clear();
        self.values.extend((0..rows).map(|i| f64::from(i + 1 == rows)));
        self.factors.solve(&mut self.values);
        self.duals.clear();
        self.duals.extend(self.basis.iter().map(|&variable| program.worth(variable)));
        self.factors.solve_transposed(&mut self.duals);
        let worth = self.basis.iter().map(|&variable| program.worth(variable));
        Some(self.values.iter().zip(worth).map(|(x, c)| x * c).sum())
    }

    /// The row whose variable reaches zero first when `entering` grows; of several, the first with the greatest direction.
    fn leaving(&mut self, program: &Program, entering: Variable, pivot: f64) -> Option<usize> {
        self.direction.resize(program.rows(), 0.0);
        program.column(entering, &mut self.direction);
        self.factors.solve(&mut self.direction);
        let direction = &self.direction;
        let most = greatest_size(direction.iter().copied());
        let free = |i: usize| program.goal == Goal::Level && self.basis[i] == Variable::Level;
        let mut best: Option<(f64, usize)> = None;
        for (i, (value, &step)) in self.values.iter().zip(direction).enumerate() {
            if step > pivot * most && !free(i) {
                let ratio = value.max(0.0) / step;
                let is_first = |&(least, row): &(f64, usize)| {
                    ratio.total_cmp(&least).then(direction[row].total_cmp(&step)).is_lt()
                };
                if best.as_ref().is_none_or(is_first) {
                    best = Some((ratio, i));
                }
            }
        }
        // A ray that lowers the violation without end brings it to 0, which is all that is asked for.
        best.map(|(_, row)| row).or_else(|| (0..program.rows()).find(|&i| free(i)))
    }

    fn mix(&mut self, value: f64) {
        let weight = |(variable, &x): (&Variable, &f64)| match variable {
            Variable::Weight(k) if x > 0.0 => Some((*k, x)),
            _ => None,
        };
        let Mixed { value: found, weights, prices } = &mut self.mixed;
        *found = value;
        weights.clear();
        weights.extend(self.basis.iter().zip(&self.values).filter_map(weight));
        prices.clear();
        prices.extend(self.duals[..self.duals.len() - 1].iter().map(|price| price.max(0.0)));
    }
}

#[cfg(test)]
mod tests;
