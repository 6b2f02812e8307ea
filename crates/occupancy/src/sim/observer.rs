//! Observers of a trial: they see every epoch and every recorded step from beside it, draw no random number and change
//! nothing.

use super::Record;
use crate::learn::{Epoch, Learner};
use std::ops::ControlFlow;

/// Sees what happens in a trial.
pub trait Observer {
    /// The learner is about to be asked for its next epoch.
    fn asking(&mut self) {}

    /// The learner has answered; the epoch begins now. A learner's own type can be looked at through [`std::any::Any`].
    fn planned(&mut self, planned: &Planned) {
        let _ = planned;
    }

    /// The epoch has been walked to its end.
    fn walked(&mut self, walked: &Walked) {
        let _ = walked;
    }

    /// A step of the grid was recorded, the last of `record`; breaks the trial off.
    fn recorded(&mut self, record: &Record) -> ControlFlow<()> {
        let _ = record;
        ControlFlow::Continue(())
    }
}

/// An epoch that begins.
pub struct Planned<'a> {
    /// The learner that planned it.
    pub learner: &'a dyn Learner,
    /// Its answer.
    pub epoch: &'a Epoch,
    /// The state in which it begins.
    pub state: usize,
}

/// An epoch that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Walked<'a> {
    /// Its steps.
    pub steps: u64,
    /// The sums of the signals over it: the reward, then the costs.
    pub sums: &'a [f64],
}

/// An observer that is told of every recorded step, and breaks the trial off.
pub struct OnRecord<F: FnMut(u64) -> ControlFlow<()>>(pub F);

impl<F: FnMut(u64) -> ControlFlow<()>> Observer for OnRecord<F> {
    fn recorded(&mut self, record: &Record) -> ControlFlow<()> {
        self.0(record.steps())
    }
}
