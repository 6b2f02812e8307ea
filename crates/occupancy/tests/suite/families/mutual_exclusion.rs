//! Mutual exclusion by Peterson's filter lock (Information Processing Letters 12, 1981), every move deterministic.
//!
//! To enter, a process climbs the levels 1 to n − 1: it announces the level, makes itself the level's victim, and waits
//! there as long as it is the victim and another process has announced that level or a higher one. A scheduler decides
//! who moves; a process that rests or waits in vain stays where it is, so that every state has loops. Processes that
//! may leave for ever make many end components, and at last a state that is never left.
//!
//! The reward is 1 as long as a process is in the critical section; the cost is the share of processes that wait.

use super::explored::{Action, explored};
use occupancy::model::Cmdp;

/// When a process may leave for ever.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    Never,
    /// While it has announced nothing.
    AtRest,
    /// At any time, and what it has announced stays: others may wait for ever.
    Anywhere,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Rests,
    /// About to announce the level.
    Announces(usize),
    /// About to become the victim of the level.
    Yields(usize),
    /// Waits at the level until the way is free.
    Waits(usize),
    Critical,
    /// Gone, with this level announced.
    Gone(usize),
}
use Step::*;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Lock {
    steps: Vec<Step>,
    /// The victim of each level from 1 on.
    victims: Vec<usize>,
}

/// A lock of `processes` processes.
pub fn filter_lock(processes: usize, leaving: Leaving) -> Cmdp {
    let start = Lock { steps: vec![Rests; processes], victims: vec![0; processes - 1] };
    explored(start, &[0.25], |lock| actions(lock, leaving))
}

fn actions(lock: &Lock, leaving: Leaving) -> Vec<Action<Lock>> {
    let waiting = lock.steps.iter().filter(|step| matches!(step, Waits(_))).count();
    let cost = waiting as f64 / lock.steps.len() as f64;
    let reward = if lock.steps.contains(&Critical) { 1.0 } else { 0.0 };
    let each = (0..lock.steps.len()).flat_map(|process| lock.moves(process, leaving));
    each.map(|next| Action { outcomes: vec![(next, 1.0)], reward, costs: vec![cost] }).collect()
}

impl Lock {
    fn moves(&self, process: usize, leaving: Leaving) -> Vec<Lock> {
        let top = self.victims.len();
        let step = self.steps[process];
        let mut next = match step {
            Rests => vec![self.at(process, Rests), self.at(process, Announces(1))],
            Announces(level) => vec![self.at(process, Yields(level))],
            Yields(level) => vec![self.with_victim(process, level)],
            Waits(level) if self.is_held_up(process, level) => vec![self.clone()],
            Waits(level) if level == top => vec![self.at(process, Critical)],
            Waits(level) => vec![self.at(process, Announces(level + 1))],
            Critical => vec![self.at(process, Rests)],
            Gone(_) => vec![self.clone()],
        };
        let leaves = match leaving {
            Leaving::Never => false,
            Leaving::AtRest => step == Rests,
            Leaving::Anywhere => !matches!(step, Gone(_)),
        };
        if leaves {
            next.push(self.at(process, Gone(announced(step, top))));
        }
        next
    }

    fn at(&self, process: usize, step: Step) -> Lock {
        let mut next = self.clone();
        next.steps[process] = step;
        next
    }

    fn with_victim(&self, process: usize, level: usize) -> Lock {
        let mut next = self.at(process, Waits(level));
        next.victims[level - 1] = process;
        next
    }

    fn is_held_up(&self, process: usize, level: usize) -> bool {
        let top = self.victims.len();
        let is_ahead = |other: usize| other != process && announced(self.steps[other], top) >= level;
        self.victims[level - 1] == process && (0..self.steps.len()).any(is_ahead)
    }
}

/// The level that a process has announced at a step.
fn announced(step: Step, top: usize) -> usize {
    match step {
        Rests => 0,
        Announces(level) => level - 1,
        Yields(level) | Waits(level) | Gone(level) => level,
        Critical => top,
    }
}
