//! From which round on a run stays near the optimum.
//!
//! A run has settled at the first round from which on all averages over the window are near, to the end and for the length of
//! a window at least: what began later may be chance. Runs that never do are not left out: the round of a learner is the one by
//! which half of all runs have settled, and never if fewer than half do.

use super::limits::Limits;
use super::runs::{Quantity, Runs};
use super::statistic::Statistic;
use super::stats::Bootstrap;

/// The round from which on each run stays near the optimum; infinite if it never does.
pub(super) fn settled(runs: &Runs, window: u64, limits: &Limits) -> Vec<f64> {
    let steps = &runs.steps;
    let mut first = vec![f64::INFINITY; runs.len()];
    let mut goes_on: Vec<usize> = (0..runs.len()).collect();
    let mut of_run = vec![0.0; limits.costs.len() + 1];
    for point in (0..steps.len()).rev().take_while(|&point| steps[point] >= window) {
        let signal = |signal| runs.values(Quantity::Window { signal, window }, point);
        // A window whose other end was not recorded says nothing.
        let Some(averages) = (0..=limits.costs.len()).map(signal).collect::<Option<Vec<_>>>() else {
            continue;
        };
        goes_on.retain(|&run| {
            of_run.iter_mut().zip(&averages).for_each(|(average, signal)| *average = signal[run]);
            limits.admit(&of_run)
        });
        goes_on.iter().for_each(|&run| first[run] = steps[point] as f64);
        if goes_on.is_empty() {
            break;
        }
    }
    let last = steps.last().copied().unwrap_or(0) as f64;
    let long_enough = |first: f64| if last - first >= window as f64 { first } else { f64::INFINITY };
    first.into_iter().map(long_enough).collect()
}

/// The round by which half of the runs have settled; infinite if fewer do.
pub(super) fn half(settled: &[f64], bootstrap: &Bootstrap) -> Statistic {
    let mut order: Vec<usize> = (0..settled.len()).collect();
    order.sort_by(|&a, &b| settled[a].total_cmp(&settled[b]));
    Statistic::of(bootstrap, |shares| {
        let mut sum = 0.0;
        let reached = order.iter().find(|&&run| {
            sum += shares[run];
            // Shares are sums of 1/n.
            sum >= 0.5 - 1e-9
        });
        reached.map_or(f64::INFINITY, |&run| settled[run])
    })
}

#[cfg(test)]
mod tests {
    use super::super::limits::tests::limits;
    use super::super::runs::tests::runs;
    use super::*;
    use occupancy::sim::Record;

    /// Rewards −0.865 after a round, before that −1; costs 1 up to round 20, then 0.2.
    fn record(late: u64) -> Record {
        let step: Vec<u64> = (1..=100).collect();
        let reward = step.iter().map(|&t| -(t.min(late) as f64) - 0.865 * t.saturating_sub(late) as f64);
        let cost = step.iter().map(|&t| t.min(20) as f64 + 0.2 * t.saturating_sub(20) as f64);
        let none = vec![0; 100];
        Record {
            reward: reward.collect(),
            costs: vec![cost.collect()],
            shortfall: vec![0.0; 100],
            excess: vec![vec![0.0; 100]],
            epochs: none.clone(),
            infeasible: none.clone(),
            multichain: none,
            values: None,
            step,
        }
    }

    fn round(late: u64, tolerance: f64) -> f64 {
        // Beside a run that never settles.
        let runs = runs(&[record(late), record(100)], Some(-0.865), &[0.2]);
        let [round, never] = settled(&runs, 10, &limits(tolerance))[..] else { panic!() };
        assert_eq!(never, f64::INFINITY);
        round
    }

    #[test]
    fn a_run_settles_where_its_last_window_away_from_the_optimum_ends() {
        // Windows of ten rounds are without loss from round 50 on; one lost round of ten is 0.0135, 1.35 times the range.
        assert_eq!((round(40, 0.25), round(40, 1.4)), (50.0, 49.0));
        // A window before the end at the latest.
        assert_eq!((round(80, 0.25), round(81, 0.25)), (90.0, f64::INFINITY));
        // Reward alone is not enough.
        assert_eq!(round(0, 0.01), 30.0);
    }

    #[test]
    fn a_learner_has_settled_when_half_of_its_runs_have() {
        let round = |steps: &[f64]| half(steps, &Bootstrap::new(steps.len(), 0.95, "test"));
        let never = f64::INFINITY;
        assert_eq!(round(&[30.0, 10.0, 20.0]).value, 20.0);
        assert_eq!(round(&[30.0, 10.0, 20.0, 40.0]).value, 20.0);
        assert_eq!(round(&[never, 10.0, never]).value, never);
        let some = round(&[never, 10.0, never, 20.0, 30.0, 20.0]);
        assert_eq!((some.value, some.interval()), (20.0, Some((10.0, never))));
        assert_eq!(round(&[5.0; 7]).interval(), Some((5.0, 5.0)));
    }
}
