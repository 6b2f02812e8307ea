//! Reads a model from bytes, each number checked before anything rests on it.

use super::{MAGIC, VERSION};
use crate::error::{Error, Result};
use crate::model::cmdp::{check_budget, in_range};
use crate::model::layered::Stages;
use crate::model::names::{ActionNames, StateNames};
use crate::model::rows::SUM_TOLERANCE;
use crate::model::support::Support;
use crate::model::{Cmdp, Kernel, Names, Signals};
use flate2::Crc;
use std::sync::Arc;

/// The model of these bytes.
pub fn read(bytes: &[u8]) -> Result<Cmdp> {
    let mut rest = Rest(checked(bytes)?);
    let (states, costs) = (rest.count()?, rest.count()?);
    if states == 0 || states >= u32::MAX as usize || costs > rest.0.len() {
        return damaged("its number of states or costs");
    }
    let first_pair = rest.first_pairs(states)?;
    let pairs = first_pair[states];
    let (support, probability) = rest.rows(pairs, states)?;
    let signals = rest.signals(1 + costs, pairs, &support)?;
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
    if !rest.0.is_empty() {
        return damaged("there is more than a model");
    }
    let kernel = Kernel::from_sparse(states, support, probability);
    Ok(Cmdp { first_pair, kernel, signals, budgets, start, names, stages })
}

fn damaged<T>(what: &'static str) -> Result<T> {
    Err(Error::Damaged { what })
}

/// What is between the head and the checksum, if both are right.
fn checked(bytes: &[u8]) -> Result<&[u8]> {
    let Some(after) = bytes.strip_prefix(&MAGIC) else { return damaged("it does not begin like one") };
    let (Some((version, _)), Some((body, sum))) = (after.split_first_chunk(), bytes.split_last_chunk())
    else {
        return damaged("it ends too early");
    };
    let mut crc = Crc::new();
    crc.update(body);
    if crc.sum() != u32::from_le_bytes(*sum) {
        return damaged("its checksum");
    }
    if u32::from_le_bytes(*version) != VERSION {
        return damaged("its version is not 1");
    }
    Ok(&body[MAGIC.len() + size_of::<u32>()..])
}

fn check_start(start: &[(usize, f64)]) -> Result<()> {
    let sum: f64 = start.iter().map(|&(_, weight)| weight).sum();
    let ordered = start.windows(2).all(|two| two[0].0 < two[1].0);
    let positive = start.iter().all(|&(_, weight)| weight > 0.0);
    if ordered && positive && (sum - 1.0).abs() <= SUM_TOLERANCE { Ok(()) } else { damaged("its start") }
}

/// What has not been read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((taken, rest)) = self.0.split_first_chunk() else { return damaged("it ends too early") };
        self.0 = rest;
        Ok(*taken)
    }

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

    /// So many things of so many bytes each are still there: nothing is reserved for what is only claimed.
    fn check_room(&self, count: usize, bytes: usize) -> Result<()> {
        if count.saturating_mul(bytes) > self.0.len() { damaged("it ends too early") } else { Ok(()) }
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<f64>> {
        self.check_room(count, size_of::<f64>())?;
        (0..count).map(|_| self.number()).collect()
    }

    fn indices(&mut self, count: usize) -> Result<Vec<u32>> {
        self.check_room(count, size_of::<u32>())?;
        (0..count).map(|_| self.index()).collect()
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.count()?;
        self.check_room(count, 1)?;
        (0..count).map(|_| one(self)).collect()
    }

    fn text(&mut self) -> Result<String> {
        let count = self.count()?;
        self.check_room(count, 1)?;
        let (text, rest) = self.0.split_at(count);
        self.0 = rest;
        String::from_utf8(text.to_vec()).or_else(|_| damaged("a name is not UTF-8"))
    }

    fn first_pairs(&mut self, states: usize) -> Result<Vec<usize>> {
        self.check_room(states + 1, size_of::<u64>())?;
        let first: Vec<usize> = (0..=states).map(|_| self.count()).collect::<Result<_>>()?;
        let increasing = first[0] == 0 && first.windows(2).all(|two| two[0] < two[1]);
        if increasing { Ok(first) } else { damaged("the pairs of its states") }
    }

    fn rows(&mut self, pairs: usize, states: usize) -> Result<(Arc<Support>, Vec<f64>)> {
        self.check_room(pairs.saturating_add(1), size_of::<u32>())?;
        let first = self.indices(pairs + 1)?;
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

    fn signals(&mut self, count: usize, pairs: usize, support: &Arc<Support>) -> Result<Signals> {
        let means: Vec<Vec<f64>> = (0..count).map(|_| self.numbers(pairs)).collect::<Result<_>>()?;
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(match self.flag()? {
                0 => None,
                1 => Some(self.numbers(support.transitions())?),
                _ => return damaged("a flag is neither 0 nor 1"),
            });
        }
        let all = means.iter().chain(values.iter().flatten()).flatten();
        if all.copied().all(in_range) {
            Ok(Signals::of_transitions(means, values, support))
        } else {
            damaged("a reward or cost is no number to compute with")
        }
    }

    fn names(&mut self, states: usize, pairs: usize, costs: usize) -> Result<Names> {
        let of_states = match self.flag()? {
            0 => None,
            1 => Some(StateNames::List(self.list(Self::text)?)),
            2 => {
                let width = self.count()?;
                let lists = self.list(|rest| rest.list(Self::index))?;
                Some(StateNames::Cells { width: width.max(1), lists })
            }
            _ => return damaged("the kind of its names of states"),
        };
        let of_actions = match self.flag()? {
            0 => None,
            _ => Some(ActionNames { distinct: self.list(Self::text)?, of: self.list(Self::index)? }),
        };
        let of_costs = if self.flag()? == 0 { None } else { Some(self.list(Self::text)?) };
        let labels = self.list(|rest| Ok((rest.text()?, rest.list(Self::index)?)))?;
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
