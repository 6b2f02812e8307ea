//! Random sparse models with the features that planners stumble over, each of them to choose.

use occupancy::model::{Cmdp, CmdpBuilder};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A recipe for one model.
#[derive(Clone, Debug)]
pub struct Wild {
    pub seed: u64,
    pub states: usize,
    /// Each state has 1 to `actions` actions.
    pub actions: usize,
    pub costs: usize,
    /// One successor for each action; otherwise up to three.
    pub deterministic: bool,
    /// Every cycle but those of loops has a length that is a multiple of this.
    pub period: usize,
    /// The share of actions that stay where they are.
    pub loops: f64,
    /// Blocks of at least `period` states that actions lead around in; one action in ten leads on to a later block,
    /// none back.
    pub components: usize,
    /// States that are never left, spread evenly.
    pub absorbing: usize,
    /// The first states, but for the start, lead into the model and are never reached.
    pub unreachable: usize,
    /// Signals are multiples of ¼, so that ties are common.
    pub ties: bool,
}

impl Wild {
    /// Aperiodic, one block, no loops but by chance.
    pub fn plain(seed: u64) -> Wild {
        Wild {
            seed,
            states: 1000,
            actions: 4,
            costs: 2,
            deterministic: false,
            period: 1,
            loops: 0.0,
            components: 1,
            absorbing: 0,
            unreachable: 0,
            ties: false,
        }
    }

    /// Periodic, with loops, many blocks, absorbing states, unreachable ones, and ties.
    pub fn of_everything(seed: u64) -> Wild {
        Wild {
            period: 4,
            loops: 0.1,
            components: 30,
            absorbing: 20,
            unreachable: 100,
            ties: true,
            ..Wild::plain(seed)
        }
    }

    pub fn model(&self) -> Cmdp {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let budgets: Vec<f64> = (0..self.costs).map(|_| self.level(rng).max(0.25)).collect();
        let mut model = CmdpBuilder::new(self.states, &budgets);
        for state in 0..self.states {
            let actions = if self.is_absorbing(state) { 1 } else { rng.random_range(1..=self.actions) };
            for _ in 0..actions {
                let row = self.row(rng, state);
                let costs: Vec<f64> = (0..self.costs).map(|_| self.level(rng)).collect();
                model.pair(state, &row, self.level(rng), &costs);
            }
        }
        model.start(self.unreachable).build().expect("a consistent model")
    }

    fn is_absorbing(&self, state: usize) -> bool {
        let reachable = self.states - self.unreachable;
        let every = reachable.checked_div(self.absorbing).unwrap_or(usize::MAX);
        state >= self.unreachable && (state - self.unreachable) % every == every - 1
    }

    /// From −½ to 1.
    fn level(&self, rng: &mut impl Rng) -> f64 {
        let x: f64 = rng.random_range(-0.5..1.0);
        if self.ties { (x * 4.0).round() / 4.0 } else { x }
    }

    fn row(&self, rng: &mut impl Rng, state: usize) -> Vec<(usize, f64)> {
        if self.is_absorbing(state) || rng.random::<f64>() < self.loops {
            return vec![(state, 1.0)];
        }
        let successors = if self.deterministic { 1 } else { rng.random_range(1..=3) };
        // Probabilities are multiples of 1/8, which every format and solver holds exactly.
        let shares: &[f64] = match successors {
            1 => &[1.0],
            2 => &[0.25, 0.75],
            _ => &[0.125, 0.375, 0.5],
        };
        let onward = rng.random::<f64>() < 0.1;
        shares.iter().map(|&share| (self.successor(rng, state, onward), share)).collect()
    }

    /// A state of the same block, or of a later one, and of the next class of the period.
    fn successor(&self, rng: &mut impl Rng, state: usize, onward: bool) -> usize {
        let own = self.block_of(state);
        let block = if onward { rng.random_range(own..self.components) } else { own };
        let size = self.block_size();
        let from = self.unreachable + block * size;
        let to = if block + 1 == self.components { self.states } else { from + size };
        let steps_to_class = (state + 1 + self.period - from % self.period) % self.period;
        let first = from + steps_to_class;
        first + self.period * rng.random_range(0..(to - first).div_ceil(self.period))
    }

    fn block_of(&self, state: usize) -> usize {
        (state.saturating_sub(self.unreachable) / self.block_size()).min(self.components - 1)
    }

    fn block_size(&self) -> usize {
        (self.states - self.unreachable) / self.components
    }
}
