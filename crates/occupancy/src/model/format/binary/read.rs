//! Reads a model from bytes as they come, each number checked before anything rests on it.

use super::bytes::{Bytes, damaged};
use super::{MAGIC, VERSION};
use crate::error::{Error, Result};
use crate::model::cmdp::{check_budget, in_range};
use crate::model::format::stream::{Meter, Unpacked};
use crate::model::layered::Stages;
use crate::model::listed::Listed;
use crate::model::names::{ActionNames, StateNames};
use crate::model::rows::SUM_TOLERANCE;
use crate::model::support::Support;
use crate::model::{Cmdp, Kernel, Names, Signals};
use std::path::Path;
use std::sync::Arc;

/// The model of these bytes.
pub fn read(bytes: &[u8]) -> Result<Cmdp> {
    model(Unpacked::of(bytes, Path::new(""), None)?)
}

/// The model of a file, with a meter of how far it has come.
pub fn read_file(path: impl AsRef<Path>, meter: &Meter) -> Result<Cmdp> {
    let path = path.as_ref();
    model(Unpacked::of_file(path, meter)?).map_err(|error| error.in_file_once(path))
}

fn model(from: Unpacked<'_>) -> Result<Cmdp> {
    let mut rest = Bytes::of(from);
    match rest.take() {
        Ok(MAGIC) => {}
        Ok(_) | Err(Error::Damaged { .. }) => return damaged("it does not begin like one"),
        Err(error) => return Err(error),
    }
    body(&mut rest).map_err(|error| rest.because(error))
}

/// What is after the first word.
fn body(rest: &mut Bytes) -> Result<Cmdp> {
    let version = rest.index()?;
    if version != VERSION {
        return Err(Error::NewerModel { found: version, known: VERSION });
    }
    let (states, costs) = (rest.count()?, rest.count()?);
    if states == 0 || states >= u32::MAX as usize {
        return damaged("its number of states");
    }
    let first_pair = rest.first_pairs(states)?;
    let pairs = first_pair[states];
    let (support, probability) = rest.rows(pairs, states)?;
    let signals = rest.signals(costs, pairs, (&support, states))?;
    let budgets = rest.numbers(costs)?;
    let negated = rest.list(|rest| rest.count_below(costs))?;
    let start = rest.list(|rest| Ok((rest.count_below(states)?, rest.number()?)))?;
    check_start(&start)?;
    let mut names = rest.names(states, pairs, costs)?;
    names.negated = negated;
    for (i, &budget) in budgets.iter().enumerate() {
        check_budget(&names.cost(i), budget)?;
    }
    let stages = rest.stages(states, pairs, costs)?;
    rest.end()?;
    let kernel = Kernel::from_sparse(states, support, probability);
    Ok(Cmdp { first_pair, kernel, signals, budgets, start, names, stages })
}

fn check_start(start: &[(usize, f64)]) -> Result<()> {
    let sum: f64 = start.iter().map(|&(_, weight)| weight).sum();
    let ordered = start.windows(2).all(|two| two[0].0 < two[1].0);
    let positive = start.iter().all(|&(_, weight)| weight > 0.0);
    if ordered && positive && (sum - 1.0).abs() <= SUM_TOLERANCE { Ok(()) } else { damaged("its start") }
}

impl Bytes<'_> {
    fn flag(&mut self) -> Result<u8> {
        Ok(self.take::<1>()?[0])
    }

    fn count(&mut self) -> Result<usize> {
        usize::try_from(u64::from_le_bytes(self.take()?)).or_else(|_| damaged("a number is too large"))
    }

    fn count_below(&mut self, end: usize) -> Result<usize> {
        let count = self.count()?;
        if count < end { Ok(count) } else { damaged("an index is too large") }
    }

    fn index(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn number(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let (count, mut all) = (self.count()?, Vec::new());
        for _ in 0..count {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn list_of_indices(&mut self) -> Result<Vec<u32>> {
        let count = self.count()?;
        self.indices(count)
    }

    fn texts(&mut self) -> Result<Listed> {
        let (count, mut bytes, mut texts) = (self.count()?, Vec::new(), Listed::default());
        for _ in 0..count {
            let length = self.count()?;
            self.text(length, &mut bytes)?;
            texts.push(std::str::from_utf8(&bytes).or_else(|_| damaged("a name is not UTF-8"))?);
        }
        texts.shrink_to_fit();
        Ok(texts)
    }

    fn strings(&mut self) -> Result<Vec<String>> {
        Ok(self.texts()?.iter().map(String::from).collect())
    }

    fn label(&mut self) -> Result<(String, Vec<u32>)> {
        let (length, mut bytes) = (self.count()?, Vec::new());
        self.text(length, &mut bytes)?;
        let label = String::from_utf8(bytes).or_else(|_| damaged("a label is not UTF-8"))?;
        Ok((label, self.list_of_indices()?))
    }

    fn first_pairs(&mut self, states: usize) -> Result<Vec<usize>> {
        let first = self.places(states + 1)?;
        let increasing = first[0] == 0 && first.windows(2).all(|two| two[0] < two[1]);
        if increasing { Ok(first) } else { damaged("the pairs of its states") }
    }

    fn rows(&mut self, pairs: usize, states: usize) -> Result<(Arc<Support>, Vec<f64>)> {
        let first = self.indices(pairs.saturating_add(1))?;
        if first[0] != 0 || !first.windows(2).all(|two| two[0] < two[1]) {
            return damaged("the beginnings of its rows");
        }
        let next = self.indices(first[pairs] as usize)?;
        let probability = self.numbers(next.len())?;
        for ends in first.windows(2) {
            let row = ends[0] as usize..ends[1] as usize;
            let known = next[row.clone()].iter().all(|&next| (next as usize) < states);
            let ordered = next[row.clone()].windows(2).all(|two| two[0] < two[1]);
            let sum: f64 = probability[row.clone()].iter().sum();
            let positive = probability[row].iter().all(|&p| p > 0.0);
            if !(known && ordered && positive && (sum - 1.0).abs() <= SUM_TOLERANCE) {
                return damaged("a row is no distribution");
            }
        }
        Ok((Arc::new(Support::of(first, next)), probability))
    }

    fn signals(
        &mut self,
        costs: usize,
        pairs: usize,
        (support, states): (&Arc<Support>, usize),
    ) -> Result<Signals> {
        let (mut means, mut values) = (Vec::new(), Vec::new());
        for _ in 0..=costs {
            means.push(self.numbers(pairs)?);
        }
        for _ in 0..=costs {
            values.push(match self.flag()? {
                0 => None,
                1 => Some(self.numbers(support.transitions())?),
                _ => return damaged("a flag is neither 0 nor 1"),
            });
        }
        let all = means.iter().chain(values.iter().flatten()).flatten();
        if all.copied().all(in_range) {
            Ok(Signals::of_transitions(means, values, (support, states)))
        } else {
            damaged("a reward or cost is no number to compute with")
        }
    }

    fn names(&mut self, states: usize, pairs: usize, costs: usize) -> Result<Names> {
        let of_states = match self.flag()? {
            0 => None,
            1 => Some(StateNames::List(self.texts()?)),
            2 => {
                let width = self.count()?;
                let lists = self.list(Self::list_of_indices)?;
                Some(StateNames::Cells { width: width.max(1), lists })
            }
            _ => return damaged("the kind of its names of states"),
        };
        let of_actions = match self.flag()? {
            0 => None,
            _ => Some(ActionNames { distinct: self.strings()?, of: self.list_of_indices()? }),
        };
        let of_costs = if self.flag()? == 0 { None } else { Some(self.strings()?) };
        let labels = self.list(Self::label)?;
        let named = of_actions.as_ref().is_none_or(|names| {
            names.of.len() == pairs && names.of.iter().all(|&name| (name as usize) < names.distinct.len())
        });
        let labelled = labels.iter().flat_map(|(_, states)| states).all(|&state| (state as usize) < states);
        let names =
            Names { states: of_states, actions: of_actions, costs: of_costs, negated: Vec::new(), labels };
        if !named || !labelled || names.check(states, costs).is_err() {
            return damaged("its names");
        }
        Ok(names)
    }

    fn stages(&mut self, states: usize, pairs: usize, costs: usize) -> Result<Option<Arc<Stages>>> {
        if self.flag()? == 0 {
            return Ok(None);
        }
        let horizon = self.count()?;
        if horizon == 0 || !states.is_multiple_of(horizon) || !pairs.is_multiple_of(horizon) {
            return damaged("its horizon");
        }
        let (states, pairs) = (states / horizon, pairs / horizon);
        let names = self.names(states, pairs, costs)?;
        let (support, probability) = self.rows(pairs, states)?;
        let ends = Kernel::from_sparse(states, support, probability);
        Ok(Some(Arc::new(Stages { horizon, names, ends })))
    }
}
