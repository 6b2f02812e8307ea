//! Papers: presets, experiments and claims on top of everything else. Nothing below knows that papers exist.

pub mod provodin2022;

use crate::catalogue::Catalogue;

impl Catalogue {
    /// Everything there is: the learners of the library, and what all papers bring.
    pub fn standard() -> Catalogue {
        provodin2022::add_to(Catalogue::new())
    }
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        Catalogue::standard()
    }
}
