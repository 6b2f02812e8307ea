//! Figures of growth: panels side by side, all axes logarithmic. Plain SVG, so that it is drawn with what a benchmark has
//! at hand.

use std::fmt::Write;
use std::path::Path;

/// A line of points.
pub struct Curve {
    pub name: &'static str,
    pub colour: &'static str,
    pub points: Vec<(f64, f64)>,
}

/// An axis from one power of its base to another.
pub struct Axis {
    pub base: f64,
    pub powers: (i32, i32),
}

pub struct Panel {
    pub title: &'static str,
    /// What the values are plotted against.
    pub against: &'static str,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
}

const SIZE: (f64, f64) = (300.0, 280.0);
const MARGIN: (f64, f64) = (52.0, 34.0);
/// Below the panels: the numbers and the label of the axis, and the legend.
const FOOT: f64 = 76.0;
const NAME: f64 = 160.0;

impl Axis {
    /// Where a value is, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let (first, last) = self.powers;
        (value.log(self.base) - f64::from(first)) / f64::from(last - first)
    }

    /// The powers, where they are and how they are written.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        (self.powers.0..=self.powers.1).map(|power| {
            let value = self.base.powi(power);
            let label = if self.base == 10.0 { ten_to(power) } else { value.to_string() };
            (self.share(value), label)
        })
    }
}

impl Panel {
    fn draw(&self, svg: &mut String, left: f64) {
        let (bottom, right) = (MARGIN.1 + SIZE.1, left + SIZE.0);
        for (share, label) in self.x.ticks() {
            let x = left + share * SIZE.0;
            let label = text(x, bottom + 18.0, "middle", &label);
            let _ = writeln!(svg, "{}{label}", rule((x, MARGIN.1), (x, bottom)));
        }
        for (share, label) in self.y.ticks() {
            let y = bottom - share * SIZE.1;
            let label = text(left - 6.0, y + 4.0, "end", &label);
            let _ = writeln!(svg, "{}{label}", rule((left, y), (right, y)));
        }
        let middle = left + 0.5 * SIZE.0;
        let _ = writeln!(svg, "{}", text(middle, MARGIN.1 - 14.0, "middle", self.title));
        let _ = writeln!(svg, "{}", text(middle, bottom + 38.0, "middle", self.against));
        for curve in &self.curves {
            let place =
                |&(x, y): &(f64, f64)| (left + self.x.share(x) * SIZE.0, bottom - self.y.share(y) * SIZE.1);
            curve.draw(svg, curve.points.iter().map(place).collect());
        }
    }
}

impl Curve {
    fn draw(&self, svg: &mut String, places: Vec<(f64, f64)>) {
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (path, colour) = (path.join(" "), self.colour);
        let _ =
            writeln!(svg, r#"<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>"#);
        for (x, y) in places {
            let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{colour}"/>"#);
        }
    }
}

fn ten_to(power: i32) -> String {
    let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
    let sign = if power < 0 { "⁻" } else { "" };
    format!("10{sign}{}", digits[power.unsigned_abs() as usize % 10])
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!(r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{words}</text>"#)
}

fn rule(from: (f64, f64), to: (f64, f64)) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!(r##"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="#dddddd"/>"##)
}

/// Writes the figure; the path counts from the root of the repository, wherever cargo runs the benchmark.
pub fn save(panels: &[Panel], file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    std::fs::write(path, draw(panels)).expect("a file that can be written");
}

/// The figure; every curve is named once.
fn draw(panels: &[Panel]) -> String {
    let across = MARGIN.0 + SIZE.0 + 20.0;
    let (width, height) = (across * panels.len() as f64, MARGIN.1 + SIZE.1 + FOOT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#333333\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let mut named: Vec<&str> = Vec::new();
    for (i, panel) in panels.iter().enumerate() {
        panel.draw(&mut svg, MARGIN.0 + across * i as f64);
        for Curve { name, colour, .. } in &panel.curves {
            if named.contains(name) {
                continue;
            }
            let (x, y) = (MARGIN.0 + NAME * named.len() as f64, height - 12.0);
            let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{:.1}" r="4" fill="{colour}"/>"#, y - 4.0);
            let _ = writeln!(svg, "{}", text(x + 10.0, y, "start", name));
            named.push(name);
        }
    }
    svg + "</svg>\n"
}
