//! A few shapes of SVG, with coordinates to a hundredth of a pixel.

use occupancy::error::visible;
use std::fmt::Write;

/// The font of all text.
const FONT: &str = "'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif";

/// The colour of text and arrows.
pub const INK: &str = "#22262b";
/// The colour of secondary text.
pub const FAINT: &str = "#6b7280";

/// A picture in the making.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Where a text's anchor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

impl Svg {
    /// An empty white picture.
    pub fn new(width: f64, height: f64) -> Svg {
        let mut svg = Svg { width, height, body: String::new() };
        svg.rect([0.0, 0.0, width, height], "fill=\"#ffffff\"");
        svg
    }

    /// A rectangle `[x, y, width, height]`.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], style: &str) {
        let [x, y, width, height] = [x, y, width, height].map(short);
        self.push(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {style}/>"));
    }

    /// A circle.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, style: &str) {
        let [x, y, radius] = [x, y, radius].map(short);
        self.push(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}/>"));
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], style: &str) {
        self.push(&format!("<polyline points=\"{}\" fill=\"none\" {style}/>", joined(points)));
    }

    /// A filled shape.
    pub fn polygon(&mut self, points: &[(f64, f64)], style: &str) {
        self.push(&format!("<polygon points=\"{}\" {style}/>", joined(points)));
    }

    /// A text of this size.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, style: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let [x, y, size] = [x, y, size].map(short);
        let text = escaped(text);
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" {style}>{text}</text>"
        ));
    }

    /// Any other element.
    pub fn push(&mut self, element: &str) {
        self.body.push_str("  ");
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// The whole document.
    pub fn finish(self) -> String {
        let (width, height) = (short(self.width), short(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n{}</svg>\n",
            self.body
        )
    }
}

/// About how wide a text is: a little more than the mean of the fonts' letters.
pub fn text_width(text: &str, size: f64) -> f64 {
    0.6 * size * text.chars().count() as f64
}

/// A coordinate with at most two decimals.
pub fn short(x: f64) -> String {
    let text = format!("{:.2}", (x * 100.0).round() / 100.0 + 0.0);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn joined(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (x, y) in points {
        let gap = if text.is_empty() { "" } else { " " };
        // Writing to a string does not fail.
        let _ = write!(text, "{gap}{},{}", short(*x), short(*y));
    }
    text
}

/// A text as SVG holds it.
pub fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_coordinates_are_short() {
        let mut svg = Svg::new(10.0, 20.5);
        svg.text((1.0 / 3.0, -0.001), 12.0, Anchor::End, "fill=\"red\"", "a<b & \"c\"");
        let text = svg.finish();
        assert!(text.contains("width=\"10\" height=\"20.5\""));
        assert!(text.contains("<text x=\"0.33\" y=\"0\" font-size=\"12\" text-anchor=\"end\" fill=\"red\">"));
        assert!(text.contains("a&lt;b &amp; &quot;c&quot;</text>"));
    }
}
