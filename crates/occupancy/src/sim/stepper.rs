//! A model as a world to act in: whoever acts chooses the pairs, and the model answers with what happens.
//!
//! A step takes one random number, which is drawn as a trial draws it: an agent that gets the same numbers walks the same way.

use super::alias::{AliasTable, Drawn, SlotRange};
use crate::learn::Counts;
use crate::model::Cmdp;
use crate::seed::Rng;
use rand::Rng as _;

/// Draws starts and transitions of a model.
#[derive(Clone, Debug)]
pub struct Stepper {
    /// The transitions and what they bring; nothing is counted in it.
    table: Counts,
    /// The first pair of every state, and the end of the last.
    first_pair: Vec<u32>,
    transitions: AliasTable,
    starts: AliasTable,
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    /// Where it led.
    pub next: u32,
    transition: u32,
}

impl Stepper {
    /// A model to act in.
    pub fn new(model: &Cmdp) -> Stepper {
        let table = Counts::new(model);
        let outcome = |index: usize| Drawn { index: index as u32, then: SlotRange::default() };
        let mut transitions =
            AliasTable::new((0..model.pairs()).map(|pair| table.support().entries(pair).len()));
        for pair in 0..model.pairs() {
            let row = model.kernel().row(pair).iter().zip(table.support().entries(pair));
            transitions.set(pair, row.map(|((_, p), entry)| (outcome(entry), p)));
        }
        let mut starts = AliasTable::new([model.start().len()].into_iter());
        starts.set(0, model.start().iter().map(|&(state, p)| (outcome(state), p)));
        let first_pair = (0..model.states()).map(|state| model.pairs_of(state).start as u32);
        let first_pair = first_pair.chain([model.pairs() as u32]).collect();
        Stepper { table, first_pair, transitions, starts }
    }

    /// A state to start in.
    pub fn start(&self, rng: &mut Rng) -> u32 {
        self.starts.draw(self.starts.place(0), rng.next_u64()).index
    }

    /// The pair of an action of a state; `None` if the state does not have so many.
    #[inline]
    pub fn pair(&self, state: u32, action: usize) -> Option<usize> {
        let pair = self.first_pair[state as usize] as usize + action;
        (pair < self.first_pair[state as usize + 1] as usize).then_some(pair)
    }

    /// How many actions a state has.
    pub fn actions(&self, state: u32) -> usize {
        (self.first_pair[state as usize + 1] - self.first_pair[state as usize]) as usize
    }

    /// Takes a step.
    #[inline]
    pub fn step(&self, pair: usize, rng: &mut Rng) -> Happened {
        let transition = self.transitions.draw(self.transitions.place(pair), rng.next_u64()).index;
        Happened { next: self.table.support().all_successors()[transition as usize], transition }
    }

    /// What a signal was in a step: 0 is the reward, i + 1 the cost i.
    #[inline]
    pub fn signal(&self, k: usize, happened: Happened) -> f64 {
        self.table.values(k)[happened.transition as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::text;
    use crate::seed::Seed;

    #[test]
    fn steps_follow_the_probabilities_and_bring_what_belongs_to_them() {
        let text = "cost c <= 1\nstate a\n  x -> a 0.25 (reward 1), b 0.75 (reward 2 c 3)\nstate b\n  x -> a\n  y -> b\n";
        let model = text::parse(text).unwrap();
        let (stepper, mut rng) = (Stepper::new(&model), Seed(3).rng("test"));
        assert_eq!((stepper.actions(1), stepper.pair(1, 1), stepper.pair(0, 1)), (2, Some(2), None));
        let mut there = 0;
        for _ in 0..4000 {
            let happened = stepper.step(0, &mut rng);
            let found = (stepper.signal(0, happened), stepper.signal(1, happened));
            assert_eq!(found, if happened.next == 1 { (2.0, 3.0) } else { (1.0, 0.0) });
            there += happened.next;
        }
        // Five standard deviations are 137.
        assert!((there as f64 - 3000.0).abs() < 137.0, "{there}");
        assert_eq!(stepper.start(&mut rng), 0);
    }
}
