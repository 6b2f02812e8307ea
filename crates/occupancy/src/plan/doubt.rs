//! Signs that a question about the long run is not what was meant.

use super::{Plan, Problem, Verdict, follow};
use crate::error::Result;
use crate::model::{Cmdp, Origin, Policy};
use std::fmt;

/// Shares of time and gains below this are rounding.
const NOTHING: f64 = 1e-9;

/// Why a question is probably not what was meant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// The plan ends in states that are never left and in which nothing is earned, after rewards that do not count.
    NothingInTheEnd {
        /// The state in which it ends most.
        state: String,
    },
    /// The greatest reward cannot be had from where the long run is counted.
    OutOfReach {
        /// The state in which it would be earned.
        state: String,
        /// That reward.
        reward: f64,
        /// The greatest reward that can be had.
        within_reach: f64,
    },
    /// The start is left with the first step and never entered again, so that what happens there does not count.
    LeftAtOnce {
        /// The start.
        state: String,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::NothingInTheEnd { state } => write!(
                f,
                "the long run ends in state {state}, which is never left and earns nothing: rewards on the way there do \
                 not count, so that the gain is 0; to count round trips, let {state} lead back to the start"
            ),
            Doubt::OutOfReach { state, reward, within_reach } => write!(
                f,
                "the greatest reward, {reward} in state {state}, cannot be reached from where the long run is counted; \
                 the greatest that can is {within_reach}"
            ),
            Doubt::LeftAtOnce { state } => write!(
                f,
                "the start, state {state}, is left with the first step for ever: what is earned and spent there does \
                 not count in the long run"
            ),
        }
    }
}

/// What is doubtful about a question and its answer.
pub fn doubts(problem: &Problem, verdict: &Verdict) -> Result<Vec<Doubt>> {
    let model = problem.model;
    let mut found = Vec::new();
    if !problem.criterion.is_average() {
        return Ok(found);
    }
    if let Verdict::Optimal(plan) = verdict
        && !plan.occupancy.is_empty()
    {
        found.extend(nothing_in_the_end(problem, plan)?);
    }
    let start = match problem.origin {
        Origin::Start => model.start().to_vec(),
        Origin::State(state) => vec![(state, 1.0)],
        Origin::Anywhere => return Ok(found),
    };
    let sources: Vec<usize> = start.iter().map(|&(state, _)| state).collect();
    let mut reached = vec![false; model.states()];
    sources.iter().for_each(|&state| reached[state] = true);
    spread(model, &mut reached, sources.clone());
    found.extend(out_of_reach(model, &reached));
    // What does not count in the end says as much of the start.
    if let ([state], true) = (&sources[..], found.is_empty()) {
        found.extend(left_at_once(model, *state));
    }
    Ok(found)
}

fn nothing_in_the_end(problem: &Problem, plan: &Plan) -> Result<Option<Doubt>> {
    let (model, rewards) = (problem.model, problem.model.signals().reward());
    let scale = model.signals().size(0);
    let is_kept = |state: usize| {
        model.pairs_of(state).all(|pair| model.kernel().row(pair).iter().all(|(next, _)| next == state))
    };
    let occupied: Vec<usize> = (0..model.pairs()).filter(|&pair| plan.occupancy[pair] > NOTHING).collect();
    let ends_in_nothing = occupied.iter().all(|&pair| rewards[pair] == 0.0 && is_kept(model.state_of(pair)));
    if scale == 0.0 || !ends_in_nothing {
        return Ok(None);
    }
    for one in &plan.policies {
        if !earns_on_the_way(problem, plan, &one.policy)? {
            continue;
        }
        let most = occupied.iter().max_by(|&&a, &&b| plan.occupancy[a].total_cmp(&plan.occupancy[b]));
        let name = |&pair: &usize| model.names().state(model.state_of(pair));
        return Ok(most.map(|pair| Doubt::NothingInTheEnd { state: name(pair) }));
    }
    Ok(None)
}

/// Whether a policy earns or pays something in states that it leaves for good.
fn earns_on_the_way(problem: &Problem, plan: &Plan, policy: &Policy) -> Result<bool> {
    let model = problem.model;
    let visited = follow(problem, policy)?.visited;
    Ok((0..model.pairs()).any(|pair| {
        let taken = visited[model.state_of(pair)] && policy.probabilities()[pair] > 0.0;
        taken && plan.occupancy[pair] <= NOTHING && model.signals().reward()[pair] != 0.0
    }))
}

fn out_of_reach(model: &Cmdp, reached: &[bool]) -> Option<Doubt> {
    let rewards = model.signals().reward();
    let greatest = |wanted: bool| {
        // State by state: to look up the states of five million pairs took 0.2 s.
        let pairs = (0..model.states())
            .filter(|&state| reached[state] == wanted)
            .flat_map(|state| model.pairs_of(state));
        pairs.max_by(|&a, &b| rewards[a].total_cmp(&rewards[b]))
    };
    let (within, beyond) = (greatest(true)?, greatest(false)?);
    (rewards[beyond] > rewards[within]).then(|| Doubt::OutOfReach {
        state: model.names().state(model.state_of(beyond)),
        reward: rewards[beyond],
        within_reach: rewards[within],
    })
}

fn left_at_once(model: &Cmdp, start: usize) -> Option<Doubt> {
    let matters = (0..model.signals().count())
        .any(|k| model.pairs_of(start).any(|pair| model.signals().signal(k)[pair] != 0.0));
    if !matters {
        return None;
    }
    let mut reached = vec![false; model.states()];
    spread(model, &mut reached, vec![start]);
    (!reached[start]).then(|| Doubt::LeftAtOnce { state: model.names().state(start) })
}

/// Marks every state that some action leads to from these, in any number of steps.
fn spread(model: &Cmdp, reached: &mut [bool], mut from: Vec<usize>) {
    while let Some(state) = from.pop() {
        for pair in model.pairs_of(state) {
            for (next, _) in model.kernel().row(pair).iter() {
                if !std::mem::replace(&mut reached[next], true) {
                    from.push(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;
    use crate::plan::PlannerConfig;

    fn doubts_of(text: &str) -> Vec<String> {
        let model = text::parse(text).unwrap();
        let problem = Problem::average(&model);
        let verdict = PlannerConfig::default().build().plan(&problem).unwrap();
        doubts(&problem, &verdict).unwrap().iter().map(Doubt::to_string).collect()
    }

    #[test]
    fn rewards_before_an_end_do_not_count_and_this_is_said() {
        let text =
            "state road\n  walk reward -1 -> home\n  stay reward -2 -> road\nstate home\n  rest -> home\n";
        let found = doubts_of(text);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("the long run ends in state home, which is never left"), "{found:?}");
        let around = text.replace("rest -> home", "rest -> road");
        assert!(doubts_of(&around).is_empty());
        assert!(doubts_of(&text.replace("rest -> home", "rest reward 3 -> home")).is_empty());
        assert!(doubts_of(&text.replace("-1", "0")).is_empty(), "nothing is lost");
    }

    #[test]
    fn the_greatest_reward_should_be_within_reach() {
        let text = "state a\n  x reward 1 -> a\nstate goal\n  x reward 10 -> goal\n";
        let wanted = "the greatest reward, 10 in state goal, cannot be reached from where the long run is counted; \
                      the greatest that can is 1";
        assert_eq!(doubts_of(text), [wanted]);
        assert!(doubts_of(&text.replace("reward 10", "reward 1")).is_empty());
    }

    #[test]
    fn a_start_that_is_left_for_ever_should_have_nothing_to_count() {
        let text = "state begin\n  go reward 5 -> a\nstate a\n  x reward 6 -> b\nstate b\n  x -> a\n";
        let wanted = "the start, state begin, is left with the first step for ever: what is earned and spent there \
                      does not count in the long run";
        assert_eq!(doubts_of(text), [wanted]);
        assert!(doubts_of(&text.replace("reward 5 ", "")).is_empty());
        assert!(doubts_of(&text.replace("b\n  x -> a", "b\n  x -> begin")).is_empty());
    }
}
