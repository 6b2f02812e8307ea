//! What figures are drawn on: an SVG, of which resvg makes a PNG with the same font.
//!
//! Coordinates are in pixels, and written as whole tenths of a pixel. The picture of the same data is the same text on
//! every machine.

use super::marker::{Marker, Outline};
use crate::error::ReportProblem;
use crate::figure::svg::escaped;
use crate::{Error, Result};
use resvg::usvg::fontdb::Database;
use resvg::{tiny_skia, usvg};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use std::fmt::{self, Display, Write};
use std::sync::{Arc, LazyLock};

/// Units of the picture in a pixel.
const UNIT: f64 = 10.0;
/// How many pixels of a PNG are a pixel of its SVG: 300 dots per inch at the width of a column.
const SCALE: f32 = 3.0;
/// The font, and what may stand in for it where an SVG is shown without it.
const FAMILY: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";
static FONT: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

/// A position in pixels, from the upper left corner.
pub type Position = (f64, f64);

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Where a text's anchor is, from left to right; it is always in the middle of its height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
    /// In its middle, and the text runs upwards.
    Upwards,
}

/// Colours.
pub mod ink {
    use super::Colour;

    /// Text and the optimum.
    pub const DARK: Colour = Colour(0x22, 0x26, 0x2b);
    /// Secondary text.
    pub const FAINT: Colour = Colour(0x5f, 0x66, 0x70);
    /// Frames and axes.
    pub const FRAME: Colour = Colour(0x8a, 0x90, 0x99);
    /// The lines of a grid.
    pub const GRID: Colour = Colour(0xe6, 0xe8, 0xec);
    /// What everything is drawn on.
    pub const WHITE: Colour = Colour(0xff, 0xff, 0xff);
}

/// A picture in the making.
pub struct Canvas {
    /// The elements so far, each on a line of its own.
    body: String,
}

/// The SVG of a picture of this size.
pub fn picture(width: f64, height: f64, paint: impl FnOnce(&mut Canvas)) -> String {
    let [width, height] = [width, height].map(f64::ceil);
    let mut canvas = Canvas { body: String::new() };
    canvas.rect([0.0, 0.0, width, height], ink::WHITE);
    paint(&mut canvas);
    let (across, down) = (UNIT * width, UNIT * height);
    format!(
        "<svg width=\"{width}\" height=\"{height}\" stroke-linejoin=\"round\" viewBox=\"0 0 {across} {down}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n{}</svg>\n",
        canvas.body
    )
}

/// The PNG of an SVG.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        fonts.load_font_data(FONT.to_vec());
        // Whatever family a picture names, this is the font there is.
        fonts.set_serif_family("DejaVu Sans");
        fonts.set_sans_serif_family("DejaVu Sans");
        fonts.set_monospace_family("DejaVu Sans");
        Arc::new(fonts)
    });
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "DejaVu Sans".into(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(failed)?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let pixels = size.and_then(|size| tiny_skia::Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or_else(|| failed("it has no size"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(failed)
}

fn failed(reason: impl Display) -> Error {
    ReportProblem::Figure { reason: reason.to_string() }.into()
}

fn unit((x, y): Position) -> (i32, i32) {
    ((x * UNIT).round() as i32, (y * UNIT).round() as i32)
}

fn joined(places: &[Position]) -> String {
    let written = |&place: &Position| {
        let (x, y) = unit(place);
        format!("{x},{y} ")
    };
    places.iter().map(written).collect()
}

/// How wide a text of this size is.
pub fn text_width(text: &str, size: f64) -> f64 {
    // The font is part of the program. If it were damaged, no PNG would have text either.
    let Ok(font) = skrifa::FontRef::new(FONT) else { return 0.0 };
    let (glyphs, metrics) = (font.charmap(), font.glyph_metrics(Size::new(1.0), LocationRef::default()));
    let advance = |c: char| glyphs.map(c).and_then(|glyph| metrics.advance_width(glyph)).unwrap_or(0.6);
    text.chars().map(|c| size * f64::from(advance(c))).sum()
}

impl Canvas {
    fn push(&mut self, element: fmt::Arguments) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    /// A line through some places.
    pub fn line(&mut self, places: &[Position], colour: Colour, width: f64) {
        self.polyline(places, colour, width, "");
    }

    /// A straight line of dashes and gaps of these lengths.
    pub fn dashed(&mut self, ends: [Position; 2], colour: Colour, width: f64, dash: [f64; 2]) {
        let [dash, gap] = dash.map(|length| (length * UNIT).round());
        self.polyline(&ends, colour, width, &format!("stroke-dasharray=\"{dash} {gap}\" "));
    }

    fn polyline(&mut self, places: &[Position], colour: Colour, width: f64, dashes: &str) {
        let (width, places) = ((width * UNIT).round(), joined(places));
        self.push(format_args!(
            "<polyline fill=\"none\" opacity=\"1\" {dashes}stroke=\"{colour}\" stroke-width=\"{width}\" \
             points=\"{places}\"/>"
        ));
    }

    /// A filled shape.
    pub fn shape(&mut self, places: &[Position], colour: Colour, opacity: f64) {
        let places = joined(places);
        self.push(format_args!("<polygon opacity=\"{opacity}\" fill=\"{colour}\" points=\"{places}\"/>"));
    }

    /// A filled rectangle `[left, top, right, bottom]`.
    pub fn rect(&mut self, [left, top, right, bottom]: [f64; 4], colour: Colour) {
        let ((x, y), (right, bottom)) = (unit((left, top)), unit((right, bottom)));
        let (width, height) = (right - x, bottom - y);
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" opacity=\"1\" fill=\"{colour}\" \
             stroke=\"none\"/>"
        ));
    }

    /// The outline of a rectangle.
    pub fn frame(&mut self, [left, top, right, bottom]: [f64; 4], colour: Colour, width: f64) {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.line(&corners, colour, width);
    }

    /// A text of this size.
    pub fn text(&mut self, at: Position, size: f64, colour: Colour, anchor: Anchor, text: &str) {
        let ((x, y), size, text) = (unit(at), size * UNIT, escaped(text));
        let across = match anchor {
            Anchor::Start => "start",
            Anchor::Middle | Anchor::Upwards => "middle",
            Anchor::End => "end",
        };
        let turned = match anchor {
            Anchor::Upwards => format!(" transform=\"rotate(270, {x}, {y})\""),
            _ => String::new(),
        };
        self.push(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{across}\" font-family=\"{FAMILY}\" \
             font-size=\"{size}\" opacity=\"1\" fill=\"{colour}\"{turned}>\n{text}\n</text>"
        ));
    }

    /// A marker: filled, with a white rim that sets it off from what is below.
    pub fn marker(&mut self, marker: Marker, at: Position, colour: Colour) {
        for (scale, colour) in [(1.35, ink::WHITE), (1.0, colour)] {
            match marker.outline(at, scale) {
                Outline::Corners(places) => self.shape(&places, colour, 1.0),
                Outline::Circle(radius) => {
                    let ((x, y), radius) = (unit(at), (radius * UNIT).round());
                    self.push(format_args!(
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" opacity=\"1\" fill=\"{colour}\" \
                         stroke=\"none\" stroke-width=\"1\"/>"
                    ));
                }
            }
        }
    }
}
