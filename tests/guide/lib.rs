//! The Rust examples of the guide and of the crates' READMEs are tests. They stand here because a published crate has no
//! files of the project around it.

#[doc = include_str!("../../docs/guide.md")]
pub mod guide {}

#[doc = include_str!("../../crates/occupancy/README.md")]
pub mod readme {}

#[doc = include_str!("../../crates/occupancy-lab/README.md")]
pub mod lab_readme {}
