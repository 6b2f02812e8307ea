//! Gridworlds for the page: cells, the ways of the best policies, and the policies of run 0 on its way.
//!
//! With a box there is one panel for each of the positions where the optimal policy has it most, so that panels do not
//! change while a reader moves through the epochs.

use super::numbers::{Keyed, Short};
use super::snapshots::{SnapshotData, plan, shares};
use crate::Result;
use crate::figure::scene::{self, MOST_CELLS, Square};
use crate::report::Chapter;
use occupancy::env::{Cell, Picture};
use occupancy::model::{Cmdp, Policy};
use occupancy::plan::Plan;
use occupancy::sim::Snapshot;
use serde::Serialize;

/// So many positions of the box have a panel.
const MOST_PANELS: usize = 3;
/// Grids of more cells are too small on a page.
const MOST_DRAWN: usize = 1000;

/// A gridworld.
#[derive(Clone, Debug, Serialize)]
pub struct GridData {
    /// Its columns.
    width: usize,
    /// A letter for each cell.
    cells: String,
    /// The cell of the box in each panel; nothing if there is no box.
    boxes: Option<Vec<Option<usize>>>,
    /// The optimal policy, panel by panel.
    optimal: Vec<PanelData>,
    /// The cells from the start to the goal of the safe and the fast policy.
    ways: Keyed<Option<Vec<usize>>>,
    /// The policies of run 0 of each learner on its way.
    policies: Keyed<Vec<SnapshotData<Vec<PanelData>>>>,
}

/// Moves and shares of time in a panel.
#[derive(Clone, Debug, Serialize)]
struct PanelData {
    moves: Vec<Moves>,
    shares: Vec<Short>,
}

/// What is done in a cell.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Moves {
    /// Nobody decides.
    Nothing,
    /// The number of the direction, which is sure.
    Sure(usize),
    /// The percents of the four directions.
    Mixed([Short; 4]),
}

/// The grid of a chapter; `None` if it is no gridworld, or one too large.
pub fn of(chapter: &Chapter) -> Result<Option<GridData>> {
    let model = &chapter.env.model;
    let is_small = |picture: &&Picture| picture.cells.len() <= MOST_DRAWN.min(MOST_CELLS);
    let Some(picture) = chapter.env.picture.as_ref().filter(is_small) else { return Ok(None) };
    let levels = &chapter.results.manifest.baseline;
    let Some(best) = plan(model, None)? else { return Ok(None) };
    let mut positions = scene::box_positions(picture, &best.occupancy);
    positions.truncate(MOST_PANELS);
    let drawing = Drawing { model, picture, positions: positions.into_iter().map(|(at, _)| at).collect() };
    let mut ways = Keyed::default();
    for (name, level) in [("safe", levels.safe.as_ref()), ("fast", Some(&levels.fast))] {
        if let Some(found) = level.map(|level| plan(model, Some(&level.costs))).transpose()?.flatten() {
            ways.insert(name, drawing.way(&found));
        }
    }
    let mut policies = Keyed::default();
    for label in chapter.results.labels() {
        let snapshots = chapter.results.snapshots(label, model)?;
        let steps = snapshots.iter().map(|snapshot| drawing.snapshot(snapshot));
        policies.insert(label, steps.collect::<Result<Vec<_>>>()?);
    }
    let (width, cells) = drawing.cells();
    Ok(Some(GridData {
        width,
        cells,
        boxes: picture.pushed.as_ref().map(|_| drawing.boxes()),
        optimal: drawing.panels(&shares(&best, model), &best.occupancy),
        ways,
        policies,
    }))
}

/// What all drawings of a model have in common.
struct Drawing<'a> {
    model: &'a Cmdp,
    picture: &'a Picture,
    /// The positions of the box that have a panel; one `None` where there is no box.
    positions: Vec<Option<usize>>,
}

impl Drawing<'_> {
    fn squares(
        &self,
        probabilities: &[f64],
        occupancy: &[f64],
        position: Option<usize>,
    ) -> (usize, Vec<Square>) {
        let panel = scene::panel(self.picture, probabilities, occupancy, position, None);
        (panel.width, panel.squares)
    }

    /// The columns of a panel, and a letter for each cell.
    fn cells(&self) -> (usize, String) {
        let (width, squares) = self.squares(&[], &[], None);
        let letter = |square: &Square| match square.cell {
            Cell::Wall => '#',
            Cell::Free => '.',
            Cell::Start => 'S',
            Cell::Goal => 'G',
            Cell::Risky => 'R',
        };
        (width, squares.iter().map(letter).collect())
    }

    /// The cell of the box in each panel.
    fn boxes(&self) -> Vec<Option<usize>> {
        let place = |&position: &Option<usize>| {
            self.squares(&[], &[], position).1.iter().position(|square| square.has_box)
        };
        self.positions.iter().map(place).collect()
    }

    /// Moves and shares of time in each panel.
    fn panels(&self, probabilities: &[f64], occupancy: &[f64]) -> Vec<PanelData> {
        let panel = |&position: &Option<usize>| {
            let (_, squares) = self.squares(probabilities, occupancy, position);
            PanelData {
                moves: squares.iter().map(Moves::of).collect(),
                shares: squares.iter().map(|square| percent(square.share, 100.0)).collect(),
            }
        };
        self.positions.iter().map(panel).collect()
    }

    fn snapshot(&self, snapshot: &Snapshot) -> Result<SnapshotData<Vec<PanelData>>> {
        SnapshotData::of(self.model, snapshot, |probabilities, occupancy| {
            self.panels(probabilities, occupancy)
        })
    }

    /// The cells from the start to the goal by the likeliest moves of a plan.
    fn way(&self, plan: &Plan) -> Option<Vec<usize>> {
        let policy = plan.policies.first().map(|one| &one.policy)?;
        let cells = walk(self.model, self.picture, policy);
        let (_, squares) = self.squares(&[], &[], None);
        let (rows, columns) = rim(self.picture);
        let width = squares.len() / rows.len().max(1);
        let index = |cell: usize| {
            let (row, column) = (cell / self.picture.width, cell % self.picture.width);
            (row - rows.start) * width + (column - columns.start)
        };
        Some(cells.into_iter().map(index).collect())
    }
}

impl Moves {
    fn of(square: &Square) -> Moves {
        match square.likely_moves()[..] {
            [] => Moves::Nothing,
            [(to, _)] => Moves::Sure(to),
            _ => Moves::Mixed(square.moves.map(|p| percent(p, 10.0))),
        }
    }
}

/// A share as percent, rounded to parts of this size.
fn percent(share: f64, parts: f64) -> Short {
    Short((100.0 * parts * share).round() / parts)
}

/// The agent's cells from the start on, by the likeliest moves, until the goal or a state that was there before.
fn walk(model: &Cmdp, picture: &Picture, policy: &Policy) -> Vec<usize> {
    let most = |weights: &mut dyn Iterator<Item = (usize, f64)>| {
        weights.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map_or(0, |best| best.0)
    };
    let mut state = most(&mut model.start().iter().copied());
    let mut visited = vec![false; model.states()];
    let mut cells = Vec::new();
    while !std::mem::replace(&mut visited[state], true) {
        let cell = picture.agent[state];
        cells.push(cell);
        if picture.cells[cell] == Cell::Goal {
            break;
        }
        let pair = most(&mut model.pairs_of(state).map(|pair| (pair, policy.probabilities()[pair])));
        state = most(&mut model.kernel().row(pair).iter());
    }
    cells
}

/// The rows and columns inside the rim of walls.
fn rim(picture: &Picture) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let open: Vec<usize> = (0..picture.cells.len()).filter(|&at| picture.cells[at] != Cell::Wall).collect();
    let range = |of: &dyn Fn(usize) -> usize| {
        let places = || open.iter().map(|&at| of(at));
        places().min().unwrap_or(0)..places().max().map_or(0, |last| last + 1)
    };
    (range(&|at| at / picture.width), range(&|at| at % picture.width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::env::EnvConfig;
    use occupancy::sim::Baseline;

    fn ways(name: &str) -> (usize, [Vec<usize>; 2]) {
        let env = EnvConfig::from_options(name, &[]).unwrap().build().unwrap();
        let (model, picture) = (&env.model, env.picture.as_ref().unwrap());
        let baseline = Baseline::of(model).unwrap();
        let drawing = Drawing { model, picture, positions: vec![None] };
        let way = |costs: &[f64]| drawing.way(&plan(model, Some(costs)).unwrap().unwrap()).unwrap();
        (drawing.cells().0, [way(&baseline.fast.costs), way(&baseline.safe.unwrap().costs)])
    }

    #[test]
    fn the_rovers_fast_way_is_straight_and_the_safe_one_goes_around() {
        let (width, [fast, safe]) = ways("marsrover-4x4");
        assert_eq!((width, fast), (4, vec![14, 10, 6, 2]));
        assert_eq!(safe, [14, 13, 12, 8, 4, 0, 1, 2]);
    }

    #[test]
    fn in_box_the_fast_way_goes_down_and_the_safe_one_is_longer() {
        let (_, [fast, safe]) = ways("box");
        assert!(fast.len() < safe.len(), "{fast:?} {safe:?}");
        assert_eq!((fast[0], fast.last()), (safe[0], safe.last()));
    }
}
