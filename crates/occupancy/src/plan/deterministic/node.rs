//! A sub-model of the search for a policy without lotteries: its bound, its plan in numbers, and where to branch.

use crate::error::Result;
use crate::model::Cmdp;
use crate::plan::followed::follow;
use crate::plan::{Plan, Problem};
use std::cmp::Ordering;

/// A probability below this is rounding.
const NOTHING: f64 = 1e-12;
/// What a visited state counts at least, in shares of time.
const ON_THE_WAY: f64 = 1e-3;
/// So many of the states with lotteries are rounded the other way, each by itself.
const FLIPPED: usize = 8;

/// A sub-model that may hold a better policy.
pub(super) struct Node {
    /// What no policy in it exceeds.
    pub bound: f64,
    /// Its pairs, ascending, by their numbers in the whole model.
    pairs: Vec<usize>,
    /// How often each of them is taken in its state.
    taken: Vec<f64>,
    /// The states with a lottery, the one that matters most first.
    lotteries: Vec<usize>,
    /// The state to branch on, and the pair that one half keeps and the other forbids.
    pub branch: Option<(usize, usize)>,
}

impl Node {
    /// The node of a plan for these pairs.
    pub fn new(problem: &Problem, pairs: Vec<usize>, bound: f64, plan: &Plan) -> Result<Node> {
        let model = problem.model;
        let (mut mass, mut state_mass) = (vec![0.0; model.pairs()], vec![0.0; model.states()]);
        for one in &plan.policies {
            let mut whole = vec![0.0; model.pairs()];
            pairs.iter().zip(one.policy.probabilities()).for_each(|(&pair, &p)| whole[pair] = p);
            let policy = crate::model::Policy::new(model, whole)?;
            let attained = follow(problem, &policy)?;
            for state in (0..model.states()).filter(|&state| attained.visited[state]) {
                // States on the way are left for good, but what is done there matters all the same: another policy of the
                // plan may stay in them.
                let stays: f64 = attained.occupancy[model.pairs_of(state)].iter().sum();
                let weight = one.weight * (stays + ON_THE_WAY);
                state_mass[state] += weight;
                for pair in model.pairs_of(state) {
                    mass[pair] += weight * policy.probabilities()[pair];
                }
            }
        }
        let mut taken: Vec<f64> = Vec::with_capacity(pairs.len());
        for (index, &pair) in pairs.iter().enumerate() {
            let whole = state_mass[model.state_of(pair)];
            // Where the plan never comes, its first policy says what to do.
            let unseen = plan.policies.first().map_or(0.0, |one| one.policy.probabilities()[index]);
            taken.push(if whole > 0.0 { mass[pair] / whole } else { unseen });
        }
        let mut node = Node { bound, pairs, taken, lotteries: Vec::new(), branch: None };
        node.find_lotteries(model, &state_mass);
        Ok(node)
    }

    fn find_lotteries(&mut self, model: &Cmdp, state_mass: &[f64]) {
        let mut found: Vec<(f64, usize)> = Vec::new();
        for state in (0..model.states()).filter(|&state| state_mass[state] > 0.0) {
            let most = self.of_state(model, state).map(|(_, taken)| taken).fold(0.0, f64::max);
            if most < 1.0 - NOTHING {
                found.push((state_mass[state] * (1.0 - most), state));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.lotteries = found.into_iter().map(|(_, state)| state).collect();
        self.branch = self.lotteries.first().map(|&state| (state, self.likeliest(model, state)));
    }

    /// The pairs of a state in this sub-model, and how often each is taken.
    fn of_state(&self, model: &Cmdp, state: usize) -> impl Iterator<Item = (usize, f64)> {
        let all = model.pairs_of(state);
        let first = self.pairs.partition_point(|&pair| pair < all.start);
        let last = self.pairs.partition_point(|&pair| pair < all.end);
        self.pairs[first..last].iter().copied().zip(self.taken[first..last].iter().copied())
    }

    fn likeliest(&self, model: &Cmdp, state: usize) -> usize {
        let mut best = (model.pairs_of(state).start, f64::NEG_INFINITY);
        for (pair, taken) in self.of_state(model, state).filter(|(_, taken)| taken.is_finite()) {
            if taken > best.1 {
                best = (pair, taken);
            }
        }
        best.0
    }

    /// Deterministic policies near the plan: the likeliest action everywhere, and the same but for one state with a lottery.
    pub fn roundings(&self, model: &Cmdp) -> Vec<Vec<usize>> {
        let plain: Vec<usize> = (0..model.states()).map(|state| self.likeliest(model, state)).collect();
        let mut all = vec![plain.clone()];
        for &state in self.lotteries.iter().take(FLIPPED) {
            let others =
                self.of_state(model, state).filter(|&(pair, taken)| taken > NOTHING && pair != plain[state]);
            for (pair, _) in others {
                let mut other = plain.clone();
                other[state] = pair;
                all.push(other);
            }
        }
        all
    }

    /// The pairs of both halves: one keeps the likeliest action of the state to branch on, the other forbids it.
    pub fn halves(&self, model: &Cmdp) -> Vec<Vec<usize>> {
        let Some((state, kept)) = self.branch else { return Vec::new() };
        let all = model.pairs_of(state);
        let with = |keeps: &dyn Fn(usize) -> bool| {
            self.pairs.iter().copied().filter(|&pair| !all.contains(&pair) || keeps(pair)).collect()
        };
        vec![with(&|pair| pair == kept), with(&|pair| pair != kept)]
    }
}

/// The greatest bound comes first; of equal ones, that with fewer pairs.
impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.pairs.len().cmp(&self.pairs.len()))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}
