//! The grid behind a model, as Python keeps it.

use crate::errors::wrong;
use occupancy::env::{Cell, Picture};
use pyo3::prelude::*;

/// Height, width, cells by letter, and in each state the cells of the agent and of what it pushes.
pub type PictureParts = (usize, usize, String, Vec<usize>, Option<Vec<usize>>);

/// A picture for Python.
pub fn parts(picture: &Picture) -> PictureParts {
    let cells = picture.cells.iter().map(|&cell| letter(cell)).collect();
    (picture.height, picture.width, cells, picture.agent.clone(), picture.pushed.clone())
}

fn letter(cell: Cell) -> char {
    match cell {
        Cell::Wall => '#',
        Cell::Free => '.',
        Cell::Start => 'S',
        Cell::Goal => 'G',
        Cell::Risky => 'r',
    }
}

/// The picture that Python has kept, if it is one of a model with so many states.
pub fn of_parts(parts: PictureParts, states: usize) -> PyResult<Picture> {
    let (height, width, letters, agent, pushed) = parts;
    let cell = |letter: char| match letter {
        '#' => Some(Cell::Wall),
        '.' => Some(Cell::Free),
        'S' => Some(Cell::Start),
        'G' => Some(Cell::Goal),
        'r' => Some(Cell::Risky),
        _ => None,
    };
    let cells: Option<Vec<Cell>> = letters.chars().map(cell).collect();
    let inside = |list: &Vec<usize>| list.len() == states && list.iter().all(|&cell| cell < height * width);
    match cells.filter(|cells| cells.len() == height * width) {
        Some(cells) if inside(&agent) && pushed.as_ref().is_none_or(inside) => {
            Ok(Picture { height, width, cells, agent, pushed })
        }
        _ => wrong("the picture does not fit the model"),
    }
}
