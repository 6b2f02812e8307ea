//! A model as seen from where its long run is counted: what can be reached, and the end components there.

use super::absorption::Absorption;
use super::choices::Choices;
use super::components::{EndComponents, TRANSIENT, end_components};
use super::region::Region;
use crate::chain::solver::Solver;
use crate::error::{Error, Result};
use crate::model::Origin;
use crate::stop::StopFlag;

/// The structure of a model as seen from a scope.
pub(crate) struct Scope<'a> {
    pub choices: Choices<'a>,
    /// Not tied to a start.
    pub(super) anywhere: bool,
    pub(super) structure: Structure,
    /// Which component to end in, and how many decisions that takes at most; none if there is no choice.
    pub(super) absorption: Option<(Absorption, f64)>,
    is_large: bool,
}

/// The vectors of a [`Scope`], which the next one may use again.
#[derive(Default)]
pub(crate) struct Structure {
    /// The start distribution; empty from anywhere.
    pub(super) start: Vec<(usize, f64)>,
    /// The states that can be reached (all of them from anywhere).
    pub within: Vec<bool>,
    pub parts: EndComponents,
    /// The position of every state in its component.
    pub local: Vec<u32>,
    /// Ends long work on the structure early.
    pub stop: StopFlag,
}

impl Structure {
    /// No vectors yet, and a flag that ends long work on them.
    pub fn until(stop: StopFlag) -> Structure {
        Structure { stop, ..Structure::default() }
    }
}

impl std::ops::Deref for Scope<'_> {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        &self.structure
    }
}

impl<'a> Scope<'a> {
    /// Looks at a model from a scope, in the vectors of an earlier one.
    pub fn new(choices: Choices<'a>, origin: Origin, mut kept: Structure) -> Result<Scope<'a>> {
        let model = choices.model;
        kept.start.clear();
        match origin {
            Origin::Anywhere => {}
            Origin::Start => kept.start.extend_from_slice(model.start()),
            Origin::State(state) if state < model.states() => kept.start.push((state, 1.0)),
            Origin::State(state) => return Err(Error::UnknownState { state, states: model.states() }),
        }
        let anywhere = origin == Origin::Anywhere;
        kept.within.clear();
        kept.within.resize(model.states(), anywhere || choices.connects_all());
        if !anywhere && !choices.connects_all() {
            reach(&choices, &kept.start, &mut kept.within);
        }
        end_components(&choices, &kept.within, &mut kept.parts);
        kept.local.clear();
        kept.local.resize(model.states(), 0);
        for states in kept.parts.members.iter() {
            (0u32..).zip(states).for_each(|(position, &state)| kept.local[state as usize] = position);
        }
        let is_transient = |state: usize| kept.within[state] && kept.parts.of[state] == TRANSIENT;
        let settled = kept.parts.members.len() == 1 && !(0..model.states()).any(is_transient);
        let per_pair = model.kernel().entries() / model.pairs();
        let is_large = |states: &[u32]| Solver::is_large(states.len(), states.len() * per_pair);
        let is_large = kept.parts.members.iter().any(is_large);
        let mut scope = Scope { choices, anywhere, structure: kept, absorption: None, is_large };
        if !anywhere && !settled {
            let mut absorption = Absorption::new(&choices, &scope.parts, &scope.within);
            absorption.stop_by(scope.stop.clone());
            let longest = absorption.longest(&choices)?;
            scope.absorption = Some((absorption, longest));
        }
        Ok(scope)
    }

    /// The start distribution; none from anywhere.
    pub fn start(&self) -> Option<&[(usize, f64)]> {
        (!self.anywhere).then_some(&self.structure.start)
    }

    /// From now on this flag ends long work on the structure.
    pub fn stop_by(&mut self, stop: StopFlag) {
        self.structure.stop = stop;
    }

    /// The vectors, for another scope.
    pub fn into_structure(self) -> Structure {
        self.structure
    }

    /// Whether some component is solved by iteration.
    pub fn is_large(&self) -> bool {
        self.is_large
    }

    pub fn region(&self, component: usize) -> Region<'_> {
        Region::new(self.choices, &self.parts, &self.local, component)
    }

    /// The regions of all components, one after the other: what they have in common is looked up once.
    pub fn regions(&self) -> impl Iterator<Item = Region<'_>> {
        let whole = Region::whole(self.choices, &self.parts, &self.local);
        self.parts.members.iter().map(move |states| Region { states, ..whole })
    }
}

/// Marks the states that can be reached from a start, whatever is done.
pub(super) fn reach(choices: &Choices, start: &[(usize, f64)], seen: &mut [bool]) {
    let mut waiting: Vec<usize> = start.iter().map(|&(state, _)| state).collect();
    waiting.iter().for_each(|&state| seen[state] = true);
    while let Some(state) = waiting.pop() {
        for pair in choices.model.pairs_of(state) {
            choices.successors(pair, |next| {
                if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            });
        }
    }
}
