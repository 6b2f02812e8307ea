//! A frontier as a picture: the best gain over the budget, its break points, and the model's own budget.

use super::svg::{Anchor, FAINT, INK, Svg, text_width};
use crate::constraint::Direction;
use crate::frontier::Curve;
use crate::show::number::number;
use occupancy::arithmetic::elementary::{log10, pow};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 86.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 62.0;
const CURVE: &str = "#2f6fb7";
const OWN: &str = "#c2571a";

/// The picture of a frontier with at least one point.
pub fn draw(curve: &Curve) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let axes = Axes::new(curve);
    let title = format!("{}: the best gain by budget of {}", curve.source, curve.cost);
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
    fn new(curve: &Curve) -> Axes {
        let own = Some(curve.budget).filter(|budget| budget.is_finite());
        let budgets: Vec<f64> = curve.points.iter().map(|point| point.budget).chain(own).collect();
        let gains: Vec<f64> = curve.points.iter().map(|point| point.gain).collect();
        Axes { x: padded(&budgets, 0.1), y: padded(&gains, 0.12) }
    }

    fn at(&self, budget: f64, gain: f64) -> (f64, f64) {
        let share = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
        let x = LEFT + share(self.x, budget) * (WIDTH - LEFT - RIGHT);
        let y = HEIGHT - BOTTOM - share(self.y, gain) * (HEIGHT - TOP - BOTTOM);
        (x, y)
    }

    fn draw(&self, svg: &mut Svg, curve: &Curve) {
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
        let sign = if curve.direction == Direction::AtLeast { " (at least)" } else { "" };
        let budget = format!("budget of {}{sign}", curve.cost);
        svg.text(below, 13.0, Anchor::Middle, &format!("fill=\"{INK}\""), &budget);
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let turned = format!("fill=\"{INK}\" transform=\"rotate(-90 20 {})\"", super::svg::short(middle));
        svg.text((20.0, middle), 13.0, Anchor::Middle, &turned, "gain");
    }

    /// The end of the budget's axis towards which it loosens.
    fn loose_end(&self, direction: Direction) -> f64 {
        if direction == Direction::AtLeast { self.x[0] } else { self.x[1] }
    }

    fn tight_end(&self, direction: Direction) -> f64 {
        if direction == Direction::AtLeast { self.x[1] } else { self.x[0] }
    }
}

/// Greys out the budgets that no policy meets.
fn impossible(svg: &mut Svg, curve: &Curve, axes: &Axes) {
    let Some(first) = curve.points.first() else { return };
    let (edge, _) = axes.at(first.budget, axes.y[0]);
    let (end, _) = axes.at(axes.tight_end(curve.direction), axes.y[0]);
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

fn line(svg: &mut Svg, curve: &Curve, axes: &Axes) {
    let mut way: Vec<(f64, f64)> =
        curve.points.iter().map(|point| axes.at(point.budget, point.gain)).collect();
    if let Some(last) = curve.points.last() {
        way.push(axes.at(axes.loose_end(curve.direction), last.gain));
    }
    svg.line(&way, &format!("stroke=\"{CURVE}\" stroke-width=\"2.5\" stroke-linejoin=\"round\""));
    let radius = if curve.points.len() > 25 { 2.6 } else { 4.2 };
    for point in &curve.points {
        let style = format!("fill=\"#ffffff\" stroke=\"{CURVE}\" stroke-width=\"2\"");
        svg.circle(axes.at(point.budget, point.gain), radius, &style);
    }
}

/// The model's own budget as a dashed line, with the gain there.
fn own_budget(svg: &mut Svg, curve: &Curve, axes: &Axes) {
    if curve.budget.is_infinite() {
        return;
    }
    let (x, low) = axes.at(curve.budget, axes.y[0]);
    svg.line(
        &[(x, low), (x, TOP)],
        &format!("stroke=\"{OWN}\" stroke-width=\"1.5\" stroke-dasharray=\"6 5\""),
    );
    let words = match curve.at(curve.budget) {
        Some((gain, _)) => {
            svg.circle(axes.at(curve.budget, gain), 4.2, &format!("fill=\"{OWN}\""));
            format!("budget {}: gain {}", number(curve.budget), number(gain))
        }
        None => format!("budget {}: cannot be met", number(curve.budget)),
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

/// Round numbers in a range, about `wanted` of them: multiples of 1, 2 or 5 times a power of ten.
pub fn ticks([low, high]: [f64; 2], wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted as f64;
    let power = pow(10.0, log10(rough).floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|&step| step >= rough * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::tests::curve;

    #[test]
    fn the_picture_of_the_rovers_frontier_is_the_golden_one() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/frontier.svg");
        crate::figure::compare_with_golden(&draw(&curve()), golden);
    }

    #[test]
    fn a_single_point_can_be_drawn() {
        let mut single = curve();
        single.points.truncate(1);
        single.budget = f64::INFINITY;
        let text = draw(&single);
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        let shown: Vec<String> = ticks([-0.02, 0.27], 7).into_iter().map(number).collect();
        assert_eq!(shown, ["0", "0.05", "0.1", "0.15", "0.2", "0.25"]);
    }
}
