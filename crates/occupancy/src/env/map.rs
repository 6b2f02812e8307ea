//! Maps of gridworlds: a text with one character per cell, one line per row, row 0 at the top.
//!
//! ```text
//! W wall   0 free   S start   G goal   P risky   X the box's first cell
//! ```
//!
//! Spaces between characters and blank lines before and after the map do not count. Cells outside the map are
//! walls. There is at least one start and one goal, at most one box, and no risky cell in a map with a box.

use super::{Cell, Move};
use crate::error::{Error, LineProblem, Result};
use crate::model::{cell_name, read_bytes};
use std::path::Path;

/// The characters of a map, as shown in errors.
const KNOWN: &str = "W wall, 0 free, S start, G goal, P risky, X box";
/// More cells make a model that does not fit into the memory of a usual machine: a slippery one takes 340 bytes a cell.
const MOST_CELLS: usize = 20_000_000;
/// A map of the most cells, with as much white space again three times over.
const MOST_BYTES: usize = 4 * MOST_CELLS;

/// A parsed and checked map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    height: usize,
    width: usize,
    cells: Vec<Cell>,
    pushed: Option<usize>,
}

impl Map {
    /// Reads and parses a file; errors name it.
    pub fn read(path: &Path) -> Result<Map> {
        Map::from_bytes(&read_bytes(path, MOST_BYTES as u64)?).map_err(|error| error.in_file(path))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Map> {
        if bytes.len() > MOST_BYTES {
            return Err(Error::TooLarge { what: "bytes in a map", most: MOST_BYTES });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let position = error.valid_up_to();
            let line = 1 + bytes[..position].iter().filter(|&&byte| byte == b'\n').count();
            Error::Line { line, problem: LineProblem::NotText { position } }
        })?;
        Map::parse(text)
    }

    /// Parses and checks a text.
    pub fn parse(text: &str) -> Result<Map> {
        let mut draft = Draft::default();
        let mut blank = 0;
        for (index, row) in text.lines().enumerate() {
            if row.trim().is_empty() {
                blank += 1;
                continue;
            }
            let gap = std::mem::take(&mut blank);
            if gap > 0 && draft.width > 0 {
                let problem = LineProblem::RowLength { found: 0, expected: draft.width };
                return Err(Error::Line { line: index + 1 - gap, problem });
            }
            draft.add_row(index + 1, row)?;
        }
        draft.finish()
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.height
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The cells, row by row from the top; the box's first cell is free.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The box's first cell, if there is a box.
    pub fn pushed(&self) -> Option<usize> {
        self.pushed
    }

    /// The cells that are not walls, ascending.
    pub fn open_cells(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell] != Cell::Wall).collect()
    }

    /// The start cells, ascending.
    pub fn starts(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell] == Cell::Start).collect()
    }

    /// The neighbour of a cell, or `None` where it is a wall or outside the map.
    pub fn neighbour(&self, cell: usize, toward: Move) -> Option<usize> {
        let (row, column) = (cell / self.width, cell % self.width);
        let (row, column) = match toward {
            Move::Up => (row.checked_sub(1)?, column),
            Move::Down => (row + 1, column),
            Move::Left => (row, column.checked_sub(1)?),
            Move::Right => (row, column + 1),
        };
        let inside = row < self.height && column < self.width;
        let neighbour = row * self.width + column;
        (inside && self.cells[neighbour] != Cell::Wall).then_some(neighbour)
    }

    /// The name of a cell: `r1c2` is row 1, column 2 of the map, both from 0.
    pub fn cell_name(&self, cell: usize) -> String {
        cell_name(self.width, cell)
    }
}

/// A place in the text, both from 1.
type Place = (usize, usize);

/// A map of which some rows are read.
#[derive(Default)]
struct Draft {
    width: usize,
    cells: Vec<Cell>,
    last_line: usize,
    first_box: Option<(usize, Place)>,
    first_risky: Option<Place>,
}

impl Draft {
    fn add_row(&mut self, line: usize, row: &str) -> Result<()> {
        let before = self.cells.len();
        for (index, character) in row.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
            let cell = self.cell(character, (line, index + 1));
            self.cells.push(cell.map_err(|problem| Error::Line { line, problem })?);
        }
        if self.cells.len() > MOST_CELLS {
            return Err(Error::TooLarge { what: "cells in a map", most: MOST_CELLS });
        }
        let found = self.cells.len() - before;
        if before == 0 {
            self.width = found;
        } else if found != self.width {
            let problem = LineProblem::RowLength { found, expected: self.width };
            return Err(Error::Line { line, problem });
        }
        self.last_line = line;
        Ok(())
    }

    fn cell(&mut self, character: char, place: Place) -> std::result::Result<Cell, LineProblem> {
        let column = place.1;
        match character {
            'W' => Ok(Cell::Wall),
            '0' => Ok(Cell::Free),
            'S' => Ok(Cell::Start),
            'G' => Ok(Cell::Goal),
            'P' => {
                self.first_risky.get_or_insert(place);
                Ok(Cell::Risky)
            }
            'X' => match self.first_box.replace((self.cells.len(), place)) {
                None => Ok(Cell::Free),
                Some((_, (first_line, first_column))) => {
                    Err(LineProblem::SecondBox { column, first_line, first_column })
                }
            },
            _ => Err(LineProblem::Character { column, character, known: KNOWN }),
        }
    }

    fn finish(self) -> Result<Map> {
        let at = |line, problem| Err(Error::Line { line, problem });
        if self.cells.is_empty() {
            return at(1, LineProblem::Ends { expected: "a row of cells".to_string() });
        }
        for (what, character, kind) in [("start", 'S', Cell::Start), ("goal", 'G', Cell::Goal)] {
            if !self.cells.contains(&kind) {
                return at(self.last_line, LineProblem::NoCell { what, character });
            }
        }
        if let (Some(_), Some((line, column))) = (self.first_box, self.first_risky) {
            return at(line, LineProblem::RiskyWithBox { column });
        }
        let pushed = self.first_box.map(|(cell, _)| cell);
        Ok(Map { height: self.cells.len() / self.width, width: self.width, cells: self.cells, pushed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Map::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn spaces_and_blank_lines_around_do_not_count() {
        let map = Map::parse("\n\n S0\n \tG P \r\n\n  \n").unwrap();
        assert_eq!((map.height(), map.width(), map.pushed()), (2, 2, None));
        assert_eq!(map.cells(), [Cell::Start, Cell::Free, Cell::Goal, Cell::Risky]);
        assert_eq!(map, Map::parse("S 0\nGP").unwrap());
    }

    #[test]
    fn cells_outside_are_walls() {
        let map = Map::parse("S0\nWG").unwrap();
        let near = |cell| Move::ALL.map(|toward| map.neighbour(cell, toward));
        assert_eq!(near(0), [None, None, None, Some(1)]);
        assert_eq!(near(1), [None, Some(3), Some(0), None]);
        assert_eq!(near(3), [Some(1), None, None, None]);
        assert_eq!(map.open_cells(), [0, 1, 3]);
        assert_eq!(map.cell_name(3), "r1c1");
    }

    #[test]
    fn the_box_stands_on_a_free_cell() {
        let map = Map::parse("SXG").unwrap();
        assert_eq!((map.pushed(), map.cells()[1]), (Some(1), Cell::Free));
    }

    #[test]
    fn several_starts_and_goals_are_allowed_and_need_not_be_connected() {
        let map = Map::parse("SWG\nWWW\nSWG").unwrap();
        assert_eq!(map.starts(), [0, 6]);
    }

    #[test]
    fn an_empty_map_is_refused() {
        assert_eq!(message(""), "line 1: the text ends here, expected a row of cells");
        assert_eq!(message(" \n\n\t\n"), "line 1: the text ends here, expected a row of cells");
    }

    #[test]
    fn a_ragged_row_is_refused() {
        assert_eq!(message("S0G\nS0\n"), "line 2: the row has 2 cells, expected 3 as in the first row");
        assert_eq!(message("S\n\n\nG\n"), "line 2: the row has 0 cells, expected 1 as in the first row");
    }

    #[test]
    fn an_unknown_character_is_named_with_its_place() {
        let known = "known: W wall, 0 free, S start, G goal, P risky, X box";
        assert_eq!(message("\nS 0\nG é"), format!("line 3: column 3 has the character 'é'; {known}"));
        assert_eq!(message("#\0"), format!("line 1: column 1 has the character '#'; {known}"));
        assert_eq!(message("S\0"), format!("line 1: column 2 has the character '\\0'; {known}"));
    }

    #[test]
    fn a_start_and_a_goal_are_needed() {
        let missing = "the map ends here without a";
        assert_eq!(message("0G\n0P\n"), format!("line 2: {missing} start; mark at least one cell with S"));
        assert_eq!(message("0S"), format!("line 1: {missing} goal; mark at least one cell with G"));
    }

    #[test]
    fn one_box_at_most_and_no_risk_beside_it() {
        let second = "line 2: column 3 has a second box; the first is in line 1, column 5";
        assert_eq!(message("S G X\n0 X 0"), second);
        let risky =
            "line 2: column 1 has a risky cell, but a map with a box charges only for the box in a corner";
        assert_eq!(message("SGX\nP00"), risky);
    }

    #[test]
    fn an_absurd_map_is_refused() {
        let row = "0".repeat(10_000) + "\n";
        assert_eq!(message(&row.repeat(2001)), "more than 20000000 cells in a map are not supported");
        let error = Map::from_bytes(&vec![b' '; MOST_BYTES + 1]).unwrap_err();
        assert_eq!(error.to_string(), "more than 80000000 bytes in a map are not supported");
    }

    #[test]
    fn errors_name_the_file() {
        let folder = std::env::temp_dir().join(format!("occupancy-map-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("bytes.txt");
        std::fs::write(&path, b"S0\nG\xff").unwrap();
        let error = Map::read(&path).unwrap_err().to_string();
        assert_eq!(error, format!("{}: line 2: byte 4 is not UTF-8 text", path.display()));
        std::fs::write(&path, b"S0\nG0\n").unwrap();
        assert_eq!(Map::read(&path).unwrap().width(), 2);
        let absent = folder.join("absent.txt");
        assert!(matches!(Map::read(&absent).unwrap_err(), Error::File { path, .. } if path == absent));
        assert!(matches!(Map::read(&folder).unwrap_err(), Error::File { .. }));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
