//! Dining philosophers by the randomised protocol of Lehmann and Rabin (POPL 1981).
//!
//! Each philosopher who gets hungry flips a coin for the fork to take first, waits for it, takes it, and looks at the
//! other: if it is free they eat, otherwise they put the first one back and flip again. A scheduler that sees all
//! decides who moves next, which philosopher who thinks gets hungry, and which fork is put down first after a meal.
//!
//! Lynch, Saias and Segala (PODC 1994) prove the time to a meal for schedulers that let everybody move within each
//! unit of time. Here such a unit is a round: each philosopher moves at least once and at most `rounds` times before
//! the scheduler closes it. The counters of the moves make the model larger by nearly `(rounds + 1)` for each
//! philosopher: 26 times with three of them and two moves.
//!
//! The reward counts meals begun; the first cost is the share of philosophers who are hungry, the second is 1 as long
//! as nobody eats.

use super::explored::{Action, explored};
use occupancy::model::Cmdp;

/// The two forks of a philosopher.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Left,
    Right,
}
use Side::{Left, Right};

/// Where a philosopher is in the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    Thinks,
    Flips,
    /// The coin has chosen the fork to take first.
    WaitsFor(Side),
    /// One fork is taken, the other one is looked at next.
    Has(Side),
    /// The other fork was not free.
    GivesUp(Side),
    Eats,
    /// The meal is over, both forks are still held.
    Sated,
    /// One fork is still held.
    PutsDown(Side),
}
use Phase::*;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Table {
    phases: Vec<Phase>,
    /// The moves of each philosopher in this round; empty if rounds are not counted.
    moved: Vec<u8>,
}

/// A table of `seats` philosophers; with `rounds`, each of them moves 1 to `rounds` times in each round.
pub fn philosophers(seats: usize, rounds: Option<u8>) -> Cmdp {
    let counters = if rounds.is_some() { seats } else { 0 };
    let start = Table { phases: vec![Thinks; seats], moved: vec![0; counters] };
    explored(start, &[0.5, 0.9], |table| actions(table, rounds))
}

fn actions(table: &Table, rounds: Option<u8>) -> Vec<Action<Table>> {
    let seats = table.phases.len();
    let hungry =
        table.phases.iter().filter(|phase| matches!(phase, Flips | WaitsFor(_) | Has(_) | GivesUp(_)));
    let costs =
        vec![hungry.count() as f64 / seats as f64, f64::from(u8::from(!table.phases.contains(&Eats)))];
    let mut all = Vec::new();
    for seat in 0..seats {
        if rounds.is_some_and(|most| table.moved[seat] == most) {
            continue;
        }
        for next in table.moves(seat) {
            let reward = if next.contains(&(Eats, 1.0)) { 1.0 } else { 0.0 };
            let outcomes = next.iter().map(|&(phase, chance)| (table.after(seat, phase), chance)).collect();
            all.push(Action { outcomes, reward, costs: costs.clone() });
        }
    }
    if rounds.is_some() && !table.moved.contains(&0) {
        let next = Table { phases: table.phases.clone(), moved: vec![0; seats] };
        all.push(Action { outcomes: vec![(next, 1.0)], reward: 0.0, costs });
    }
    all
}

impl Table {
    /// What a philosopher may do: for each choice the phases that may follow.
    fn moves(&self, seat: usize) -> Vec<Vec<(Phase, f64)>> {
        let sure = |phase: Phase| vec![(phase, 1.0)];
        match self.phases[seat] {
            Thinks => vec![sure(Thinks), sure(Flips)],
            Flips => vec![vec![(WaitsFor(Left), 0.5), (WaitsFor(Right), 0.5)]],
            WaitsFor(side) if self.is_free(seat, side) => vec![sure(Has(side))],
            WaitsFor(side) => vec![sure(WaitsFor(side))],
            Has(side) if self.is_free(seat, other(side)) => vec![sure(Eats)],
            Has(side) => vec![sure(GivesUp(side))],
            GivesUp(_) => vec![sure(Flips)],
            Eats => vec![sure(Sated)],
            Sated => vec![sure(PutsDown(Left)), sure(PutsDown(Right))],
            PutsDown(_) => vec![sure(Thinks)],
        }
    }

    /// Whether the neighbour on that side leaves the fork between them alone.
    fn is_free(&self, seat: usize, side: Side) -> bool {
        let seats = self.phases.len();
        let neighbour = if side == Left { (seat + 1) % seats } else { (seat + seats - 1) % seats };
        match self.phases[neighbour] {
            Thinks | Flips | WaitsFor(_) => true,
            Has(held) | GivesUp(held) | PutsDown(held) => held == side,
            Eats | Sated => false,
        }
    }

    fn after(&self, seat: usize, phase: Phase) -> Table {
        let mut next = self.clone();
        next.phases[seat] = phase;
        if let Some(moved) = next.moved.get_mut(seat) {
            *moved += 1;
        }
        next
    }
}

fn other(side: Side) -> Side {
    if side == Left { Right } else { Left }
}
