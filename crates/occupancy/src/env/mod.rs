//! Environments: functions that build a model.

use crate::model::Cmdp;

/// A named model and, for gridworlds, how to draw it.
#[derive(Clone, Debug)]
pub struct Env {
    /// Its name.
    pub name: String,
    /// The model.
    pub model: Cmdp,
    /// How to draw it, if it is a gridworld.
    pub picture: Option<Picture>,
}

/// What a cell of a gridworld is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nobody enters.
    Wall,
    /// Nothing special.
    Free,
    /// Where the agent starts.
    Start,
    /// The goal.
    Goal,
    /// Costs 1 to be in.
    Risky,
}

/// The grid behind a model, for drawing. Pairs of a state are its moves up, down, left, right.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Rows, walls included.
    pub height: usize,
    /// Columns, walls included.
    pub width: usize,
    /// The cells, row by row from the top.
    pub cells: Vec<Cell>,
    /// The agent's cell in each state.
    pub agent: Vec<usize>,
    /// The box's cell in each state, where there is a box.
    pub pushed: Option<Vec<usize>>,
}
