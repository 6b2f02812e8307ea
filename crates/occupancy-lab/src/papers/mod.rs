//! Papers: presets, experiments and claims on top of everything else. Nothing below knows that papers exist.

pub mod provodin2022;
