//! A figure of two panels, time and memory against the number of states, both axes logarithmic: plain SVG, so that it is
//! drawn with what the benchmark has at hand.

use std::fmt::Write;

/// Of one family: its name and colour, and (states, seconds, MB) of every size.
pub struct Curve {
    pub name: &'static str,
    pub colour: &'static str,
    pub points: Vec<(f64, f64, f64)>,
}

const SIZE: (f64, f64) = (330.0, 290.0);
const MARGIN: (f64, f64) = (52.0, 34.0);
const STATES: (f64, f64) = (3.0, 6.0);

/// One panel: where it begins, its title, and the powers of ten between which its values lie.
struct Panel {
    left: f64,
    title: &'static str,
    range: (f64, f64),
}

impl Panel {
    fn place(&self, states: f64, value: f64) -> (f64, f64) {
        let across = (states.log10() - STATES.0) / (STATES.1 - STATES.0);
        let up = (value.log10() - self.range.0) / (self.range.1 - self.range.0);
        (self.left + across * SIZE.0, MARGIN.1 + (1.0 - up) * SIZE.1)
    }

    fn axes(&self, svg: &mut String) {
        let (bottom, right) = (MARGIN.1 + SIZE.1, self.left + SIZE.0);
        for power in STATES.0 as i32..=STATES.1 as i32 {
            let (x, _) = self.place(10f64.powi(power), 1.0);
            let label = text(x, bottom + 18.0, "middle", &ten_to(power));
            let _ = writeln!(svg, "{}{label}", rule((x, MARGIN.1), (x, bottom)));
        }
        for power in self.range.0 as i32..=self.range.1 as i32 {
            let (_, y) = self.place(1e3, 10f64.powi(power));
            let label = text(self.left - 6.0, y + 4.0, "end", &ten_to(power));
            let _ = writeln!(svg, "{}{label}", rule((self.left, y), (right, y)));
        }
        let middle = self.left + 0.5 * SIZE.0;
        let _ = writeln!(svg, "{}", text(middle, MARGIN.1 - 14.0, "middle", self.title));
        let _ = writeln!(svg, "{}", text(middle, bottom + 38.0, "middle", "states"));
    }

    fn curve(&self, svg: &mut String, colour: &str, points: impl Iterator<Item = (f64, f64)>) {
        let places: Vec<(f64, f64)> = points.map(|(states, value)| self.place(states, value)).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let path = path.join(" ");
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

/// The figure.
pub fn draw(curves: &[Curve]) -> String {
    let panels = [
        Panel { left: MARGIN.0, title: "CPU seconds per plan", range: (-2.0, 3.0) },
        Panel { left: 2.0 * MARGIN.0 + SIZE.0, title: "peak memory, MB", range: (0.0, 3.0) },
    ];
    let (width, height) = (2.0 * (MARGIN.0 + SIZE.0) + 20.0, SIZE.1 + MARGIN.1 + 76.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#333333\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    panels.iter().for_each(|panel| panel.axes(&mut svg));
    for (i, curve) in curves.iter().enumerate() {
        panels[0].curve(&mut svg, curve.colour, curve.points.iter().map(|&(states, time, _)| (states, time)));
        panels[1].curve(
            &mut svg,
            curve.colour,
            curve.points.iter().map(|&(states, _, memory)| (states, memory)),
        );
        let (x, y) = (MARGIN.0 + 220.0 * i as f64, height - 12.0);
        let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{:.1}" r="4" fill="{}"/>"#, y - 4.0, curve.colour);
        let _ = writeln!(svg, "{}", text(x + 10.0, y, "start", curve.name));
    }
    svg + "</svg>\n"
}
