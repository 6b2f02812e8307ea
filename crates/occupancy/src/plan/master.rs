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

/// What a policy attains: its reward, and how far it is above every budget.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub reward: f64,
    pub violations: Vec<f64>,
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

/// A basis that stays from one program to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Master {
    basis: Vec<Variable>,
}

/// Reduced costs below this share of their terms are rounding.
const ROUNDING: f64 = 4e-15;

/// Entries of a direction below this share of the largest are no pivots: first, so that budgets met by 1e-12 are seen, and
/// where that has brought points that are nearly the same into one basis, whose weights are then wrong by 1e-7 or which
/// is singular.
const PIVOTS: [f64; 2] = [1e-13, 1e-9];

/// A mixture further than this above the budgets has lost its weights in rounding.
const WITHIN: f64 = 1e-10;

impl Master {
    /// The mixture whose greatest violation, counted from `floor`, is least; stops at the first one that is within
    /// all budgets. `None` where rounding has made the basis singular.
    pub fn least_violation(&mut self, points: &[Point], floor: f64) -> Option<Mixed> {
        let budgets = points.first()?.violations.len();
        if self.basis.len() != budgets + 1 {
            self.begin(points);
        }
        let mixed = match self.optimise(points, floor, Goal::Level, PIVOTS[0]) {
            Some(mixed) => mixed,
            None => {
                self.begin(points);
                self.optimise(points, floor, Goal::Level, PIVOTS[1])?
            }
        };
        Some(Mixed { value: floor - mixed.value, ..mixed })
    }

    /// The basis of the first point alone.
    fn begin(&mut self, points: &[Point]) {
        let above = &points[0].violations;
        let worst = (0..above.len()).max_by(|&a, &b| above[a].total_cmp(&above[b]));
        let row = |i: usize| if Some(i) == worst { Variable::Level } else { Variable::Slack(i) };
        self.basis = (0..above.len()).map(row).chain([Variable::Weight(0)]).collect();
    }

    /// The mixture of greatest reward within the budgets, each widened by `slack`; call
    /// [`Master::least_violation`] first.
    pub fn best(&mut self, points: &[Point], slack: f64) -> Option<Mixed> {
        if self.basis.is_empty() {
            self.basis = vec![Variable::Weight(0)];
        }
        let within = |mixed: &Mixed| {
            let above =
                |i: usize| mixed.weights.iter().map(|&(k, w)| w * points[k].violations[i]).sum::<f64>();
            (0..points[0].violations.len()).all(|i| above(i) <= slack + WITHIN)
        };
        let mixed = self.optimise(points, slack, Goal::Reward, PIVOTS[0]);
        mixed.filter(within).or_else(|| {
            self.begin(points);
            self.optimise(points, slack, Goal::Level, PIVOTS[1])?;
            self.optimise(points, slack, Goal::Reward, PIVOTS[1])
        })
    }

    fn optimise(&mut self, points: &[Point], shift: f64, goal: Goal, pivot: f64) -> Option<Mixed> {
        let rows = self.basis.len();
        let column = |variable: Variable| -> Vec<f64> {
            let entry = |i: usize| match variable {
                Variable::Weight(k) if i + 1 < rows => (points[k].violations[i] - shift).max(-1e3),
                Variable::Weight(_) => 1.0,
                Variable::Slack(j) => f64::from(i == j),
                Variable::Level => f64::from(i + 1 < rows),
            };
            (0..rows).map(entry).collect()
        };
        let worth = |variable: Variable| match (variable, goal) {
            (Variable::Weight(k), Goal::Reward) => points[k].reward,
            (Variable::Level, Goal::Level) => 1.0,
            _ => 0.0,
        };
        let all = (0..points.len())
            .map(Variable::Weight)
            .chain((0..rows - 1).map(Variable::Slack))
            .chain([Variable::Level]);
        let all: Vec<Variable> = all.collect();
        let patience = 50 + 4 * all.len();
        for step in 0.. {
            let columns: Vec<Vec<f64>> = self.basis.iter().map(|&variable| column(variable)).collect();
            let matrix = |i: usize, k: usize| columns[k][i];
            let right: Vec<f64> = (0..rows).map(|i| f64::from(i + 1 == rows)).collect();
            let values = solve(rows, matrix, right)?;
            let gains: Vec<f64> = self.basis.iter().map(|&variable| worth(variable)).collect();
            let duals = solve(rows, |i, k| columns[i][k], gains.clone())?;
            let value: f64 = values.iter().zip(&gains).map(|(x, c)| x * c).sum();
            let reduced = |variable: Variable| {
                let terms = column(variable).into_iter().zip(&duals).map(|(a, y)| a * y);
                let (sum, size) =
                    terms.fold((0.0, worth(variable).abs()), |(sum, size), t| (sum + t, size + t.abs()));
                let reduced = worth(variable) - sum;
                if reduced > ROUNDING * size { reduced } else { 0.0 }
            };
            let mut candidates = all
                .iter()
                .filter(|&v| !self.basis.contains(v))
                .map(|&v| (reduced(v), v))
                .filter(|c| c.0 > 0.0);
            let entering = match step < patience {
                true => candidates.max_by(|a, b| a.0.total_cmp(&b.0)),
                false => candidates.next(),
            };
            let within = goal == Goal::Level && value - shift >= 0.0;
            let change = entering
                .filter(|_| !within && step < 20 * patience)
                .map(|(_, v)| (v, self.leaving(&values, v, &column, (goal, pivot))));
            let Some((entering, leaving)) = change else { return Some(self.mixed(value, &values, &duals)) };
            self.basis[leaving?] = entering;
        }
        None
    }

    /// The row whose variable reaches zero first when `entering` grows.
    fn leaving(
        &self,
        values: &[f64],
        entering: Variable,
        column: &impl Fn(Variable) -> Vec<f64>,
        (goal, pivot): (Goal, f64),
    ) -> Option<usize> {
        let rows = values.len();
        let columns: Vec<Vec<f64>> = self.basis.iter().map(|&variable| column(variable)).collect();
        let direction = solve(rows, |i, k| columns[k][i], column(entering))?;
        let most = direction.iter().fold(0.0, |most: f64, x| x.abs().max(most));
        let free = |i: usize| goal == Goal::Level && self.basis[i] == Variable::Level;
        let ratio = |i: usize| values[i].max(0.0) / direction[i];
        (0..rows)
            .filter(|&i| direction[i] > pivot * most && !free(i))
            .min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(direction[b].total_cmp(&direction[a])))
    }

    fn mixed(&self, value: f64, values: &[f64], duals: &[f64]) -> Mixed {
        let weight = |(variable, &x): (&Variable, &f64)| match variable {
            Variable::Weight(k) if x > 0.0 => Some((*k, x)),
            _ => None,
        };
        let weights = self.basis.iter().zip(values).filter_map(weight).collect();
        Mixed {
            value,
            weights,
            prices: duals[..duals.len() - 1].iter().map(|price| price.max(0.0)).collect(),
        }
    }
}

/// Gaussian elimination, pivots chosen relative to the size of their rows; `None` if the matrix is singular.
fn solve(n: usize, entry: impl Fn(usize, usize) -> f64, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|k| entry(i, k)).collect()).collect();
    for i in 0..n {
        let size = a[i].iter().fold(0.0, |most: f64, x| x.abs().max(most));
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        a[i].iter_mut().for_each(|x| *x /= size);
        b[i] /= size;
    }
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, best);
        b.swap(k, best);
        if a[k][k] == 0.0 {
            return None;
        }
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            if factor != 0.0 {
                let (upper, lower) = a.split_at_mut(i);
                lower[0][k..].iter_mut().zip(&upper[k][k..]).for_each(|(x, y)| *x -= factor * y);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(reward: f64, violations: &[f64]) -> Point {
        Point { reward, violations: violations.to_vec() }
    }

    #[test]
    fn a_mixture_of_two_points_meets_the_budget() {
        let points = [point(3.0, &[2.0]), point(0.0, &[-1.0])];
        let mut master = Master::default();
        assert_eq!(master.least_violation(&points[..1], 0.0).unwrap().value, 2.0);
        assert!(master.least_violation(&points, 0.0).unwrap().value <= 0.0);
        let best = master.best(&points, 0.0).unwrap();
        assert!((best.value - 1.0).abs() < 1e-15 && (best.prices[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_violation_of_a_trillionth_is_seen() {
        let points = [point(1.0, &[1e-12, -1.0]), point(0.0, &[-1e-12, 1.0])];
        let mut master = Master::default();
        assert!(master.least_violation(&points, 0.0).unwrap().value <= 0.0);
        let best = master.best(&points, 0.0).unwrap();
        assert!((best.value - 0.5).abs() < 1e-12, "{best:?}");
    }

    #[test]
    fn without_budgets_the_best_point_is_taken() {
        let points = [point(1.0, &[]), point(3.0, &[]), point(2.0, &[])];
        let best = Master::default().best(&points, 0.0).unwrap();
        assert_eq!((best.value, best.weights), (3.0, vec![(1, 1.0)]));
    }

    #[test]
    fn three_budgets_that_cannot_be_met_share_the_violation() {
        let points =
            [point(0.0, &[1.0, 0.0, 0.0]), point(0.0, &[0.0, 1.0, 0.0]), point(0.0, &[0.0, 0.0, 1.0])];
        let least = Master::default().least_violation(&points, 0.0).unwrap();
        assert!((least.value - 1.0 / 3.0).abs() < 1e-15);
        assert!(least.prices.iter().all(|price| (price - 1.0 / 3.0).abs() < 1e-15));
    }
}
