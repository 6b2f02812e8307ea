//! `.cmdp`, a small text format to be written by hand and read by people.
//!
//! ```text
//! # a worker who must not overheat
//! cost heat  <= 0.5
//! cost noise <= 0.2
//! start idle
//!
//! state idle
//!   wait                              -> idle
//!   go     reward 1  heat 2           -> busy 0.9, idle 0.1
//! state busy
//!   run    reward 3  heat 1  noise 1  -> busy 0.5 (reward 4), idle 0.5
//!   stop                              -> idle
//! ```
//!
//! The grammar, a line each; `#` starts a comment, blank lines and indentation mean nothing:
//!
//! ```text
//! cost    = "cost" name ( "<=" ( number | "inf" ) | ">=" ( number | "-inf" ) )
//! start   = "start" place { "," place }
//! state   = "state" name                            its actions follow
//! action  = name signals "->" outcome { "," outcome }
//! outcome = place [ "(" signals ")" ]
//! place   = name [ number ]                         a state and its probability
//! signals = { ( "reward" | name ) number }          names of costs
//! number  = decimal | decimal "/" decimal           such as 0.25, 1e-3, 1/3
//! name    = characters other than white space , ( ) # that are not "->"
//! ```
//!
//! - `cost c >= x` holds the average of c to at least x. The model then has −c and the budget −x.
//! - A line with `->` is an action, so an action may be called `state`. Arrows stand between spaces.
//! - A signal that is not given is 0. Signals in parentheses are those of one outcome and replace the action's.
//! - A single successor may leave out its probability, which is 1. Successors given twice are added up, and their
//!   signals averaged.
//! - Costs, the start and states may be used before the line that declares them. Without a start line, the first state
//!   is the start.
//! - Names that are only indices (states `0`, `1`, …, the actions `0`, `1`, … of a state, costs `c0`, `c1`, …) are what
//!   unnamed things are called, and are read as such.

mod declared;
mod read;
mod words;
mod write;

pub use read::{parse, parse_with, read};
pub use write::{to_string, write};
