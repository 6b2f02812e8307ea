//! Empirical models of gridworlds, as a learner that plans on counts meets them.
//!
//! Early on about half of the pairs was visited, at most a few thousand times: their rows have one to four successors. The
//! others are self-loops or fresh dense rows. A bonus of 0.5/√visits is added to rewards and taken off costs. The best is then
//! to stay in a pair that was not visited. Later all pairs were visited, and the model is taken as it was counted: the best is a
//! round trip of some thirty pairs that uses its budget up.

use occupancy::env::EnvConfig;
use occupancy::model::{Cmdp, CmdpBuilder};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

type Entries = Vec<(usize, f64)>;

/// A gridworld by name, with slip 0.1; Box over all its 121 states.
pub fn gridworld(name: &str) -> Cmdp {
    let mut options = vec![("slip".to_string(), "0.1".to_string())];
    if name == "box" {
        options.push(("states".to_string(), "all".to_string()));
    }
    EnvConfig::from_options(name, &options).and_then(|env| env.build()).expect("built").model
}

/// What was visited, and what is made of the rest.
#[derive(Clone, Copy, PartialEq)]
pub enum Visited {
    /// Half of the pairs; the others stay where they are.
    HalfOrLoops,
    /// Half of the pairs; the others have dense rows.
    HalfOrFresh,
    /// All pairs, without a bonus.
    All,
}

/// A model counted on `truth`.
pub fn empirical(truth: &Cmdp, rng: &mut Xoshiro256PlusPlus, known: Visited) -> Cmdp {
    let mut builder = CmdpBuilder::new(truth.states(), truth.budgets());
    for state in 0..truth.states() {
        for pair in truth.pairs_of(state) {
            let visited = rng.random::<f64>() < 0.5 || known == Visited::All;
            let visits = if visited { (rng.random::<f64>() * 8.0).exp().floor() } else { 0.0 };
            let bonus = match (known, visited) {
                (Visited::All, _) => 0.0,
                (_, true) => 0.5 / visits.sqrt(),
                (_, false) => 1.0,
            };
            let entries: Entries = truth.kernel().row(pair).iter().collect();
            let row = match (counted(&entries, visits, rng), known) {
                (Some(row), _) => (1.0, row),
                (None, Visited::All) => (1.0, vec![(likeliest(&entries), 1.0)]),
                (None, Visited::HalfOrFresh) => (0.0, fresh_row(truth.states(), rng)),
                (None, Visited::HalfOrLoops) => (0.0, vec![(state, 1.0)]),
            };
            let (seen, row) = row;
            let (reward, cost) = (truth.signals().reward()[pair], truth.signals().cost(0)[pair]);
            builder.pair(state, &row, seen * reward + bonus, &[seen * cost - bonus]);
        }
    }
    builder.build().expect("consistent")
}

/// Frequencies after `visits` visits, give or take a half; `None` if nothing was counted.
fn counted(row: &[(usize, f64)], visits: f64, rng: &mut Xoshiro256PlusPlus) -> Option<Entries> {
    let count = |&(next, p): &(usize, f64)| (next, (p * visits * (0.5 + rng.random::<f64>())).round());
    let counts: Entries = row.iter().map(count).filter(|&(_, n)| n > 0.0).collect();
    let total: f64 = counts.iter().map(|(_, n)| n).sum();
    (total > 0.0).then(|| counts.iter().map(|&(next, n)| (next, n / total)).collect())
}

/// The first of the successors that are the likeliest.
fn likeliest(row: &[(usize, f64)]) -> usize {
    row.iter().fold((0, 0.0), |best, &entry| if entry.1 > best.1 { entry } else { best }).0
}

/// A row with every state in it, drawn uniformly from the simplex.
fn fresh_row(states: usize, rng: &mut Xoshiro256PlusPlus) -> Entries {
    let raw: Vec<f64> = (0..states).map(|_| -(1.0 - rng.random::<f64>()).ln() + 1e-12).collect();
    let total: f64 = raw.iter().sum();
    raw.iter().map(|x| x / total).enumerate().collect()
}
