//! The bonus of optimism, b(s,a), and the radius around transition probabilities.
//!
//! ```text
//! scaled        coef / √N                                 (the paper's published code)
//! original      coef √( scale / N )                       with the scale of the paper that a learner comes from
//! ```
//!
//! N counts the visits of the pair before the epoch. The scales stand in the files of the learners.

use crate::learn::Counts;
use crate::options::{Form, OptionValue};
use crate::{options, words};

words! {
    /// The size of a bonus, or of a radius around transition probabilities.
    pub enum BonusForm {
        /// coef / √N.
        Scaled = "scaled",
        /// coef × the term of the paper that the learner comes from.
        Original = "original",
    }
}

/// The bonus of a pair that was never visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnvisitedBonus {
    /// That of a pair visited once.
    Once,
    /// A number.
    Value(f64),
}

impl UnvisitedBonus {
    fn in_range(&self) -> bool {
        !matches!(self, UnvisitedBonus::Value(bonus) if !(0.0..=1e6).contains(bonus))
    }
}

impl OptionValue for UnvisitedBonus {
    const FORM: Form = Form::NumberOrWord;

    fn parse(text: &str) -> Option<UnvisitedBonus> {
        if text == "once" { Some(UnvisitedBonus::Once) } else { text.parse().ok().map(UnvisitedBonus::Value) }
    }

    fn show(&self) -> String {
        match self {
            UnvisitedBonus::Once => "once".into(),
            UnvisitedBonus::Value(number) => number.to_string(),
        }
    }
}

options! {
    /// The size of a bonus or radius.
    pub struct BonusOptions {
        /// The form of the bonus or radius.
        bonus: BonusForm = BonusForm::Original, "scaled or original" => |_| true;
        /// The bonus or radius is multiplied by this.
        coef: Option<f64> = None, "a number from 0 to 1e6" => |coef| coef.is_none_or(|coef| (0.0..=1e6).contains(&coef));
        /// The original bonus holds with probability 1 − delta.
        delta: f64 = 0.05, "a number from 1e-100 to 1" => |delta| (1e-100..=1.0).contains(delta);
        /// The bonus or radius of a pair never visited.
        unvisited_bonus: UnvisitedBonus = UnvisitedBonus::Once, "a number from 0 to 1e6, or once" => UnvisitedBonus::in_range;
    }
}

impl BonusOptions {
    /// Gives the coefficient the value that was found on other environments than the paper's (docs/algorithms.md).
    pub fn fill_in(&mut self) {
        self.coef.get_or_insert(0.03);
    }
}

/// b(s,a) as a function of the visits.
#[derive(Clone, Debug)]
pub struct Bonus {
    form: BonusForm,
    coef: f64,
    unvisited: UnvisitedBonus,
    /// The numerator under the root, for the present epoch.
    scale: f64,
}

impl Bonus {
    /// A bonus with these options.
    pub fn new(options: &BonusOptions) -> Bonus {
        let BonusOptions { bonus: form, coef, unvisited_bonus: unvisited, .. } = *options;
        Bonus { form, coef: coef.unwrap_or(0.0), unvisited, scale: 1.0 }
    }

    /// Takes the original scale of a new epoch; the form `scaled` has none.
    pub fn rescale(&mut self, original: f64) {
        self.scale = match self.form {
            BonusForm::Scaled => 1.0,
            BonusForm::Original => original.max(0.0),
        };
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
    fn a_bonus_shrinks_with_the_root_of_the_visits() {
        let mut model = CmdpBuilder::new(1, &[]);
        model.pair(0, &[(0, 1.0)], 0.0, &[]).pair(0, &[(0, 1.0)], 0.0, &[]).pair(0, &[(0, 1.0)], 0.0, &[]);
        let model = model.build().unwrap();
        let mut counts = Counts::new(&model);
        counts.taken_mut().1.copy_from_slice(&[4, 0, 1]);
        counts.tally();
        let with = |bonus, unvisited_bonus| {
            let options = BonusOptions { bonus, coef: Some(0.5), unvisited_bonus, ..BonusOptions::default() };
            let mut bonus = Bonus::new(&options);
            bonus.rescale(9.0);
            [0, 1, 2].map(|pair| bonus.of(&counts, pair))
        };
        assert_eq!(with(BonusForm::Scaled, UnvisitedBonus::Value(1.0)), [0.25, 1.0, 0.5]);
        assert_eq!(with(BonusForm::Original, UnvisitedBonus::Once), [0.75, 1.5, 1.5]);
    }
}
