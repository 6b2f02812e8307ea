//! A communicating part of a model, and a deterministic policy on it.

use super::choices::{Choices, Order};
use super::components::EndComponents;
use super::sources::Sources;
use crate::model::Row;
use crate::plan::tolerance::RARE_LINK;

/// One end component: the states and pairs that a policy may use without leaving it.
#[derive(Clone, Copy)]
pub(crate) struct Region<'a> {
    pub choices: Choices<'a>,
    /// Its states, ascending.
    pub states: &'a [u32],
    /// The position in `states` of each of them, by state.
    pub local: &'a [u32],
    /// Whether a pair may be taken.
    pub inside: &'a [bool],
    /// The pairs of the model that lead to each state, if they are at hand.
    pub sources: Option<&'a Sources>,
    /// Every policy on it has one recurrent class.
    pub unichain: bool,
}

/// A deterministic policy: a pair for every state and, where rows are free, the row.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Chosen {
    pub pair: Vec<u32>,
    /// The chosen row of every state; unused without radii.
    pub rows: Vec<Vec<(u32, f64)>>,
}

/// No pair chosen.
pub(crate) const NONE: u32 = u32::MAX;

impl Clone for Chosen {
    fn clone(&self) -> Chosen {
        Chosen { pair: self.pair.clone(), rows: self.rows.clone() }
    }

    /// Without allocation where there is room.
    fn clone_from(&mut self, other: &Chosen) {
        self.pair.clone_from(&other.pair);
        self.rows.clone_from(&other.rows);
    }
}

impl Chosen {
    /// Room for a policy on `states` states.
    pub fn reset(&mut self, states: usize, free: bool) {
        self.pair.clear();
        self.pair.resize(states, NONE);
        self.rows.resize(if free { states } else { 0 }, Vec::new());
    }

    /// Takes over another policy on some states.
    pub fn copy(&mut self, other: &Chosen, states: &[u32]) {
        self.pair.resize(other.pair.len(), NONE);
        self.rows.resize(other.rows.len(), Vec::new());
        states.iter().for_each(|&state| self.copy_state(other, state as usize));
    }

    /// Takes over another policy in one state; there is room for it.
    #[inline]
    pub fn copy_state(&mut self, other: &Chosen, state: usize) {
        self.pair[state] = other.pair[state];
        if let Some(row) = other.rows.get(state) {
            self.rows[state].clone_from(row);
        }
    }

    /// Calls `visit` for every successor of a state under this policy.
    pub fn successors(&self, choices: &Choices, state: usize, mut visit: impl FnMut(usize, f64)) {
        let pair = self.pair[state] as usize;
        if choices.is_free(pair) {
            self.rows[state].iter().for_each(|&(next, p)| visit(next as usize, p));
        } else {
            choices.model.kernel().row(pair).visit(visit);
        }
    }

    /// The successors of a state under this policy.
    pub fn row<'a>(&'a self, choices: &Choices<'a>, state: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
        let pair = self.pair[state] as usize;
        let (free, fixed): (&[(u32, f64)], Row) = if choices.is_free(pair) {
            (&self.rows[state], Row::Sparse(&[], &[]))
        } else {
            (&[], choices.model.kernel().row(pair))
        };
        free.iter().map(|&(next, p)| (next as usize, p)).chain(fixed.iter())
    }

    /// Σ p(s′) h(s′) under this policy.
    pub fn dot(&self, choices: &Choices, state: usize, h: &[f64]) -> f64 {
        let pair = self.pair[state] as usize;
        if choices.is_free(pair) {
            self.rows[state].iter().map(|&(next, p)| p * h[next as usize]).sum()
        } else {
            choices.model.kernel().row(pair).dot(h)
        }
    }
}

impl<'a> Region<'a> {
    pub fn new(
        choices: Choices<'a>,
        parts: &'a EndComponents,
        local: &'a [u32],
        component: usize,
    ) -> Region<'a> {
        Region { states: &parts.members[component], ..Region::whole(choices, parts, local) }
    }

    /// Whether a state is one of the region.
    pub fn contains(&self, state: u32) -> bool {
        self.states.binary_search(&state).is_ok()
    }

    /// Whether all rows are lists of successors, as the model has them.
    pub fn is_sparse(&self) -> bool {
        self.choices.radii.is_none() && self.choices.has_sparse_rows()
    }

    /// What all components have in common, without states.
    pub fn whole(choices: Choices<'a>, parts: &'a EndComponents, local: &'a [u32]) -> Region<'a> {
        Region {
            choices,
            states: &[],
            local,
            inside: &parts.inside,
            sources: parts.sources.as_ref(),
            unichain: choices.always_unichain(),
        }
    }

    /// All rows of a dense model, one after the other, unless they may be chosen.
    #[inline]
    pub fn dense_rows(&self) -> Option<&'a [f64]> {
        if self.choices.radii.is_some() { None } else { self.choices.model.kernel().dense() }
    }

    /// Whether it is a single state of several, whose rows are not to be chosen: all its pairs stay there, so that nothing has
    /// to be solved.
    #[inline]
    pub fn is_lone_state(&self) -> bool {
        self.states.len() == 1 && self.choices.radii.is_none() && !self.unichain
    }

    /// Whether a pair stays in its state, whatever is chosen.
    pub fn stays(&self, pair: usize) -> bool {
        let state = self.choices.model.state_of(pair);
        self.choices.radii.is_none() && self.choices.model.kernel().row(pair).leads_into(|next| next == state)
    }

    /// The pairs that a state may take without leaving.
    pub fn pairs(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        let inside = self.inside;
        self.choices.model.pairs_of(state).filter(move |&pair| inside[pair])
    }

    /// Makes every state whose `reached` is false move towards the states whose `reached` is true, along ways
    /// of the fewest transitions, by the likeliest actions; the region communicates, so that all are reached in the end, with probability 1.
    pub fn route(&self, reached: &mut [bool], chosen: &mut Chosen) {
        if self.choices.radii.is_some() {
            return self.route_freely(reached, chosen);
        }
        let depth = match self.sources {
            Some(all) => depths(reached, |target| {
                let leading = all.of_state(self.states[target]).iter();
                leading.filter(|lead| self.inside[lead.1 as usize]).map(|lead| self.local[lead.0 as usize])
            }),
            None => {
                let (first, sources) = self.sources();
                depths(reached, |target| {
                    sources[first[target] as usize..first[target + 1] as usize].iter().copied()
                })
            }
        };
        reached.iter_mut().zip(&depth).for_each(|(reached, &depth)| *reached = depth != NO_WAY);
        self.descend(&depth, chosen);
    }

    /// Makes every state take the action that is likeliest to bring it nearer: a way is short in time only if its steps are likely. The
    /// depths are by position.
    pub fn descend(&self, depth: &[u32], chosen: &mut Chosen) {
        let rows = self.choices.model.kernel().all_rows();
        for local in (0..self.states.len()).filter(|&local| !matches!(depth[local], 0 | NO_WAY)) {
            let state = self.states[local] as usize;
            let (here, mut best) = (depth[local], (f64::NEG_INFINITY, NONE));
            for pair in self.pairs(state) {
                let mut onward = 0.0;
                // Without a branch: which successors are nearer is as good as random.
                rows.row(pair)
                    .visit(|s, p| onward += p * f64::from(u8::from(depth[self.local[s] as usize] < here)));
                best = if onward > best.0 { (onward, pair as u32) } else { best };
            }
            chosen.pair[state] = best.1;
        }
    }

    /// Whether some pair has a successor that is hardly ever reached by it; rows that may be chosen are not looked at.
    pub fn has_rare_links(&self) -> bool {
        let kernel = self.choices.model.kernel();
        let pairs = self.states.iter().flat_map(|&s| self.pairs(s as usize));
        let mut fixed = pairs.filter(|&pair| !self.choices.is_free(pair));
        fixed.any(|pair| kernel.row(pair).has_entry(|p| p < RARE_LINK))
    }

    /// Whether a state can be reached from all others without rare links.
    pub fn is_likely_reached(&self, state: u32) -> bool {
        let mut reached = vec![false; self.states.len()];
        reached[self.local[state as usize] as usize] = true;
        // Sweeps to and fro: as many as a way turns back, and only models with rare links come here.
        loop {
            let mut more = false;
            for &s in self.states.iter().chain(self.states.iter().rev()) {
                let leads = |pair: usize| self.chance(pair, &reached) >= RARE_LINK;
                if !reached[self.local[s as usize] as usize] && self.pairs(s as usize).any(leads) {
                    reached[self.local[s as usize] as usize] = true;
                    more = true;
                }
            }
            if !more {
                return !reached.contains(&false);
            }
        }
    }

    /// The states that can lead to each state, by position: `sources[first[i]..first[i + 1]]`.
    fn sources(&self) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![0u32; self.states.len() + 2];
        self.links(|_, target| first[target as usize + 2] += 1);
        for i in 2..first.len() {
            first[i] += first[i - 1];
        }
        let mut sources = vec![0u32; first[self.states.len() + 1] as usize];
        self.links(|source, target| {
            let end = &mut first[target as usize + 1];
            sources[*end as usize] = source;
            *end += 1;
        });
        first.pop();
        (first, sources)
    }

    /// Calls `visit` for every source and target, by position: once where rows are dense, however many pairs lead from one to the
    /// other. To look for that where rows are sparse would take longer than to come back.
    fn links(&self, mut visit: impl FnMut(u32, u32)) {
        let rows = self.choices.model.kernel().all_rows();
        if self.choices.has_sparse_rows() {
            for (source, &state) in (0u32..).zip(self.states) {
                for pair in self.pairs(state as usize) {
                    rows.row(pair).visit(|next, _| visit(source, self.local[next]));
                }
            }
            return;
        }
        let mut last = vec![NONE; self.states.len()];
        for (source, &state) in (0u32..).zip(self.states) {
            let mut unseen = self.states.len();
            for pair in self.pairs(state as usize) {
                if unseen == 0 {
                    break;
                }
                rows.row(pair).visit(|next, _| {
                    let target = self.local[next];
                    if std::mem::replace(&mut last[target as usize], source) != source {
                        unseen -= 1;
                        visit(source, target);
                    }
                });
            }
        }
    }

    /// [`Region::route`] where rows may be chosen: layer by layer, each leaning on the layers before it.
    fn route_freely(&self, reached: &mut [bool], chosen: &mut Chosen) {
        let model = self.choices.model;
        let mut scratch = vec![0.0; model.states()];
        let mut distance = vec![0.0; model.states()];
        let is_waiting = |s: &u32, reached: &[bool]| !reached[self.local[*s as usize] as usize];
        let mut waiting: Vec<u32> = self.states.iter().copied().filter(|s| is_waiting(s, reached)).collect();
        let mut layer = 1.0;
        while !waiting.is_empty() {
            let found: Vec<(u32, u32)> =
                waiting.iter().filter_map(|&s| Some((s, self.towards(s, reached)?))).collect();
            if found.is_empty() {
                return;
            }
            let order = self.by_distance(reached, &distance);
            for &(state, pair) in &found {
                chosen.pair[state as usize] = pair;
                if self.choices.is_free(pair as usize) {
                    let row = &mut chosen.rows[state as usize];
                    self.choices.best_row(pair as usize, &distance, &order, row, &mut scratch);
                }
            }
            for &(state, _) in &found {
                reached[self.local[state as usize] as usize] = true;
                distance[state as usize] = -layer;
            }
            waiting.retain(|s| is_waiting(s, reached));
            layer += 1.0;
        }
    }

    /// A pair of a state with a successor that is reached already: the first one that leads there more than rarely, or
    /// the likeliest.
    fn towards(&self, state: u32, reached: &[bool]) -> Option<u32> {
        let mut best = (0.0, None);
        for pair in self.pairs(state as usize) {
            let chance = self.chance(pair, reached);
            if chance > best.0 {
                best = (chance, Some(pair as u32));
            }
            if chance >= RARE_LINK {
                break;
            }
        }
        best.1
    }

    /// How likely a pair leads to states that are reached: at most, where its row may be chosen.
    fn chance(&self, pair: usize, reached: &[bool]) -> f64 {
        let is_reached = |next: usize| {
            let local = self.local[next] as usize;
            self.states.get(local) == Some(&(next as u32)) && reached[local]
        };
        let row = self.choices.model.kernel().row(pair);
        let likely: f64 = row.iter().filter(|&(next, _)| is_reached(next)).map(|(_, p)| p).sum();
        if !self.choices.is_free(pair) {
            return likely;
        }
        let count = self.states.iter().filter(|&&s| is_reached(s as usize)).count();
        self.choices.greatest_chance(pair, likely, count)
    }

    /// The states: reached ones first, the nearest to the goal before the others.
    fn by_distance(&self, reached: &[bool], distance: &[f64]) -> Order {
        let mut order: Order = self.states.to_vec();
        let key =
            |s: u32| if reached[self.local[s as usize] as usize] { distance[s as usize] } else { f64::MIN };
        order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
        order
    }
}

/// The depth of what has no way.
pub(crate) const NO_WAY: u32 = u32::MAX;

/// How many transitions it takes at least to the goals, from everywhere, given who leads to each; [`NO_WAY`] where there is none.
pub(crate) fn depths<I: Iterator<Item = u32>>(goals: &[bool], leading: impl Fn(usize) -> I) -> Vec<u32> {
    let mut queue: Vec<u32> = Vec::with_capacity(goals.len());
    queue.extend((0u32..).zip(goals).filter(|(_, is_goal)| **is_goal).map(|(goal, _)| goal));
    let mut depth: Vec<u32> = goals.iter().map(|&is_goal| if is_goal { 0 } else { NO_WAY }).collect();
    let mut at = 0;
    // Once all are reached, nobody is left to be found.
    while at < queue.len() && queue.len() < goals.len() {
        let target = queue[at] as usize;
        for source in leading(target) {
            if depth[source as usize] == NO_WAY {
                depth[source as usize] = depth[target] + 1;
                queue.push(source);
            }
        }
        at += 1;
    }
    depth
}

#[cfg(test)]
mod tests;
