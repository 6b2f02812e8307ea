//! When an epoch ends.
//!
//! ```text
//! doubling    v(s,a) ≥ max(1, N(s,a))  for the pair just visited         (UCRL2; the paper's text)
//! v1.2        v(s,a) ≥ 3 (1 + N(s,a))                                   (the paper's published code: counts quadruple)
//! tsde        doubling, or one step longer than the last epoch          (Ouyang et al. 2017)
//! fixed:L     L steps;   power:α   ⌈T^α⌉ steps                          (Singh et al. 2020)
//! blocks      block k: h random steps, then (k − 1) h planned ones      (Zheng and Ratliff 2020)
//! ```
//!
//! N counts earlier epochs, v the present one. Every epoch has at least one step, because every limit is at least 1.

use crate::arithmetic::elementary::{ln, pow};
use crate::learn::Now;
use crate::options::{Form, OptionValue};

/// When an epoch ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EpochRule {
    /// A pair's visits have doubled.
    Doubling,
    /// A pair's visits have doubled, or the epoch is longer than the one before.
    Tsde,
    /// A pair's visits within the epoch have reached 3 (1 + N).
    CodeV12,
    /// A number of steps.
    Fixed(u64),
    /// ⌈T^α⌉ steps.
    Power(f64),
}

/// The moment to ask again: whichever of the two comes first; the last epoch ends with the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// After this many steps.
    pub steps: u64,
    /// When some pair's visits within the epoch reach their limit.
    pub visits: Option<VisitLimit>,
}

/// max(1, factor · (N + offset)) visits of a pair within an epoch end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitLimit {
    /// Times the visits before.
    pub factor: u64,
    /// Added to the visits before.
    pub offset: u64,
}

impl VisitLimit {
    /// v ≥ max(1, N).
    pub const DOUBLING: VisitLimit = VisitLimit { factor: 1, offset: 0 };
    /// v ≥ 3 (1 + N).
    pub const CODE_V12: VisitLimit = VisitLimit { factor: 3, offset: 1 };

    /// How many visits within the epoch end it, for a pair with so many before.
    pub fn of(self, visits: u64) -> u64 {
        (self.factor * (visits + self.offset)).max(1)
    }
}

impl Until {
    /// After a number of steps, at least one.
    pub fn steps(steps: u64) -> Until {
        Until { steps: steps.max(1), visits: None }
    }

    /// While t ≤ t_k + T_{k−1} and N_t(s,a) ≤ 2 N(s,a) for all pairs, by how long the last epoch took (0 before the first, T_0 = 1):
    /// to the letter of Ouyang et al. (2017), while [`EpochRule::Tsde`] ends with v = N already.
    pub fn tsde(last_steps: u64) -> Until {
        Until { steps: last_steps.max(1) + 1, visits: Some(VisitLimit { factor: 1, offset: 1 }) }
    }

    /// When some pair reaches its limit.
    pub fn visits(limit: VisitLimit) -> Until {
        Until { steps: u64::MAX, visits: Some(limit) }
    }
}

impl EpochRule {
    /// The end of an epoch that begins now, in a task of so many rounds.
    pub fn until(self, now: &Now, rounds: u64) -> Until {
        match self {
            EpochRule::Doubling => Until::visits(VisitLimit::DOUBLING),
            EpochRule::Tsde => Until { steps: now.last_steps + 1, ..Until::visits(VisitLimit::DOUBLING) },
            EpochRule::CodeV12 => Until::visits(VisitLimit::CODE_V12),
            EpochRule::Fixed(steps) => Until::steps(steps),
            EpochRule::Power(exponent) => Until::steps(pow(rounds as f64, exponent).ceil() as u64),
        }
    }

    /// Epochs of a task are not more than this. A pair ends an epoch by doubling its visits at most 1 + log₂ N(s,a) times,
    /// and the sum of that is greatest if all pairs are visited alike; with `tsde` M epochs that end so leave room for
    /// √(2 M T) in all (Ouyang et al. 2017).
    pub fn most(self, pairs: usize, rounds: u64) -> u64 {
        let (pairs, all) = (pairs as f64, rounds as f64);
        let each = (all / pairs).max(1.0);
        let doubled = pairs * (1.0 + ln(each) / ln(2.0)) + 1.0;
        let most = match self {
            EpochRule::Doubling => doubled,
            EpochRule::Tsde => (2.0 * doubled * all).sqrt(),
            EpochRule::CodeV12 => pairs * ln(1.0 + all / pairs) / ln(4.0) + 1.0,
            EpochRule::Fixed(steps) => return rounds.div_ceil(steps.max(1)),
            EpochRule::Power(exponent) => return rounds.div_ceil(pow(all, exponent).ceil().max(1.0) as u64),
        };
        rounds.min(most as u64)
    }

    /// Whether its number is one that an epoch can have.
    pub fn in_range(&self) -> bool {
        match self {
            EpochRule::Fixed(steps) => *steps > 0,
            EpochRule::Power(exponent) => (0.0..=1.0).contains(exponent),
            _ => true,
        }
    }
}

/// √(2 S A T ln T): epochs of [`Until::tsde`] are not more than this (Ouyang et al. 2017), nor than the rounds.
pub fn most_of_tsde(pairs: usize, rounds: u64) -> u64 {
    let all = rounds as f64;
    rounds.min((2.0 * pairs as f64 * all * ln(all.max(2.0))).sqrt().ceil() as u64)
}

/// The blocks k = 1, 2, …: h random steps, then (k − 1) h planned ones. A block that the end of the task leaves fewer than
/// h steps has no random part.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    block: u64,
    explored: bool,
}

/// A part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockPart {
    /// Random steps, which begin the block.
    Random(Until),
    /// Planned steps.
    Planned {
        /// Their end.
        until: Until,
        /// Whether they begin the block.
        begins: bool,
    },
}

impl Blocks {
    /// How many planned parts a task has at most: k blocks take h k (k + 1) / 2 steps.
    pub fn most(h: u64, rounds: u64) -> u64 {
        let blocks = ((1.0 + 8.0 * rounds as f64 / h.max(1) as f64).sqrt() - 1.0) / 2.0;
        rounds.min(blocks.ceil() as u64)
    }

    /// The part that begins at this step.
    pub fn next(&mut self, h: u64, step: u64, rounds: u64) -> BlockPart {
        if self.explored && self.block > 1 {
            self.explored = false;
            let until = Until::steps((self.block - 1) * h);
            return BlockPart::Planned { until, begins: false };
        }
        self.block += 1;
        self.explored = rounds - step >= h;
        if self.explored {
            BlockPart::Random(Until::steps(h))
        } else {
            BlockPart::Planned { until: Until::steps(rounds - step), begins: true }
        }
    }
}

impl OptionValue for EpochRule {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<EpochRule> {
        match text.split_once(':') {
            Some(("fixed", steps)) => Some(EpochRule::Fixed(steps.parse().ok()?)),
            Some(("power", exponent)) => Some(EpochRule::Power(exponent.parse().ok()?)),
            Some(_) => None,
            None => match text {
                "doubling" => Some(EpochRule::Doubling),
                "tsde" => Some(EpochRule::Tsde),
                "v1.2" => Some(EpochRule::CodeV12),
                _ => None,
            },
        }
    }

    fn show(&self) -> String {
        match self {
            EpochRule::Doubling => "doubling".into(),
            EpochRule::Tsde => "tsde".into(),
            EpochRule::CodeV12 => "v1.2".into(),
            EpochRule::Fixed(steps) => format!("fixed:{steps}"),
            EpochRule::Power(exponent) => format!("power:{exponent}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_and_the_last_is_cut() {
        let mut blocks = Blocks::default();
        let mut step = 0;
        let mut parts = Vec::new();
        while step < 100 {
            let (kind, until, begins) = match blocks.next(10, step, 100) {
                BlockPart::Random(until) => ('r', until, true),
                BlockPart::Planned { until, begins } => ('p', until, begins),
            };
            parts.push((kind, until.steps.min(100 - step), begins));
            step += until.steps;
        }
        let whole = [('r', 10, true), ('r', 10, true), ('p', 10, false), ('r', 10, true), ('p', 20, false)];
        assert_eq!(parts[..5], whole);
        assert_eq!(parts[5..], [('r', 10, true), ('p', 30, false)]);
        assert!(matches!(
            Blocks::default().next(10, 95, 100),
            BlockPart::Planned { until: Until { steps: 5, .. }, begins: true }
        ));
    }

    #[test]
    fn the_papers_rounds_have_the_papers_blocks() {
        for (rounds, h, expected) in [(9000, 20, 30), (200_000, 200, 45), (2_000_000, 1000, 63)] {
            let (mut blocks, mut step, mut count) = (Blocks::default(), 0, 0);
            while step < rounds {
                let (until, begins) = match blocks.next(h, step, rounds) {
                    BlockPart::Random(until) => (until, true),
                    BlockPart::Planned { until, begins } => (until, begins),
                };
                count += u64::from(begins);
                step += until.steps;
            }
            assert_eq!(count, expected);
            assert!((expected..=expected + 1).contains(&Blocks::most(h, rounds)));
        }
    }

    #[test]
    fn no_task_has_more_epochs_than_are_foreseen() {
        // One pair is visited all the time, or all in turn: v ends an epoch as soon as it is max(1, N), or 3 (1 + N).
        for (rule, limit) in
            [(EpochRule::Doubling, VisitLimit::DOUBLING), (EpochRule::CodeV12, VisitLimit::CODE_V12)]
        {
            for (pairs, rounds) in [(1, 1), (1, 1000), (5, 3), (7, 100_000)] {
                let (mut visits, mut within) = (vec![0; pairs], vec![0; pairs]);
                let mut epochs = 1;
                for step in 0..rounds {
                    let pair = step as usize % pairs;
                    within[pair] += 1;
                    if within[pair] >= limit.of(visits[pair]) && step + 1 < rounds {
                        epochs += 1;
                        visits.iter_mut().zip(&mut within).for_each(|(n, v)| *n += std::mem::take(v));
                    }
                }
                let most = rule.most(pairs, rounds);
                assert!(epochs <= most, "{rule:?} {pairs} {rounds}: {epochs}, {most}");
                assert!(pairs > 1 || most <= epochs + 1, "{rule:?} {rounds}: {epochs}, {most}");
            }
        }
        assert_eq!(EpochRule::Fixed(30).most(9, 100), 4);
        assert_eq!(EpochRule::Power(0.5).most(9, 100), 10);
        assert_eq!(EpochRule::Tsde.most(1, 1_000_000), 6622);
    }

    #[test]
    fn limits_are_at_least_one_visit() {
        assert_eq!([0, 1, 7].map(|n| VisitLimit::DOUBLING.of(n)), [1, 1, 7]);
        assert_eq!([0, 1, 7].map(|n| VisitLimit::CODE_V12.of(n)), [3, 6, 24]);
        assert_eq!(Until::steps(0).steps, 1);
    }
}
