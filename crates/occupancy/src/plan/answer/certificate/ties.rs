//! What no policy exceeds in models whose ways between components are long: states that are worth the same share one g.
//!
//! On the way to the end a policy may wander for 1e12 decisions. A function that falls along every row, by which g is raised,
//! is then as large, and so is what rounding costs. Two things keep it small. States of which the value is the same up to
//! rounding get the very same g: rows between them need no raise, and wandering is mostly that. Of the other rows those
//! matter alone that are nearly as good as the best: along them the value is a martingale, which does not
//! move often. With the slack v − P v of a row and K large, the function u with
//!
//! ```text
//! u = max over rows that leave of (exit − K slack + P u)
//! ```
//!
//! falls where there is no slack, and as long as δ K ≤ 1 the raise v + δ u is paid for by the slack where it does not.
//!
//! h may be as large as it likes, and is raised by multiples of u + K v, which falls along every row that leaves. On the way it is
//! what rows bring above the value of their states; slack counts against that, so that no bad way makes it large. What is
//! left are the last bits of h where a way earns more than its end for as long as it takes.

use super::draft::{Draft, NOWHERE, of_states};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::{greatest, greatest_size};
use crate::error::Result;
use crate::plan::response::Scope;
use crate::plan::response::absorption::Absorption;
use crate::plan::response::components::{EndComponents, Groups, TRANSIENT};
use crate::verify::{Harmonic, Rows, drift};

/// How near is the same, both as shares of the greatest value: states whose values differ by less are tied, and a row with
/// more slack for each decision is too bad to be taken on a long way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearness {
    pub tied: f64,
    pub slack: f64,
}

/// What is tried: the first loses less, the second also ties states that only the errors of an iteration tell apart.
pub(super) const NEARNESSES: [Nearness; 2] =
    [Nearness { tied: 1e-13, slack: 1e-10 }, Nearness { tied: 1e-10, slack: 1e-8 }];

/// What rows bring on the way counts less by so many times their slack.
const AGAINST: f64 = 1e5;

/// A superharmonic pair for a signal, near a bias and the value of every state; `None` if rounding defeats it.
pub(super) fn by_ties(
    scope: &Scope,
    signal: &(dyn Fn(usize) -> Interval + Sync),
    (bias, value): (&[f64], &[f64]),
    ends: &mut Absorption,
    near: Nearness,
) -> Result<Option<Harmonic>> {
    let (choices, model) = (scope.choices, scope.choices.model);
    let size = greatest_size(value.iter().copied());
    let (ties, values) = Ties::of(scope, value, near.tied * size);
    let same: Vec<f64> = ties.spread(&values);
    let slack = |pair: usize| (-drift(model, pair, model.state_of(pair), &same).high).max(0.0);
    let brings = |pair: usize| {
        let state = model.state_of(pair);
        (signal(pair) + drift(model, pair, state, bias)).high - same[state] - AGAINST * slack(pair)
    };
    let lift = ends.most_on_the_way(&choices, brings)?;
    let lift = of_states(&ends.node_of, &lift);
    let lifted: Vec<f64> = (0..bias.len()).map(|s| bias[s] + lift[s] + AGAINST * same[s]).collect();
    let mut ways = Absorption::new(&choices, &ties.parts, &scope.within);
    ways.aim_high();
    let rate = |pair: usize| {
        let here = ties.parts.of[model.state_of(pair)];
        let row = model.kernel().row(pair).iter();
        let exit: f64 = row.filter(|&(next, _)| ties.parts.of[next] != here).map(|(_, p)| p).sum();
        exit - slack(pair) / (near.slack * size)
    };
    let falls = ways.most_on_the_way(&choices, rate)?;
    let falls_of_bias: Vec<f64> =
        of_states(&ties.node, &falls).iter().zip(&same).map(|(u, v)| u + v / (near.slack * size)).collect();
    // Node 0 is the end.
    let of_nodes: Vec<f64> = std::iter::once(0.0).chain(values).collect();
    let draft = Draft {
        model,
        rows: Rows::All,
        signal,
        node: &ties.node,
        stays: &|_, pair| ties.parts.inside[pair],
        falls: &falls,
        falls_of_bias: &falls_of_bias,
    };
    // What rounding of h adds to the gain of one component is added everywhere, which leaves all drifts as they are.
    Ok(draft.lifted(of_nodes.len(), lifted[..].into(), |gains| {
        let over = greatest(gains.iter().zip(&of_nodes).map(|(gain, value)| gain - value)).max(0.0);
        of_nodes.iter().map(|value| value + over).collect()
    }))
}

/// The states that are worth the same.
struct Ties {
    /// They are looked at like components.
    parts: EndComponents,
    /// The node of every state, or [`NOWHERE`].
    node: Vec<u32>,
}

impl Ties {
    /// The ties of some values, and the greatest value of each.
    fn of(scope: &Scope, value: &[f64], same: f64) -> (Ties, Vec<f64>) {
        let model = scope.choices.model;
        let mut order: Vec<usize> = (0..value.len()).filter(|&state| scope.within[state]).collect();
        order.sort_by(|&a, &b| value[a].total_cmp(&value[b]).then(a.cmp(&b)));
        let (mut of, mut values): (Vec<u32>, Vec<f64>) = (vec![TRANSIENT; value.len()], Vec::new());
        for &state in &order {
            match values.last_mut() {
                Some(last) if value[state] - *last <= same => *last = value[state],
                _ => values.push(value[state]),
            }
            of[state] = values.len() as u32 - 1;
        }
        let mut members = Groups::default();
        members.collect(values.len(), &of);
        let stays = |pair: usize| {
            let here = of[model.state_of(pair)];
            here != TRANSIENT && model.kernel().row(pair).iter().all(|(next, _)| of[next] == here)
        };
        let inside = (0..model.pairs()).map(stays).collect();
        let node = of.iter().map(|&tie| if tie == TRANSIENT { NOWHERE } else { tie + 1 }).collect();
        (Ties { parts: EndComponents { of, members, inside, sources: None }, node }, values)
    }

    /// Numbers of ties as numbers of states.
    fn spread(&self, of_ties: &[f64]) -> Vec<f64> {
        self.parts.of.iter().map(|&tie| if tie == TRANSIENT { 0.0 } else { of_ties[tie as usize] }).collect()
    }
}
