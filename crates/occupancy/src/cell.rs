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

/// A name as a cell of a line with commas: in quotes if it has to be, and never a formula.
pub fn quoted(name: &str) -> String {
    let name = written(name);
    let needs_quotes = name.contains([',', '"', '\n', '\r']) || name.starts_with('#') || name.trim() != name;
    if needs_quotes { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.into_owned() }
}

/// The cells of a line with commas, put into `cells`: trimmed, or in quotes, which may hold commas and doubled quotes. What
/// follows a quote that is not closed, or a closing quote before the next comma, is an error.
pub fn split<'a>(line: &'a str, cells: &mut Vec<Cow<'a, str>>) -> Result<(), &'a str> {
    cells.clear();
    let mut rest = line;
    loop {
        let text = rest.trim_start();
        let (cell, after) = match text.strip_prefix('"') {
            Some(inside) => unquoted(inside).ok_or(text)?,
            None => {
                let end = text.find(',').unwrap_or(text.len());
                (Cow::from(text[..end].trim_end()), &text[end..])
            }
        };
        cells.push(cell);
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(()),
            None => return Err(after),
        }
    }
}

/// The text up to the closing quote, and what follows it; `None` if there is none.
pub(crate) fn unquoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut end = inside.find('"')?;
    let is_plain = !inside[end + 1..].starts_with('"');
    while inside[end + 1..].starts_with('"') {
        end += 2 + inside[end + 2..].find('"')?;
    }
    let cell = &inside[..end];
    let cell = if is_plain { cell.into() } else { cell.replace("\"\"", "\"").into() };
    Some((cell, &inside[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Result<Vec<String>, &str> {
        let mut cells = Vec::new();
        split(line, &mut cells).map(|()| cells.into_iter().map(Cow::into_owned).collect())
    }

    #[test]
    fn a_line_is_taken_apart_at_its_commas_but_for_those_in_quotes() {
        assert_eq!(cells("a, b ,,\"c, d\" ,\" \"\"e\"\"\"").unwrap(), ["a", "b", "", "c, d", " \"e\""]);
        assert_eq!(
            (cells("").unwrap(), cells("5\" pipe").unwrap()),
            (vec![String::new()], vec!["5\" pipe".to_string()])
        );
        assert_eq!(
            (cells("\"\"").unwrap(), cells("\"\"\"\"").unwrap()),
            (vec![String::new()], vec!["\"".to_string()])
        );
        assert_eq!(
            (cells("a,\"b,c"), cells("\"a\"b,c"), cells("\"a\"\"")),
            (Err("\"b,c"), Err("b,c"), Err("\"a\"\""))
        );
    }

    #[test]
    fn names_in_cells_come_back_as_they_were() {
        let names = ["up", "(1, 2)", "a\"b", "#1", " x ", "=1+1", "'=a,b", "", "\"", "\"\""];
        let line = names.map(quoted).join(",");
        let back: Vec<String> = cells(&line).unwrap().iter().map(|cell| read(cell).to_string()).collect();
        assert_eq!(back, names);
    }

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
