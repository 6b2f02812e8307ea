//! What is drawn of a gridworld: panels of squares with moves and shares of time, as plain data.
//!
//! One panel per policy; with a box, one panel per policy and per position of the box, the most frequent ones first.

use crate::number::{number, percent};
use occupancy::env::{Cell, Picture};
use occupancy::model::Policy;
use occupancy::plan::WeightedPolicy;

/// Probabilities and shares of time up to this are taken for 0.
pub const NOTHING: f64 = 1e-9;
/// Grids of more cells are not drawn: their pictures are larger than what shows them can bear.
pub const MOST_CELLS: usize = 100_000;
/// At most this many positions of the box are drawn.
const MOST_POSITIONS: usize = 6;

/// Everything to be drawn.
pub struct Scene {
    /// The grids.
    pub panels: Vec<Panel>,
    /// What was left out, in words.
    pub left_out: Option<String>,
}

/// One grid.
pub struct Panel {
    /// What distinguishes it from the others.
    pub title: Option<String>,
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// The squares, row by row from the top.
    pub squares: Vec<Square>,
}

/// One cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    /// What the cell is.
    pub cell: Cell,
    /// Whether the box is here.
    pub has_box: bool,
    /// The share of time spent here.
    pub share: f64,
    /// The probabilities of moving up, down, left and right; zeros where there is nothing to decide.
    pub moves: [f64; 4],
}

impl Square {
    /// Whether the plan ever comes here.
    pub fn is_visited(&self) -> bool {
        self.share > NOTHING
    }

    /// The moves that are made, likeliest first: 0 up, 1 down, 2 left, 3 right.
    pub fn likely_moves(&self) -> Vec<(usize, f64)> {
        let mut moves: Vec<(usize, f64)> =
            self.moves.iter().copied().enumerate().filter(|&(_, p)| p > NOTHING).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        moves
    }
}

/// At most this many stages of an episode are drawn.
const MOST_STAGES: usize = 12;

impl Scene {
    /// The scene of a plan's policies; `occupancy` is the plan's.
    pub fn new(picture: &Picture, policies: &[WeightedPolicy], occupancy: &[f64]) -> Scene {
        let positions = box_positions(picture, occupancy);
        let shown = positions.len().min(MOST_POSITIONS);
        let mut panels = Vec::new();
        for (i, one) in policies.iter().enumerate() {
            for (position, share) in &positions[..shown] {
                let mut title = Vec::new();
                if policies.len() > 1 {
                    title.push(format!("policy {}, weight {}", i + 1, number(one.weight)));
                }
                if position.is_some() {
                    title.push(format!("{} of the time", percent(*share)));
                }
                let title = (!title.is_empty()).then(|| title.join(": "));
                panels.push(panel(picture, one.policy.probabilities(), occupancy, *position, title));
            }
        }
        let rest: f64 = positions[shown..].iter().map(|(_, share)| share).sum();
        let left_out = (shown < positions.len()).then(|| {
            let more = positions.len() - shown;
            format!("{more} more positions of the box, {} of the time together, are not drawn", percent(rest))
        });
        Scene { panels, left_out }
    }

    /// The scene of an episode: one panel for each stage, or for some of them if there are many. `occupancy` has the numbers of
    /// all stages, one after the other.
    pub fn of_stages(picture: &Picture, policy: &Policy, occupancy: &[f64]) -> Scene {
        let stages = policy.stages().max(1);
        let (pairs, step) = (policy.table(0).len(), stages.div_ceil(MOST_STAGES));
        let stage_panel = |stage: usize| {
            let masses = occupancy.get(stage * pairs..(stage + 1) * pairs).unwrap_or_default();
            let position = box_positions(picture, masses).first().and_then(|(position, _)| *position);
            panel(picture, policy.table(stage), masses, position, Some(format!("step {}", stage + 1)))
        };
        let shown = (0..stages).step_by(step);
        let left_out = (step > 1).then(|| format!("one step in {step} of {stages} is drawn"));
        Scene { panels: shown.map(stage_panel).collect(), left_out }
    }

    /// The largest number of rows or columns.
    pub fn extent(&self) -> usize {
        self.panels.iter().map(|panel| panel.height.max(panel.width)).max().unwrap_or(0)
    }

    /// All squares of all panels.
    pub fn squares(&self) -> impl Iterator<Item = &Square> {
        self.panels.iter().flat_map(|panel| &panel.squares)
    }
}

/// Where the box is, with the share of time, most of it first; a single `None` where there is no box.
pub fn box_positions(picture: &Picture, occupancy: &[f64]) -> Vec<(Option<usize>, f64)> {
    let Some(pushed) = &picture.pushed else { return vec![(None, 1.0)] };
    let mut share = vec![0.0; picture.cells.len()];
    for (state, &at) in pushed.iter().enumerate() {
        share[at] += state_share(occupancy, state);
    }
    let visited = share.iter().copied().enumerate().filter(|&(_, x)| x > NOTHING);
    let mut positions: Vec<(Option<usize>, f64)> = visited.map(|(at, x)| (Some(at), x)).collect();
    positions.sort_by(|a, b| b.1.total_cmp(&a.1));
    positions
}

/// The share of time in a state: the pairs of a gridworld are four a state.
fn state_share(occupancy: &[f64], state: usize) -> f64 {
    occupancy.get(4 * state..4 * state + 4).map_or(0.0, |moves| moves.iter().sum())
}

/// The grid of a policy for one position of the box.
pub fn panel(
    picture: &Picture,
    probabilities: &[f64],
    occupancy: &[f64],
    position: Option<usize>,
    title: Option<String>,
) -> Panel {
    let square = |(at, &cell): (usize, &Cell)| Square {
        cell,
        has_box: position == Some(at),
        share: 0.0,
        moves: [0.0; 4],
    };
    let mut squares: Vec<Square> = picture.cells.iter().enumerate().map(square).collect();
    for (state, &at) in picture.agent.iter().enumerate() {
        let elsewhere = picture.pushed.as_ref().is_some_and(|pushed| Some(pushed[state]) != position);
        if elsewhere || Some(at) == position {
            continue;
        }
        squares[at].share += state_share(occupancy, state);
        if squares[at].cell == Cell::Goal {
            // Every action does the same there.
            continue;
        }
        if let Some(moves) = probabilities.get(4 * state..4 * state + 4) {
            squares[at].moves.copy_from_slice(moves);
        }
    }
    crop(Panel { title, height: picture.height, width: picture.width, squares })
}

/// Without the rows and columns of wall at the rim.
fn crop(panel: Panel) -> Panel {
    let open = |row: usize, column: usize| panel.squares[row * panel.width + column].cell != Cell::Wall;
    let rows: Vec<usize> = (0..panel.height).filter(|&r| (0..panel.width).any(|c| open(r, c))).collect();
    let columns: Vec<usize> = (0..panel.width).filter(|&c| (0..panel.height).any(|r| open(r, c))).collect();
    let (Some((&top, &bottom)), Some((&left, &right))) =
        (rows.first().zip(rows.last()), columns.first().zip(columns.last()))
    else {
        return panel;
    };
    let at = |row: usize| panel.squares[row * panel.width + left..=row * panel.width + right].to_vec();
    let squares = (top..=bottom).flat_map(at).collect();
    Panel { title: panel.title, height: bottom - top + 1, width: right - left + 1, squares }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row of cells with walls around it; `S` is the start, `G` the goal.
    fn walled(row: &str) -> Picture {
        let width = row.len() + 2;
        let wall = vec![Cell::Wall; width];
        let cell = |mark: char| match mark {
            'S' => Cell::Start,
            'G' => Cell::Goal,
            _ => Cell::Free,
        };
        let inside = row.chars().map(cell);
        let middle = [Cell::Wall].into_iter().chain(inside).chain([Cell::Wall]).collect();
        let agent = (width + 1..2 * width - 1).collect();
        Picture { height: 3, width, cells: [wall.clone(), middle, wall].concat(), agent, pushed: None }
    }

    /// A corridor of four cells, `.S.G`, whose three states are (agent, box), with the probabilities of moving right and the
    /// shares of time; only two states are ever visited.
    pub fn corridor() -> (Picture, Vec<f64>, Vec<f64>) {
        let (agent, pushed) = (vec![7, 8, 9], Some(vec![8, 9, 9]));
        let picture = Picture { agent, pushed, ..walled(".S.G") };
        let right = [0.0, 0.0, 0.0, 1.0];
        let occupancy = [right.map(|p| 0.25 * p), right.map(|p| 0.75 * p), [0.0; 4]].concat();
        (picture, right.repeat(3), occupancy)
    }

    #[test]
    fn the_rim_of_walls_is_cropped_and_moves_and_shares_are_in_their_cells() {
        let probabilities = [[0.0, 0.0, 0.0, 1.0], [0.25, 0.0, 0.75, 0.0], [1.0, 0.0, 0.0, 0.0]].concat();
        let occupancy: Vec<f64> =
            probabilities.iter().zip([0.5, 0.25].repeat(6)).map(|(p, x)| p * x).collect();
        let panel = panel(&walled("SxG"), &probabilities, &occupancy, None, None);
        assert_eq!((panel.height, panel.width), (1, 3));
        let [start, middle, goal] = panel.squares[..] else { panic!() };
        assert_eq!([start.cell, middle.cell, goal.cell], [Cell::Start, Cell::Free, Cell::Goal]);
        assert_eq!((start.share, middle.share), (0.25, 0.25 * 0.5 + 0.75 * 0.5));
        assert_eq!(start.likely_moves(), [(3, 1.0)]);
        assert_eq!(middle.likely_moves(), [(2, 0.75), (0, 0.25)]);
        assert!(goal.likely_moves().is_empty(), "nothing to decide in the goal");
    }

    #[test]
    fn each_visited_position_of_the_box_is_a_panel_and_the_most_frequent_comes_first() {
        let (picture, probabilities, occupancy) = corridor();
        let positions = box_positions(&picture, &occupancy);
        assert_eq!(positions, [(Some(9), 0.75), (Some(8), 0.25)]);
        let panel = panel(&picture, &probabilities, &occupancy, Some(8), None);
        assert_eq!((panel.height, panel.width), (1, 4));
        assert!(panel.squares[1].has_box && panel.squares[0].is_visited() && !panel.squares[2].is_visited());
    }
}
