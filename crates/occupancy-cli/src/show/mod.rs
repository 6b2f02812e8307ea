//! Answers for people: short tables, sentences, and gridworlds drawn in the terminal.

pub mod caption;
pub mod criterion;
pub mod evaluate;
pub mod frontier;
pub mod grid;
pub mod hint;
pub mod ink;
pub mod learn;
pub mod learners;
pub mod plan;
pub mod policy;
pub mod progress;
pub mod run;
pub mod square;
pub mod stages;
pub mod stats;
pub mod table;
pub mod wrap;
