//! The legend of a gridworld's picture: the colours that occur, the disc of time, the arrows.

use super::grid::colour;
use super::scene::{Scene, Square};
use super::svg::{Anchor, FAINT, Svg, short, text_width};
use occupancy::env::Cell;

const ROW: f64 = 26.0;
const SWATCH: f64 = 16.0;
const SIZE: f64 = 12.0;

/// One entry of a legend.
pub enum Key {
    /// A kind of cell.
    Cell(Cell, &'static str),
    /// The box.
    Box,
    /// The disc of visited cells.
    Time,
    /// An arrow of a visited or of a never visited cell.
    Arrow(bool),
}

impl Key {
    fn word(&self) -> &'static str {
        match self {
            Key::Cell(_, word) => word,
            Key::Box => "box",
            Key::Time => "share of time",
            Key::Arrow(true) => "move, as wide as it is likely",
            Key::Arrow(false) => "move where the plan never comes",
        }
    }

    fn width(&self) -> f64 {
        SWATCH + 8.0 + text_width(self.word(), SIZE) + 20.0
    }
}

/// The entries that a scene needs.
pub fn keys(scene: &Scene) -> Vec<Key> {
    let any = |test: &dyn Fn(&Square) -> bool| scene.squares().any(test);
    let mut keys = Vec::new();
    let cells = [(Cell::Start, "start"), (Cell::Goal, "goal"), (Cell::Risky, "risky"), (Cell::Wall, "wall")];
    for (cell, word) in cells {
        if any(&|square| square.cell == cell) {
            keys.push(Key::Cell(cell, word));
        }
    }
    if any(&|square| square.has_box) {
        keys.push(Key::Box);
    }
    keys.push(Key::Time);
    keys.push(Key::Arrow(true));
    if any(&|square| !square.is_visited() && !square.likely_moves().is_empty()) {
        keys.push(Key::Arrow(false));
    }
    keys
}

/// How high a legend of this width is.
pub fn height(keys: &[Key], width: f64) -> f64 {
    ROW * rows(keys, width).len() as f64
}

/// Draws the legend with its upper left corner at (x, y).
pub fn draw(svg: &mut Svg, keys: &[Key], (x, y): (f64, f64), width: f64) {
    for (i, row) in rows(keys, width).into_iter().enumerate() {
        let (mut left, top) = (x, y + ROW * i as f64);
        for key in row {
            swatch(svg, key, (left, top));
            let style = format!("fill=\"{FAINT}\"");
            svg.text((left + SWATCH + 7.0, top + 12.5), SIZE, Anchor::Start, &style, key.word());
            left += key.width();
        }
    }
}

/// The keys in rows that fit the width.
fn rows(keys: &[Key], width: f64) -> Vec<Vec<&Key>> {
    let mut rows: Vec<Vec<&Key>> = Vec::new();
    let mut left = f64::INFINITY;
    for key in keys {
        if left + key.width() - 20.0 > width {
            rows.push(Vec::new());
            left = 0.0;
        }
        left += key.width();
        if let Some(row) = rows.last_mut() {
            row.push(key);
        }
    }
    rows
}

fn swatch(svg: &mut Svg, key: &Key, (x, y): (f64, f64)) {
    let frame = "stroke=\"#b9bec6\" stroke-width=\"1\"";
    match key {
        Key::Cell(cell, _) => {
            svg.rect([x, y, SWATCH, SWATCH], &format!("fill=\"{}\" {frame}", colour(*cell)))
        }
        Key::Box => draw_box(svg, (x + SWATCH / 2.0, y + SWATCH / 2.0), 1.5 * SWATCH),
        Key::Time => {
            disc(svg, (x + SWATCH / 2.0, y + SWATCH / 2.0), SWATCH, 1.0);
        }
        Key::Arrow(visited) => {
            let (colour, half) = if *visited { ("#22262b", 1.4) } else { ("#9aa1ab", 0.6) };
            let (middle, right) = (y + SWATCH / 2.0, x + SWATCH);
            let shaft = [x, middle - half, SWATCH - 6.0, 2.0 * half];
            svg.rect(shaft, &format!("fill=\"{colour}\""));
            let head = [(right - 7.0, middle - 4.5), (right, middle), (right - 7.0, middle + 4.5)];
            svg.polygon(&head, &format!("fill=\"{colour}\""));
        }
    }
}

/// The disc of a visited cell: its area is the share of time, `share` of 1 being the largest in the picture.
pub fn disc(svg: &mut Svg, centre: (f64, f64), cell: f64, share: f64) {
    let radius = cell * (0.37 * share.sqrt()).max(0.04);
    svg.circle(centre, radius, "fill=\"#f6b24d\" fill-opacity=\"0.85\"");
}

/// The box in the middle of a cell.
pub fn draw_box(svg: &mut Svg, (x, y): (f64, f64), cell: f64) {
    let side = 0.62 * cell;
    let (round, width) = (short(0.08 * cell), short(0.035 * cell));
    let style = format!("rx=\"{round}\" fill=\"#5b8def\" stroke=\"#2f5cb8\" stroke-width=\"{width}\"");
    svg.rect([x - side / 2.0, y - side / 2.0, side, side], &style);
}
