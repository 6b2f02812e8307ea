//! Families of models on which planners stumble: ties everywhere, many end components, periods, states never left.
//!
//! Each family is a function of its size, and of a seed if chance makes it; the same arguments give the same model
//! everywhere. [`CATALOGUE`] names the members that other solvers have answered too.

#![allow(dead_code)] // each test that includes this module uses some of it

mod explored;
mod grids;
mod mutual_exclusion;
mod philosophers;
mod schedulers;
mod wild;

pub use grids::{risky_map, tied_torus};
pub use mutual_exclusion::{Leaving, filter_lock};
use occupancy::model::Cmdp;
pub use philosophers::philosophers;
pub use schedulers::{round_robin, token_ring};
pub use wild::Wild;

/// A member of a family, by name.
pub struct Member {
    pub name: &'static str,
    pub build: fn() -> Cmdp,
}

const fn member(name: &'static str, build: fn() -> Cmdp) -> Member {
    Member { name, build }
}

/// The members that are dumped for other solvers, from small to large within each family.
pub const CATALOGUE: &[Member] = &[
    member("philosophers-2", || philosophers(2, None)),
    member("philosophers-3", || philosophers(3, None)),
    member("philosophers-2-rounds-2", || philosophers(2, Some(2))),
    member("philosophers-3-rounds-2", || philosophers(3, Some(2))),
    member("filter-lock-2", || filter_lock(2, Leaving::Never)),
    member("filter-lock-3", || filter_lock(3, Leaving::Never)),
    member("filter-lock-3-leaving", || filter_lock(3, Leaving::AtRest)),
    member("filter-lock-2-crashing", || filter_lock(2, Leaving::Anywhere)),
    member("filter-lock-3-crashing", || filter_lock(3, Leaving::Anywhere)),
    member("round-robin-3x5", || round_robin(3, 5)),
    member("round-robin-4x6", || round_robin(4, 6)),
    member("token-ring-3x3", || token_ring(3, 3)),
    member("token-ring-4x3", || token_ring(4, 3)),
    member("token-ring-4x4", || token_ring(4, 4)),
    member("tied-torus-15", || tied_torus(15)),
    member("tied-torus-40", || tied_torus(40)),
    member("risky-map-12x9-1", || risky_map(12, 9, 1)),
    member("risky-map-40x30-1", || risky_map(40, 30, 1)),
    member("risky-map-40x30-2", || risky_map(40, 30, 2)),
    member("risky-map-40x30-3", || risky_map(40, 30, 3)),
    member("wild-1005-plain", || Wild { states: 1005, ..Wild::plain(1) }.model()),
    member("wild-1200-deterministic", || {
        Wild { states: 1200, deterministic: true, ..Wild::plain(2) }.model()
    }),
    member("wild-1200-periodic", || Wild { states: 1200, period: 6, ..Wild::plain(3) }.model()),
    member("wild-999-absorbing", || Wild { states: 999, absorbing: 40, ..Wild::plain(4) }.model()),
    member("wild-1001-absorbing", || Wild { states: 1001, absorbing: 40, ..Wild::plain(5) }.model()),
    member("wild-1500-components", || Wild { states: 1500, components: 50, ..Wild::plain(6) }.model()),
    member("wild-1500-loops", || Wild { states: 1500, loops: 0.4, ..Wild::plain(7) }.model()),
    member("wild-999-all", || Wild { states: 999, ..Wild::of_everything(8) }.model()),
    member("wild-1005-all", || Wild { states: 1005, ..Wild::of_everything(9) }.model()),
    member("wild-1005-all-deterministic", || {
        Wild { states: 1005, deterministic: true, ..Wild::of_everything(10) }.model()
    }),
    member("wild-5000-all", || Wild { states: 5000, ..Wild::of_everything(11) }.model()),
    member("wild-5000-all-deterministic", || {
        Wild { states: 5000, deterministic: true, ..Wild::of_everything(12) }.model()
    }),
];
