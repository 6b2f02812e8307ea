//! Writes a model as bytes.

use super::{MAGIC, VERSION};
use crate::model::names::{ActionNames, StateNames};
use crate::model::{Cmdp, Kernel, Names};
use flate2::Crc;
use std::io::{Result, Write};

/// Writes a model.
pub fn write(model: &Cmdp, out: &mut dyn Write) -> Result<()> {
    let mut bytes = Bytes { out, crc: Crc::new(), waiting: Vec::with_capacity(2 * FULL) };
    bytes.put(&MAGIC)?;
    bytes.put(&VERSION.to_le_bytes())?;
    bytes.count(model.states())?;
    bytes.count(model.costs())?;
    model.first_pair.iter().try_for_each(|&first| bytes.count(first))?;
    bytes.rows(&model.kernel, model.pairs())?;
    bytes.signals(model)?;
    bytes.numbers(&model.budgets)?;
    bytes.count(model.names.negated.len())?;
    model.names.negated.iter().try_for_each(|&cost| bytes.count(cost))?;
    bytes.count(model.start.len())?;
    for &(state, weight) in &model.start {
        bytes.count(state)?;
        bytes.numbers(&[weight])?;
    }
    bytes.names(&model.names)?;
    bytes.put(&[u8::from(model.stages.is_some())])?;
    if let (Some(stages), Some(ends)) = (&model.stages, model.ends()) {
        bytes.count(stages.horizon)?;
        bytes.names(&stages.names)?;
        bytes.rows(ends, model.pairs() / stages.horizon)?;
    }
    bytes.flush()?;
    let sum = bytes.crc.sum();
    bytes.out.write_all(&sum.to_le_bytes())
}

/// So many bytes are written at once.
const FULL: usize = 1 << 16;

struct Bytes<'a> {
    out: &'a mut dyn Write,
    crc: Crc,
    waiting: Vec<u8>,
}

impl Bytes<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < FULL { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        self.crc.update(&self.waiting);
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    fn count(&mut self, count: usize) -> Result<()> {
        self.put(&(count as u64).to_le_bytes())
    }

    fn indices(&mut self, indices: impl IntoIterator<Item = u32>) -> Result<()> {
        indices.into_iter().try_for_each(|index| self.put(&index.to_le_bytes()))
    }

    fn numbers(&mut self, numbers: &[f64]) -> Result<()> {
        numbers.iter().try_for_each(|number| self.put(&number.to_le_bytes()))
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.count(text.len())?;
        self.put(text.as_bytes())
    }

    fn texts<'t>(&mut self, mut texts: impl ExactSizeIterator<Item = &'t str>) -> Result<()> {
        self.count(texts.len())?;
        texts.try_for_each(|text| self.text(text))
    }

    fn rows(&mut self, kernel: &Kernel, pairs: usize) -> Result<()> {
        let mut first = 0;
        self.indices([0])?;
        for pair in 0..pairs {
            first += kernel.row(pair).iter().count() as u32;
            self.indices([first])?;
        }
        for pair in 0..pairs {
            self.indices(kernel.row(pair).iter().map(|(next, _)| next as u32))?;
        }
        for pair in 0..pairs {
            kernel.row(pair).iter().try_for_each(|(_, p)| self.numbers(&[p]))?;
        }
        Ok(())
    }

    fn signals(&mut self, model: &Cmdp) -> Result<()> {
        let signals = &model.signals;
        (0..signals.count()).try_for_each(|k| self.numbers(signals.signal(k)))?;
        for k in 0..signals.count() {
            let mut values = signals.by_transition(k);
            self.put(&[u8::from(values.is_some())])?;
            values.iter_mut().flatten().try_for_each(|value| self.numbers(&[value]))?;
        }
        Ok(())
    }

    fn names(&mut self, names: &Names) -> Result<()> {
        match &names.states {
            None => self.put(&[0])?,
            Some(StateNames::List(list)) => {
                self.put(&[1])?;
                self.texts(list.iter())?;
            }
            Some(StateNames::Cells { width, lists }) => {
                self.put(&[2])?;
                self.count(*width)?;
                self.count(lists.len())?;
                for cells in lists {
                    self.count(cells.len())?;
                    self.indices(cells.iter().copied())?;
                }
            }
        }
        self.put(&[u8::from(names.actions.is_some())])?;
        if let Some(ActionNames { distinct, of }) = &names.actions {
            self.texts(distinct.iter().map(String::as_str))?;
            self.count(of.len())?;
            self.indices(of.iter().copied())?;
        }
        self.put(&[u8::from(names.costs.is_some())])?;
        if let Some(costs) = &names.costs {
            self.texts(costs.iter().map(String::as_str))?;
        }
        self.count(names.labels.len())?;
        for (label, states) in &names.labels {
            self.text(label)?;
            self.count(states.len())?;
            self.indices(states.iter().copied())?;
        }
        Ok(())
    }
}
