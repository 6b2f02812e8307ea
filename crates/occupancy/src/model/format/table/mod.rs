//! A plain table as a model: comma-separated lines, one for each possible outcome of an action.
//!
//! ```text
//! # budget risk <= 0.1
//! # start home
//! state, action, next, probability, reward, risk
//! home,  walk,   shop, 0.9,         1,      0
//! home,  walk,   home, 0.1,         0,      1
//! shop,  back,   home, 1,           0,      0
//! ```
//!
//! The grammar, a line each; blank lines mean nothing:
//!
//! ```text
//! header  = name { "," name }                 state, action, next, probability and reward in any order; the others are costs
//! outcome = cell { "," cell }                 one for each name of the header
//! budget  = "#" "budget" word ( "<=" number | ">=" number )       "inf" or "-inf" for no constraint
//! start   = "#" "start" word [ number ]       a state and its probability, 1 if it is left out
//! comment = "#" any other text
//! cell    = text | '"' text '"'               in quotes it may hold commas, and a quote is doubled
//! word    = text without white space < > | '"' text '"'
//! number  = decimal | decimal "/" decimal     such as 0.25, 1e-3, 1/3
//! ```
//!
//! - Reward and costs belong to one outcome (s,a,s′) and may differ by successor.
//! - The lines of an action may stand anywhere. States and actions are in the order in which the columns `state` and `action`
//!   name them first. Lines that repeat state, action and successor are added up, and their signals averaged.
//! - Comments may stand anywhere. One that begins with `budget` or `start` and cannot be read is an error. A cost without a
//!   budget is not constrained; without a start, the first state named is the start.
//! - Names that a spreadsheet would compute have a `'` in front ([`crate::cell`]). Names that are only indices are what unnamed
//!   things are called, and are read as such.

mod comments;
mod header;
mod interned;
mod read;
mod scattered;
mod together;
mod write;

pub use read::{parse, parse_with, read, read_with};
pub use write::{to_string, write};

/// The columns that are no costs.
const COLUMNS: [&str; 5] = ["state", "action", "next", "probability", "reward"];

/// Whether a text begins as a table does: its first line that is no comment names all columns.
pub fn is_table(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let names: Vec<&str> = first.unwrap_or("").split(',').map(|cell| cell.trim().trim_matches('"')).collect();
    COLUMNS.iter().all(|column| names.contains(column))
}
