//! The promises of the library, one file each, in one program: it is linked once.

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

#[path = "../../benches/large/mod.rs"]
mod large;

mod adversarial;
mod attained;
mod certificates;
mod delicate_answers;
mod delicate_families;
mod dense_draws;
mod drn_files;
mod environment_optima;
mod extended_program;
mod families;
mod family_values;
mod frontier;
mod golden_models;
mod guards;
mod large_models;
mod long_stays;
mod model_round_trips;
mod optimism;
mod paper_optima;
mod planners_agree;
mod random;
mod reached;
mod reference_models;
mod sums;
mod table_files;
mod text_files;
mod unchanged;
mod wild_models;
