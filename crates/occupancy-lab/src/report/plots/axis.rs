//! Axes and panels: where numbers are on a picture.

use super::canvas::{Anchor, Canvas, Position, ink};
use crate::figure::ticks::ticks;
use occupancy::arithmetic::elementary::{ln, log10, pow};

/// The size of the numbers at the axes.
const SMALL: f64 = 10.0;

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The lowest and the highest.
    pub range: [f64; 2],
    /// Whether equal distances are equal factors.
    pub log: bool,
}

impl Axis {
    /// An axis with equal distances.
    pub fn linear(low: f64, high: f64) -> Axis {
        Axis { range: [low, high], log: false }
    }

    /// An axis with equal factors, of ten if `high` is not above `low`.
    pub fn log(low: f64, high: f64) -> Axis {
        Axis { range: [low, if high > low { high } else { 10.0 * low }], log: true }
    }

    /// The range of some numbers with some room at both ends.
    pub fn around(values: impl Iterator<Item = f64>, room: f64) -> Axis {
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        let [low, high] = values
            .filter(|value| value.is_finite())
            .fold(start, |[low, high], value| [low.min(value), high.max(value)]);
        match high - low {
            spread if spread > 1e-9 => Axis::linear(low - room * spread, high + room * spread),
            _ if low.is_finite() => Axis::linear(low - 0.5, high + 0.5),
            _ => Axis::linear(0.0, 1.0),
        }
    }

    /// Where a number is: 0 at the low end, 1 at the high one; what lies outside is put at the end.
    pub fn share(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        let share = if self.log { ln(value / low) / ln(high / low) } else { (value - low) / (high - low) };
        share.clamp(0.0, 1.0)
    }

    /// Whether a number is on the axis.
    pub fn holds(&self, value: f64) -> bool {
        self.range[0] <= value && value <= self.range[1]
    }

    /// Round numbers, about so many of them.
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        if !self.log {
            return ticks(self.range, wanted);
        }
        let [first, last] = [log10(self.range[0]).ceil() as i32, log10(self.range[1]).floor() as i32];
        let step = 1 + (last - first).max(0) / wanted as i32;
        (first..=last)
            .filter(|power| (power - first) % step == 0)
            .map(|power| pow(10.0, f64::from(power)))
            .collect()
    }
}

/// A rectangle with an axis along two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Panel {
    /// Left, top, right, bottom.
    pub frame: [f64; 4],
    /// From left to right.
    pub x: Axis,
    /// From the bottom to the top.
    pub y: Axis,
}

impl Panel {
    /// Where a pair of numbers is.
    pub fn at(&self, x: f64, y: f64) -> Position {
        let [left, top, right, bottom] = self.frame;
        (left + self.x.share(x) * (right - left), bottom - self.y.share(y) * (bottom - top))
    }

    /// The grid, the frame and the numbers at the left; the numbers below where they are wanted.
    pub fn draw(&self, canvas: &mut Canvas, wanted: [usize; 2], below: bool) {
        let [left, top, right, bottom] = self.frame;
        for tick in self.x.ticks(wanted[0]) {
            let (x, _) = self.at(tick, self.y.range[0]);
            canvas.line(&[(x, top), (x, bottom)], ink::GRID, 0.8);
            if below {
                canvas.line(&[(x, bottom), (x, bottom + 3.0)], ink::FRAME, 0.8);
                canvas.text((x, bottom + 11.0), SMALL, ink::FAINT, Anchor::Middle, &short(tick));
            }
        }
        for tick in self.y.ticks(wanted[1]) {
            let (_, y) = self.at(self.x.range[0], tick);
            canvas.line(&[(left, y), (right, y)], ink::GRID, 0.8);
            canvas.line(&[(left - 3.0, y), (left, y)], ink::FRAME, 0.8);
            canvas.text((left - 6.0, y), SMALL, ink::FAINT, Anchor::End, &short(tick));
        }
        canvas.frame(self.frame, ink::FRAME, 0.8)
    }

    /// What the axes mean.
    pub fn describe(&self, canvas: &mut Canvas, across: &str, upwards: &str, room: f64) {
        let [left, top, right, bottom] = self.frame;
        if !across.is_empty() {
            let below = ((left + right) / 2.0, bottom + 26.0);
            canvas.text(below, 11.0, ink::DARK, Anchor::Middle, across);
        }
        canvas.text((left - room, (top + bottom) / 2.0), 11.0, ink::DARK, Anchor::Upwards, upwards)
    }
}

/// A number at an axis: `0.25`, `500`, `20k`, `1.5M`.
pub fn short(x: f64) -> String {
    let (part, unit) = match x.abs() {
        size if size >= 1e12 => return format!("{x:.0e}"),
        size if size >= 1e9 => (x / 1e9, "G"),
        size if size >= 1e6 => (x / 1e6, "M"),
        size if size >= 1e3 => (x / 1e3, "k"),
        _ => (x, ""),
    };
    let text = format!("{part:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{}{unit}", if text == "-0" { "0" } else { text }.replace('-', "−"))
}

/// Moves labels apart: their heights, given in any order, become at least `gap` apart and stay within a range, each as
/// near its own place as the others let it.
pub fn spread(wanted: &[f64], gap: f64, [top, bottom]: [f64; 2]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let gap = gap.min((bottom - top) / (wanted.len().max(2) - 1) as f64);
    // Clusters of labels that touch, as (sum of places their first label would like, count).
    let mut clusters: Vec<(f64, usize)> = Vec::new();
    let first = |&(sum, count): &(f64, usize)| {
        (sum / count as f64).clamp(top, (bottom - gap * (count - 1) as f64).max(top))
    };
    for &label in &order {
        clusters.push((wanted[label], 1));
        while let [.., above, below] = clusters[..] {
            if first(&above) + gap * above.1 as f64 <= first(&below) + 1e-9 {
                break;
            }
            let shifted = below.0 - gap * (above.1 * below.1) as f64;
            clusters.truncate(clusters.len() - 2);
            clusters.push((above.0 + shifted, above.1 + below.1));
        }
    }
    let places = clusters.iter().flat_map(|cluster| (0..cluster.1).map(|i| first(cluster) + gap * i as f64));
    let mut found = vec![0.0; wanted.len()];
    order.iter().zip(places).for_each(|(&label, place)| found[label] = place);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_axes_are_short() {
        let shown = [-0.25, 0.0, 500.0, 20_000.0, 1_500_000.0, -0.000_01].map(short);
        assert_eq!(shown, ["−0.25", "0", "500", "20k", "1.5M", "0"]);
    }

    #[test]
    fn a_log_axis_has_powers_of_ten() {
        let axis = Axis::log(2.0, 5e4);
        assert_eq!(axis.ticks(5), [10.0, 100.0, 1000.0, 10_000.0]);
        assert_eq!(Axis::log(1.0, 1e6).ticks(3), [1.0, 1e3, 1e6]);
        assert!((axis.share((2.0 * 5e4f64).sqrt()) - 0.5).abs() < 1e-12);
        assert_eq!((axis.share(0.0), axis.share(1e9)), (0.0, 1.0));
    }

    #[test]
    fn an_axis_without_a_length_has_places_all_the_same() {
        for axis in [
            Axis::log(1.0, 1.0),
            Axis::around([3.0, 3.0].into_iter(), 0.1),
            Axis::around([].into_iter(), 0.1),
        ] {
            assert!(axis.share(1.0).is_finite() && !axis.ticks(5).is_empty(), "{axis:?}");
        }
    }

    #[test]
    fn labels_are_moved_apart_as_little_as_can_be() {
        assert_eq!(spread(&[10.0, 50.0], 12.0, [0.0, 100.0]), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 12.0, [0.0, 100.0]), [44.0, 56.0]);
        assert_eq!(spread(&[98.0, 100.0, 10.0], 12.0, [0.0, 100.0]), [88.0, 100.0, 10.0]);
        assert_eq!(spread(&[30.0, 20.0, 25.0], 10.0, [0.0, 100.0]), [35.0, 15.0, 25.0]);
    }
}
