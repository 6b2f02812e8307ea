//! The main figure: the average reward above, the average costs below, over time.
//!
//! Moving averages over the experiment's first window, mean over the runs with a band of one standard deviation. Dashed:
//! the optimum, and the budget of each cost. Dotted: the best policy without budgets (fast), the best at the least cost
//! (safe). Where the levels lie close together, an inset shows the second half of the rounds from near.

use super::axis::{Axis, Panel, spread};
use super::canvas::{Anchor, Canvas, Colour, ink, picture, text_width};
use super::legend::Legend;
use super::lines::{Line, LineStyle, MARKERS, Point, bands, evenly, lines, means};
use crate::analyse::{Quantity, Runs};
use crate::report::Chapter;
use crate::store::Manifest;

/// The room for the numbers and the word at the left of a panel.
const LEFT: f64 = 60.0;
const PANEL: f64 = 150.0;
const GAP: f64 = 12.0;
const BELOW: f64 = 36.0;
/// The size of labels beside a panel.
const LABEL: f64 = 9.5;
/// The least distance of two labels, and how far one may be from its line.
const APART: f64 = 11.0;
const ASTRAY: f64 = 9.0;
/// Labels wider than this go into a legend.
const WIDEST: f64 = 130.0;
/// An inset is drawn where the levels take less than this share of the panel.
const CROWDED: f64 = 0.35;

/// The least height of an inset.
const LEAST_INSET: f64 = 40.0;

/// A horizontal line with a name.
struct Level {
    name: &'static str,
    value: f64,
    dashed: bool,
}

/// A column of panels: all signals of an experiment.
struct Column<'a> {
    manifest: &'a Manifest,
    /// For each signal its lines and levels.
    signals: Vec<(Vec<Line>, Vec<Level>)>,
}

/// The main figure of a chapter.
pub fn draw(chapter: &Chapter, runs: &[&Runs]) -> String {
    let (column, styles) = (Column::new(&chapter.results.manifest, runs), LineStyle::of(runs));
    let direct = column.labels_fit();
    let right = column.label_width(direct) + 10.0;
    let width = 400.0;
    let legend = Legend::new(&styles, width - 24.0);
    let top = if direct { 26.0 } else { 30.0 + legend.height() };
    picture(width, column.height(top), |canvas| {
        canvas.text((12.0, 13.0), LABEL, ink::FAINT, Anchor::Start, &title(chapter, runs));
        if !direct {
            legend.draw(canvas, (12.0, 22.0));
        }
        column.draw(canvas, [LEFT, top, width - right], true, direct)
    })
}

/// The main figures of several chapters side by side, with one legend.
pub fn overview(chapters: &[(&Chapter, Vec<&Runs>)]) -> String {
    let widest = chapters.iter().max_by_key(|(_, runs)| runs.len());
    let styles = widest.map(|(_, runs)| LineStyle::of(runs)).unwrap_or_default();
    let columns: Vec<Column> =
        chapters.iter().map(|(chapter, runs)| Column::new(&chapter.results.manifest, runs)).collect();
    let (each, right) = (320.0, 52.0);
    let width = each * chapters.len() as f64 + 16.0;
    let legend = Legend::new(&styles, width - 60.0);
    let top = legend.height() + 34.0;
    let height = columns.iter().map(|column| column.height(top)).fold(0.0, f64::max);
    picture(width, height, |canvas| {
        legend.draw(canvas, (LEFT, 8.0));
        for (at, (column, (chapter, runs))) in columns.iter().zip(chapters).enumerate() {
            let left = 16.0 + each * at as f64 + LEFT - 16.0;
            let end = 16.0 + each * (at + 1) as f64 - right;
            let runs = runs.iter().map(|learner| learner.len()).max().unwrap_or(0);
            let name = format!("{}, {runs} runs", chapter.results.manifest.environment.name);
            canvas.text(((left + end) / 2.0, top - 10.0), 11.0, ink::DARK, Anchor::Middle, &name);
            column.draw(canvas, [left, top, end], at == 0, false);
        }
    })
}

/// What is shown, in one line.
fn title(chapter: &Chapter, runs: &[&Runs]) -> String {
    let manifest = &chapter.results.manifest;
    let most = runs.iter().map(|learner| learner.len()).max().unwrap_or(0);
    let window = manifest.windows.first().copied().unwrap_or(1);
    let runs = if most == 1 { "one run".to_string() } else { format!("mean ± 1 sd of {most} runs") };
    format!("{}: {runs}, averages over {window} rounds", manifest.name)
}

impl<'a> Column<'a> {
    fn new(manifest: &'a Manifest, runs: &[&Runs]) -> Column<'a> {
        let steps = runs.first().map_or(&[] as &[u64], |learner| &learner.steps);
        let (points, window) = (evenly(steps), manifest.windows.first().copied().unwrap_or(1));
        let signal = |signal: usize| {
            (lines(runs, &points, Quantity::Window { signal, window }), levels(manifest, signal))
        };
        Column { manifest, signals: (0..=manifest.environment.costs.len()).map(signal).collect() }
    }

    fn height(&self, top: f64) -> f64 {
        top + self.signals.len() as f64 * (PANEL + GAP) - GAP + BELOW
    }

    /// Draws the panels between `left` and `right`, the first one at `top`.
    fn draw(&self, canvas: &mut Canvas, [left, top, right]: [f64; 3], words: bool, direct: bool) {
        let rounds = Axis::linear(0.0, self.manifest.rounds as f64);
        for (signal, (lines, levels)) in self.signals.iter().enumerate() {
            let top = top + signal as f64 * (PANEL + GAP);
            let y = Axis::around(shown(lines, levels), 0.06);
            let panel = Panel { frame: [left, top, right, top + PANEL], x: rounds, y };
            let last = signal + 1 == self.signals.len();
            panel.draw(canvas, [5, 5], last);
            bands(canvas, &panel, lines);
            draw_levels(canvas, &panel, levels);
            means(canvas, &panel, lines, MARKERS);
            let what = match signal {
                _ if !words => String::new(),
                0 => "average reward".to_string(),
                1 if self.signals.len() == 2 => "average cost".to_string(),
                i => format!("average {}", self.manifest.environment.costs[i - 1]),
            };
            panel.describe(canvas, if last { "round" } else { "" }, &what, LEFT - 14.0);
            beside(canvas, &panel, levels, if direct && signal == 0 { lines } else { &[] });
            if signal == 0 {
                inset(canvas, &panel, lines, levels);
            }
        }
    }

    /// Whether the names of the learners find room at the ends of their lines.
    fn labels_fit(&self) -> bool {
        let Some((lines, levels)) = self.signals.first() else { return false };
        let y = Axis::around(shown(lines, levels), 0.06);
        let panel = Panel { frame: [0.0, 0.0, 1.0, PANEL], x: Axis::linear(0.0, 1.0), y };
        let labels = labels(&panel, levels, lines);
        let wanted: Vec<f64> = labels.iter().map(|label| label.0).collect();
        let found = spread(&wanted, APART, [0.0, PANEL]);
        self.label_width(true) < WIDEST
            && wanted.iter().zip(&found).all(|(wanted, found)| (wanted - found).abs() <= ASTRAY)
    }

    /// How wide the labels beside the panels are.
    fn label_width(&self, direct: bool) -> f64 {
        let names = self.signals.iter().flat_map(|(lines, levels)| {
            let labelled = if direct { &lines[..] } else { &[] };
            let learners = labelled.iter().map(|line| line.style.name.as_str());
            levels.iter().map(|level| level.name).chain(learners)
        });
        6.0 + names.map(|name| text_width(name, LABEL)).fold(0.0, f64::max)
    }
}

/// The levels of a signal.
fn levels(manifest: &Manifest, signal: usize) -> Vec<Level> {
    let known = &manifest.baseline;
    let of = |level: &occupancy::sim::Level| match signal {
        0 => level.reward,
        i => level.costs[i - 1],
    };
    let mut found = vec![Level { name: "fast", value: of(&known.fast), dashed: false }];
    found.extend(known.safe.as_ref().map(|level| Level { name: "safe", value: of(level), dashed: false }));
    let optimum = known.optimal.as_ref().map(of);
    let budget = signal.checked_sub(1).map(|i| manifest.environment.budgets[i]).filter(|x| x.is_finite());
    found.extend(budget.map(|value| Level { name: "budget", value, dashed: true }));
    let apart = optimum.filter(|optimum| budget.is_none_or(|budget| (budget - optimum).abs() > 1e-6));
    found.extend(apart.map(|value| Level { name: "optimum", value, dashed: true }));
    found.retain(|level| level.value.is_finite());
    found
}

/// The numbers that a panel has to show.
fn shown<'a>(lines: &'a [Line], levels: &'a [Level]) -> impl Iterator<Item = f64> + 'a {
    let means = lines.iter().flat_map(|line| line.points.iter().map(|point| point.mean));
    means.chain(levels.iter().map(|level| level.value))
}

fn draw_levels(canvas: &mut Canvas, panel: &Panel, levels: &[Level]) {
    for level in levels.iter().filter(|level| panel.y.holds(level.value)) {
        let ends = panel.x.range.map(|x| panel.at(x, level.value));
        if level.dashed {
            canvas.dashed(ends, ink::DARK, 1.0, [6.0, 3.5]);
        } else {
            canvas.dashed(ends, ink::FAINT, 1.0, [1.2, 2.4]);
        }
    }
}

/// The wanted heights, words and colours of all that is named beside a panel.
fn labels<'a>(panel: &Panel, levels: &'a [Level], lines: &'a [Line]) -> Vec<(f64, &'a str, Colour)> {
    let height = |value: f64| panel.at(panel.x.range[1], value).1;
    let level = |level: &'a Level| {
        (height(level.value), level.name, if level.dashed { ink::DARK } else { ink::FAINT })
    };
    let learner = |line: &'a Line| {
        let last = line.points.last()?;
        Some((height(last.mean), line.style.name.as_str(), line.style.colour))
    };
    levels.iter().map(level).chain(lines.iter().filter_map(learner)).collect()
}

/// Names levels, and lines where they are given, at the right of a panel.
fn beside(canvas: &mut Canvas, panel: &Panel, levels: &[Level], lines: &[Line]) {
    let [_, top, right, bottom] = panel.frame;
    let labels = labels(panel, levels, lines);
    let wanted: Vec<f64> = labels.iter().map(|label| label.0).collect();
    for ((_, words, colour), y) in labels.iter().zip(spread(&wanted, APART, [top, bottom])) {
        canvas.text((right + 5.0, y), LABEL, *colour, Anchor::Start, words);
    }
}

/// The height of the highest line below a height, in the right two thirds of a panel.
fn obstacle(panel: &Panel, lines: &[Line], height: f64) -> Option<f64> {
    let [left, _, right, _] = panel.frame;
    let points = lines.iter().flat_map(|line| &line.points);
    let places = points.map(|point| panel.at(point.step, point.mean));
    let below = places.filter(|&(x, y)| x > left + (right - left) / 3.0 && y > height + LEAST_INSET);
    below.map(|(_, y)| y).min_by(f64::total_cmp)
}

/// The second half of the rounds around the levels, where these lie close together.
fn inset(canvas: &mut Canvas, panel: &Panel, lines: &[Line], levels: &[Level]) {
    let near = Axis::around(levels.iter().map(|level| level.value), 0.12);
    let share = (near.range[1] - near.range[0]) / (panel.y.range[1] - panel.y.range[0]);
    if levels.len() < 2 || share > CROWDED {
        return;
    }
    let x = Axis::linear(panel.x.range[1] / 2.0, panel.x.range[1]);
    let corners = [panel.at(x.range[0], near.range[1]), panel.at(x.range[1], near.range[0])];
    let zoomed = [corners[0].0, corners[0].1, corners[1].0, corners[1].1];
    canvas.frame(zoomed, ink::FAINT, 0.7);
    let [left, _, right, bottom] = panel.frame;
    let below = obstacle(panel, lines, zoomed[3]).unwrap_or(bottom);
    let frame = [left + 0.47 * (right - left), zoomed[3] + 9.0, right - 6.0, below - 9.0];
    if frame[3] - frame[1] < LEAST_INSET {
        return;
    }
    let inset = Panel { frame, x, y: near };
    canvas.rect([frame[0] - 3.0, frame[1] - 3.0, frame[2] + 3.0, frame[3] + 3.0], ink::WHITE);
    let inside: Vec<Line> = lines.iter().filter_map(|line| within(&inset, line)).collect();
    bands(canvas, &inset, &inside);
    draw_levels(canvas, &inset, levels);
    means(canvas, &inset, &inside, MARKERS / 2);
    canvas.frame(frame, ink::FAINT, 0.9)
}

/// The part of a line that is on a panel, if there is one.
fn within(panel: &Panel, line: &Line) -> Option<Line> {
    let inside = |point: &&Point| panel.x.holds(point.step) && panel.y.holds(point.mean);
    let points: Vec<Point> = line.points.iter().filter(inside).copied().collect();
    (points.len() > 1).then(|| Line { points, ..line.clone() })
}
