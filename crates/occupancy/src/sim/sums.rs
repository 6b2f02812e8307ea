//! The sums of a trial over all of its steps, by column: the signals, then how much each step was worse than it should be.
//!
//! ```text
//! Σ r ,   Σ c_i ,   Σ [r* − r]₊ ,   Σ [c_i − τ_i]₊
//! ```
//!
//! In a small model each sum is made afresh from how often every transition was taken, so that a step costs nothing but
//! its count. Large models have too many transitions for that: with 1000 states, a sum over all of them took as long as
//! thousands of steps. There each step adds its terms to running sums ([`Ledger`]), in whole numbers, which do not drift
//! and do not depend on the order of the steps either.

use super::ledger::Ledger;
use super::recent::Recent;
use super::tables::Tables;
use crate::learn::Counts;
use multiversion::multiversion;

/// Models with more transitions than this have running sums. The environments of the paper have 2000 at most.
const MOST_COUNTED: usize = 4096;

/// How sums are made.
pub(super) enum Sums {
    /// From counts; [r* − r]₊ and [c_i − τ_i]₊ of every transition.
    Counted(Vec<Vec<f64>>),
    /// Step by step.
    Running(Running),
}

/// What is kept of the steps in a large model, in less memory than their counts have.
pub(super) struct Running {
    pub ledger: Ledger,
    /// How often transitions were taken in this epoch.
    pub recent: Recent,
}

impl Sums {
    /// Nothing summed yet; r* is `None` where no policy meets the budgets. Steps are drawn from these tables.
    pub fn new(counts: &Counts, optimum: Option<f64>, budgets: &[f64], tables: &impl Tables) -> Sums {
        // The reward counts as a cost of its negative.
        let level = |k: usize| match k.checked_sub(1) {
            Some(cost) => budgets[cost],
            None => optimum.map_or(f64::INFINITY, |optimum| -optimum),
        };
        let worse = |k: usize, x: f64| (if k == 0 { -x - level(k) } else { x - level(k) }).max(0.0);
        let signals = signals(counts);
        if !are_running(counts) {
            let column = |(k, values): (usize, &&[f64])| values.iter().map(|&x| worse(k, x)).collect();
            return Sums::Counted(signals.iter().enumerate().map(column).collect());
        }
        let cells = tables.cells(counts);
        let transitions = (0..cells as u32).map(|cell| tables.transition(cell) as usize);
        let ledger = Ledger::new(&signals, level, counts.support(), &rows(counts, tables), transitions);
        Sums::Running(Running { ledger, recent: Recent::new(cells) })
    }

    /// Σ x of every signal: the reward, then the costs.
    pub fn of_signals(&self, counts: &Counts) -> Vec<f64> {
        match self {
            Sums::Counted(_) => weighted_sums(counts.taken(), &signals(counts)),
            Sums::Running(Running { ledger, .. }) => (0..counts.signals()).map(|k| ledger.sum(k)).collect(),
        }
    }

    /// The same, then Σ [r* − r]₊ and Σ [c_i − τ_i]₊.
    pub fn of_all(&self, counts: &Counts) -> Vec<f64> {
        match self {
            Sums::Counted(worse) => {
                let columns = signals(counts).into_iter().chain(worse.iter().map(Vec::as_slice));
                weighted_sums(counts.taken(), &columns.collect::<Vec<_>>())
            }
            Sums::Running(Running { ledger, .. }) => {
                let all = 0..counts.signals();
                all.clone().map(|k| ledger.sum(k)).chain(all.map(|k| ledger.above(k))).collect()
            }
        }
    }
}

/// Whether the sums of a model are made step by step.
pub(super) fn are_running(counts: &Counts) -> bool {
    counts.taken().len() > MOST_COUNTED
}

/// The row of every pair.
fn rows(counts: &Counts, tables: &impl Tables) -> Vec<usize> {
    let rows_of = |state| counts.pairs_of(state).enumerate().map(move |(i, _)| tables.first_row(state) + i);
    (0..counts.states()).flat_map(rows_of).collect()
}

/// The values of every signal on each transition.
fn signals(counts: &Counts) -> Vec<&[f64]> {
    (0..counts.signals()).map(|k| counts.values(k)).collect()
}

/// Σ n x of several columns, four at a time.
pub(super) fn weighted_sums(taken: &[u64], columns: &[&[f64]]) -> Vec<f64> {
    let mut found = Vec::with_capacity(columns.len() + 3);
    for four in columns.chunks(4) {
        found.extend(four_sums(taken, std::array::from_fn(|i| four.get(i).copied().unwrap_or(four[0]))));
    }
    found.truncate(columns.len());
    found
}

/// Σ n x of four columns, each in four running sums: side by side none waits for its own last addition.
#[multiversion(targets("x86_64+avx2"))]
fn four_sums(taken: &[u64], columns: [&[f64]; 4]) -> [f64; 4] {
    let mut sums = [[0.0; 4]; 4];
    let (heads, tail) = taken.as_chunks::<4>();
    let values = columns.map(|column| &column.as_chunks::<4>().0[..heads.len()]);
    for (i, taken) in heads.iter().enumerate() {
        let taken = taken.map(|n| n as f64);
        for (sums, values) in sums.iter_mut().zip(&values) {
            (0..4).for_each(|lane| sums[lane] += taken[lane] * values[i][lane]);
        }
    }
    let rest = |column: &[f64]| -> f64 {
        let last = &column[4 * heads.len()..];
        tail.iter().zip(last).map(|(&n, x)| n as f64 * x).sum()
    };
    std::array::from_fn(|k| sums[k].iter().sum::<f64>() + rest(columns[k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::{EnvConfig, list};
    use crate::learn::Registry;
    use crate::model::{Cmdp, CmdpBuilder};
    use crate::seed::Seed;
    use crate::sim::tables::Wide;
    use crate::sim::{Baseline, Grid, Level, TrialConfig};

    #[test]
    fn the_environments_keep_sums_of_counts() {
        for listing in list() {
            let model = EnvConfig::from_options(listing.name, &[]).unwrap().build().unwrap().model;
            let counts = Counts::new(&model);
            let sums = Sums::new(&counts, Some(0.0), model.budgets(), &Wide::new(&model, &counts));
            assert!(matches!(sums, Sums::Counted(_)), "{}", listing.name);
        }
    }

    /// A cycle of states with jumps back to the first; signals are multiples of 1/4.
    fn large() -> Cmdp {
        let states = 1500;
        let mut model = CmdpBuilder::new(states, &[0.5]);
        for state in 0..states {
            for (action, p) in [(0, 0.5), (1, 0.25)] {
                let level = |factor: usize| (state * factor % 9 + action) as f64 / 4.0;
                model.pair(state, &[((state + 1) % states, p), (0, 1.0 - p)], level(5), &[level(7)]);
            }
        }
        model.build().unwrap()
    }

    #[test]
    fn a_trial_in_a_large_model_records_the_sums_of_its_counts() {
        let model = large();
        let level = Level { reward: 1.25, costs: vec![0.5], ranges: Vec::new() };
        let baseline =
            Baseline { optimal: Some(level.clone()), fast: level, safe: None, policies: Vec::new() };
        let (rounds, learner) = (20_000, Registry::standard().find("uniform").unwrap());
        let grid = Grid::new(rounds, &[]);
        let trial = TrialConfig {
            model: &model,
            baseline: &baseline,
            learner: learner.as_ref(),
            rounds,
            grid: &grid,
            seed: Seed(1),
            run: 0,
        };
        let trial = trial.run(&mut []).unwrap();
        let sum = |of: &dyn Fn(usize) -> f64| {
            let values: Vec<f64> = (0..trial.counts.taken().len()).map(of).collect();
            weighted_sums(trial.counts.taken(), &[&values])[0]
        };
        let (reward, cost) = (trial.counts.values(0), trial.counts.values(1));
        assert!(reward.len() > MOST_COUNTED);
        let record = &trial.record;
        assert_eq!(record.reward.last(), Some(&sum(&|i| reward[i])));
        assert_eq!(record.costs[0].last(), Some(&sum(&|i| cost[i])));
        assert_eq!(record.shortfall.last(), Some(&sum(&|i| (1.25 - reward[i]).max(0.0))));
        assert_eq!(record.excess[0].last(), Some(&sum(&|i| (cost[i] - 0.5).max(0.0))));
    }
}
