//! The bonus of optimism, b(s,a), and the radius around transition probabilities.
//!
//! ```text
//! scaled                        coef / √N                                             (the paper's published code)
//! original, optimistic          coef √( 2 ln(8 S A (m+1) k² / δ) / N )                (Brantley et al. 2020)
//! original, conservative        coef √( ln(S A (m+1) π² t³ / (3 δ)) / (2 N) )         (Zheng and Ratliff 2020)
//! original, transitions         coef √( ln(T S A) / N )                               (Singh et al. 2020)
//! ```
//!
//! N counts the visits of the pair before epoch k, which begins at step t; S A is the number of pairs. Horizon factors
//! of the episodic original are left out.

use crate::arithmetic::elementary::ln;
use crate::learn::Counts;
use crate::learn::settings::{BonusForm, Settings, UnvisitedBonus};
use crate::model::Task;

/// Whose original term is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::learn) enum Original {
    Optimistic,
    Conservative,
    Transitions,
}

/// b(s,a) as a function of the visits.
#[derive(Clone, Debug)]
pub(in crate::learn) struct Bonus {
    form: BonusForm,
    original: Original,
    coef: f64,
    delta: f64,
    unvisited: UnvisitedBonus,
    /// S A, m + 1, T.
    pairs: f64,
    signals: f64,
    rounds: f64,
    /// The numerator under the root, for the present epoch.
    scale: f64,
}

impl Bonus {
    pub fn new(task: &Task, settings: &Settings, original: Original) -> Bonus {
        Bonus {
            form: settings.bonus,
            original,
            coef: settings.coef.unwrap_or(0.0),
            delta: settings.delta,
            unvisited: settings.unvisited_bonus,
            pairs: task.pairs() as f64,
            signals: task.costs() as f64 + 1.0,
            rounds: task.rounds() as f64,
            scale: 1.0,
        }
    }

    /// Prepares for epoch k, from 1, which begins after `step` steps.
    pub fn begin(&mut self, epoch: u64, step: u64) {
        let (k, t) = (epoch as f64, step.max(1) as f64);
        let (pairs, signals, delta) = (self.pairs, self.signals, self.delta);
        self.scale = match (self.form, self.original) {
            (BonusForm::Scaled, _) => 1.0,
            (_, Original::Optimistic) => 2.0 * ln(8.0 * pairs * signals * k * k / delta),
            (_, Original::Conservative) => {
                let pi = std::f64::consts::PI;
                ln(pairs * signals * pi * pi * (t * t * t) / (3.0 * delta)) / 2.0
            }
            (_, Original::Transitions) => ln(self.rounds * pairs),
        }
        .max(0.0);
    }

    /// b(s,a).
    pub fn of(&self, counts: &Counts, pair: usize) -> f64 {
        match (counts.visits(pair), self.unvisited) {
            (0, UnvisitedBonus::Value(value)) => value,
            (visits, _) => self.coef * (self.scale / visits.max(1) as f64).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CmdpBuilder;

    #[test]
    fn bonuses_are_the_formulas() {
        let mut model = CmdpBuilder::new(2, &[0.5]);
        model.pair(0, &[(0, 1.0)], 0.0, &[0.0]).pair(0, &[(1, 1.0)], 0.0, &[0.0]).pair(
            1,
            &[(0, 1.0)],
            0.0,
            &[1.0],
        );
        let model = model.build().unwrap();
        let mut counts = Counts::new(&model);
        counts.taken_mut().1.copy_from_slice(&[4, 0, 1]);
        counts.settle();
        let task = Task::of(&model, 1000);
        let with = |form, original, unvisited| {
            let settings =
                Settings { bonus: form, coef: Some(0.5), unvisited_bonus: unvisited, ..Settings::default() };
            let mut bonus = Bonus::new(&task, &settings, original);
            bonus.begin(3, 40);
            [0, 1, 2].map(|pair| bonus.of(&counts, pair))
        };
        let one = UnvisitedBonus::Value(1.0);
        assert_eq!(with(BonusForm::Scaled, Original::Optimistic, one), [0.25, 1.0, 0.5]);
        // By hand, with S A = 3, m + 1 = 2, k = 3, t = 40, T = 1000, δ = 0.05.
        let original = |kind| with(BonusForm::Original, kind, UnvisitedBonus::Once);
        let near = |found: [f64; 3], unit: f64| {
            let expected = [unit / 2.0, unit, unit];
            found.iter().zip(expected).for_each(|(x, y)| assert!((x - y).abs() < 1e-9, "{x} against {y}"));
        };
        near(original(Original::Optimistic), 0.5 * (2.0 * ln(8640.0)).sqrt());
        near(original(Original::Conservative), 0.5 * (ln(25_266_187.266_788_58) / 2.0).sqrt());
        near(original(Original::Transitions), 0.5 * ln(3000.0).sqrt());
    }
}
