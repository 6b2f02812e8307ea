//! Everything that can go wrong, with the place and the number that is wrong.
//!
//! One enum for the whole library, and therefore one long file: whoever calls it matches on one type. What can be wrong
//! with one kind of thing in many ways has an enum of its own in a file beside this one.

mod learner;
mod line;
mod place;
mod row;
mod start;
mod sum;
mod told;

pub use learner::LearnerProblem;
pub use line::LineProblem;
pub use row::RowProblem;
pub use start::StartProblem;
pub use sum::SumProblem;
pub use told::visible;

use std::path::PathBuf;
pub use told::system;
use told::{options, or_empty, short, size};

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong, where, and what would be right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Bytes that are no model.
    #[error("the bytes are no model that can be read: {what}")]
    Damaged {
        /// What is wrong with them.
        what: &'static str,
    },
    /// Bytes of a newer program.
    #[error(
        "the model is in version {found} of its binary form, and this program reads version {known}: it needs a newer one"
    )]
    NewerModel {
        /// The version of the bytes.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// A model without states.
    #[error("the model has no states")]
    NoStates,
    /// More states than an index holds.
    #[error("the model has {states} states, at most {most} are supported")]
    TooManyStates {
        /// How many there are.
        states: usize,
        /// How many there may be.
        most: usize,
    },
    /// A state in which nothing can be done.
    #[error("state {state} has no actions; give an absorbing state an action that stays")]
    NoActions {
        /// The state's name.
        state: String,
    },
    /// A pair that belongs to a state outside the model.
    #[error("an action is given for state {state}, but the model has {states} states")]
    UnknownState {
        /// The state's index.
        state: usize,
        /// How many states there are.
        states: usize,
    },
    /// A row of transitions that is no distribution over the states.
    #[error("transition row (state {state}, action {action}) {problem}")]
    Row {
        /// The state's name.
        state: String,
        /// The action's name.
        action: String,
        /// What is wrong with it.
        problem: RowProblem,
    },
    /// A reward or cost that is not a number, or too large to compute with.
    #[error(
        "{signal} of (state {state}, action {action}) is {}, expected a finite number of at most 1e100 in size",
        short(*value)
    )]
    Signal {
        /// `reward` or the cost's name.
        signal: String,
        /// The state's name.
        state: String,
        /// The action's name.
        action: String,
        /// The number given.
        value: f64,
    },
    /// A pair with the wrong number of costs.
    #[error("(state {state}, action {action}) has {found} costs, expected {expected}")]
    CostCount {
        /// The state's name.
        state: String,
        /// The action's name.
        action: String,
        /// How many it has.
        found: usize,
        /// How many costs the model has.
        expected: usize,
    },
    /// A list of budgets of the wrong length.
    #[error("{found} budgets are given, but the model has {expected} costs")]
    BudgetCount {
        /// How many are given.
        found: usize,
        /// How many costs the model has.
        expected: usize,
    },
    /// A budget that no cost can be compared with.
    #[error("the budget of cost {cost} is {}, expected a number of at least -1e100, or inf (no constraint)", short(*value))]
    Budget {
        /// The cost's name.
        cost: String,
        /// The number given.
        value: f64,
    },
    /// A start distribution that is not one.
    #[error("the start distribution {problem}")]
    Start {
        /// What is wrong with it.
        problem: StartProblem,
    },
    /// Names that do not fit the model.
    #[error("{found} names of {what} are given, expected {expected}")]
    NameCount {
        /// What is named.
        what: &'static str,
        /// How many names there are.
        found: usize,
        /// How many things there are.
        expected: usize,
    },
    /// A table whose length does not fit the model.
    #[error("{what} has {found} entries, expected {expected}")]
    TableLength {
        /// Which table.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// A policy whose probabilities in a state are not a distribution.
    #[error("the policy's probabilities in state {state} sum to {sum}, expected 1 within 1e-9")]
    PolicyRow {
        /// The state's name.
        state: String,
        /// Their sum.
        sum: f64,
    },
    /// A policy that takes an action that is not there.
    #[error("the policy takes pair {pair}, but the model has {pairs} pairs")]
    UnknownPair {
        /// The pair's index.
        pair: usize,
        /// How many pairs there are.
        pairs: usize,
    },
    /// A radius that is not a size.
    #[error("the radius of (state {state}, action {action}) is {}, expected a number of at least 0", short(*value))]
    Radius {
        /// The state's name.
        state: String,
        /// The action's name.
        action: String,
        /// The number given.
        value: f64,
    },
    /// An option outside its range.
    #[error("{option} is {}, expected {expected}", or_empty(value))]
    Option {
        /// The option's name.
        option: &'static str,
        /// The value given.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// Probabilities too small for the arithmetic.
    #[error(
        "state {state} is left with a probability too small to compute with (the long run is not resolved in double precision)"
    )]
    Underflow {
        /// The state's name.
        state: String,
    },
    /// A policy that no method evaluates to a certified number.
    #[error(
        "the long run of a policy on {states} states is not resolved: iteration ended with a relative residual of {}, above 1e-9, and elimination would take too much memory; the chain falls nearly apart", short(*residual)
    )]
    NotConverged {
        /// The states of its chain.
        states: usize,
        /// The residual reached, relative to the largest signal.
        residual: f64,
    },
    /// A model on which rounding leaves open whether its budgets can be met.
    #[error(
        "rounding leaves open whether the budgets can be met: the least violation lies between {lower} and {least}; states that are hardly ever left make this so, try other budgets or a model without them"
    )]
    Unsettled {
        /// The least scaled violation of a policy known.
        least: f64,
        /// What no policy stays below.
        lower: f64,
    },
    /// A plan whose gap is too wide for what it is needed for.
    #[error("{what} is not settled: {why} at a gain of {gain} with a gap of {}, above 1e-6 of the largest reward", short(*gap))]
    NotSettled {
        /// What the plan was made for.
        what: String,
        /// Why the search ended.
        why: &'static str,
        /// The gain reached.
        gain: f64,
        /// How far the optimum may lie above it.
        gap: f64,
    },
    /// A search that was stopped before it knew a plan within the budgets.
    #[error("stopped before a plan within the budgets was known; the least violation so far is {violation}")]
    Stopped {
        /// The least scaled violation so far.
        violation: f64,
    },
    /// An answer whose proof does not hold: a fault of this program.
    #[error("the answer is not proved: {reason}")]
    Unproved {
        /// What does not hold.
        reason: String,
    },
    /// A sum that has no best policy, or none at all.
    #[error(transparent)]
    Sum(#[from] SumProblem),
    /// A criterion that a planner does not know.
    #[error("{what}; expected {expected}")]
    Criterion {
        /// What does not go together.
        what: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A trial that was stopped before its end.
    #[error("stopped after {step} of {rounds} rounds")]
    Interrupted {
        /// Steps taken.
        step: u64,
        /// Steps there should have been.
        rounds: u64,
    },
    /// A mixture that could not be found in the arithmetic.
    #[error(
        "the mixture of {policies} policies on {states} states was lost in rounding; rescale rewards and costs, or try the planner `lp`"
    )]
    Master {
        /// States of the model.
        states: usize,
        /// Policies known.
        policies: usize,
    },
    /// A name that nothing has; the known ones are listed.
    #[error("unknown {what} {name}; known: {}", known.join(", "))]
    Unknown {
        /// What kind of thing is named.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// An option that the environment or learner does not have.
    #[error("{of} has no option {option}; {}", options(known))]
    UnknownOption {
        /// The environment or learner.
        of: String,
        /// The option's name.
        option: String,
        /// The options there are.
        known: Vec<String>,
    },
    /// An option without a value that makes sense everywhere.
    #[error("{of} needs a value of {option} here ({about}): {expected}")]
    OptionMissing {
        /// The learner.
        of: &'static str,
        /// The option's name.
        option: &'static str,
        /// What it means.
        about: &'static str,
        /// The values it takes.
        expected: &'static str,
    },
    /// A table of a policy that cannot be understood.
    #[error("{problem}")]
    PolicyTable {
        /// What is wrong, and in which line.
        problem: String,
    },
    /// A learner that a task does not suit.
    #[error(transparent)]
    Learner(#[from] LearnerProblem),
    /// A line of a table of prior weights that cannot be understood.
    #[error("line {line}: {problem}")]
    PriorTable {
        /// The line's number, from 1.
        line: u64,
        /// What is wrong in it.
        problem: String,
    },
    /// A row of prior weights that is no prior.
    #[error("(state {state}, action {action}) is given {problem}")]
    PriorRow {
        /// The state's name.
        state: String,
        /// The action's name.
        action: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// An option given twice that takes one value.
    #[error("option {option} is given twice")]
    OptionTwice {
        /// The option's name.
        option: &'static str,
    },
    /// An option that means nothing here.
    #[error("option {option} applies only to {applies_to}")]
    OptionNotHere {
        /// The option's name.
        option: &'static str,
        /// What it is for.
        applies_to: &'static str,
    },
    /// More of something than is sensible.
    #[error("more than {most} {what} are not supported")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Random models none of which can meet its budgets.
    #[error("none of the {tried} seeds from {first} on gives a model whose budgets can be met together")]
    NoFeasibleSeed {
        /// The first seed.
        first: u64,
        /// How many seeds were tried.
        tried: u64,
    },
    /// A linear program that the solver gave up on.
    #[error(
        "the linear program of {states} states and {pairs} pairs was not solved: {reason}; the planner `prices` does not need it"
    )]
    LinearProgram {
        /// States of the model.
        states: usize,
        /// Pairs of the model.
        pairs: usize,
        /// What the solver said.
        reason: String,
    },
    /// More memory than there is.
    #[error(
        "at least {} of memory are needed to read it, and {} are free",
        size(*needed),
        size(*free)
    )]
    Memory {
        /// How many bytes it would take.
        needed: u64,
        /// How many there are.
        free: u64,
    },
    /// A packed file that cannot be unpacked.
    #[error("the gzip data are damaged or cut off ({reason})")]
    Gzip {
        /// What is wrong with them.
        reason: String,
    },
    /// A learner whose tables have no room.
    #[error(
        "the model is too large for {option}={value} of {learner}: {pairs} pairs × {states} states are more than {most} \
         probabilities; {option}={instead} needs far fewer"
    )]
    LearnerTooLarge {
        /// The learner.
        learner: &'static str,
        /// The option that asks for a row of all states for every pair.
        option: &'static str,
        /// Its value.
        value: String,
        /// A value that does not.
        instead: &'static str,
        /// States of the model.
        states: usize,
        /// Pairs of the model.
        pairs: usize,
        /// How many probabilities there may be.
        most: usize,
    },
    /// A file that cannot be read or written.
    #[error("{}: {}", path.display(), system(source))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line of a text that cannot be understood.
    #[error("line {line}: {problem}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// What is wrong in it.
        problem: LineProblem,
    },
    /// Anything above, found in a line of a text.
    #[error("line {line}: {source}")]
    AtLine {
        /// The line's number, from 1.
        line: usize,
        /// What is wrong in it.
        source: Box<Error>,
    },
    /// Anything above, found in a named file; one line, whatever of the file is repeated.
    #[error("{}", visible(&format!("{}: {source}", path.display())))]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        source: Box<Error>,
    },
}
