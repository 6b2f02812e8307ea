//! The policies of run 0 on its way, as a table: one line for each pair that is taken with positive probability.
//!
//! ```text
//! epoch,step,pair,state,action,probability,price_0,…
//! ```
//!
//! Prices are empty where a policy was not planned.

use occupancy::cell;
use occupancy::model::{Cmdp, Policy};
use occupancy::sim::Snapshot;
use std::path::{Path, PathBuf};

/// The file of a learner, from the folder of results.
pub(super) fn file(label: &str) -> PathBuf {
    Path::new("policies").join(format!("{label}.csv"))
}

/// The table of some policies.
pub(super) fn write(model: &Cmdp, snapshots: &[Snapshot]) -> Vec<u8> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let head = ["epoch", "step", "pair", "state", "action", "probability"].map(String::from);
    let prices = (0..model.costs()).map(|i| format!("price_{i}"));
    // Writing to memory cannot fail.
    let _ = out.write_record(head.into_iter().chain(prices));
    for snapshot in snapshots {
        for (pair, &probability) in snapshot.policy.probabilities().iter().enumerate() {
            if probability <= 0.0 {
                continue;
            }
            let place = [snapshot.epoch.to_string(), snapshot.step.to_string(), pair.to_string()];
            let names = [model.names().state(model.state_of(pair)), model.action_name(pair)]
                .map(|name| cell::written(&name).into_owned());
            let price = |i: usize| snapshot.prices.get(i).map(f64::to_string).unwrap_or_default();
            let prices = (0..model.costs()).map(price);
            let cells = place.into_iter().chain(names).chain([probability.to_string()]).chain(prices);
            let _ = out.write_record(cells);
        }
    }
    out.into_inner().unwrap_or_default()
}

/// The policies of a table; `None` where it is not one of this model.
pub(super) fn read(model: &Cmdp, bytes: &[u8]) -> Option<Vec<Snapshot>> {
    let mut snapshots: Vec<(u64, u64, Vec<f64>, Vec<f64>)> = Vec::new();
    for row in csv::Reader::from_reader(bytes).into_records() {
        let row = row.ok()?;
        let (epoch, step) = (row.get(0)?.parse().ok()?, row.get(1)?.parse().ok()?);
        if snapshots.last().is_none_or(|last| (last.0, last.1) != (epoch, step)) {
            let prices = row.iter().skip(6).filter(|cell| !cell.is_empty());
            let prices = prices.map(|cell| cell.parse().ok()).collect::<Option<Vec<f64>>>()?;
            snapshots.push((epoch, step, vec![0.0; model.pairs()], prices));
        }
        let (pair, probability): (usize, f64) = (row.get(2)?.parse().ok()?, row.get(5)?.parse().ok()?);
        *snapshots.last_mut()?.2.get_mut(pair)? = probability;
    }
    let snapshot = |(epoch, step, rows, prices): (u64, u64, Vec<f64>, Vec<f64>)| {
        // Checked, but kept to the last digit.
        Policy::new(model, rows.clone()).ok()?;
        Some(Snapshot { epoch, step, policy: Policy::unchecked(rows, 1).into(), prices })
    };
    snapshots.into_iter().map(snapshot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::env::EnvConfig;

    #[test]
    fn policies_and_prices_are_read_back_as_they_were() {
        let model = EnvConfig::from_options("queue", &[]).unwrap().build().unwrap().model;
        let third = |epoch, prices: &[f64]| {
            let mut rows = vec![0.0; model.pairs()];
            for state in 0..model.states() {
                let first = model.pairs_of(state).start;
                (rows[first], rows[first + 2]) = (1.0 / 3.0, 2.0 / 3.0);
            }
            Snapshot {
                epoch,
                step: 10 * epoch,
                policy: Policy::unchecked(rows, 1).into(),
                prices: prices.to_vec(),
            }
        };
        let snapshots = [third(1, &[]), third(2, &[0.1, 1e-9])];
        let bytes = write(&model, &snapshots);
        assert_eq!(read(&model, &bytes).unwrap(), snapshots);
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.starts_with("epoch,step,pair,state,action,probability,price_0,price_1\n1,10,0,"),
            "{text}"
        );
        assert!(read(&model, text.replace("0.3333333333333333,", "0.5,").as_bytes()).is_none());
    }
}
