//! Options that many learners of episodes share.

use super::estimates::Estimates;
use crate::error::{LearnerProblem, Result};
use crate::learn::Wants;
use crate::learn::parts::told::SignalSource;
use crate::{options, words};

words! {
    /// When a learner plans again.
    pub enum Replan {
        /// Before every episode, as in the papers.
        Every = "every",
        /// When the visits of some pair at some stage have doubled since the last plan.
        Doubled = "doubled",
    }
}

options! {
    /// How sure a learner is of what it has seen.
    pub struct Confidence {
        /// Bonuses and radii hold with probability 1 − delta.
        delta: f64 = 0.05, "a number from 1e-100 to 1" => |delta| (1e-100..=1.0).contains(delta);
        /// Bonuses and radii are multiplied by this; 1 is the paper's constant.
        scale: Option<f64> = None, "a number from 0 to 1e6" => |scale| scale.is_none_or(|scale| (0.0..=1e6).contains(&scale));
    }
}

impl Confidence {
    /// The factor of bonuses and radii.
    pub fn factor(&self) -> f64 {
        self.scale.unwrap_or(1.0)
    }
}

options! {
    /// What a learner makes of its counts.
    pub struct Counting {
        /// Whether the counts of all stages are added up, as for a kernel that is the same at every stage.
        pool_steps: bool = false, "true or false" => |_| true;
        /// Whether rewards and costs are told or estimated.
        signals: SignalSource = SignalSource::Estimated, SignalSource::EXPECTED => |_| true;
    }
}

impl Counting {
    /// What a learner of episodes has to be told for this.
    pub fn wants(&self) -> Wants {
        Wants { trajectory: true, signals: self.signals == SignalSource::Known, ..Wants::default() }
    }

    /// The defaults, with signals that are told.
    pub fn known() -> Counting {
        Counting { signals: SignalSource::Known, ..Counting::default() }
    }
}

options! {
    /// What is known of the prices of a task.
    pub struct PriceBound {
        /// Prices are at most this, twice the sum of the optimal ones at least; by default 2 H / gap.
        rho: Option<f64> = None, "a number above 0" => |rho| rho.is_none_or(|rho| rho > 0.0 && rho.is_finite());
        /// The Slater gap: some policy stays below every budget of an episode by at least this.
        gap: Option<f64> = None, "a number above 0" => |gap| gap.is_none_or(|gap| gap > 0.0 && gap.is_finite());
    }
}

options! {
    /// How far optimism goes at most.
    pub struct Limits {
        /// Whether estimates with their bonus are kept between 0 and 1, in units of the signal's range.
        clip_signals: bool = false, "true or false" => |_| true;
        /// Whether each radius and bonus of an estimate is 1 at most, before they are added up.
        cap_radius: bool = false, "true or false" => |_| true;
    }
}

impl Limits {
    /// With radii that are 1 at most.
    pub fn capped() -> Limits {
        Limits { cap_radius: true, ..Limits::default() }
    }
}

impl PriceBound {
    /// ρ in units, of a learner that needs it.
    pub fn rho(&self, learner: &'static str, estimates: &Estimates) -> Result<f64> {
        if estimates.costs() == 0 {
            return Ok(1.0);
        }
        let units = &estimates.units;
        let missing = LearnerProblem::Unknown {
            learner,
            what: "how large prices may become",
            how: "give rho, at least twice the sum of the optimal prices, or gap, by which some policy stays below every \
                  budget of an episode",
        };
        let from_gap = |gap: f64| 2.0 * estimates.horizon() as f64 / units.difference(0, gap);
        let rho = self.rho.map(|rho| units.price(0, rho));
        Ok(rho.or_else(|| self.gap.map(from_gap)).ok_or(missing)?)
    }
}
