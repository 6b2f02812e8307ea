//! Regret and violation over time with equal factors on both axes, and how fast they grow.
//!
//! Means over the runs of the signed sums Σ (r* − r_t) and Σ (c_t − τ). What is not above 0 has no place on such an axis
//! and is left out. The exponent α of t^α is fitted by least squares to the last factor of ten of the rounds.

use super::axis::{Axis, Panel, spread};
use super::canvas::{Anchor, Canvas, ink, picture, text_width};
use super::lines::{Line, MARKERS, Point, by_factors, lines, means};
use crate::analyse::{Quantity, Runs, growth};
use crate::report::Chapter;
use occupancy::arithmetic::elementary::pow;

const LEFT: f64 = 60.0;
const PANEL: f64 = 165.0;
const GAP: f64 = 14.0;
/// Wider only where the labels leave too little for the panels.
const WIDTH: f64 = 430.0;
const LEAST_WIDTH: f64 = 190.0;
const LABEL: f64 = 9.5;
const APART: f64 = 12.5;

/// The figure of a chapter; `None` where no policy meets the budgets, so that there is no regret.
pub fn draw(chapter: &Chapter, runs: &[&Runs]) -> Option<String> {
    let manifest = &chapter.results.manifest;
    manifest.optimum()?;
    let first = runs.first()?;
    let points = by_factors(&first.steps);
    let mut panels = vec![("regret".to_string(), lines(runs, &points, Quantity::Regret))];
    let costs = manifest.environment.costs.iter().zip(&manifest.environment.budgets).enumerate();
    for (cost, (name, _)) in costs.filter(|(_, (_, budget))| budget.is_finite()) {
        panels.push((format!("violation of {name}"), lines(runs, &points, Quantity::Violation { cost })));
    }
    let top = 26.0;
    let height = top + panels.len() as f64 * (PANEL + GAP) - GAP + 36.0;
    let title = format!("{}: mean sums so far, and their slope in the last factor of ten", manifest.name);
    let widest = panels.iter().flat_map(|(_, lines)| lines).map(|line| text_width(&label(line), LABEL));
    let labels = widest.fold(0.0, f64::max) + 28.0;
    let right = (WIDTH - labels).max(LEFT + LEAST_WIDTH);
    let picture = picture((right + labels).ceil(), height, |canvas| {
        canvas.text((12.0, 13.0), LABEL, ink::FAINT, Anchor::Start, &title);
        for (at, (what, lines)) in panels.iter().enumerate() {
            let top = top + at as f64 * (PANEL + GAP);
            let frame = [LEFT, top, right, top + PANEL];
            let across = if at + 1 == panels.len() { "round" } else { "" };
            panel(canvas, frame, manifest.rounds as f64, lines, [across, what]);
        }
    });
    Some(picture)
}

fn panel(canvas: &mut Canvas, frame: [f64; 4], rounds: f64, lines: &[Line], words: [&str; 2]) {
    let positive = || lines.iter().flat_map(|line| line.points.iter().map(|point| point.mean));
    let highest = positive().fold(10.0, f64::max);
    let panel = Panel { frame, x: Axis::log(1.0, rounds), y: Axis::log(1.0, 1.6 * highest) };
    panel.draw(canvas, [7, 5], !words[0].is_empty());
    guides(canvas, &panel);
    let above: Vec<Line> = lines.iter().map(above).collect();
    means(canvas, &panel, &above, MARKERS);
    panel.describe(canvas, words[0], words[1], LEFT - 14.0);
    let wanted: Vec<f64> = lines.iter().map(|line| panel.at(rounds, end(line).max(1.0)).1).collect();
    for (line, (y, own)) in lines.iter().zip(spread(&wanted, APART, [frame[1], frame[3]]).iter().zip(&wanted))
    {
        let right = frame[2];
        canvas.line(&[(right + 1.0, *own), (right + 6.0, *y)], line.style.colour, 0.8);
        canvas.marker(line.style.marker, (right + 11.0, *y), line.style.colour);
        canvas.text((right + 18.0, *y), LABEL, ink::DARK, Anchor::Start, &label(line));
    }
}

/// Faint lines that grow as √t and as t.
fn guides(canvas: &mut Canvas, panel: &Panel) {
    let [_, last] = panel.x.range;
    for (exponent, words, place, (right, down)) in
        [(0.5, "√t", 0.72, (8.0, 8.0)), (1.0, "t", 0.3, (-8.0, -7.0))]
    {
        let top = panel.y.range[1].min(pow(last, exponent));
        let end = pow(top, 1.0 / exponent);
        let (from, to) = (panel.at(1.0, 1.0), panel.at(end, top));
        canvas.dashed([from, to], ink::FRAME, 0.7, [3.0, 3.0]);
        let beside = (from.0 + place * (to.0 - from.0) + right, from.1 + place * (to.1 - from.1) + down);
        canvas.text(beside, LABEL, ink::FAINT, Anchor::Middle, words);
    }
}

/// The line without the points that have no place on the axis.
fn above(line: &Line) -> Line {
    let shown =
        |point: &Point| Point { mean: if point.mean >= 1.0 { point.mean } else { f64::NAN }, ..*point };
    Line { points: line.points.iter().map(shown).collect(), ..line.clone() }
}

fn end(line: &Line) -> f64 {
    line.points.last().map_or(0.0, |point| point.mean)
}

/// The name of a learner and how fast its line grows.
fn label(line: &Line) -> String {
    let name = &line.style.name;
    match growth(line.points.iter().map(|point| (point.step, point.mean))) {
        Some(slope) => format!("{name}  {}", format!("{slope:.2}").replace('-', "−")),
        None => format!("{name}  not fitted"),
    }
}
