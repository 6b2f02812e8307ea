//! The legend of a figure, in rows.

use super::canvas::{Anchor, Canvas, Place, ink, text_width};
use super::lines::Look;
use crate::failure::Result;

/// The size of its text.
const SIZE: f64 = 10.0;
/// The height of a row.
const ROW: f64 = 15.0;
/// The length of a line beside a name.
const SAMPLE: f64 = 20.0;

/// Entries in columns of the same width.
pub struct Legend<'a> {
    looks: &'a [Look],
    columns: usize,
    column: f64,
}

impl<'a> Legend<'a> {
    /// The legend of some learners within a width.
    pub fn new(looks: &'a [Look], width: f64) -> Legend<'a> {
        let widest = looks.iter().map(|look| text_width(&look.name, SIZE)).fold(0.0, f64::max);
        let column = SAMPLE + 5.0 + widest + 14.0;
        let fit = (((width + 14.0) / column).floor() as usize).clamp(1, looks.len().max(1));
        // As many rows as are needed, filled as evenly as can be.
        let rows = looks.len().div_ceil(fit);
        Legend { looks, columns: looks.len().div_ceil(rows.max(1)).max(1), column }
    }

    /// How high it is.
    pub fn height(&self) -> f64 {
        ROW * self.looks.len().div_ceil(self.columns) as f64
    }

    /// Draws it below and to the right of a place.
    pub fn draw(&self, canvas: &Canvas, (left, top): Place) -> Result<()> {
        for (at, look) in self.looks.iter().enumerate() {
            let x = left + self.column * (at % self.columns) as f64;
            let y = top + ROW * ((at / self.columns) as f64 + 0.5);
            canvas.line(&[(x, y), (x + SAMPLE, y)], look.colour, 1.5)?;
            canvas.marker(look.marker, (x + SAMPLE / 2.0, y), look.colour)?;
            canvas.text((x + SAMPLE + 5.0, y), SIZE, ink::DARK, Anchor::Start, &look.name)?;
        }
        Ok(())
    }
}
