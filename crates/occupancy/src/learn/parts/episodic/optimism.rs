//! Optimism of Efroni et al. (2020): boxes around the rows, or a bonus that stands for them.
//!
//! ```text
//! β^r = √( 2 ln(6 S A H (m+1) K / δ) / max(1,n) ) ,    L = ln(6 S A H K / δ)
//! β^p = 2 √( p̄ (1 − p̄) L / max(1,n) ) + (14/3) L / max(1,n)
//! b   = β^r + H Σ_{s′} β^p
//! ```

use super::estimates::Estimates;
use super::options::{Confidence, Limits};
use super::radii::{BoxRadii, Sizes, hoeffding};
use crate::error::Result;
use crate::learn::Now;

/// Estimates with a bonus β^r for rewards and costs, and a box β^p around every row.
#[derive(Clone, Debug)]
pub struct BoxOptimism {
    /// What was seen; its signals are r̄ + β^r and c̄ − β^r.
    pub estimates: Estimates,
    /// β^p.
    pub radii: BoxRadii,
    bonus: SignalBonus,
    clip: bool,
}

impl BoxOptimism {
    /// Nothing seen yet, in a task of so many rounds.
    pub fn new(estimates: Estimates, rounds: u64, confidence: &Confidence, limits: &Limits) -> BoxOptimism {
        let sizes = Sizes::of(&estimates, rounds, confidence.delta);
        let radii =
            BoxRadii::new(&estimates, sizes.log_transitions(), confidence.factor(), limits.cap_radius);
        let bonus = SignalBonus::new(&estimates, sizes, confidence, limits);
        BoxOptimism { estimates, radii, bonus, clip: limits.clip_signals }
    }

    /// Takes in what was seen.
    pub fn update(&mut self, now: &Now) -> Result<()> {
        self.estimates.update(now);
        self.refresh()
    }

    /// Brings radii and signals up to date with the estimates.
    pub fn refresh(&mut self) -> Result<()> {
        self.radii.refresh(&self.estimates);
        self.bonus.refresh(&self.estimates);
        write_optimistic(&mut self.estimates, &self.bonus.by_row, self.clip)
    }
}

/// Estimates with the bonus b for rewards and costs.
#[derive(Clone, Debug)]
pub struct BonusOptimism {
    /// What was seen; its signals are what was written last.
    pub estimates: Estimates,
    /// b of every row.
    pub bonuses: Vec<f64>,
    radii: BoxRadii,
    signals: SignalBonus,
    clip: bool,
}

impl BonusOptimism {
    /// Nothing seen yet, in a task of so many rounds.
    pub fn new(estimates: Estimates, rounds: u64, confidence: &Confidence, limits: &Limits) -> BonusOptimism {
        let sizes = Sizes::of(&estimates, rounds, confidence.delta);
        let radii =
            BoxRadii::new(&estimates, sizes.log_transitions(), confidence.factor(), limits.cap_radius);
        let signals = SignalBonus::new(&estimates, sizes, confidence, limits);
        let bonuses = vec![0.0; estimates.rows()];
        BonusOptimism { estimates, bonuses, radii, signals, clip: limits.clip_signals }
    }

    /// Takes in what was seen.
    pub fn update(&mut self, now: &Now) {
        self.estimates.update(now);
        self.refresh();
    }

    /// Brings the bonuses up to date with the estimates.
    pub fn refresh(&mut self) {
        self.radii.refresh(&self.estimates);
        self.signals.refresh(&self.estimates);
        let horizon = self.estimates.horizon() as f64;
        for &row in &self.estimates.changed {
            self.bonuses[row] = self.signals.by_row[row] + horizon * self.radii.sum(&self.estimates, row);
        }
    }

    /// Writes r̄ + b and c̄ − b into the models.
    pub fn write_signals(&mut self) -> Result<()> {
        write_optimistic(&mut self.estimates, &self.bonuses, self.clip)
    }

    /// r̄ + b, or c̄_i − b, of a row.
    #[inline]
    pub fn signal(&self, k: usize, row: usize) -> f64 {
        let (mean, bonus) = (self.estimates.means[k][row], self.bonuses[row]);
        let optimistic = if k == 0 { mean + bonus } else { mean - bonus };
        if self.clip { optimistic.clamp(0.0, 1.0) } else { optimistic }
    }
}

/// β^r of every row; 0 if rewards and costs are told.
#[derive(Clone, Debug)]
struct SignalBonus {
    by_row: Vec<f64>,
    log: f64,
    scale: f64,
    capped: bool,
}

impl SignalBonus {
    fn new(estimates: &Estimates, sizes: Sizes, confidence: &Confidence, limits: &Limits) -> SignalBonus {
        let scale = if estimates.knows_signals() { 0.0 } else { confidence.factor() };
        let by_row = vec![0.0; estimates.rows()];
        SignalBonus { by_row, log: sizes.log_signals(), scale, capped: limits.cap_radius }
    }

    fn refresh(&mut self, estimates: &Estimates) {
        for &row in &estimates.changed {
            let bonus = self.scale * hoeffding(estimates.visits[row], self.log);
            self.by_row[row] = if self.capped { bonus.min(1.0) } else { bonus };
        }
    }
}

fn write_optimistic(estimates: &mut Estimates, bonuses: &[f64], clip: bool) -> Result<()> {
    estimates.write_signals(|k, row, mean| {
        let optimistic = if k == 0 { mean + bonuses[row] } else { mean - bonuses[row] };
        if clip { optimistic.clamp(0.0, 1.0) } else { optimistic }
    })
}
