//! The policies that a trial keeps on its way.

use crate::learn::Epoch;
use crate::model::{Cmdp, Policy};
use std::sync::Arc;

/// A policy on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The epoch, from 1.
    pub epoch: u64,
    /// The steps taken before it.
    pub step: u64,
    /// The policy.
    pub policy: Arc<Policy>,
    /// Its prices; empty where it was not planned.
    pub prices: Vec<f64>,
}

/// Epochs whose policies are kept grow by this factor: 40 of them reach epoch 100 000.
const SNAPSHOT_GROWTH: f64 = 1.345;

/// Keeps policies on the way: of an epoch with a random and a planned part, the planned one.
#[derive(Default)]
pub(super) struct Snapshots {
    epoch: u64,
    next: f64,
    kept: Vec<Snapshot>,
    /// Whether the last of them was planned.
    kept_plan: bool,
    last: Option<Snapshot>,
    planned: bool,
}

impl Snapshots {
    pub fn add(&mut self, epoch: Epoch, step: u64) {
        self.epoch += u64::from(epoch.begins);
        let planned = epoch.report.is_some();
        let prices = epoch.report.map_or(Vec::new(), |report| report.prices);
        let snapshot = Snapshot { epoch: self.epoch, step, policy: epoch.policy, prices };
        if self.epoch as f64 >= self.next {
            self.kept.push(snapshot.clone());
            self.kept_plan = planned;
            self.next = (self.next * SNAPSHOT_GROWTH).max(self.epoch as f64 + 1.0);
        } else if let Some(kept) = self.kept.last_mut().filter(|kept| kept.epoch == self.epoch)
            && planned
            && !self.kept_plan
        {
            *kept = snapshot.clone();
            self.kept_plan = true;
        }
        if planned || !self.planned {
            self.planned |= planned;
            self.last = Some(snapshot);
        }
    }

    pub fn finish(mut self, model: &Cmdp) -> (Policy, Vec<Snapshot>) {
        let Some(last) = self.last else { return (Policy::uniform(model), self.kept) };
        let policy = last.policy.as_ref().clone();
        if self.kept.last().is_none_or(|kept| kept.epoch < last.epoch) {
            self.kept.push(last);
        }
        (policy, self.kept)
    }
}
