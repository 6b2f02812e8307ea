//! Tiny models of bad temper: probabilities and signals from tables of awkward numbers, ties, repeated rows, absorbing
//! starts, and budgets exactly at what some policy costs.

use crate::Attained;
use arbitrary::{Arbitrary, Result, Unstructured};
use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder, Policy, text};
use occupancy::plan::OffSupport;
use std::fmt;
use std::sync::LazyLock;

/// Awkward numbers, the worst last.
const PROBABILITIES: [f64; 14] = [
    0.5,
    1.0,
    0.0,
    1.0 / 3.0,
    0.1,
    1e-3,
    1e-6,
    1e-9,
    1e-12,
    0.9999999999999999,
    1e-16,
    1e-50,
    1e-100,
    1e-300,
];
const SIGNALS: [f64; 18] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    1.0 / 3.0,
    2.0,
    -0.25,
    1e-3,
    1e3,
    1.0 + 1e-15,
    1e-6,
    1e6,
    1e-12,
    -1e9,
    1e-300,
    -1e-300,
    1e100,
    -1e100,
];
const BUDGETS: [f64; 14] =
    [f64::INFINITY, 0.0, 0.5, 1.0, -1.0, 1.0 / 3.0, 1e-12, 1e9, -1e9, 1e-300, 1e100, -1e100, 1e300, f64::MAX];
/// How far from a policy's cost a budget lies, in units of the cost's size.
const OFFSETS: [f64; 8] = [0.0, 0.0, 1e-9, -1e-9, 1e-12, -1e-12, 1e-3, -1e-3];

/// How bad the numbers of the models are, said by the variable `TEMPER`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Temper {
    /// Probabilities from 1e-3, signals of 1e-3 to 1e3.
    Mild,
    /// Probabilities from 1e-12, signals of 1e-12 to 1e9.
    Bad,
    /// Everything that a model may have.
    Worst,
}

impl Temper {
    /// The worst unless the variable says otherwise.
    pub fn asked() -> Temper {
        static ASKED: LazyLock<Temper> = LazyLock::new(|| match std::env::var("TEMPER").as_deref() {
            Ok("mild") => Temper::Mild,
            Ok("bad") => Temper::Bad,
            _ => Temper::Worst,
        });
        *ASKED
    }

    /// The part of a table that this temper uses: as many of its first entries as are given for mild and bad.
    pub fn of(self, table: &[f64], mild: usize, bad: usize) -> &[f64] {
        match self {
            Temper::Mild => &table[..mild],
            Temper::Bad => &table[..bad],
            Temper::Worst => table,
        }
    }
}

fn probabilities() -> &'static [f64] {
    Temper::asked().of(&PROBABILITIES, 6, 9)
}

fn signals() -> &'static [f64] {
    Temper::asked().of(&SIGNALS, 10, 14)
}

fn table_of_budgets() -> &'static [f64] {
    Temper::asked().of(&BUDGETS, 6, 9)
}

/// A tiny model and how to ask about it.
pub struct Tiny {
    /// The model.
    pub model: Cmdp,
    /// Where the long run is counted from.
    pub from: Origin,
    /// What policies do where the plan never goes.
    pub off_support: OffSupport,
    /// Deterministic policies to hold against the plan.
    pub rivals: Vec<Policy>,
}

impl Tiny {
    /// The least positive probability of all rows.
    pub fn least_probability(&self) -> f64 {
        let rows = (0..self.model.pairs()).flat_map(|pair| self.model.kernel().row(pair).iter());
        rows.map(|(_, p)| p).fold(1.0, f64::min)
    }
}

impl<'a> Arbitrary<'a> for Tiny {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Tiny> {
        let (states, costs) = (u.int_in_range(1..=6)?, u.int_in_range(0..=3)?);
        let mut builder = CmdpBuilder::new(states, &vec![f64::INFINITY; costs]);
        let mut last = (vec![(0, 1.0)], vec![0.0; costs + 1]);
        for state in 0..states {
            for _ in 0..u.int_in_range(1..=4)? {
                let again: u8 = u.int_in_range(0..=15)?;
                if again != 1 {
                    last.0 = row(u, states)?;
                }
                if again > 2 {
                    last.1 = (0..=costs).map(|_| u.choose(signals()).copied()).collect::<Result<_>>()?;
                }
                builder.pair(state, &last.0, last.1[0], &last.1[1..]);
            }
        }
        builder.start_distribution(&row(u, states)?);
        let model = builder.build().expect("rows sum to one and numbers are in range");
        let from = match u.int_in_range(0..=2)? {
            0 => Origin::Start,
            1 => Origin::Anywhere,
            _ => Origin::State(u.choose_index(states)?),
        };
        let off_support = *u.choose(&[OffSupport::Pinned, OffSupport::Uniform, OffSupport::First])?;
        let rivals = (0..u.int_in_range(1..=4)?).map(|_| rival(u, &model)).collect::<Result<Vec<_>>>()?;
        let budgets = budgets(u, &model, from, &rivals)?;
        let model = model.with_budgets(&budgets).expect("budgets are in range");
        Ok(Tiny { model, from, off_support, rivals })
    }
}

/// One to three successors, possibly the same.
fn row(u: &mut Unstructured, states: usize) -> Result<Vec<(usize, f64)>> {
    let (mut row, mut left) = (Vec::new(), 1.0);
    for _ in 0..u.int_in_range(0..=2)? {
        let p = left * u.choose(probabilities())?;
        row.push((u.choose_index(states)?, p));
        left -= p;
    }
    row.push((u.choose_index(states)?, left));
    Ok(row)
}

fn rival(u: &mut Unstructured, model: &Cmdp) -> Result<Policy> {
    let pair = |state: usize| Ok(model.pairs_of(state).start + u.choose_index(model.pairs_of(state).len())?);
    let pairs = (0..model.states()).map(pair).collect::<Result<Vec<_>>>()?;
    Ok(Policy::deterministic(model, pairs).expect("a pair of every state"))
}

/// Budgets from the table, or at the costs of the first rival.
fn budgets(u: &mut Unstructured, model: &Cmdp, from: Origin, rivals: &[Policy]) -> Result<Vec<f64>> {
    let attained = Attained::by(model, &rivals[0], from).ok();
    let budget = |i: usize| -> Result<f64> {
        let size = model.signals().size(i + 1);
        match (u.arbitrary::<bool>()?, &attained) {
            (true, Some(attained)) => Ok((attained.signals[i + 1] + size * u.choose(&OFFSETS)?).max(-1e100)),
            _ => Ok(*u.choose(table_of_budgets())?),
        }
    };
    (0..model.costs()).map(budget).collect()
}

impl fmt::Debug for Tiny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "from {:?}, off support {:?}", self.from, self.off_support)?;
        let taken = |policy: &Policy| -> Vec<usize> {
            let taken = |&pair: &usize| policy.probabilities()[pair] > 0.0;
            (0..self.model.pairs()).filter(taken).collect()
        };
        writeln!(f, "rivals {:?}", self.rivals.iter().map(taken).collect::<Vec<_>>())?;
        write!(f, "{}", text::to_string(&self.model))
    }
}
