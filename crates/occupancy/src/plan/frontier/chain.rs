//! Points of the boundary from left to right, and which of them are corners.

use crate::arithmetic::Interval;
use crate::plan::tolerance::SAME_POINT;

/// Long-run average cost and reward of a plan, and what is proved of them.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// J(c) of the cost whose budget varies.
    pub cost: f64,
    /// J(r).
    pub gain: f64,
    pub gain_range: Interval,
    pub cost_ranges: Vec<Interval>,
    /// No policy lies above the line through the point with this slope: infinite for the least cost, 0 for the greatest gain.
    pub slope: f64,
    /// The gain of that line at this cost, as it is proved.
    pub optimum: f64,
}

impl Point {
    /// The slope to a point on the right; `None` if that is not above and to the right, or if gains are so much larger than
    /// costs that their ratio overflows: nothing between such points can be told apart.
    pub fn slope_to(&self, right: &Point) -> Option<f64> {
        let rises = right.cost > self.cost && right.gain > self.gain;
        let slope = (right.gain - self.gain) / (right.cost - self.cost);
        (rises && slope.is_finite()).then_some(slope)
    }
}

/// The sizes of the two signals, which say what counts as rounding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub reward: f64,
    pub cost: f64,
}

impl Size {
    /// Whether `point` lies above the line from `left` to `right`, by more than a share of the sizes of gain and cost.
    pub fn is_above(self, point: &Point, left: &Point, right: &Point, share: f64) -> bool {
        let (run, rise) = (right.cost - left.cost, right.gain - left.gain);
        let excess = (point.gain - left.gain) * run - (point.cost - left.cost) * rise;
        excess > share * (self.reward * run.abs() + self.cost * rise.abs())
    }

    /// The corners of a chain from left to right, with their prices: without vertical and level ends, without points inside an
    /// edge.
    pub fn break_points(self, chain: &[&Point]) -> Vec<(Point, f64)> {
        let mut corners: Vec<&Point> = Vec::with_capacity(chain.len());
        for &point in chain {
            while let Some(last) = corners.last() {
                let higher = point.gain - last.gain > SAME_POINT * self.reward;
                let dearer = point.cost - last.cost > SAME_POINT * self.cost;
                let bends = corners.len() < 2 || {
                    self.is_above(last, corners[corners.len() - 2], point, SAME_POINT)
                };
                if higher && (!dearer || !bends) {
                    corners.pop();
                } else {
                    break;
                }
            }
            let rises = corners.last().is_none_or(|last| point.gain - last.gain > SAME_POINT * self.reward);
            if rises {
                corners.push(point);
            }
        }
        let price = |i: usize| match corners.get(i + 1) {
            Some(next) => (next.gain - corners[i].gain) / (next.cost - corners[i].cost),
            None => 0.0,
        };
        (0..corners.len()).map(|i| (corners[i].clone(), price(i))).collect()
    }
}
