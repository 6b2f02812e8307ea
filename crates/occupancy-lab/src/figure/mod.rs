//! Pictures as SVG text, drawn from plain data and the same on every machine.

pub mod frontier;
pub mod grid;
mod legend;
pub mod scene;
pub mod svg;
pub mod ticks;

/// Compares a picture with the stored one as text; with the variable `OCCUPANCY_BLESS` set, stores it.
#[cfg(test)]
pub(crate) fn compare_with_golden(picture: &str, golden: &str) {
    if std::env::var_os("OCCUPANCY_BLESS").is_some() {
        std::fs::write(golden, picture).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap_or_default();
    let differs = picture.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(
        picture == expected,
        "differs from {golden}, first in line {:?} (OCCUPANCY_BLESS=1 stores it)",
        differs.map(|at| at + 1)
    );
}
