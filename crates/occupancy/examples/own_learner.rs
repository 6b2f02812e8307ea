//! A learner of one's own, in an experiment beside one of the library, and in its report: `cargo run --example own_learner`.
//!
//! Certainty equivalence with doubt: plan with the means of what was seen, and in a share of the epochs walk to where
//! least was seen.

use occupancy::Result;
use occupancy::learn::parts::estimate::{Estimate, UnvisitedKernel, UnvisitedSignals};
use occupancy::learn::parts::planning::{PlanOptions, Planning, least_visited};
use occupancy::learn::{Epoch, EpochRule, Knowledge, Learner, LearnerConfig, Now};
use occupancy::model::Task;
use occupancy::seed::Rng;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::report::{self, ReportOptions};
use occupancy_lab::{RunOptions, run};
use rand::RngExt;

occupancy::options! {
    /// The options, which an experiment file may set like those of any learner.
    pub struct Doubting {
        /// The share of epochs that explore.
        doubt: f64 = 0.2, "a number from 0 to 1" => |share| (0.0..=1.0).contains(share);
        with {
            /// How it plans: options that other learners have, too.
            planning: PlanOptions = PlanOptions::default();
        }
    }
}

impl LearnerConfig for Doubting {
    fn name(&self) -> &'static str {
        "doubting"
    }

    fn about(&self) -> &'static str {
        "plans with the means of what was seen, and doubts them now and then"
    }

    fn make(&self, task: &Task, _: &Knowledge) -> Result<Box<dyn Learner>> {
        let estimate = Estimate::new(task, &UnvisitedSignals::default());
        let planning = Planning::new(task, &self.planning);
        Ok(Box::new(Doubter { doubt: self.doubt, estimate, planning, rounds: task.rounds() }))
    }
}

struct Doubter {
    doubt: f64,
    estimate: Estimate,
    planning: Planning,
    rounds: u64,
}

impl Learner for Doubter {
    fn next_epoch(&mut self, now: &Now, rng: &mut Rng) -> Result<Epoch> {
        self.estimate.empirical(now.counts, UnvisitedKernel::SelfLoop, rng)?;
        self.estimate.means(now.counts, |_, _, mean| mean)?;
        let (model, until) = (&self.estimate.model, EpochRule::Doubling.until(now, self.rounds));
        if rng.random::<f64>() < self.doubt {
            return Ok(Epoch::unplanned(least_visited(model, now.counts), until));
        }
        Ok(Epoch::planned(self.planning.plan(model, now, rng)?, until))
    }
}

fn main() -> occupancy_lab::Result<()> {
    let catalogue = Catalogue::standard().with_learner(Doubting::default());
    let text = "rounds = 5000\nruns = 4\n[env]\nname = \"marsrover-4x4\"\n\
                [[learner]]\nname = \"psrl-transitions\"\n[[learner]]\nname = \"doubting\"\ndoubt = [0.05, 0.3]\n";
    let folder = std::env::temp_dir().join(format!("own-learner-{}", std::process::id()));
    for experiment in Experiment::from_text(text, "own_learner.toml", &catalogue)? {
        let done = run(&experiment, &folder, &RunOptions::default(), &mut ())?;
        for learner in done.statistics.iter().flat_map(|(_, summary)| &summary.learners) {
            let reward = learner.quantity("reward").map_or(f64::NAN, |found| found.mean);
            println!("{:<20} average reward {reward:.3} at the end", learner.label);
        }
    }
    println!("{}", report::write(&folder, &ReportOptions::new(&catalogue))?.page.display());
    Ok(())
}
