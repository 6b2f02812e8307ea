//! A single-server queue whose service and inflow are both controlled: keep it short, within budgets.
//!
//! State s = 0 … L is the queue's length; an action (a, b) is the probability a that the server finishes a customer
//! in this step and the probability b that one arrives:
//!
//! ```text
//! 0 < s < L   s − 1 with a(1 − b)    s + 1 with (1 − a)b    otherwise s
//! s = 0       s + 1 with (1 − a)b                           otherwise s
//! s = L       s − 1 with a                                  otherwise s
//! r = L − s   service = 10a − 6 ≤ 0   flow = 8(1 − b)² − 2 ≤ 0
//! ```
//!
//! This is the model of Altman, *Constrained Markov Decision Processes* (1999), chapter 5, with finite sets of
//! service and flow: there, the queue's length costs c(s), the service costs something increasing in a, throttling
//! the flow costs something decreasing in b, and one of the three is minimised within bounds on the other two. The
//! defaults are the instance of Agarwal, Bai and Aggarwal, *Regret guarantees for model-based reinforcement
//! learning with long-term average constraints* (2022): L = 5, four rates each, and the signals above. Other
//! buffers and rates keep the signals' form; minimising the length is maximising L − s.

use super::Env;
use crate::error::{Error, Result};
use crate::model::CmdpBuilder;
use crate::options;
use crate::options::Budgets;

/// More pairs make a model that nothing here plans in reasonable time.
const MOST_PAIRS: usize = 1_000_000;

options! {
    /// Options of the queue.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct QueueOptions {
        /// The buffer's length L; arrivals at a full buffer are lost.
        length: usize = 5, "a count from 1 to 100000" => |length| (1..=100_000).contains(length);
        /// Probabilities of finishing a customer that can be chosen.
        service: Vec<f64> = vec![0.2, 0.4, 0.6, 0.8], "numbers from 0 to 1, at least one"
            => |rates| are_probabilities(rates);
        /// Probabilities of an arrival that can be chosen.
        flow: Vec<f64> = vec![0.4, 0.5, 0.6, 0.7], "numbers from 0 to 1, at least one"
            => |rates| are_probabilities(rates);
        /// Budgets of the costs `service` and `flow`.
        budget: Budgets = Budgets::default(), "two numbers, or inf for no constraint" => Budgets::in_range;
    }
}

fn are_probabilities(values: &[f64]) -> bool {
    !values.is_empty() && values.iter().all(|value| (0.0..=1.0).contains(value))
}

/// The model of the queue; it starts empty.
pub(super) fn build(options: &QueueOptions) -> Result<Env> {
    let states = options.length + 1;
    let pairs = options.service.len().saturating_mul(options.flow.len()).saturating_mul(states);
    if pairs > MOST_PAIRS {
        return Err(Error::TooLarge { what: "pairs of a queue", most: MOST_PAIRS });
    }
    let mut model = CmdpBuilder::new(states, &options.budget.or(&[0.0, 0.0])?);
    for state in 0..states {
        for &service in &options.service {
            for &flow in &options.flow {
                let (down, up) = changes(state, options.length, service, flow);
                let costs = [10.0 * service - 6.0, 8.0 * ((1.0 - flow) * (1.0 - flow)) - 2.0];
                let stay = (state, 1.0 - down - up);
                let successors =
                    [(state.saturating_sub(1), down), stay, ((state + 1).min(options.length), up)];
                let reward = (options.length - state) as f64;
                model.pair(state, &successors, reward, &costs).action(format!("a{service}b{flow}"));
            }
        }
    }
    let model = model.cost_names(vec!["service".to_string(), "flow".to_string()]).build()?;
    Ok(Env { name: "queue".to_string(), model, picture: None, episodes: None })
}

/// The probabilities that the queue becomes shorter, and longer.
fn changes(state: usize, length: usize, service: f64, flow: f64) -> (f64, f64) {
    let up = (1.0 - service) * flow;
    match state {
        0 => (0.0, up),
        _ if state == length => (service, 0.0),
        _ => (service * (1.0 - flow), up),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::testing::row;

    fn near(found: &[(String, f64)], expected: &[(&str, f64)]) -> bool {
        let same = |((a, p), (b, q)): (&(String, f64), &(&str, f64))| a == b && (p - q).abs() < 1e-15;
        found.len() == expected.len() && found.iter().zip(expected).all(same)
    }

    #[test]
    fn the_default_is_the_published_instance() {
        let env = build(&QueueOptions::default()).unwrap();
        assert_eq!((env.model.states(), env.model.pairs(), env.model.budgets()), (6, 96, &[0.0, 0.0][..]));
        assert_eq!((env.model.names().cost(0), env.model.names().cost(1)), ("service".into(), "flow".into()));
        assert!(near(&row(&env, "0", "a0.2b0.7"), &[("0", 0.44), ("1", 0.56)]));
        assert!(near(&row(&env, "3", "a0.2b0.7"), &[("2", 0.06), ("3", 0.38), ("4", 0.56)]));
        assert!(near(&row(&env, "5", "a0.2b0.7"), &[("4", 0.2), ("5", 0.8)]));
    }

    #[test]
    fn signals_are_length_service_and_flow() {
        let env = build(&QueueOptions::default()).unwrap();
        let pair = env.model.pairs_of(2).start + 4 + 1;
        assert_eq!(env.model.action_name(pair), "a0.4b0.5");
        let signals = env.model.signals();
        assert_eq!((signals.reward()[pair], signals.cost(0)[pair], signals.cost(1)[pair]), (3.0, -2.0, 0.0));
    }

    #[test]
    fn a_buffer_of_one_has_only_its_ends() {
        let options = QueueOptions { length: 1, service: vec![0.5], flow: vec![1.0], ..Default::default() };
        let env = build(&options).unwrap();
        assert!(near(&row(&env, "0", "a0.5b1"), &[("0", 0.5), ("1", 0.5)]));
        assert!(near(&row(&env, "1", "a0.5b1"), &[("0", 0.5), ("1", 0.5)]));
    }

    #[test]
    fn certain_service_and_flow_leave_no_rounding_behind() {
        let rates = vec![0.0, 0.1, 0.3, 0.7, 0.9, 1.0];
        let options = QueueOptions { service: rates.clone(), flow: rates, ..Default::default() };
        assert_eq!(build(&options).unwrap().model.pairs(), 6 * 36);
    }

    #[test]
    fn budgets_and_sizes_are_checked() {
        let one = QueueOptions { budget: Budgets(vec![0.0]), ..Default::default() };
        assert_eq!(build(&one).unwrap_err().to_string(), "1 budgets are given, but the model has 2 costs");
        let large = QueueOptions { length: 100_000, ..Default::default() };
        assert_eq!(
            build(&large).unwrap_err().to_string(),
            "more than 1000000 pairs of a queue are not supported"
        );
    }
}
