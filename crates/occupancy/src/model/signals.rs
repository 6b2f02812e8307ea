//! Rewards and costs: a mean per pair and, where they differ by successor, the realised values (s,a,s′).

/// The reward and the costs c_1 … c_m of every pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals {
    /// `means[0]` is the reward, `means[i]` the cost i − 1; one value per pair.
    means: Vec<Vec<f64>>,
    /// Values of single transitions, where a signal depends on the successor.
    realised: Option<Realised>,
}

/// Signals of single transitions, in the order of a pair's successors.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Realised {
    pub first: Vec<usize>,
    pub next: Vec<u32>,
    /// As `means`, but one value per transition.
    pub values: Vec<Vec<f64>>,
}

impl Signals {
    /// Signals that depend on the pair alone.
    pub(super) fn of_pairs(reward: Vec<f64>, costs: Vec<Vec<f64>>) -> Signals {
        Signals { means: std::iter::once(reward).chain(costs).collect(), realised: None }
    }

    pub(super) fn of_transitions(means: Vec<Vec<f64>>, realised: Realised) -> Signals {
        Signals { means, realised: Some(realised) }
    }

    /// r(s,a) of every pair.
    pub fn reward(&self) -> &[f64] {
        &self.means[0]
    }

    /// c_i(s,a) of every pair.
    pub fn cost(&self, i: usize) -> &[f64] {
        &self.means[i + 1]
    }

    /// Signal 0 is the reward, signal i + 1 the cost i.
    #[inline]
    pub fn signal(&self, k: usize) -> &[f64] {
        &self.means[k]
    }

    /// How many signals there are: 1 + m.
    pub fn count(&self) -> usize {
        self.means.len()
    }

    /// The value of a signal on the transition (pair, successor): the pair's mean where it does not depend on the
    /// successor, `None` where the transition does not exist.
    pub fn realised(&self, k: usize, pair: usize, successor: usize) -> Option<f64> {
        match &self.realised {
            None => Some(self.means[k][pair]),
            Some(all) => {
                let entries = all.first[pair]..all.first[pair + 1];
                let found = all.next[entries.clone()].binary_search(&(successor as u32)).ok()?;
                Some(all.values[k][entries.start + found])
            }
        }
    }

    /// Whether some signal depends on the successor.
    pub fn depends_on_successor(&self) -> bool {
        self.realised.is_some()
    }

    /// The largest size of a signal over all pairs.
    pub fn size(&self, k: usize) -> f64 {
        self.means[k].iter().fold(0.0, |most, x| x.abs().max(most))
    }
}
