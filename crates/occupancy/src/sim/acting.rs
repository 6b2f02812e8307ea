//! Acting: the steps of a trial, each drawn, counted, and told to those who want to know.
//!
//! A step draws an action and a successor, counts the transition, and takes one from what is left of the pair's visits in this
//! epoch; in a large model it also adds to the sums that are recorded. Nothing else happens in it, unless the learner wants its
//! steps one by one.

use super::alias::{AliasTable, Drawn, SlotRange};
use super::sums::Sums;
use crate::learn::{Counts, Epoch, Visit};
use crate::model::{Cmdp, Policy};
use crate::seed::Rng;
use rand::Rng as _;
use std::hint::select_unpredictable;
use std::sync::Arc;

/// Where a learner is in the model, and what it has counted.
pub(super) struct Acting {
    pub counts: Counts,
    pub state: u32,
    pub step: u64,
    /// Draws a transition of each pair.
    transitions: AliasTable,
    /// Draws a pair of each state.
    actions: AliasTable,
    /// Visits that each pair has left in this epoch, and whether they are limited.
    left: Vec<u64>,
    limited: bool,
    /// Sees every step, for learners that want to.
    witness: Option<Box<Witness>>,
    /// The policy of this epoch, and the epochs in which the rows of the states were taken up, if there is a witness.
    policy: Arc<Policy>,
    taken_up: Vec<u64>,
    epoch: u64,
    environment: Rng,
    action: Rng,
}

impl Acting {
    /// At the start of a model; `ends` draws where the episodes of a model of stages end, if the steps are wanted.
    pub fn new(model: &Cmdp, mut environment: Rng, action: Rng, ends: Option<Rng>) -> Acting {
        let mut counts = Counts::new(model);
        let witness = ends.map(|rng| Box::new(Witness::new(model, &counts, rng)));
        let (support, _) = counts.taken_mut();
        let actions = AliasTable::new((0..model.states()).map(|state| model.pairs_of(state).len()));
        let mut transitions = AliasTable::new((0..model.pairs()).map(|pair| support.entries(pair).len()));
        for pair in 0..model.pairs() {
            let row = model.kernel().row(pair).iter().zip(support.entries(pair));
            let outcome = |((next, p), entry)| (Drawn { index: entry as u32, then: actions.place(next) }, p);
            transitions.set(pair, row.map(outcome));
        }
        let start = model.start();
        let mut first = AliasTable::new([start.len()].into_iter());
        let outcome =
            |&(state, p): &(usize, f64)| (Drawn { index: state as u32, then: SlotRange::default() }, p);
        first.set(0, start.iter().map(outcome));
        Acting {
            counts,
            state: first.draw(first.place(0), environment.next_u64()).index,
            step: 0,
            transitions,
            actions,
            left: vec![u64::MAX; model.pairs()],
            limited: false,
            witness,
            policy: Arc::new(Policy::uniform(model)),
            taken_up: vec![0; model.states()],
            epoch: 0,
            environment,
            action,
        }
    }

    /// Takes up the policy and the limits of an epoch.
    pub fn follow(&mut self, model: &Cmdp, epoch: &Epoch) {
        if !Arc::ptr_eq(&self.policy, &epoch.policy) {
            self.policy = Arc::clone(&epoch.policy);
        }
        match (&self.witness, &epoch.changed) {
            // Learners that want their steps have short epochs, which visit few states: their rows are taken up on the way.
            (Some(_), None) => self.epoch += 1,
            (_, Some(states)) => states.iter().for_each(|&state| self.take_up(state as usize)),
            (None, None) => (0..model.states()).for_each(|state| self.take_up(state)),
        }
        if self.limited || epoch.until.visits.is_some() {
            self.limited = epoch.until.visits.is_some();
            for (pair, left) in self.left.iter_mut().enumerate() {
                *left = epoch.until.visits.map_or(u64::MAX, |limit| limit.of(self.counts.visits(pair)));
            }
        }
        if let Some(witness) = &mut self.witness {
            witness.visits.clear();
            witness.ends.clear();
        }
    }

    /// Takes up the policy in a state.
    fn take_up(&mut self, state: usize) {
        self.taken_up[state] = self.epoch;
        let pairs = self.counts.pairs_of(state);
        let row = &self.policy.probabilities()[pairs.clone()];
        let outcome = |pair: usize| Drawn { index: pair as u32, then: self.transitions.place(pair) };
        // Which action is certain cannot be foreseen by the processor: all are looked at, without a branch.
        let looked_at = row.iter().zip(pairs.clone());
        let certain =
            looked_at.fold(usize::MAX, |found, (&p, pair)| select_unpredictable(p == 1.0, pair, found));
        if certain < usize::MAX {
            self.actions.set_certain(state, outcome(certain));
        } else {
            self.actions.set(state, pairs.map(outcome).zip(row.iter().copied()));
        }
    }

    /// The steps of this epoch, if they are wanted.
    pub fn trajectory(&self) -> &[Visit] {
        self.witness.as_ref().map_or(&[], |witness| &witness.visits)
    }

    /// Brings the counts up to date.
    pub fn tally(&mut self) {
        match &self.witness {
            Some(witness) => self.counts.tally_visits(&witness.visits, &witness.ends),
            None => self.counts.tally(),
        }
    }

    /// At most so many steps; whether a pair's visits ran out.
    pub fn steps(&mut self, most: u64, sums: &mut Sums) -> bool {
        match (self.witness.take(), sums) {
            (Some(witness), sums) => self.steps_seen(most, witness, sums),
            (None, Sums::Counted(_)) if self.limited => self.steps_telling::<true>(most, |_| ()),
            (None, Sums::Counted(_)) => self.steps_telling::<false>(most, |_| ()),
            (None, Sums::Running(ledger)) if self.limited => {
                self.steps_telling::<true>(most, |transition| ledger.add(transition))
            }
            (None, Sums::Running(ledger)) => {
                self.steps_telling::<false>(most, |transition| ledger.add(transition))
            }
        }
    }

    /// The same with a witness. It draws the same numbers for the same steps.
    fn steps_seen(&mut self, most: u64, mut witness: Box<Witness>, sums: &mut Sums) -> bool {
        let (mut ended, mut done) = (false, 0);
        let mut state = self.state as usize;
        let mut place = self.actions.place(state);
        while done < most && !ended {
            if self.taken_up[state] != self.epoch {
                self.take_up(state);
            }
            let pair = self.actions.draw(place, self.action.next_u64());
            let transition = self.transitions.draw(pair.then, self.environment.next_u64());
            let entry = transition.index as usize;
            let (support, taken) = self.counts.taken_mut();
            (state, place) = (support.all_successors()[entry] as usize, transition.then);
            taken[entry] += 1;
            if let Sums::Running(ledger) = sums {
                ledger.add(transition.index);
            }
            witness.see(pair.index, transition.index);
            if self.limited {
                let left = &mut self.left[pair.index as usize];
                *left -= 1;
                ended = *left == 0;
            }
            done += 1;
        }
        self.state = state as u32;
        self.step += done;
        self.witness = Some(witness);
        ended
    }

    /// At most so many steps, telling of every transition.
    #[inline(always)]
    fn steps_telling<const LIMITED: bool>(&mut self, most: u64, mut tell: impl FnMut(u32)) -> bool {
        let (support, taken) = self.counts.taken_mut();
        // Copies, which stay in registers while tables are written to.
        let (mut action, mut environment) = (self.action.clone(), self.environment.clone());
        let mut place = self.actions.place(self.state as usize);
        let mut entry = None;
        let mut ended = false;
        let mut done = 0;
        while done < most && !ended {
            let pair = self.actions.draw(place, action.next_u64());
            let transition = self.transitions.draw(pair.then, environment.next_u64());
            place = transition.then;
            entry = Some(transition.index);
            taken[transition.index as usize] += 1;
            tell(transition.index);
            if LIMITED {
                let left = &mut self.left[pair.index as usize];
                *left -= 1;
                ended = *left == 0;
            }
            done += 1;
        }
        if let Some(entry) = entry {
            self.state = support.all_successors()[entry as usize];
        }
        (self.action, self.environment) = (action, environment);
        self.step += done;
        ended
    }
}

/// Keeps the steps of an epoch, and draws where episodes end.
struct Witness {
    visits: Vec<Visit>,
    /// Transitions of the last stage's pairs in the model of a single stage.
    ends: Vec<u32>,
    /// Draws one of each pair of the last stage, whose first pair this is; there is none without stages.
    draws: AliasTable,
    first: u32,
    rng: Rng,
}

impl Witness {
    fn new(model: &Cmdp, counts: &Counts, rng: Rng) -> Witness {
        let (visits, ends) = (Vec::new(), Vec::new());
        let (Some(kernel), Some((first, support))) = (model.ends(), counts.ends_of()) else {
            let draws = AliasTable::new(std::iter::empty());
            return Witness { visits, ends, draws, first: u32::MAX, rng };
        };
        let mut draws = AliasTable::new((0..support.pairs()).map(|pair| support.entries(pair).len()));
        for pair in 0..support.pairs() {
            let row = kernel.row(pair).iter().zip(support.entries(pair));
            let outcome = |((_, p), entry)| (Drawn { index: entry as u32, then: SlotRange::default() }, p);
            draws.set(pair, row.map(outcome));
        }
        Witness { visits, ends, draws, first: first as u32, rng }
    }

    #[inline]
    fn see(&mut self, pair: u32, transition: u32) {
        self.visits.push(Visit { pair, transition });
        if pair >= self.first {
            let place = self.draws.place((pair - self.first) as usize);
            self.ends.push(self.draws.draw(place, self.rng.next_u64()).index);
        }
    }
}
