//! Inventory control: sell as much as there is demand for, with limited costs of orders and storage.
//!
//! State s = 0 … 5 is the stock; an order of a ≤ 5 − s pieces arrives at once, the demand is q = 0 … 5 with probabilities
//! 0.3, 0.2, 0.2, 0.2, 0.05, 0.05, and what is not in stock is not sold:
//!
//! ```text
//! s′ = max(0, s + a − q)
//! r = Σ_{q ≤ s + a} w(q) 0.08 q / 0.132        expense = ((4 + 2a if a > 0) + s + a) / 19        E Σ expense ≤ 3.5
//! ```
//!
//! over an episode of 7 steps from an empty stock. The model of the experiments of Bura, HasanzadeZonuzy, Kalathil,
//! Shakkottai and Chamberland, *DOPE* (2022). w(q) is the probability of the demand q. Their published code has that of
//! the successor s + a − q instead, which counts unmet demand as sold where the stock ends at 0: `weights = successor`.
//! The optima are 6.135519 and 6.665322.

use super::Env;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::options::Budgets;
use crate::{options, words};

/// The probabilities of the demands 0, 1, ….
const DEMAND: [f64; 6] = [0.3, 0.2, 0.2, 0.2, 0.05, 0.05];
/// The most that fits into the stock.
const ROOM: usize = 5;
/// The price of a piece sold.
const PRICE: f64 = 0.08;
/// The largest expected sale and the largest expense: rewards and costs are at most 1.
const LARGEST_SALE: f64 = 0.132;
const LARGEST_EXPENSE: f64 = 19.0;

words! {
    /// By which probabilities sales are weighted.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum SaleWeights {
        /// Those of the demand.
        Demand = "demand",
        /// Those of the successor, as the published code has it.
        Successor = "successor",
    }
}

options! {
    /// Options of inventory control.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct InventoryOptions {
        /// By which probabilities sales are weighted; `successor` counts unmet demand at an empty stock as sold.
        weights: SaleWeights = SaleWeights::Demand, "demand or successor" => |_| true;
        /// The steps of an episode.
        horizon: usize = 7, "a count from 1 to 100000" => |horizon| (1..=100_000).contains(horizon);
        /// Budget of the cost `expense` over an episode.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
    }
}

/// The model of the stock, which is empty at first.
pub(super) fn build(options: &InventoryOptions) -> Result<Env> {
    let mut model = CmdpBuilder::new(ROOM + 1, &options.budget.or(&[3.5])?);
    for stock in 0..=ROOM {
        for order in 0..=ROOM - stock {
            let filled = stock + order;
            let row = successors(filled);
            let ordering = if order > 0 { 4 + 2 * order } else { 0 };
            let expense = (ordering + filled) as f64 / LARGEST_EXPENSE;
            let reward = sales(filled, &row, options.weights) / LARGEST_SALE;
            model.pair(stock, &row, reward, &[expense]).action(format!("order{order}"));
        }
    }
    let model = model.cost_names(vec!["expense".to_string()]).build()?;
    Env::of_episodes("inventory", model, options.horizon)
}

/// What is left of a stock after the demand of a step.
fn successors(filled: usize) -> Vec<(usize, f64)> {
    let mut left = vec![0.0; filled + 1];
    DEMAND.iter().enumerate().for_each(|(demand, p)| left[filled.saturating_sub(demand)] += p);
    left.into_iter().enumerate().collect()
}

/// The expected sales of a step.
fn sales(filled: usize, row: &[(usize, f64)], weights: SaleWeights) -> f64 {
    let weight = |sold: usize| match weights {
        SaleWeights::Demand => DEMAND[sold],
        SaleWeights::Successor => row[filled - sold].1,
    };
    (0..=filled).map(|sold| weight(sold) * PRICE * sold as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_fill_the_stock_and_demand_empties_it() {
        let model = build(&InventoryOptions::default()).unwrap().episodes.unwrap().model;
        assert_eq!((model.states(), model.pairs()), (6, 21));
        // Two pieces ordered into an empty stock: sold 0, 1, or both.
        let row: Vec<_> = model.kernel().row(2).iter().collect();
        assert!(row.iter().zip([0.5, 0.2, 0.3]).all(|(x, p)| (x.1 - p).abs() < 1e-15), "{row:?}");
        assert!((model.signals().reward()[2] - 0.08 * (0.2 + 0.4) / 0.132).abs() < 1e-15);
        assert!((model.signals().cost(0)[2] - 10.0 / 19.0).abs() < 1e-15);
        // A full stock from nothing: the largest sale and the largest expense.
        assert!((model.signals().reward()[5] - 1.0).abs() < 1e-15);
        assert_eq!(model.signals().cost(0)[5], 1.0);
    }

    #[test]
    fn the_published_code_counts_unmet_demand_as_sold() {
        let options = InventoryOptions { weights: SaleWeights::Successor, ..Default::default() };
        let model = build(&options).unwrap().episodes.unwrap().model;
        assert!((model.signals().reward()[2] - 0.08 * (0.2 + 2.0 * 0.5) / 0.132).abs() < 1e-15);
    }
}
