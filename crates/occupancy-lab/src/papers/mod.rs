//! Papers: presets, experiments and claims on top of everything else. Nothing below knows that papers exist.

pub mod provodin2022;

use crate::catalogue::Catalogue;

/// A catalogue with what all papers bring.
pub fn add_all(catalogue: Catalogue) -> Catalogue {
    provodin2022::add_to(catalogue)
}
