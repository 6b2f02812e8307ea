//! Units in which rewards and costs lie between 0 and 1, as the papers on episodes have them.
//!
//! Signals that do so already stay as they are, so that constants and prices are those of the papers. Others are moved and
//! scaled: their least value becomes 0 and their greatest 1, with the budgets accordingly.

use crate::learn::parts::estimate::unit_range;
use crate::model::Task;

/// How signals are moved and scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// The least value and the width of every signal, the reward first.
    ranges: Vec<(f64, f64)>,
    horizon: f64,
}

impl Units {
    /// The units of a task of episodes.
    pub fn of(task: &Task, horizon: usize) -> Units {
        let ranges = (0..=task.costs()).map(|k| unit_range(task, k)).collect();
        Units { ranges, horizon: horizon as f64 }
    }

    /// A value of a signal in these units: 0 is the reward, i + 1 the cost i.
    pub fn signal(&self, k: usize, value: f64) -> f64 {
        let (least, width) = self.ranges[k];
        (value - least) / width
    }

    /// The sum of a cost over an episode in these units, e.g. a budget.
    pub fn cost_of_episode(&self, i: usize, sum: f64) -> f64 {
        let (least, width) = self.ranges[i + 1];
        (sum - self.horizon * least) / width
    }

    /// A difference of sums of a cost, in these units.
    pub fn difference(&self, i: usize, difference: f64) -> f64 {
        difference / self.ranges[i + 1].1
    }

    /// A price in these units.
    pub fn price(&self, i: usize, price: f64) -> f64 {
        price * self.ranges[i + 1].1 / self.ranges[0].1
    }

    /// Prices of these units in those of the task.
    pub fn prices_outside(&self, prices: &[f64]) -> Vec<f64> {
        let outside = |(i, price): (usize, &f64)| price * self.ranges[0].1 / self.ranges[i + 1].1;
        prices.iter().enumerate().map(outside).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;

    #[test]
    fn signals_between_zero_and_one_stay_and_others_are_scaled() {
        let text = "cost c <= 3\ncost d <= 3\nstate A\n  a reward -1 c 0.2 d 5 -> A\n  b c 0.6 d 1 -> A";
        let layered = text::parse(text).unwrap().layered(4).unwrap();
        let units = Units::of(&Task::of(&layered, 100), 4);
        assert_eq!((units.signal(0, -1.0), units.signal(0, 0.0), units.signal(1, 0.6)), (0.0, 1.0, 0.6));
        assert_eq!((units.signal(2, 3.0), units.difference(1, 2.0)), (0.5, 0.5));
        // A budget of 8 for four steps that cost 1 to 5 each leaves 4 of 16.
        assert_eq!((units.cost_of_episode(0, 3.0), units.cost_of_episode(1, 8.0)), (3.0, 1.0));
        assert_eq!((units.price(1, 0.5), units.prices_outside(&[1.0, 2.0])), (2.0, vec![1.0, 0.5]));
    }
}
