//! Acting: the steps of a trial, each drawn, counted, and told to those who want to know.
//!
//! A step draws an action and a successor, counts the transition, and takes one from what is left of the pair's visits in this
//! epoch; in a large model, where counts are brought up to date when the epoch ends, it also adds to the sums that are recorded. Nothing else happens in it, unless the learner wants its
//! steps one by one.

use super::alias::{AliasTable, Drawn, SlotRange};
use super::sums::{Running, Sums};
use super::tables::{Tables, Taken};
use crate::learn::{Counts, Epoch, Visit};
use crate::model::{Cmdp, Policy};
use crate::seed::Rng;
use rand::Rng as _;
use std::sync::Arc;

/// At most so many steps are taken in one go, which running sums have room for.
const MOST_AT_ONCE: u64 = 1 << 31;

/// Where a learner is in the model, and what it has counted.
pub(super) struct Acting<T> {
    pub counts: Counts,
    pub state: u32,
    pub step: u64,
    /// What steps are drawn from.
    pub tables: T,
    /// Visits that the pair of each row has left in this epoch, and whether they are limited.
    left: Vec<u64>,
    limited: bool,
    /// Sees every step, for learners that want to.
    witness: Option<Box<Witness>>,
    /// The policy of this epoch, and the epochs in which the rows of the states were taken up, if there is a witness.
    policy: Arc<Policy>,
    taken_up: Vec<u64>,
    epoch: u64,
    streams: Streams,
}

/// Where random numbers come from.
pub(super) struct Streams {
    pub environment: Rng,
    pub action: Rng,
    /// Draws where the episodes of a model of stages end, if the steps are wanted.
    pub ends: Option<Rng>,
}

impl<T: Tables> Acting<T> {
    /// At the start of a model, of which these are the tables.
    pub fn new(model: &Cmdp, counts: Counts, tables: T, mut streams: Streams) -> Acting<T> {
        let witness = streams.ends.take().map(|rng| Box::new(Witness::new(model, &counts, rng)));
        let start = model.start();
        let mut first = AliasTable::new([start.len()].into_iter());
        let outcome =
            |&(state, p): &(usize, f64)| (Drawn { index: state as u32, then: SlotRange::default() }, p);
        first.set(0, start.iter().map(outcome));
        Acting {
            counts,
            state: first.draw(first.place(0), streams.environment.next_u64()).index,
            step: 0,
            left: vec![u64::MAX; tables.rows()],
            tables,
            limited: false,
            witness,
            policy: Arc::new(Policy::uniform(model)),
            taken_up: vec![0; model.states()],
            epoch: 0,
            streams,
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
            for state in 0..model.states() {
                let left = self.left[self.tables.first_row(state)..].iter_mut();
                for (left, pair) in left.zip(self.counts.pairs_of(state)) {
                    *left = epoch.until.visits.map_or(u64::MAX, |limit| limit.of(self.counts.visits(pair)));
                }
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
        self.tables.take_up(state, &self.policy.probabilities()[self.counts.pairs_of(state)]);
    }

    /// The steps of this epoch, if they are wanted.
    pub fn trajectory(&self) -> &[Visit] {
        self.witness.as_ref().map_or(&[], |witness| &witness.visits)
    }

    /// Brings the counts up to date.
    pub fn tally(&mut self, sums: &mut Sums) {
        if let Some(witness) = &self.witness {
            return self.counts.tally_visits(&witness.visits, &witness.ends);
        }
        if let Sums::Running(running) = sums {
            let (_, taken) = self.counts.taken_mut();
            running.recent.empty(|cell, times| taken[self.tables.transition(cell) as usize] += times);
        }
        self.counts.tally();
    }

    /// At most so many steps; whether a pair's visits ran out.
    pub fn steps(&mut self, most: u64, sums: &mut Sums) -> bool {
        let (most, before) = (most.min(MOST_AT_ONCE), self.step);
        let ended = match (self.witness.take(), &mut *sums) {
            (Some(witness), sums) => self.steps_seen(most, witness, sums),
            (None, Sums::Counted(_)) => self
                .steps_telling(most, |tables, taken, step| taken[tables.transition(step.cell) as usize] += 1),
            (None, Sums::Running(Running { ledger, recent })) => self.steps_telling(most, |_, _, step| {
                recent.add(step.cell);
                ledger.add(step.row, step.cell);
            }),
        };
        if let Sums::Running(running) = sums {
            running.ledger.carry(self.step - before);
        }
        ended
    }

    /// The same with a witness. It draws the same numbers for the same steps.
    fn steps_seen(&mut self, most: u64, mut witness: Box<Witness>, sums: &mut Sums) -> bool {
        let (mut ended, mut done) = (false, 0);
        let mut state = self.state as usize;
        let mut place = self.tables.place(state);
        let (mut action, mut environment) = (self.streams.action.clone(), self.streams.environment.clone());
        while done < most && !ended {
            if self.taken_up[state] != self.epoch {
                self.take_up(state);
            }
            let step = self.tables.step(place, action.next_u64(), environment.next_u64());
            let (support, taken) = self.counts.taken_mut();
            let transition = self.tables.transition(step.cell);
            (state, place) = (support.all_successors()[transition as usize] as usize, step.next);
            taken[transition as usize] += 1;
            if let Sums::Running(running) = sums {
                running.ledger.add(step.row, step.cell);
            }
            witness.see(self.tables.pair(step.row), transition);
            if self.limited {
                let left = &mut self.left[step.row];
                *left -= 1;
                ended = *left == 0;
            }
            done += 1;
        }
        (self.streams.action, self.streams.environment) = (action, environment);
        self.state = state as u32;
        self.step += done;
        self.witness = Some(witness);
        ended
    }

    /// At most so many steps, which are told of to be counted, with the tables they are drawn from and the counts.
    #[inline(always)]
    fn steps_telling(&mut self, most: u64, tell: impl FnMut(&T, &mut [u64], &Taken<T::Place>)) -> bool {
        if self.limited {
            self.steps_within::<true>(most, tell)
        } else {
            self.steps_within::<false>(most, tell)
        }
    }

    /// The same, with visits that are limited or not.
    #[inline(always)]
    fn steps_within<const LIMITED: bool>(
        &mut self,
        most: u64,
        mut tell: impl FnMut(&T, &mut [u64], &Taken<T::Place>),
    ) -> bool {
        let (support, taken) = self.counts.taken_mut();
        // Copies, which stay in registers while tables are written to.
        let (mut action, mut environment) = (self.streams.action.clone(), self.streams.environment.clone());
        let mut place = self.tables.place(self.state as usize);
        let mut last = None;
        let mut ended = false;
        let mut done = 0;
        while done < most && !ended {
            let step = self.tables.step(place, action.next_u64(), environment.next_u64());
            place = step.next;
            last = Some(step.cell);
            tell(&self.tables, taken, &step);
            if LIMITED {
                let left = &mut self.left[step.row];
                *left -= 1;
                ended = *left == 0;
            }
            done += 1;
        }
        if let Some(cell) = last {
            self.state = support.all_successors()[self.tables.transition(cell) as usize];
        }
        (self.streams.action, self.streams.environment) = (action, environment);
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
