//! Builds a [`Cmdp`] pair by pair and checks it once.

use super::cmdp::{check_budget, in_range};
use super::signals::Realised;
use super::{Cmdp, Kernel, Names, Signals};
use crate::error::{Error, Result, StartProblem};

/// How far a distribution's sum may be from 1 before it is refused; within it, it is divided by its sum.
const SUM_TOLERANCE: f64 = 1e-9;

/// One possible outcome of a pair: the successor, its probability, and what this transition brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The successor state.
    pub next: usize,
    /// P(next∣s,a). Outcomes with the same successor are added up, their signals averaged.
    pub probability: f64,
    /// The reward of this transition.
    pub reward: f64,
    /// The costs of this transition.
    pub costs: Vec<f64>,
}

struct Pair {
    state: usize,
    action: Option<String>,
    outcomes: Vec<(usize, f64)>,
    /// Per signal: one value for the pair, or one per outcome.
    signals: Vec<Vec<f64>>,
}

/// Collects pairs in any order; [`CmdpBuilder::build`] sorts them by state and checks everything.
///
/// ```
/// use occupancy::model::CmdpBuilder;
/// let mut model = CmdpBuilder::new(2, &[0.5]);
/// model.pair(0, &[(0, 1.0)], 1.0, &[1.0]).action("work");
/// model.pair(0, &[(1, 0.9), (0, 0.1)], 0.0, &[0.0]).action("rest");
/// model.pair(1, &[(0, 1.0)], 0.2, &[0.0]).action("rest");
/// let model = model.start(0).build().unwrap();
/// assert_eq!((model.states(), model.pairs(), model.costs()), (2, 3, 1));
/// ```
pub struct CmdpBuilder {
    states: usize,
    budgets: Vec<f64>,
    pairs: Vec<Pair>,
    start: Vec<(usize, f64)>,
    names: Names,
}

impl CmdpBuilder {
    /// A model of `states` states without actions yet, with one cost for each budget; it starts in state 0.
    pub fn new(states: usize, budgets: &[f64]) -> CmdpBuilder {
        let names = Names::default();
        CmdpBuilder { states, budgets: budgets.to_vec(), pairs: Vec::new(), start: vec![(0, 1.0)], names }
    }

    /// Adds an action whose signals do not depend on the successor.
    pub fn pair(
        &mut self,
        state: usize,
        successors: &[(usize, f64)],
        reward: f64,
        costs: &[f64],
    ) -> &mut Self {
        let signals = std::iter::once(&reward).chain(costs).map(|&x| vec![x]).collect();
        self.pairs.push(Pair { state, action: None, outcomes: successors.to_vec(), signals });
        self
    }

    /// Adds an action whose signals depend on the successor.
    pub fn outcomes(&mut self, state: usize, outcomes: &[Outcome]) -> &mut Self {
        let costs = outcomes.iter().map(|o| o.costs.len()).max().unwrap_or(self.budgets.len());
        let signal = |k: usize| -> Vec<f64> {
            let value =
                |o: &Outcome| if k == 0 { o.reward } else { *o.costs.get(k - 1).unwrap_or(&f64::NAN) };
            outcomes.iter().map(value).collect()
        };
        let signals = (0..=costs).map(signal).collect();
        let outcomes = outcomes.iter().map(|o| (o.next, o.probability)).collect();
        self.pairs.push(Pair { state, action: None, outcomes, signals });
        self
    }

    /// Names the action that was added last.
    pub fn action(&mut self, name: impl Into<String>) -> &mut Self {
        if let Some(pair) = self.pairs.last_mut() {
            pair.action = Some(name.into());
        }
        self
    }

    /// Starts in one state.
    pub fn start(&mut self, state: usize) -> &mut Self {
        self.start = vec![(state, 1.0)];
        self
    }

    /// Starts in a state drawn from a distribution.
    pub fn start_distribution(&mut self, start: &[(usize, f64)]) -> &mut Self {
        self.start = start.to_vec();
        self
    }

    /// Names the states.
    pub fn state_names(&mut self, names: Vec<String>) -> &mut Self {
        self.names.states = Some(names);
        self
    }

    /// Names the costs.
    pub fn cost_names(&mut self, names: Vec<String>) -> &mut Self {
        self.names.costs = Some(names);
        self
    }

    /// Checks everything and builds the model.
    pub fn build(&mut self) -> Result<Cmdp> {
        if self.states == 0 {
            return Err(Error::NoStates);
        }
        let most = u32::MAX as usize - 1;
        if self.states > most {
            return Err(Error::TooManyStates { states: self.states, most });
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.sort_by_key(|pair| pair.state);
        if let Some(pair) = pairs.last().filter(|pair| pair.state >= self.states) {
            return Err(Error::UnknownState { state: pair.state, states: self.states });
        }
        // Before anything is allocated by the number of states, which is only a claim until each has an action.
        if let Some(state) = first_without_actions(&pairs, self.states) {
            return Err(Error::NoActions { state: self.names.state(state) });
        }
        let first_pair: Vec<usize> =
            (0..=self.states).map(|s| pairs.partition_point(|pair| pair.state < s)).collect();
        let mut names = std::mem::take(&mut self.names);
        if pairs.iter().any(|pair| pair.action.is_some()) {
            let index = |(i, pair): (usize, &Pair)| (i - first_pair[pair.state]).to_string();
            let action = |(i, pair): (usize, &Pair)| pair.action.clone().unwrap_or_else(|| index((i, pair)));
            names.actions = Some(pairs.iter().enumerate().map(action).collect());
        }
        names.check(self.states, pairs.len(), self.budgets.len())?;
        for (i, &value) in self.budgets.iter().enumerate() {
            check_budget(&names.cost(i), value)?;
        }
        let start = check_start(&self.start, self.states)?;
        let (kernel, signals) = self.tables(&pairs, &first_pair, &names)?;
        let model = Cmdp { first_pair, kernel, signals, budgets: self.budgets.clone(), start, names };
        (0..model.pairs()).try_for_each(|pair| model.check_signals(pair))?;
        Ok(model)
    }

    fn tables(&self, pairs: &[Pair], first_pair: &[usize], names: &Names) -> Result<(Kernel, Signals)> {
        let signals = 1 + self.budgets.len();
        let by_outcome = pairs.iter().any(|pair| pair.signals.iter().any(|values| values.len() > 1));
        let (mut first, mut next, mut probability) = (vec![0], Vec::new(), Vec::new());
        let mut means = vec![Vec::with_capacity(pairs.len()); signals];
        let mut realised = vec![Vec::new(); signals];
        for (index, pair) in pairs.iter().enumerate() {
            let place = || (names.state(pair.state), names.action(index, index - first_pair[pair.state]));
            if pair.signals.len() != signals {
                let (state, action) = place();
                let found = pair.signals.len() - 1;
                return Err(Error::CostCount { state, action, found, expected: signals - 1 });
            }
            let row = self.row(pair, place, names)?;
            for &(successor, p, ref sources) in &row {
                next.push(successor);
                probability.push(p);
                for (k, values) in pair.signals.iter().enumerate().filter(|_| by_outcome) {
                    let value = |outcome: usize| if values.len() == 1 { values[0] } else { values[outcome] };
                    let (mass, total) = sources.iter().fold((0.0, 0.0), |(mass, total), &outcome| {
                        (mass + pair.outcomes[outcome].1, total + pair.outcomes[outcome].1 * value(outcome))
                    });
                    let mean = if sources.len() == 1 { value(sources[0]) } else { total / mass };
                    if !in_range(mean) {
                        let ((state, action), signal) = (place(), names.signal(k));
                        return Err(Error::Signal { signal, state, action, value: mean });
                    }
                    realised[k].push(mean);
                }
            }
            let entries = first[index]..next.len();
            for (k, values) in pair.signals.iter().enumerate() {
                let single = (values.len() == 1).then(|| values[0]);
                let mean = |(p, x): (&f64, &f64)| p * x;
                let expected =
                    || probability[entries.clone()].iter().zip(&realised[k][entries.clone()]).map(mean).sum();
                means[k].push(single.unwrap_or_else(expected));
            }
            first.push(next.len());
        }
        let signals = if by_outcome {
            Signals::of_transitions(
                means,
                Realised { first: first.clone(), next: next.clone(), values: realised },
            )
        } else {
            let mut means = means.into_iter();
            Signals::of_pairs(means.next().unwrap_or_default(), means.collect())
        };
        Ok((Kernel::from_sparse(self.states, first, next, probability), signals))
    }

    /// The normalised row of a pair: successors ascending, with the outcomes that each was made of.
    #[allow(clippy::type_complexity)]
    fn row(
        &self,
        pair: &Pair,
        place: impl Fn() -> (String, String),
        names: &Names,
    ) -> Result<Vec<(u32, f64, Vec<usize>)>> {
        let mut row: Vec<(u32, f64, Vec<usize>)> = Vec::with_capacity(pair.outcomes.len());
        let mut sum = 0.0;
        for (outcome, &(successor, p)) in pair.outcomes.iter().enumerate() {
            if successor >= self.states {
                let (state, action) = place();
                return Err(Error::Successor { state, action, successor, states: self.states });
            }
            if !(0.0..=1.0 + SUM_TOLERANCE).contains(&p) {
                let (state, action) = place();
                return Err(Error::Probability {
                    state,
                    action,
                    successor: names.state(successor),
                    value: p,
                });
            }
            sum += p;
            if p > 0.0 {
                row.push((successor as u32, p, vec![outcome]));
            }
        }
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            let (state, action) = place();
            return Err(Error::RowSum { state, action, sum });
        }
        row.sort_by_key(|entry| entry.0);
        row.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += later.1;
                earlier.2.append(&mut later.2);
            }
            same
        });
        row.iter_mut().for_each(|entry| entry.1 /= sum);
        Ok(row)
    }
}

/// The first state that none of the sorted pairs belongs to.
fn first_without_actions(pairs: &[Pair], states: usize) -> Option<usize> {
    let mut wanted = 0;
    for pair in pairs {
        if pair.state > wanted {
            return Some(wanted);
        }
        wanted = pair.state + 1;
    }
    (wanted < states).then_some(wanted)
}

fn check_start(start: &[(usize, f64)], states: usize) -> Result<Vec<(usize, f64)>> {
    let mut sum = 0.0;
    for &(state, value) in start {
        if state >= states {
            return Err(Error::Start { problem: StartProblem::Unknown { state, states } });
        }
        if !(0.0..=1.0 + SUM_TOLERANCE).contains(&value) {
            return Err(Error::Start { problem: StartProblem::Probability { state, value } });
        }
        sum += value;
    }
    if sum.is_nan() || (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(Error::Start { problem: StartProblem::Sum { sum } });
    }
    let mut merged: Vec<(usize, f64)> =
        start.iter().filter(|(_, p)| *p > 0.0).map(|&(s, p)| (s, p / sum)).collect();
    merged.sort_by_key(|entry| entry.0);
    merged.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_of_many_states_is_refused_before_room_is_made_for_them() {
        let error = CmdpBuilder::new(4_000_000_000, &[]).pair(0, &[(0, 1.0)], 0.0, &[]).build().unwrap_err();
        assert_eq!(error.to_string(), "state 1 has no actions; give an absorbing state an action that stays");
        let mut gap = CmdpBuilder::new(3, &[]);
        gap.pair(2, &[(0, 1.0)], 0.0, &[]).pair(0, &[(0, 1.0)], 0.0, &[]);
        assert!(matches!(gap.build().unwrap_err(), Error::NoActions { state } if state == "1"));
        assert!(
            matches!(CmdpBuilder::new(1, &[]).build().unwrap_err(), Error::NoActions { state } if state == "0")
        );
    }

    #[test]
    fn an_outcome_of_hardly_any_probability_still_has_signals_in_range() {
        let outcome = |probability, reward| Outcome { next: 0, probability, reward, costs: vec![] };
        let rare = |reward| {
            let mut model = CmdpBuilder::new(2, &[]);
            let stay = Outcome { next: 1, ..outcome(1.0, 0.0) };
            model.outcomes(0, &[stay, outcome(1e-250, reward)]).pair(1, &[(0, 1.0)], 0.0, &[]);
            model.build()
        };
        assert!(rare(1e100).is_ok());
        let error = rare(1e300).unwrap_err().to_string();
        let wanted =
            "reward of (state 0, action 0) is 1e300, expected a finite number of at most 1e100 in size";
        assert_eq!(error, wanted);
    }

    #[test]
    fn a_start_that_is_no_distribution_is_refused_with_what_would_be_right() {
        let start = |start: &[(usize, f64)]| {
            let mut model = CmdpBuilder::new(1, &[]);
            model.pair(0, &[(0, 1.0)], 0.0, &[]).start_distribution(start).build().unwrap_err().to_string()
        };
        assert_eq!(start(&[]), "the start distribution sums to 0, expected 1 within 1e-9");
        let wrong = "the start distribution gives state 0 the probability -1, expected a number from 0 to 1";
        assert_eq!(start(&[(0, -1.0), (0, 2.0)]), wrong);
        assert_eq!(start(&[(1, 1.0)]), "the start distribution names state 1, but the model has 1 states");
        assert!(start(&[(0, f64::NAN)]).contains("NaN"));
    }
}
