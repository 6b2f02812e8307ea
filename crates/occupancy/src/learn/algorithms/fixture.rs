//! A task for the tests of the algorithms.

use crate::model::{CmdpBuilder, Task};

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
