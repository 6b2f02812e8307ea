//! Lines over time, one for each learner, and how they are drawn.

use super::axis::Panel;
use super::canvas::{Canvas, Colour, Position};
use super::marker::{Marker, colour};
use crate::analyse::stats::{deviation, mean};
use crate::analyse::{Quantity, Runs};
use occupancy::arithmetic::elementary::pow;

/// About so many points of a line.
const POINTS: u64 = 150;
/// Markers on a line.
pub const MARKERS: usize = 6;

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The step.
    pub step: f64,
    /// The mean over the runs.
    pub mean: f64,
    /// Their standard deviation; 0 for one run.
    pub deviation: f64,
}

/// How a learner is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct LineStyle {
    /// Its label.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// Its marker.
    pub marker: Marker,
}

/// A learner's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// How it is drawn.
    pub style: LineStyle,
    /// Its points, with ascending steps.
    pub points: Vec<Point>,
}

impl LineStyle {
    /// How each learner is drawn; learners of one kind differ by their markers.
    pub fn of(runs: &[&Runs]) -> Vec<LineStyle> {
        let one = |(at, learner): (usize, &&Runs)| LineStyle {
            name: learner.label.clone(),
            colour: colour(&learner.kind),
            marker: Marker::of(
                &learner.kind,
                runs[..at].iter().filter(|other| other.kind == learner.kind).count(),
            ),
        };
        runs.iter().enumerate().map(one).collect()
    }
}

/// The lines of a quantity at some points of the records.
pub fn lines(runs: &[&Runs], points: &[usize], quantity: Quantity) -> Vec<Line> {
    let line = |(style, learner): (LineStyle, &&Runs)| {
        let point = |&at: &usize| {
            let values = learner.values(quantity, at)?;
            let step = learner.steps[at] as f64;
            Some(Point { step, mean: mean(&values), deviation: deviation(&values).unwrap_or(0.0) })
        };
        Line { style, points: points.iter().filter_map(point).collect() }
    };
    LineStyle::of(runs).into_iter().zip(runs).map(line).collect()
}

/// Places in the records at about equal distances.
pub fn evenly(steps: &[u64]) -> Vec<usize> {
    let last = steps.last().copied().unwrap_or(0);
    let target = |i: u64| steps.partition_point(|&step| step < i * last / POINTS);
    let mut places: Vec<usize> = (1..=POINTS).map(target).collect();
    places.dedup();
    places
}

/// Places in the records at about equal factors.
pub fn by_factors(steps: &[u64]) -> Vec<usize> {
    let last = steps.last().copied().unwrap_or(1) as f64;
    let target = |i: u64| pow(last, i as f64 / POINTS as f64);
    let mut places: Vec<usize> = (0..=POINTS)
        .map(|i| steps.partition_point(|&step| (step as f64) < target(i) * (1.0 - 1e-9)))
        .collect();
    places.retain(|&place| place < steps.len());
    places.dedup();
    places
}

/// The bands of one standard deviation around the means.
pub fn bands(canvas: &mut Canvas, panel: &Panel, lines: &[Line]) {
    for line in lines {
        let points = || line.points.iter().filter(|point| panel.x.holds(point.step));
        let upper = points().map(|point| panel.at(point.step, point.mean + point.deviation));
        let lower = points().rev().map(|point| panel.at(point.step, point.mean - point.deviation));
        let outline: Vec<Position> = upper.chain(lower).collect();
        if outline.len() > 2 {
            canvas.shape(&outline, line.style.colour, 0.16);
        }
    }
}

/// The means, broken where they are not numbers, with markers that do not stand on each other.
pub fn means(canvas: &mut Canvas, panel: &Panel, lines: &[Line], markers: usize) {
    let mut marked = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let points: Vec<Point> =
            line.points.iter().copied().filter(|point| panel.x.holds(point.step)).collect();
        for part in points.split(|point| !point.mean.is_finite()).filter(|part| part.len() > 1) {
            let places: Vec<Position> = part.iter().map(|point| panel.at(point.step, point.mean)).collect();
            canvas.line(&places, line.style.colour, 1.5);
        }
        let finite = points.iter().filter(|point| point.mean.is_finite());
        let places: Vec<Position> = finite.map(|point| panel.at(point.step, point.mean)).collect();
        let first = (at as f64 + 0.5) / lines.len() as f64;
        let [left, _, right, _] = panel.frame;
        for i in 0..markers {
            let x = left + (i as f64 + first) / markers as f64 * (right - left);
            let nearest = places.iter().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()));
            marked
                .extend(nearest.filter(|place| (place.0 - x).abs() < 8.0).map(|&place| (&line.style, place)));
        }
    }
    marked.into_iter().for_each(|(style, place)| canvas.marker(style.marker, place, style.colour));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spread_over_the_steps_and_end_with_the_last() {
        let steps: Vec<u64> = (1..=3000).collect();
        let even = evenly(&steps);
        assert_eq!((even.len(), even[0], even.last()), (150, 19, Some(&2999)));
        let factors = by_factors(&steps);
        assert_eq!((factors[0], factors[1], factors.last()), (0, 1, Some(&2999)));
        assert_eq!(evenly(&[1, 2, 3]), [0, 1, 2]);
    }
}
