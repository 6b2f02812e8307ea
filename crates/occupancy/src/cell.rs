//! Names in the cells of a table, written so that no spreadsheet takes them for formulas.
//!
//! A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return is computed by spreadsheets, whatever it was meant
//! to be. A name that begins so and is no number gets a `'` in front, which spreadsheets do not show. To be read back as it
//! was, a name that begins with `'` and would be such a name without it gets another one.

use std::borrow::Cow;

const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Whether a spreadsheet would compute a name, apart from `'` in front.
fn is_formula(name: &str) -> bool {
    let is_number = || name.parse().is_ok_and(|x: f64| x.is_finite());
    name.starts_with(FORMULA) && !is_number()
}

/// A name as a table holds it; not yet quoted.
pub fn written(name: &str) -> Cow<'_, str> {
    if is_formula(name.trim_start_matches('\'')) { format!("'{name}").into() } else { name.into() }
}

/// The name that a cell holds.
pub fn read(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(name) if is_formula(name.trim_start_matches('\'')) => name,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_spreadsheet_would_compute_are_written_so_that_it_does_not() {
        let names = ["=1+1", "+up", "-", "@sum", "\tx", "\rx", "-1;2", "'=1"];
        for name in names {
            assert_eq!(written(name), format!("'{name}"));
            assert_eq!(read(&written(name)), name);
        }
        for name in ["", "up", "r1c2", "-1", "+2.5", "-1e-3", "'", "'up", "a=b", "(1, 2)"] {
            assert_eq!((written(name).as_ref(), read(name)), (name, name), "as it is");
        }
    }
}
