//! Tables with aligned columns.

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// The rows as lines, columns two spaces apart; `rows[0]` is the head.
pub fn table(align: &[Align], rows: &[Vec<String>]) -> String {
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..align.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(align.iter().zip(&widths)).map(|(cell, (align, &width))| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_on_the_left_and_numbers_on_the_right() {
        let rows = [["cost", "value"], ["≤ risky", "0.2"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&[Align::Left, Align::Right], &rows), "cost     value\n≤ risky    0.2\n");
    }
}
