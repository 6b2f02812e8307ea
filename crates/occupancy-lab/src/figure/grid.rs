//! A gridworld's policy as a picture: coloured cells, the share of time as a disc, moves as arrows.

use super::legend;
use super::scene::{Panel, Scene, Square};
use super::svg::{Anchor, FAINT, INK, Svg, text_width};
use crate::number::percent;
use occupancy::env::Cell;

const MARGIN: f64 = 28.0;
const GAP: f64 = 32.0;
/// Panels stand side by side up to this width.
const WIDEST: f64 = 960.0;
/// The cells of a panel share this width, within [`SMALLEST_CELL`] and [`LARGEST_CELL`].
const PANEL: f64 = 640.0;
const SMALLEST_CELL: f64 = 14.0;
const LARGEST_CELL: f64 = 76.0;
/// Percents are written into cells from this size on.
const CELL_WITH_TEXT: f64 = 44.0;

/// The words above a picture.
pub struct Caption {
    /// The model's name.
    pub title: String,
    /// Gain and costs.
    pub lines: Vec<String>,
}

/// The picture.
pub fn draw(scene: &Scene, caption: &Caption) -> String {
    let layout = Layout::new(scene, caption);
    let keys = legend::keys(scene);
    let width = layout.width.max(2.0 * MARGIN + text_width(&caption.title, 18.0));
    let legend_height = legend::height(&keys, width - 2.0 * MARGIN);
    let mut svg = Svg::new(width, layout.height + legend_height + MARGIN - 10.0);
    write_caption(&mut svg, caption);
    let most = scene.squares().map(|square| square.share).fold(0.0, f64::max);
    for (panel, &(x, y)) in scene.panels.iter().zip(&layout.corners) {
        draw_panel(&mut svg, panel, (x, y), layout.cell, most);
    }
    if let Some(left_out) = &scene.left_out {
        let style = format!("fill=\"{FAINT}\"");
        svg.text((MARGIN, layout.height - 14.0), 12.0, Anchor::Start, &style, left_out);
    }
    legend::draw(&mut svg, &keys, (MARGIN, layout.height), width - 2.0 * MARGIN);
    svg.finish()
}

/// Where everything is.
struct Layout {
    cell: f64,
    /// The upper left corner of each panel's grid.
    corners: Vec<(f64, f64)>,
    width: f64,
    /// Where the legend begins.
    height: f64,
}

impl Layout {
    fn new(scene: &Scene, caption: &Caption) -> Layout {
        let columns = scene.panels.iter().map(|panel| panel.width).max().unwrap_or(1) as f64;
        let rows = scene.panels.iter().map(|panel| panel.height).max().unwrap_or(1) as f64;
        let room = if scene.panels.len() > 1 { PANEL / 2.2 } else { PANEL };
        let cell = (room / columns.max(rows)).clamp(SMALLEST_CELL, LARGEST_CELL).floor();
        let (width, height) = (columns * cell, rows * cell);
        let count = scene.panels.len().max(1);
        let fit = (((WIDEST + GAP) / (width + GAP)).floor() as usize).clamp(1, count);
        // Rows of the same length: four panels are two by two where three would fit.
        let beside = count.div_ceil(count.div_ceil(fit));
        let title = if scene.panels.iter().any(|panel| panel.title.is_some()) { 24.0 } else { 0.0 };
        let top = MARGIN + 26.0 + 19.0 * caption.lines.len() as f64 + 12.0;
        let corner = |i: usize| {
            let (row, column) = ((i / beside) as f64, (i % beside) as f64);
            (MARGIN + column * (width + GAP), top + title + row * (height + title + GAP))
        };
        let panel_rows = scene.panels.len().div_ceil(beside) as f64;
        let words = caption.lines.iter().map(|line| text_width(line, 13.0)).fold(0.0, f64::max);
        let full = beside as f64 * (width + GAP) - GAP;
        let note = if scene.left_out.is_some() { 22.0 } else { 0.0 };
        Layout {
            cell,
            corners: (0..scene.panels.len()).map(corner).collect(),
            width: 2.0 * MARGIN + full.max(words),
            height: top + panel_rows * (height + title + GAP) - GAP + 24.0 + note,
        }
    }
}

fn write_caption(svg: &mut Svg, caption: &Caption) {
    let style = format!("fill=\"{INK}\" font-weight=\"bold\"");
    svg.text((MARGIN, MARGIN + 14.0), 18.0, Anchor::Start, &style, &caption.title);
    for (i, line) in caption.lines.iter().enumerate() {
        let y = MARGIN + 38.0 + 19.0 * i as f64;
        svg.text((MARGIN, y), 13.0, Anchor::Start, &format!("fill=\"{FAINT}\""), line);
    }
}

fn draw_panel(svg: &mut Svg, panel: &Panel, (x, y): (f64, f64), cell: f64, most: f64) {
    if let Some(title) = &panel.title {
        svg.text((x, y - 9.0), 13.0, Anchor::Start, &format!("fill=\"{INK}\""), title);
    }
    for (i, square) in panel.squares.iter().enumerate() {
        let corner = (x + (i % panel.width) as f64 * cell, y + (i / panel.width) as f64 * cell);
        draw_square(svg, square, corner, cell, most);
    }
    let frame = [x, y, panel.width as f64 * cell, panel.height as f64 * cell];
    svg.rect(frame, "fill=\"none\" stroke=\"#8a9099\" stroke-width=\"1.5\"");
}

fn draw_square(svg: &mut Svg, square: &Square, (x, y): (f64, f64), cell: f64, most: f64) {
    let style = format!("fill=\"{}\" stroke=\"#d3d7dc\" stroke-width=\"1\"", colour(square.cell));
    svg.rect([x, y, cell, cell], &style);
    let centre = (x + cell / 2.0, y + cell / 2.0);
    if square.is_visited() && most > 0.0 {
        legend::disc(svg, centre, cell, square.share / most);
    }
    if square.has_box {
        legend::draw_box(svg, centre, cell);
    }
    for (to, p) in square.likely_moves().into_iter().rev() {
        draw_arrow(svg, centre, cell, to, p, square.is_visited());
    }
    if cell >= CELL_WITH_TEXT {
        write_in(svg, square, (x, y), cell);
    }
}

/// The letter of a special cell in its upper left corner, the share of time in the lower right one.
fn write_in(svg: &mut Svg, square: &Square, (x, y): (f64, f64), cell: f64) {
    let colour = if square.cell == Cell::Goal { "#ffffff" } else { INK };
    let letter = match square.cell {
        Cell::Start => "S",
        Cell::Goal => "G",
        _ => "",
    };
    if !letter.is_empty() {
        let style = format!("fill=\"{colour}\" font-weight=\"bold\"");
        svg.text((x + 5.0, y + 14.0), 12.0, Anchor::Start, &style, letter);
    }
    if square.is_visited() {
        let (at, size) = ((x + cell - 4.0, y + cell - 5.0), (cell / 6.5).clamp(8.0, 10.5));
        svg.text(at, size, Anchor::End, &format!("fill=\"{colour}\""), &percent(square.share));
    }
}

/// An arrow, wide and dark as its probability, grey where the plan never comes: a sure move through the centre of the
/// cell, others from the centre outwards.
fn draw_arrow(svg: &mut Svg, (x, y): (f64, f64), cell: f64, to: usize, p: f64, visited: bool) {
    let (dx, dy) = [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)][to];
    let (tail, tip) = if p > 0.999 { (-0.25 * cell, 0.25 * cell) } else { (0.0, 0.34 * cell) };
    let head = cell * if visited { 0.07 + 0.06 * p } else { 0.075 };
    let at = |along: f64, across: f64| (x + along * dx - across * dy, y + along * dy + across * dx);
    let (colour, opacity) = if visited { (INK, 0.45 + 0.55 * p) } else { ("#8e96a3", 0.9) };
    let half = cell * if visited { 0.012 + 0.024 * p } else { 0.012 };
    // One shape, so that the tail does not show through the head.
    let neck = tip - 1.5 * head;
    let shape =
        [(tail, half), (neck, half), (neck, head), (tip, 0.0), (neck, -head), (neck, -half), (tail, -half)];
    let shape = shape.map(|(along, across)| at(along, across));
    svg.polygon(&shape, &format!("fill=\"{colour}\" fill-opacity=\"{opacity:.2}\""));
}

/// The colours of the cells.
pub fn colour(cell: Cell) -> &'static str {
    match cell {
        Cell::Wall => "#a9aeb6",
        Cell::Free => "#ffffff",
        Cell::Start => "#c8eec4",
        Cell::Goal => "#2f8a52",
        Cell::Risky => "#c5aeea",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::scene::tests::corridor;
    use occupancy::model::{CmdpBuilder, Policy};
    use occupancy::plan::WeightedPolicy;

    #[test]
    fn positions_of_a_box_are_panels_beside_each_other() {
        let (picture, probabilities, occupancy) = corridor();
        let mut model = CmdpBuilder::new(3, &[]);
        (0..12).for_each(|pair| {
            model.pair(pair / 4, &[(0, 1.0)], 0.0, &[]);
        });
        let policy = Policy::new(&model.build().unwrap(), probabilities).unwrap();
        let policies = [WeightedPolicy { weight: 1.0, policy }];
        let caption = Caption { title: "corridor".into(), lines: vec!["gain 0".into()] };
        let text = draw(&Scene::new(&picture, &policies, &occupancy), &caption);
        assert!(text.contains(">75% of the time</text>") && text.contains(">25% of the time</text>"));
    }
}
