//! Random models of every shape, for property tests.

#![allow(dead_code)] // each test that includes this module uses some of it

use occupancy::model::{Cmdp, CmdpBuilder};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The same cases in every run; `PROPTEST_RNG_SEED=n` draws others, `PROPTEST_CASES=n` more.
pub fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(2022);
    }
    config
}

/// How transitions are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// All states follow, with random weights.
    Dense,
    /// Two or three successors.
    Sparse,
    /// One successor: periodic cycles, several classes.
    Deterministic,
    /// Self-loops and forward moves: long transient ways into absorbing states.
    Forward,
    /// Two blocks that are linked from the first to the second only.
    Islands,
    /// Sparse, with links of 1e-2 to 1e-4, which chain up to rates of 1e-12 and biases of 1e12: gaps lose digits.
    Weak,
}

/// A recipe that makes one model; shrinks towards few states and costs.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub seed: u64,
    pub states: usize,
    pub actions: usize,
    pub costs: usize,
    pub shape: Shape,
    /// Signals are multiples of 1/4, so that ties are common.
    pub ties: bool,
    /// The size of rewards and costs.
    pub scale: f64,
}

pub fn recipe() -> impl Strategy<Value = Recipe> {
    use Shape::*;
    let shape =
        prop_oneof![Just(Dense), Just(Sparse), Just(Deterministic), Just(Forward), Just(Islands), Just(Weak)];
    let scale = prop_oneof![4 => Just(1.0), 1 => Just(1e-6), 1 => Just(1e6)];
    (any::<u64>(), 1usize..9, 1usize..5, 0usize..4, shape, any::<bool>(), scale).prop_map(
        |(seed, states, actions, costs, shape, ties, scale)| Recipe {
            seed,
            states,
            actions,
            costs,
            shape,
            ties,
            scale,
        },
    )
}

impl Recipe {
    pub fn rng(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.seed)
    }

    /// The model, with budgets drawn around what is achievable: some loose, some tight, some hopeless.
    pub fn model(&self) -> Cmdp {
        let rng = &mut self.rng();
        let budgets: Vec<f64> = (0..self.costs).map(|_| self.scale * self.level(rng)).collect();
        let mut builder = CmdpBuilder::new(self.states, &budgets);
        for state in 0..self.states {
            for _ in 0..rng.random_range(1..=self.actions) {
                let row = self.row(rng, state);
                let costs: Vec<f64> = (0..self.costs).map(|_| self.scale * self.level(rng)).collect();
                builder.pair(state, &row, self.scale * self.level(rng), &costs);
            }
        }
        match rng.random_range(0..3) {
            0 => builder.start(rng.random_range(0..self.states)),
            _ => builder.start_distribution(&weights(rng, (0..self.states).collect())),
        };
        builder.build().unwrap()
    }

    fn level(&self, rng: &mut impl Rng) -> f64 {
        let x: f64 = rng.random_range(-0.5..1.0);
        if self.ties { (x * 4.0).round() / 4.0 } else { x }
    }

    fn row(&self, rng: &mut impl Rng, state: usize) -> Vec<(usize, f64)> {
        let n = self.states;
        match self.shape {
            Shape::Dense => weights(rng, (0..n).collect()),
            Shape::Sparse => {
                let successors = (0..rng.random_range(1..=3)).map(|_| rng.random_range(0..n)).collect();
                weights(rng, successors)
            }
            Shape::Deterministic => vec![(rng.random_range(0..n), 1.0)],
            Shape::Forward => {
                let onward = (0..2).map(|_| rng.random_range(state..n)).chain([state]).collect();
                weights(rng, onward)
            }
            Shape::Islands => {
                let (low, high) = if state < n.div_ceil(2) { (0, n) } else { (n.div_ceil(2), n) };
                let successors = (0..2).map(|_| rng.random_range(low..high)).collect();
                weights(rng, successors)
            }
            Shape::Weak => {
                let link = 10f64.powi(-rng.random_range(2..5));
                vec![(rng.random_range(0..n), 1.0 - link), (rng.random_range(0..n), link)]
            }
        }
    }
}

fn weights(rng: &mut impl Rng, states: Vec<usize>) -> Vec<(usize, f64)> {
    let raw: Vec<f64> = states.iter().map(|_| -f64::ln(1.0 - rng.random::<f64>())).collect();
    let total: f64 = raw.iter().sum();
    states.into_iter().zip(raw).map(|(state, x)| (state, x / total)).collect()
}
