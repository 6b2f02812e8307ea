//! The legend of a figure, in rows.

use super::canvas::{Anchor, Canvas, Position, ink, text_width};
use super::lines::LineStyle;

/// The size of its text.
const SIZE: f64 = 10.0;
/// The height of a row.
const ROW: f64 = 15.0;
/// The length of a line beside a name.
const SAMPLE: f64 = 20.0;

/// The room between two columns.
const GAP: f64 = 12.0;

/// Entries in columns, each as wide as its widest.
pub struct Legend<'a> {
    styles: &'a [LineStyle],
    columns: Vec<f64>,
}

impl<'a> Legend<'a> {
    /// The legend of some learners within a width: as few rows as fit, filled as evenly as can be.
    pub fn new(styles: &'a [LineStyle], width: f64) -> Legend<'a> {
        let entry = |style: &LineStyle| SAMPLE + 5.0 + text_width(&style.name, SIZE) + GAP;
        let columns = |rows: usize| {
            let count = styles.len().div_ceil(rows);
            let column = |at: usize| styles.iter().skip(at).step_by(count).map(entry).fold(0.0, f64::max);
            (0..count).map(column).collect::<Vec<f64>>()
        };
        let fits = |columns: &Vec<f64>| columns.iter().sum::<f64>() - GAP <= width;
        let columns = (1..styles.len()).map(columns).find(fits);
        // One below the other whatever the width is.
        Legend { styles, columns: columns.unwrap_or_else(|| vec![width]) }
    }

    /// How high it is.
    pub fn height(&self) -> f64 {
        ROW * self.styles.len().div_ceil(self.columns.len()) as f64
    }

    /// Draws it below and to the right of a place.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): Position) {
        for (at, style) in self.styles.iter().enumerate() {
            let x = left + self.columns[..at % self.columns.len()].iter().sum::<f64>();
            let y = top + ROW * ((at / self.columns.len()) as f64 + 0.5);
            canvas.line(&[(x, y), (x + SAMPLE, y)], style.colour, 1.5);
            canvas.marker(style.marker, (x + SAMPLE / 2.0, y), style.colour);
            canvas.text((x + SAMPLE + 5.0, y), SIZE, ink::DARK, Anchor::Start, &style.name);
        }
    }
}
