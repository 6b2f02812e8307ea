//! A task for the tests of the algorithms.

use crate::learn::{Counts, Knowledge, Learner, Now, Visit};
use crate::model::{Cmdp, CmdpBuilder, Task};
use crate::seed::{Rng, Seed};

/// Two states, three pairs and one cost, for so many rounds.
pub fn three_pairs(rounds: u64) -> Task {
    let mut model = CmdpBuilder::new(2, &[0.5]);
    model.pair(0, &[(0, 1.0)], 0.0, &[0.0]).pair(0, &[(1, 1.0)], 0.0, &[0.0]).pair(
        1,
        &[(0, 1.0)],
        0.0,
        &[1.0],
    );
    Task::of(&model.build().unwrap(), rounds)
}

/// Two states, two steps: in A one may rest (reward 0.5) or work (reward 1, cost 1), which leads to B, from where one goes back
/// for nothing. Pairs 0, 1, 2 are rest, work and back at the first stage, 3, 4, 5 at the second. Within a budget of 1 it is best
/// to rest and then to work, for 1.5.
pub fn rest_or_work(budget: f64) -> Cmdp {
    let mut model = CmdpBuilder::new(2, &[budget]);
    model.pair(0, &[(0, 1.0)], 0.5, &[0.0]).pair(0, &[(1, 1.0)], 1.0, &[1.0]).pair(
        1,
        &[(0, 1.0)],
        0.0,
        &[0.0],
    );
    model.build().unwrap().layered(2).unwrap()
}

/// A learner in that model, led by hand: it is asked, and then what happens is said.
pub struct Led {
    pub task: Task,
    pub knowledge: Knowledge,
    counts: Counts,
    trajectory: Vec<Visit>,
    rng: Rng,
}

impl Led {
    /// For four episodes within a budget.
    pub fn new(budget: f64) -> Led {
        let model = rest_or_work(budget);
        let signals = (0..2).map(|k| model.signals().signal(k).to_vec()).collect();
        Led {
            task: Task::of(&model, 8),
            knowledge: Knowledge { signals: Some(signals), ..Knowledge::default() },
            counts: Counts::new(&model),

            trajectory: Vec::new(),
            rng: Seed(3).rng("test"),
        }
    }

    /// What the learner does next, by row.
    pub fn ask(&mut self, learner: &mut dyn Learner) -> Vec<f64> {
        let now = Now {
            step: 0,
            state: 0,
            counts: &self.counts,
            last_steps: 2,
            last_sums: &[],
            trajectory: &self.trajectory,
        };
        learner.next_epoch(&now, &mut self.rng).unwrap().policy.probabilities().to_vec()
    }

    /// An episode in which these two pairs were taken; everything is certain, so that each has one transition.
    pub fn walk(&mut self, pairs: [u32; 2]) {
        self.trajectory = pairs.map(|pair| Visit { pair, transition: pair }).to_vec();
        pairs.iter().for_each(|&pair| self.counts.taken_mut().1[pair as usize] += 1);
        self.counts.tally_visits(&self.trajectory, &[pairs[1] - 3]);
    }
}
