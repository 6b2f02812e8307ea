//! Schedulers with ties everywhere: jobs that are all alike, and stations that pass a token.

use super::explored::{Action, explored};
use occupancy::model::Cmdp;

/// `jobs` jobs of `units` units each, all alike. Each step gives one unit to one of them; a job that is complete rewards
/// 1 and begins anew. The first cost is the share of the time that job 0 gets, the second that of the last job.
///
/// Every policy has the gain 1/units: all pairs tie, and the budgets choose among them.
pub fn round_robin(jobs: usize, units: usize) -> Cmdp {
    explored(vec![0; jobs], &[0.1, 0.3], |done: &Vec<usize>| {
        let unit_for = |job: usize| {
            let mut next = done.clone();
            next[job] = (done[job] + 1) % units;
            let reward = if next[job] == 0 { 1.0 } else { 0.0 };
            let costs = [0, jobs - 1].map(|watched| f64::from(u8::from(job == watched)));
            Action { outcomes: vec![(next, 1.0)], reward, costs: costs.to_vec() }
        };
        (0..jobs).map(unit_for).collect()
    })
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Ring {
    /// The tasks that wait at each station.
    waiting: Vec<usize>,
    holder: usize,
}

/// A ring of `stations` stations with room for `room` tasks each. The holder of the token completes a task, which
/// rewards 1, or passes the token on; the station that it leaves then gets a task with probability ½ if it has room.
/// The cost is the share of all room that is taken.
pub fn token_ring(stations: usize, room: usize) -> Cmdp {
    let start = Ring { waiting: vec![room; stations], holder: 0 };
    explored(start, &[0.5], |ring| {
        let holder = ring.holder;
        let taken: usize = ring.waiting.iter().sum();
        let costs = vec![taken as f64 / (stations * room) as f64];
        let with = |waiting: usize, holder_next: usize| {
            let mut next = Ring { waiting: ring.waiting.clone(), holder: holder_next };
            next.waiting[holder] = waiting;
            next
        };
        let (here, after) = (ring.waiting[holder], (holder + 1) % stations);
        let passed = if here < room {
            vec![(with(here, after), 0.5), (with(here + 1, after), 0.5)]
        } else {
            vec![(with(here, after), 1.0)]
        };
        let mut all = vec![Action { outcomes: passed, reward: 0.0, costs: costs.clone() }];
        if here > 0 {
            all.push(Action { outcomes: vec![(with(here - 1, holder), 1.0)], reward: 1.0, costs });
        }
        all
    })
}
