//! Environments: functions that build a model.
//!
//! [`EnvConfig`] is the registry: a name and options become an environment.
//!
//! ```
//! use occupancy::env::EnvConfig;
//! let options = [("slip".to_string(), "0.1".to_string())];
//! let env = EnvConfig::from_options("marsrover-4x4", &options).unwrap().build().unwrap();
//! assert_eq!((env.model.states(), env.model.budgets()), (16, &[0.2][..]));
//! ```

mod box_grid;
mod config;
mod episodes;
mod garnet;
mod grid;
mod inventory;
mod job_scheduling;
mod map;
mod map_file;
mod media;
mod moves;
mod needle;
mod queue;
mod river_swim;
#[cfg(test)]
mod testing;
mod two_state;
mod wireless_queue;

pub use crate::options::{Budgets, OptionInfo};
pub use box_grid::{BoxOptions, StateSet};
pub use config::{EnvConfig, Listing, list};
pub use episodes::Episodes;
pub use garnet::GarnetOptions;
pub use grid::GridOptions;
pub use inventory::{InventoryOptions, SaleWeights};
pub use job_scheduling::JobSchedulingOptions;
pub use map::Map;
pub use map_file::{MapOptions, from_map, from_map_file};
pub use media::MediaOptions;
pub use moves::Move;
pub use needle::NeedleOptions;
pub use queue::QueueOptions;
pub use river_swim::RiverSwimOptions;
pub use two_state::TwoStateOptions;
pub use wireless_queue::WirelessQueueOptions;

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
    /// What episodes are made of, if it is acted in by episodes: the model is then one of stages.
    pub episodes: Option<Episodes>,
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

impl Picture {
    /// The picture of a map, with the agent's and the box's cell in each state.
    fn new(map: &Map, agent: Vec<usize>, pushed: Option<Vec<usize>>) -> Picture {
        Picture { height: map.height(), width: map.width(), cells: map.cells().to_vec(), agent, pushed }
    }
}
