//! What no policy exceeds: superharmonic pairs over all pairs of a model, made from the bias of a best response.

use super::draft::{Draft, NOWHERE, of_states};
use super::ties::{NEARNESSES, by_ties};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greatest, greatest_size};
use crate::error::Result;
use crate::plan::response::Scope;
use crate::plan::response::absorption::Absorption;
use crate::verify::{Harmonic, Rows, drift};

/// A bound that is wider than this share of the values is looked for in another way as well.
const NARROW: f64 = 1e-9;

/// A superharmonic pair for a signal of pairs, near the bias of its best policy.
pub(super) fn superharmonic(
    scope: &Scope,
    signal: &(dyn Fn(usize) -> Interval + Sync),
    bias: &[f64],
) -> Result<Harmonic> {
    let (choices, parts) = (scope.choices, &scope.parts);
    let states = choices.model.states();
    let leaves =
        (0..states).any(|s| scope.within[s] && choices.model.pairs_of(s).any(|pair| !parts.inside[pair]));
    let mut ends = leaves.then(|| Absorption::new(&choices, parts, &scope.within));
    if let Some(ends) = &mut ends {
        ends.aim_high();
    }
    let (node, nodes): (Vec<u32>, usize) = match &ends {
        Some(ends) => {
            (ends.node_of.iter().map(|&node| if node == 0 { NOWHERE } else { node }).collect(), ends.nodes())
        }
        None => (
            (0..states).map(|s| if scope.within[s] { parts.of[s] + 1 } else { NOWHERE }).collect(),
            parts.members.len() + 1,
        ),
    };
    let falls = match &mut ends {
        Some(ends) => ends.most_decisions(&choices)?,
        None => Vec::new(),
    };
    let falls_of_bias = of_states(&node, &falls);
    let draft = Draft {
        model: choices.model,
        rows: Rows::All,
        signal,
        node: &node,
        stays: &|_, pair| parts.inside[pair],
        falls: &falls,
        falls_of_bias: &falls_of_bias,
    };
    let anywhere = scope.start().is_none();
    let components = parts.members.len();
    let values = |ends: &mut Option<Absorption>, gains: &[f64]| -> Vec<f64> {
        let best = greatest(gains[1..].iter().copied());
        let found = match ends {
            Some(ends) if !anywhere => ends.values(&choices, &gains[1..=components]).ok(),
            None if !anywhere => Some(gains.to_vec()),
            _ => None,
        };
        // From anywhere, or if the ends are not resolved, all states are worth what the best one is.
        found.unwrap_or_else(|| vec![best; gains.len()])
    };
    let (first, mut bias, mut value) = (bias, bias.to_vec(), Vec::new());
    if leaves {
        let gains = draft.node_gains(nodes, bias[..].into());
        value = values(&mut ends, &gains);
        // Leaving pairs may bring more at first than their states are worth in the long run.
        let brings = |pair: usize| {
            let state = choices.model.state_of(pair);
            let first = (signal(pair) + drift(choices.model, pair, state, &bias)).high;
            (first - value[node[state] as usize]).max(0.0)
        };
        let lift =
            ends.as_mut().map(|ends| ends.most_on_the_way(&choices, brings)).transpose()?.unwrap_or_default();
        for (h, &node) in bias.iter_mut().zip(&node).filter(|(_, node)| **node != NOWHERE) {
            *h += lift[node as usize];
        }
    }
    let found = draft.above(nodes, bias[..].into(), |gains| values(&mut ends, gains));
    let Some((start, ends)) = scope.start().zip(ends.as_mut()) else { return Ok(found) };
    let value = of_states(&node, &value);
    let at_start = |of: &[f64]| start.iter().map(|&(state, p)| p * of[state]).sum::<f64>();
    let width = at_start(&found.gain) - at_start(&value);
    if width <= NARROW * greatest_size(value.iter().copied()) {
        return Ok(found);
    }
    let tied = NEARNESSES.map(|near| by_ties(scope, signal, (first, &value), ends, near).unwrap_or(None));
    let better = |best: Harmonic, other: Harmonic| {
        if at_start(&other.gain) < at_start(&best.gain) { other } else { best }
    };
    Ok(tied.into_iter().flatten().fold(found, better))
}
