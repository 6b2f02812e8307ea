//! A queue of packets and a sender that saves power: keep the queue short on average.
//!
//! State q = 0 … B is the length of the queue. A sender of power a (low 0.1, high 0.9) sends a packet with probability
//! 0.9 a; Y = 0, 1, 2, 3 new ones come with probabilities 0.65, 0.2, 0.1, 0.05:
//!
//! ```text
//! q′ = min(B, max(0, q + Y − D))        r = 1 − a        length = q / B        J(length) ≤ 3 / B
//! ```
//!
//! The model of the experiments of Chen, Jain and Luo, *Learning infinite-horizon average-reward Markov decision processes
//! with constraints* (2022), which do not say B; the cost is divided by B here, so that it is at most 1. The optima at
//! B = 5, 10, 20 are 0.638473, 0.451569, 0.400846.

use super::Env;
use crate::error::Result;
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

/// The probabilities of 0, 1, … new packets.
const ARRIVALS: [f64; 4] = [0.65, 0.2, 0.1, 0.05];
/// The probability that a packet is sent, for each unit of power.
const SENT: f64 = 0.9;
/// The greatest average length.
const LENGTH: f64 = 3.0;

options! {
    /// Options of the wireless queue.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct WirelessQueueOptions {
        /// The greatest length B; packets that find the queue full are lost.
        capacity: usize = 10, "a count from 1 to 100000" => |capacity| (1..=100_000).contains(capacity);
        /// Budget of the cost `length`, which is q / B; by default 3 / B.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
    }
}

/// The model of the queue, which is empty at first.
pub(super) fn build(options: &WirelessQueueOptions) -> Result<Env> {
    let most = options.capacity;
    let mut model = CmdpBuilder::new(most + 1, &options.budget.or(&[LENGTH / most as f64])?);
    for length in 0..=most {
        for (action, power) in [("low", 0.1), ("high", 0.9)] {
            let sent = SENT * power;
            let departures = [(1, sent), (0, 1.0 - sent)];
            let row: Vec<(usize, f64)> = ARRIVALS
                .iter()
                .enumerate()
                .flat_map(|(new, arrival)| departures.map(|(gone, p)| (new, gone, arrival * p)))
                .map(|(new, gone, p)| ((length + new).saturating_sub(gone).min(most), p))
                .collect();
            model.pair(length, &row, 1.0 - power, &[length as f64 / most as f64]).action(action);
        }
    }
    let model = model.cost_names(vec!["length".to_string()]).build()?;
    Ok(Env { name: "wireless-queue".to_string(), model, picture: None, episodes: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::testing::row;

    #[test]
    fn packets_come_and_go() {
        let env = build(&WirelessQueueOptions::default()).unwrap();
        assert_eq!((env.model.states(), env.model.budgets()), (11, &[0.3][..]));
        let shares = |from: &str, action: &str| {
            row(&env, from, action).into_iter().map(|(_, p)| p).collect::<Vec<_>>()
        };
        let close = |found: Vec<f64>, expected: &[f64]| {
            found.len() == expected.len() && found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-15)
        };
        // High power sends with 0.81.
        let between = [
            0.65 * 0.81,
            0.65 * 0.19 + 0.2 * 0.81,
            0.2 * 0.19 + 0.1 * 0.81,
            0.1 * 0.19 + 0.05 * 0.81,
            0.05 * 0.19,
        ];
        assert!(close(shares("4", "high"), &between), "{:?}", shares("4", "high"));
        assert!(close(
            shares("0", "high"),
            &[0.65 + 0.2 * 0.81, 0.2 * 0.19 + 0.1 * 0.81, 0.1 * 0.19 + 0.05 * 0.81, 0.05 * 0.19]
        ));
        assert!(close(shares("10", "high"), &[0.65 * 0.81, 1.0 - 0.65 * 0.81]));
        assert_eq!(env.model.signals().cost(0)[20], 1.0);
    }
}
