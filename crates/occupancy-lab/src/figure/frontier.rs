//! A frontier as a picture: the best gain over the budget, its break points, and the model's own budget.

use super::svg::{Anchor, FAINT, INK, Svg, text_width};
use super::ticks::ticks;
use crate::number::number;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 86.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 62.0;
const CURVE: &str = "#2f6fb7";
const OWN: &str = "#c2571a";

/// A frontier as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontierFigure {
    /// The model's name.
    pub model: String,
    /// The name of the cost whose budget is varied.
    pub cost: String,
    /// Whether the cost has to stay above its budget, so that the budget loosens downwards.
    pub at_least: bool,
    /// Budgets and gains of the break points, from the tightest budget to the loosest that matters.
    pub points: Vec<(f64, f64)>,
    /// The model's own budget, if it has one.
    pub own: Option<OwnBudget>,
}

/// The budget that a model comes with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnBudget {
    /// The budget.
    pub budget: f64,
    /// The best gain there; `None` if no policy meets it.
    pub gain: Option<f64>,
}

/// The picture of a frontier with at least one point.
pub fn draw(curve: &FrontierFigure) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let axes = Axes::new(curve);
    let title = format!("{}: the best gain by budget of {}", curve.model, curve.cost);
    svg.text((LEFT, 34.0), 16.0, Anchor::Start, &format!("fill=\"{INK}\" font-weight=\"bold\""), &title);
    impossible(&mut svg, curve, &axes);
    axes.draw(&mut svg, curve);
    line(&mut svg, curve, &axes);
    own_budget(&mut svg, curve, &axes);
    svg.finish()
}

/// The ranges of both axes.
struct Axes {
    x: [f64; 2],
    y: [f64; 2],
}

impl Axes {
    fn new(curve: &FrontierFigure) -> Axes {
        let own = curve.own.map(|own| own.budget);
        let budgets: Vec<f64> = curve.points.iter().map(|(budget, _)| *budget).chain(own).collect();
        let gains: Vec<f64> = curve.points.iter().map(|(_, gain)| *gain).collect();
        Axes { x: padded(&budgets, 0.1), y: padded(&gains, 0.12) }
    }

    fn at(&self, budget: f64, gain: f64) -> (f64, f64) {
        let share = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
        let x = LEFT + share(self.x, budget) * (WIDTH - LEFT - RIGHT);
        let y = HEIGHT - BOTTOM - share(self.y, gain) * (HEIGHT - TOP - BOTTOM);
        (x, y)
    }

    fn draw(&self, svg: &mut Svg, curve: &FrontierFigure) {
        let (grid, words) = ("stroke=\"#e4e7eb\" stroke-width=\"1\"", format!("fill=\"{FAINT}\""));
        for tick in ticks(self.x, 7) {
            let (x, low) = self.at(tick, self.y[0]);
            svg.line(&[(x, low), (x, TOP)], grid);
            svg.text((x, low + 18.0), 12.0, Anchor::Middle, &words, &number(tick));
        }
        for tick in ticks(self.y, 6) {
            let (left, y) = self.at(self.x[0], tick);
            svg.line(&[(left, y), (WIDTH - RIGHT, y)], grid);
            svg.text((left - 9.0, y + 4.0), 12.0, Anchor::End, &words, &number(tick));
        }
        let frame = [LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
        svg.rect(frame, "fill=\"none\" stroke=\"#8a9099\" stroke-width=\"1\"");
        let below = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 18.0);
        let sign = if curve.at_least { " (at least)" } else { "" };
        let budget = format!("budget of {}{sign}", curve.cost);
        svg.text(below, 13.0, Anchor::Middle, &format!("fill=\"{INK}\""), &budget);
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let turned = format!("fill=\"{INK}\" transform=\"rotate(-90 20 {})\"", super::svg::short(middle));
        svg.text((20.0, middle), 13.0, Anchor::Middle, &turned, "gain");
    }

    /// The end of the budget's axis towards which it loosens.
    fn loose_end(&self, at_least: bool) -> f64 {
        if at_least { self.x[0] } else { self.x[1] }
    }

    fn tight_end(&self, at_least: bool) -> f64 {
        if at_least { self.x[1] } else { self.x[0] }
    }
}

/// Greys out the budgets that no policy meets.
fn impossible(svg: &mut Svg, curve: &FrontierFigure, axes: &Axes) {
    let Some(&(first, _)) = curve.points.first() else { return };
    let (edge, _) = axes.at(first, axes.y[0]);
    let (end, _) = axes.at(axes.tight_end(curve.at_least), axes.y[0]);
    let (left, width) = (edge.min(end), (edge - end).abs());
    svg.rect([left, TOP, width, HEIGHT - TOP - BOTTOM], "fill=\"#f1f2f4\"");
    let (middle, size) = (left + width / 2.0, 11.0);
    if width > 2.0 * size {
        let centre = (TOP + HEIGHT - BOTTOM) / 2.0;
        let place = format!("rotate(-90 {} {})", super::svg::short(middle), super::svg::short(centre));
        let style = format!("fill=\"{FAINT}\" transform=\"{place}\"");
        svg.text((middle, centre + 4.0), size, Anchor::Middle, &style, "no policy meets the budget");
    }
}

fn line(svg: &mut Svg, curve: &FrontierFigure, axes: &Axes) {
    let mut way: Vec<(f64, f64)> = curve.points.iter().map(|&(budget, gain)| axes.at(budget, gain)).collect();
    if let Some(&(_, last)) = curve.points.last() {
        way.push(axes.at(axes.loose_end(curve.at_least), last));
    }
    svg.line(&way, &format!("stroke=\"{CURVE}\" stroke-width=\"2.5\" stroke-linejoin=\"round\""));
    let radius = if curve.points.len() > 25 { 2.6 } else { 4.2 };
    for &(budget, gain) in &curve.points {
        let style = format!("fill=\"#ffffff\" stroke=\"{CURVE}\" stroke-width=\"2\"");
        svg.circle(axes.at(budget, gain), radius, &style);
    }
}

/// The model's own budget as a dashed line, with the gain there.
fn own_budget(svg: &mut Svg, curve: &FrontierFigure, axes: &Axes) {
    let Some(OwnBudget { budget, gain }) = curve.own else { return };
    let (x, low) = axes.at(budget, axes.y[0]);
    svg.line(
        &[(x, low), (x, TOP)],
        &format!("stroke=\"{OWN}\" stroke-width=\"1.5\" stroke-dasharray=\"6 5\""),
    );
    let words = match gain {
        Some(gain) => {
            svg.circle(axes.at(budget, gain), 4.2, &format!("fill=\"{OWN}\""));
            format!("budget {}: gain {}", number(budget), number(gain))
        }
        None => format!("budget {}: cannot be met", number(budget)),
    };
    let style = format!("fill=\"{OWN}\"");
    let half = text_width(&words, 12.0) / 2.0;
    let middle = x.clamp(LEFT + half, (WIDTH - RIGHT - half).max(LEFT + half));
    svg.text((middle, TOP - 8.0), 12.0, Anchor::Middle, &style, &words);
}

/// The range of the values with some room on both sides.
fn padded(values: &[f64], share: f64) -> [f64; 2] {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let spread = high - low;
    let room =
        if spread > 1e-12 * high.abs().max(low.abs()) { share * spread } else { 0.1 * high.abs().max(1.0) };
    [low - room, high + room]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frontier of the small rover.
    fn curve() -> FrontierFigure {
        FrontierFigure {
            model: "marsrover-4x4".into(),
            cost: "risky".into(),
            at_least: false,
            points: vec![(0.0, -0.875), (0.25, -0.75)],
            own: Some(OwnBudget { budget: 0.2, gain: Some(-0.775) }),
        }
    }

    #[test]
    fn the_picture_of_the_rovers_frontier_is_the_golden_one() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/frontier.svg");
        crate::figure::compare_with_golden(&draw(&curve()), golden);
    }

    #[test]
    fn a_single_point_can_be_drawn() {
        let mut single = curve();
        single.points.truncate(1);
        single.own = None;
        let text = draw(&single);
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}
