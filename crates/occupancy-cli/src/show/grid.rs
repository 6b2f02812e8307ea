//! Gridworlds in the terminal: box-drawing lines, arrows, panels side by side, within 80 columns.

use super::ink::Ink;
use super::square::{self, Detail};
use occupancy::env::Cell;
use occupancy_lab::figure::scene::{Panel, Scene};

/// Characters of a line.
const LINE: usize = 80;
/// Rows or columns beyond which nothing is drawn.
const LARGEST: usize = 40;
const GAP: usize = 3;

/// The most detail in which everything fits, if it fits at all.
fn detail_of(scene: &Scene) -> Option<Detail> {
    let columns = scene.panels.iter().map(|panel| panel.width).max().unwrap_or(0);
    Detail::fitting(columns, LINE).filter(|_| scene.extent() <= LARGEST)
}

/// Whether there is room for the drawing.
pub fn fits(scene: &Scene) -> bool {
    detail_of(scene).is_some()
}

/// The drawing with its legend, or a word on why there is none.
pub fn draw(scene: &Scene, ink: Ink) -> String {
    let Some(detail) = detail_of(scene) else {
        return format!(
            "The grid is too large for the terminal (more than {LARGEST} rows or columns); --svg draws it.\n"
        );
    };
    // Positions of a box are many: small squares let them stand side by side.
    let detail = if detail == Detail::Large && scene.panels.len() > 2 { Detail::Small } else { detail };
    let blocks: Vec<Block> = scene.panels.iter().map(|panel| Block::new(panel, detail, ink)).collect();
    let mut text = String::new();
    for row in in_rows(&blocks) {
        text.push_str(&side_by_side(row));
        text.push('\n');
    }
    if let Some(left_out) = &scene.left_out {
        text.push_str(&format!("{left_out}\n"));
    }
    text + &legend(scene, detail)
}

/// A drawn panel: its lines, and how wide they look (painted lines have more characters than are seen).
struct Block {
    lines: Vec<(String, usize)>,
    width: usize,
}

impl Block {
    fn new(panel: &Panel, detail: Detail, ink: Ink) -> Block {
        let mut lines: Vec<(String, usize)> = Vec::new();
        if let Some(title) = &panel.title {
            lines.push((title.clone(), title.chars().count()));
        }
        let lined = detail != Detail::Tiny;
        let full = panel.width * (detail.width() + usize::from(lined)) + usize::from(lined);
        for (r, row) in panel.squares.chunks(panel.width).enumerate() {
            if lined {
                let ends = if r == 0 { ['┌', '┬', '┐'] } else { ['├', '┼', '┤'] };
                lines.push((rule(ends, panel.width, detail), full));
            }
            let squares: Vec<Vec<String>> = row.iter().map(|square| square::lines(square, detail)).collect();
            for line in 0..squares.first().map_or(0, Vec::len) {
                let painted = squares
                    .iter()
                    .zip(row)
                    .map(|(text, square)| ink.paint(square::paint(square), &text[line]));
                let painted: Vec<String> = painted.collect();
                let text = if lined { format!("│{}│", painted.join("│")) } else { painted.concat() };
                lines.push((text, full));
            }
        }
        if lined {
            lines.push((rule(['└', '┴', '┘'], panel.width, detail), full));
        }
        let width = lines.iter().map(|line| line.1).max().unwrap_or(0);
        Block { lines, width }
    }
}

fn rule([left, middle, right]: [char; 3], columns: usize, detail: Detail) -> String {
    let cells = vec!["─".repeat(detail.width()); columns];
    format!("{left}{}{right}", cells.join(&middle.to_string()))
}

/// As many blocks in a row as fit in a line.
fn in_rows(blocks: &[Block]) -> Vec<&[Block]> {
    let widest = blocks.iter().map(|block| block.width).max().unwrap_or(1);
    let fit = ((LINE + GAP) / (widest + GAP)).max(1);
    blocks.chunks(fit).collect()
}

fn side_by_side(blocks: &[Block]) -> String {
    let height = blocks.iter().map(|block| block.lines.len()).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let mut row = String::new();
        for block in blocks {
            let (content, seen) =
                block.lines.get(line).map_or(("", 0), |(content, seen)| (content.as_str(), *seen));
            row.push_str(content);
            row.push_str(&" ".repeat(block.width - seen + GAP));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// What the characters mean, of those that occur.
fn legend(scene: &Scene, detail: Detail) -> String {
    let any = |test: &dyn Fn(&occupancy_lab::figure::scene::Square) -> bool| scene.squares().any(test);
    let mut words = vec!["⇑ the move"];
    if any(&|square| square.is_visited() && square.likely_moves().len() > 1) {
        words = match detail {
            Detail::Large => vec!["⇑80 →20 moves with their percents"],
            Detail::Small => vec!["⇑→ likelier move first"],
            Detail::Tiny => vec!["⇑ the likeliest move"],
        };
    }
    if any(&|square| !square.is_visited() && !square.likely_moves().is_empty()) {
        words.push("^ where the plan never comes");
    }
    for (cell, word) in [(Cell::Start, "S start"), (Cell::Goal, "G goal"), (Cell::Risky, "░ risky")] {
        if any(&|square| square.cell == cell) {
            words.push(word);
        }
    }
    if any(&|square| square.has_box) {
        words.push("▣ box");
    }
    if detail == Detail::Large {
        words.push("25% share of time");
    }
    wrapped(&words)
}

fn wrapped(words: &[&str]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 3 <= LINE => {
                line.push_str("   ");
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use occupancy_lab::figure::scene::Square;

    #[test]
    fn the_small_rover_is_drawn_with_its_mixture() {
        let source = fixture::rover();
        let plan = fixture::rover_plan(&source.model);
        let scene = Scene::new(source.picture.as_ref().unwrap(), &plan.policies, &plan.occupancy);
        let text = draw(&scene, Ink::default());
        let expected = "\
┌───────┬───────┬───────┬───────┐
│   2.5%│   2.5%│G 22.5%│       │
│   ⇒   │   ⇒   │       │   ^   │
├───────┼───────┼───────┼───────┤
│   2.5%│░░░░░░░│    20%│░░░░░░░│
│   ⇑   │░░░^░░░│   ⇑   │░░░^░░░│
├───────┼───────┼───────┼───────┤
│   2.5%│░░░░░░░│░░░░20%│░░░░░░░│
│   ⇑   │░░░^░░░│░░░⇑░░░│░░░^░░░│
├───────┼───────┼───────┼───────┤
│   2.5%│   2.5%│S 22.5%│       │
│   ⇑   │   ⇐   │⇑89 ←11│   ^   │
└───────┴───────┴───────┴───────┘

⇑80 →20 moves with their percents   ^ where the plan never comes   S start
G goal   ░ risky   25% share of time
";
        assert_eq!(text, expected);
    }

    #[test]
    fn every_size_of_grid_stays_within_80_columns() {
        for width in [1, 8, 9, 10, 19, 20, 38, 40] {
            let square =
                Square { cell: Cell::Risky, has_box: false, share: 0.1, moves: [0.5, 0.5, 0.0, 0.0] };
            let panel = Panel { title: None, height: 2, width, squares: vec![square; 2 * width] };
            let text = draw(&Scene { panels: vec![panel], left_out: None }, Ink::default());
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{width} columns:\n{text}");
        }
    }

    #[test]
    fn panels_stand_side_by_side_while_they_fit() {
        let panel = |i: usize| Panel {
            title: Some(format!("policy {i}")),
            height: 1,
            width: 5,
            squares: vec![
                Square { cell: Cell::Free, has_box: false, share: 0.1, moves: [1.0, 0.0, 0.0, 0.0] };
                5
            ],
        };
        let text = draw(&Scene { panels: (0..4).map(panel).collect(), left_out: None }, Ink::default());
        assert!(text.starts_with("policy 0                policy 1                policy 2\n"), "{text}");
        assert!(text.contains("\npolicy 3\n"));
    }

    #[test]
    fn a_grid_that_is_too_large_is_left_to_svg() {
        let square = Square { cell: Cell::Free, has_box: false, share: 0.0, moves: [0.0; 4] };
        let panel = Panel { title: None, height: 41, width: 1, squares: vec![square; 41] };
        let text = draw(&Scene { panels: vec![panel], left_out: None }, Ink::default());
        assert!(text.contains("--svg draws it"));
    }
}
