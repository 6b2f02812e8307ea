//! One square of a gridworld in characters, in three sizes.
//!
//! Arrows have three weights that need no colour: `⇑` the likeliest move, `↑` a less likely one, `^` where the plan
//! never comes. The other characters of a risky square are `░`.

use crate::show::ink::Paint;
use occupancy::env::Cell;
use occupancy_lab::figure::scene::Square;
use occupancy_lab::number::percent;

const HEAVY: [char; 4] = ['⇑', '⇓', '⇐', '⇒'];
const THIN: [char; 4] = ['↑', '↓', '←', '→'];
const FAINT: [char; 4] = ['^', 'v', '<', '>'];

/// How large squares are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Seven characters, two lines: the share of time above the moves with their percents.
    Large,
    /// Three characters: the moves.
    Small,
    /// Two characters without lines between: the likeliest move.
    Tiny,
}

impl Detail {
    /// Characters of a line.
    pub fn width(self) -> usize {
        match self {
            Detail::Large => 7,
            Detail::Small => 3,
            Detail::Tiny => 2,
        }
    }

    /// The most detailed drawing of this many columns that fits.
    pub fn fitting(columns: usize, line: usize) -> Option<Detail> {
        let fits = |detail: &Detail| match detail {
            Detail::Tiny => 2 * columns <= line,
            lined => columns * (lined.width() + 1) < line,
        };
        [Detail::Large, Detail::Small, Detail::Tiny].into_iter().find(fits)
    }
}

/// The lines of a square, each of the width of the detail.
pub fn lines(square: &Square, detail: Detail) -> Vec<String> {
    let width = detail.width();
    let rows = if detail == Detail::Large { 2 } else { 1 };
    if square.cell == Cell::Wall {
        return vec!["█".repeat(width); rows];
    }
    let text = match detail {
        Detail::Large => vec![head(square), centred(&arrows(square, detail), width)],
        Detail::Small => vec![small(square)],
        Detail::Tiny => vec![format!("{}{}", mark(square), likeliest(square))],
    };
    let fill = |line: String| if square.cell == Cell::Risky { line.replace(' ', "░") } else { line };
    text.into_iter().map(fill).collect()
}

/// The colour of a square.
pub fn paint(square: &Square) -> Paint {
    match square.cell {
        _ if square.has_box => Paint::Blue,
        Cell::Wall => Paint::Dim,
        Cell::Risky => Paint::Purple,
        Cell::Start | Cell::Goal => Paint::Green,
        Cell::Free if square.is_visited() => Paint::Bold,
        Cell::Free => Paint::Dim,
    }
}

fn mark(square: &Square) -> char {
    match square.cell {
        _ if square.has_box => '▣',
        Cell::Start => 'S',
        Cell::Goal => 'G',
        _ => ' ',
    }
}

/// First line of a large square: what it is, and the share of time.
fn head(square: &Square) -> String {
    let share = if square.is_visited() { percent(square.share) } else { String::new() };
    format!("{}{share:>6}", mark(square))
}

fn small(square: &Square) -> String {
    match (mark(square), arrows(square, Detail::Small)) {
        (' ', arrows) => centred(&arrows, 3),
        (mark, arrows) if arrows.is_empty() => format!(" {mark} "),
        (mark, arrows) => format!("{mark}{arrows:<2}"),
    }
}

fn likeliest(square: &Square) -> char {
    let arrows = if square.is_visited() { HEAVY } else { FAINT };
    square.likely_moves().first().map_or(' ', |&(to, _)| arrows[to])
}

/// The moves as arrows, likeliest first: with percents where two are made and there is room for them.
fn arrows(square: &Square, detail: Detail) -> String {
    let moves = square.likely_moves();
    let most = moves.first().map_or(0.0, |&(_, p)| p);
    let arrow = |&(to, p): &(usize, f64)| {
        if !square.is_visited() {
            FAINT[to]
        } else if p >= most - 1e-6 {
            HEAVY[to]
        } else {
            THIN[to]
        }
    };
    if let (Detail::Large, [first, second]) = (detail, &moves[..]) {
        let likely = (100.0 * first.1).round().clamp(1.0, 99.0);
        return format!("{}{likely} {}{}", arrow(first), arrow(second), 100.0 - likely);
    }
    let room = if detail == Detail::Large { 4 } else { 2 };
    moves.iter().take(room).map(arrow).collect()
}

fn centred(text: &str, width: usize) -> String {
    format!("{text:^width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(cell: Cell, share: f64, moves: [f64; 4]) -> Square {
        Square { cell, has_box: false, share, moves }
    }

    #[test]
    fn a_large_square_says_the_share_of_time_and_the_probabilities() {
        let mixed = square(Cell::Start, 0.225, [0.889, 0.0, 0.111, 0.0]);
        assert_eq!(lines(&mixed, Detail::Large), ["S 22.5%", "⇑89 ←11"]);
        let sure = square(Cell::Risky, 0.2, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(lines(&sure, Detail::Large), ["░░░░20%", "░░░⇑░░░"]);
        let unseen = square(Cell::Free, 0.0, [0.25; 4]);
        assert_eq!(lines(&unseen, Detail::Large), ["       ", " ^v<>  "]);
        assert_eq!(lines(&square(Cell::Wall, 0.0, [0.0; 4]), Detail::Large), ["███████"; 2]);
    }

    #[test]
    fn small_and_tiny_squares_keep_the_likeliest_moves() {
        let mixed = square(Cell::Start, 0.225, [0.889, 0.0, 0.111, 0.0]);
        assert_eq!(lines(&mixed, Detail::Small), ["S⇑←"]);
        assert_eq!(lines(&mixed, Detail::Tiny), ["S⇑"]);
        assert_eq!(lines(&square(Cell::Goal, 0.1, [0.0; 4]), Detail::Small), [" G "]);
        assert_eq!(lines(&square(Cell::Risky, 0.0, [0.0, 0.0, 0.0, 1.0]), Detail::Tiny), ["░>"]);
        let boxed = Square { has_box: true, ..square(Cell::Free, 0.0, [0.0; 4]) };
        assert_eq!(lines(&boxed, Detail::Small), [" ▣ "]);
    }

    #[test]
    fn a_move_that_is_nearly_sure_is_not_shown_as_sure() {
        let nearly = square(Cell::Free, 0.5, [0.0, 0.9999, 0.0, 0.0001]);
        assert_eq!(lines(&nearly, Detail::Large)[1], "⇓99 →1 ");
    }

    #[test]
    fn the_detail_follows_the_number_of_columns() {
        let of = |columns| Detail::fitting(columns, 80);
        assert_eq!(of(8), Some(Detail::Large));
        assert_eq!(of(10), Some(Detail::Small));
        assert_eq!(of(40), Some(Detail::Tiny));
        assert_eq!(of(41), None);
    }
}
