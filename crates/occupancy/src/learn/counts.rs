//! What a learner has seen: N(s,a,s′), N(s,a), and the sums of rewards and costs.
//!
//! While acting, one number is counted for each step: how often each transition happened. Everything else follows
//! from it, because a reward or cost is a function of the transition:
//!
//! ```text
//! N(s,a) = Σ_{s′} N(s,a,s′) ,     Σ_t x_t = Σ N(s,a,s′) x(s,a,s′)
//! ```
//!
//! Integers do not drift, so that sums over a hundred million steps are as exact as the signals themselves.

mod open;

use crate::model::Cmdp;
use crate::model::support::Support;
use std::ops::Range;

/// Counts of transitions and what follows from them. A learner sees only what happened: transitions that exist but
/// were never taken are not told.
#[derive(Clone, Debug)]
pub struct Counts {
    support: Support,
    first_pair: Vec<usize>,
    /// x(s,a,s′) of every signal and transition.
    values: Vec<Vec<f64>>,
    /// N(s,a,s′).
    taken: Vec<u64>,
    /// N(s,a), up to date after [`Counts::tally`].
    visits: Vec<u64>,
    /// Where the last steps of episodes led, in a model of stages.
    ends: Option<Ends>,
}

/// Where episodes ended, before the next one began.
#[derive(Clone, Debug)]
struct Ends {
    /// The possible ends after every pair of the last stage, and how often each happened.
    support: Support,
    taken: Vec<u64>,
    /// The first pair of the last stage.
    first: usize,
    /// How many states a stage has.
    states: usize,
}

/// A step that was taken: the pair, and the transition that followed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The pair.
    pub pair: u32,
    pub(crate) transition: u32,
}

impl Counts {
    /// Nothing seen yet of a model.
    pub(crate) fn new(model: &Cmdp) -> Counts {
        let mut support = Support::new();
        let mut values = vec![Vec::new(); model.signals().count()];
        for pair in 0..model.pairs() {
            for (next, _) in model.kernel().row(pair).iter() {
                support.push(next as u32);
                for (k, values) in values.iter_mut().enumerate() {
                    let mean = model.signals().signal(k)[pair];
                    values.push(model.signals().realised(k, pair, next).unwrap_or(mean));
                }
            }
            support.end_pair();
        }
        Counts {
            taken: vec![0; support.transitions()],
            support,
            first_pair: (0..model.states()).map(|s| model.pairs_of(s).start).chain([model.pairs()]).collect(),
            values,
            visits: vec![0; model.pairs()],
            ends: Ends::of(model),
        }
    }

    /// The transitions of the model and how often each was taken, for the loop that takes them.
    pub(crate) fn taken_mut(&mut self) -> (&Support, &mut [u64]) {
        (&self.support, &mut self.taken)
    }

    /// The transitions that there are, or were seen so far.
    pub(crate) fn support(&self) -> &Support {
        &self.support
    }

    /// How often each transition was taken.
    pub(crate) fn taken(&self) -> &[u64] {
        &self.taken
    }

    /// How many signals there are.
    pub(crate) fn signals(&self) -> usize {
        self.values.len()
    }

    /// The values of a signal on each transition.
    pub(crate) fn values(&self, k: usize) -> &[f64] {
        &self.values[k]
    }

    /// Brings the visits up to date with the transitions taken.
    pub(crate) fn tally(&mut self) {
        for (pair, visits) in self.visits.iter_mut().enumerate() {
            *visits = self.taken[self.support.entries(pair)].iter().sum();
        }
    }

    /// Brings them up to date after these steps, and counts where episodes ended: transitions of [`Counts::ends_of`].
    pub(crate) fn tally_visits(&mut self, visits: &[Visit], ends: &[u32]) {
        visits.iter().for_each(|visit| self.visits[visit.pair as usize] += 1);
        if let Some(counted) = &mut self.ends {
            ends.iter().for_each(|&entry| counted.taken[entry as usize] += 1);
        }
    }

    /// The first pair of the last stage, and the possible ends after each pair of it, in a model of stages.
    pub(crate) fn ends_of(&self) -> Option<(usize, &Support)> {
        self.ends.as_ref().map(|ends| (ends.first, &ends.support))
    }

    /// N(s,a).
    pub fn visits(&self, pair: usize) -> u64 {
        self.visits[pair]
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.first_pair.len() - 1
    }

    /// The pairs of a state.
    pub(crate) fn pairs_of(&self, state: usize) -> Range<usize> {
        self.first_pair[state]..self.first_pair[state + 1]
    }

    /// Σ_a N(s,a).
    pub fn state_visits(&self, state: usize) -> u64 {
        self.visits[self.first_pair[state]..self.first_pair[state + 1]].iter().sum()
    }

    /// The mean of a signal (0 is the reward, i + 1 the cost i) where the pair was visited.
    pub fn mean(&self, k: usize, pair: usize) -> Option<f64> {
        (self.visits[pair] > 0).then(|| self.sum(k, pair) / self.visits[pair] as f64)
    }

    /// Σ x of a signal over the visits of a pair.
    pub fn sum(&self, k: usize, pair: usize) -> f64 {
        let entries = self.support.entries(pair);
        let taken = self.taken[entries.clone()].iter().zip(&self.values[k][entries]);
        taken.map(|(&n, x)| n as f64 * x).sum()
    }

    /// What a signal was in a step.
    pub fn realised(&self, k: usize, visit: Visit) -> f64 {
        self.values[k][visit.transition as usize]
    }

    /// The state that a step led to.
    pub fn successor(&self, visit: Visit) -> usize {
        self.support.all_successors()[visit.transition as usize] as usize
    }

    /// In a model of stages, the states in which a step from a pair ended, ascending and numbered within their stage, and how
    /// often. Those after the last stage are seen too, although the next episode begins elsewhere.
    pub fn arrivals(&self, pair: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let (support, taken, pair, states) = match &self.ends {
            Some(ends) if pair >= ends.first => (&ends.support, &ends.taken, pair - ends.first, ends.states),
            Some(ends) => (&self.support, &self.taken, pair, ends.states),
            None => (&self.support, &self.taken, pair, usize::MAX),
        };
        let entries = support.entries(pair);
        let seen = support.successors(entries.clone()).iter().zip(&taken[entries]).filter(|&(_, &n)| n > 0);
        seen.map(move |(&next, &n)| (next as usize % states, n))
    }

    /// The successors that have followed a pair, ascending, and how often.
    pub fn transitions(&self, pair: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let entries = self.support.entries(pair);
        let next = self.support.successors(entries.clone());
        let seen = next.iter().zip(&self.taken[entries]).filter(|&(_, &n)| n > 0);
        seen.map(|(&next, &n)| (next as usize, n))
    }
}

impl Ends {
    fn of(model: &Cmdp) -> Option<Ends> {
        let (kernel, horizon) = (model.ends()?, model.horizon()?);
        let (states, pairs) = (model.states() / horizon, model.pairs() / horizon);
        let mut support = Support::new();
        for pair in 0..pairs {
            kernel.row(pair).iter().for_each(|(next, _)| support.push(next as u32));
            support.end_pair();
        }
        Some(Ends { taken: vec![0; support.transitions()], support, first: model.pairs() - pairs, states })
    }
}
