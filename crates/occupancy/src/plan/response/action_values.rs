//! What actions are worth by the bias at hand: w(s,a) + Σ P(s′∣s,a) h(s′), and the best of them.

use super::policy_iteration::PolicyIteration;
use super::region::{Chosen, Region};
use crate::arithmetic::dense::products;

impl PolicyIteration {
    /// Sets the values of all pairs of a dense model, in one loop that is compiled for the machine.
    pub(super) fn set_dense_values(&mut self, region: &Region) {
        if let Some(all) = region.dense_rows() {
            self.first_value = 0;
            self.values.resize(region.choices.model.pairs(), 0.0);
            products(all, None, std::slice::from_ref(&self.bias), &mut self.values);
            self.values.iter_mut().zip(&self.weighted).for_each(|(value, w)| *value += w);
        }
    }

    /// Sets the values of the pairs of a state, unless they are at hand.
    #[inline(always)]
    pub(super) fn set_values_of(&mut self, region: &Region, state: usize) {
        if region.dense_rows().is_none() {
            self.look_up_values_of(region, state);
        }
    }

    fn look_up_values_of(&mut self, region: &Region, state: usize) {
        let (choices, pairs) = (region.choices, region.choices.model.pairs_of(state));
        self.first_value = pairs.start;
        self.values.clear();
        let (rows, bias) = (choices.model.kernel().all_rows(), self.bias.as_slice());
        let usable = self.weighted[pairs.clone()].iter().zip(&region.inside[pairs.clone()]);
        self.values.extend(pairs.zip(usable).map(|(pair, (w, &inside))| {
            let is_fixed = inside && !choices.is_free(pair);
            if is_fixed { w + rows.row(pair).dot(bias) } else { f64::NEG_INFINITY }
        }));
    }

    /// w + Σ p h in a state under the policy.
    #[inline(always)]
    pub(super) fn value(&self, region: &Region, chosen: &Chosen, state: usize) -> f64 {
        match chosen.pair[state] as usize {
            pair if region.choices.is_free(pair) => {
                self.weighted[pair] + chosen.dot(&region.choices, state, &self.bias)
            }
            pair => self.values[pair - self.first_value],
        }
    }

    /// The best (value, pair) of a state, `current` among ties; a free pair's row is left in `best_row`.
    #[inline(always)]
    pub(super) fn best_action(
        &mut self,
        region: &Region,
        state: usize,
        current: (f64, usize),
    ) -> (f64, usize) {
        if region.choices.radii.is_some() {
            return self.best_free_action(region, state, current);
        }
        let (pairs, mut best) = (region.choices.model.pairs_of(state), current);
        let values = &self.values[pairs.start - self.first_value..pairs.end - self.first_value];
        let usable = values.iter().zip(&region.inside[pairs.clone()]);
        for (pair, (&value, &inside)) in pairs.zip(usable) {
            best = if inside & (value > best.0) { (value, pair) } else { best };
        }
        best
    }

    /// [`PolicyIteration::best_action`] where rows may be chosen.
    fn best_free_action(&mut self, region: &Region, state: usize, current: (f64, usize)) -> (f64, usize) {
        let (choices, mut best) = (region.choices, current);
        for pair in region.pairs(state) {
            let value = if choices.is_free(pair) {
                let (row, scratch) = (&mut self.row, &mut self.scratch);
                self.weighted[pair] + choices.best_row(pair, &self.bias, &self.order, row, scratch)
            } else {
                self.values[pair - self.first_value]
            };
            if value > best.0 {
                best = (value, pair);
                std::mem::swap(&mut self.row, &mut self.best_row);
            }
        }
        best
    }
}
