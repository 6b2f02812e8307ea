//! What regret and violation of run 0 are made of, over time: three terms and what is left.

use super::axis::{Axis, Panel};
use super::canvas::{Anchor, Canvas, Colour, ink, picture};
use super::legend::Legend;
use super::lines::{Line, LineStyle, MARKERS, Point, means};
use super::marker::Marker;
use crate::report::Chapter;
use crate::report::page::terms::{Explained, NAMED_TERMS, title};
use crate::terms::{TermRow, Terms};

const LEFT: f64 = 66.0;
const PANEL: f64 = 150.0;
const GAP: f64 = 14.0;
const WIDTH: f64 = 430.0;
const LABEL: f64 = 9.5;
/// Of the sum, and of its parts: of Okabe and Ito's colours those that learners of figures nearby have least.
const STYLES: [(Colour, Marker); 5] = [
    (ink::DARK, Marker::Disc),
    (Colour(0x00, 0x72, 0xb2), Marker::Square),
    (Colour(0xd5, 0x5e, 0x00), Marker::Up),
    (Colour(0x00, 0x9e, 0x73), Marker::Diamond),
    (Colour(0xcc, 0x79, 0xa7), Marker::Cross),
];

/// The figure of a learner; `None` where its terms are not stored.
pub fn draw(chapter: &Chapter, explained: &Explained) -> Option<String> {
    let manifest = &chapter.results.manifest;
    let terms = explained.terms.as_ref().filter(|terms| !terms.is_empty())?;
    let styles = styles();
    let legend = Legend::new(&styles, WIDTH - 24.0);
    let top = 30.0 + legend.height();
    let height = top + terms.len() as f64 * (PANEL + GAP) - GAP + 36.0;
    let words = format!("{}: run 0 of {}, sums so far", manifest.name, explained.label);
    let picture = picture(WIDTH, height, |canvas| {
        canvas.text((12.0, 13.0), LABEL, ink::FAINT, Anchor::Start, &words);
        legend.draw(canvas, (12.0, 22.0));
        for (at, of_one) in terms.iter().enumerate() {
            let top = top + at as f64 * (PANEL + GAP);
            let frame = [LEFT, top, WIDTH - 14.0, top + PANEL];
            let across = if at + 1 == terms.len() { "round" } else { "" };
            let upwards = title(chapter, &of_one.quantity);
            panel(canvas, frame, manifest.rounds as f64, &lines(&styles, of_one), [across, &upwards]);
        }
    });
    Some(picture)
}

fn styles() -> Vec<LineStyle> {
    let names = ["the sum"].into_iter().chain(NAMED_TERMS.iter().map(|(name, _)| *name));
    let style =
        |(name, (colour, marker)): (&str, (Colour, Marker))| LineStyle { name: name.into(), colour, marker };
    names.zip(STYLES).map(style).collect()
}

/// The lines of a sum and its parts, from 0 on.
fn lines(styles: &[LineStyle], terms: &Terms) -> Vec<Line> {
    let sum: fn(&TermRow) -> f64 = |row| row.sum;
    let values = [sum].into_iter().chain(NAMED_TERMS.iter().map(|(_, value)| *value));
    let line = |(style, value): (&LineStyle, fn(&TermRow) -> f64)| {
        let point = |row: &TermRow| Point { step: row.step as f64, mean: value(row), deviation: 0.0 };
        let start = TermRow::default();
        Line { style: style.clone(), points: [&start].into_iter().chain(&terms.rows).map(point).collect() }
    };
    styles.iter().zip(values).map(line).collect()
}

fn panel(canvas: &mut Canvas, frame: [f64; 4], rounds: f64, lines: &[Line], words: [&str; 2]) {
    let values = lines.iter().flat_map(|line| line.points.iter().map(|point| point.mean));
    let panel = Panel { frame, x: Axis::linear(0.0, rounds), y: Axis::around(values, 0.06) };
    panel.draw(canvas, [5, 5], !words[0].is_empty());
    canvas.dashed([panel.at(0.0, 0.0), panel.at(rounds, 0.0)], ink::FAINT, 0.8, [1.2, 2.4]);
    means(canvas, &panel, lines, MARKERS);
    panel.describe(canvas, words[0], words[1], LEFT - 14.0)
}
