//! Trials for the tests of learners.

use occupancy::learn::LearnerConfig;
use occupancy::model::Cmdp;
use occupancy::seed::Seed;
use occupancy::sim::{Baseline, Grid, Trial, TrialConfig};

/// One run of a learner.
pub fn trial(
    model: &Cmdp,
    learner: impl AsRef<dyn LearnerConfig>,
    rounds: u64,
    seed: u64,
    run: u64,
) -> Trial {
    let baseline = Baseline::of(model).unwrap();
    let grid = Grid::new(rounds, &[(rounds / 10).max(1)]);
    let config = TrialConfig {
        model,
        baseline: &baseline,
        learner: learner.as_ref(),
        rounds,
        grid: &grid,
        seed: Seed(seed),
        run,
    };
    config.run(&mut []).unwrap()
}
