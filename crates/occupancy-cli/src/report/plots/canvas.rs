//! What figures are drawn on: plotters writes SVG, and resvg makes a PNG of it with the same font.
//!
//! Coordinates are in pixels. Plotters has whole numbers only, so that a pixel has [`UNIT`] of its units. The picture of
//! the same data is the same text on every machine.

use super::marker::{Marker, Outline};
use crate::failure::{Failure, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use resvg::{tiny_skia, usvg};
use std::cell::RefCell;
use std::fmt::Display;
use std::sync::{Arc, LazyLock, Once};

/// Units of plotters in a pixel.
const UNIT: f64 = 10.0;
/// Plotters writes sizes of text divided by this.
const TEXT_SIZE: f64 = 1.24;
/// From the top of the font's letters to the bottom, in ems: what plotters takes for the size when it measures.
const TEXT_HEIGHT: f64 = 1.1641;
/// How many pixels of a PNG are a pixel of its SVG: 300 dots per inch at the width of a column.
const SCALE: f32 = 3.0;
/// The font, and what may stand in for it where an SVG is shown without it.
const FAMILY: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";
static FONT: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

/// A place in pixels, from the upper left corner.
pub type Place = (f64, f64);

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
    use plotters::style::RGBColor;

    /// Text and the optimum.
    pub const DARK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
    /// Secondary text.
    pub const FAINT: RGBColor = RGBColor(0x5f, 0x66, 0x70);
    /// Frames and axes.
    pub const FRAME: RGBColor = RGBColor(0x8a, 0x90, 0x99);
    /// The lines of a grid.
    pub const GRID: RGBColor = RGBColor(0xe6, 0xe8, 0xec);
}

/// A picture in the making.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    /// Lines as plotters writes them, which knows no dashes, and as they are to be.
    dashes: RefCell<Vec<(String, String)>>,
}

/// The SVG of a picture of this size.
pub fn picture(width: f64, height: f64, paint: impl FnOnce(&Canvas) -> Result<()>) -> Result<String> {
    know_font();
    let size = ((width * UNIT) as u32, (height * UNIT) as u32);
    let mut text = String::new();
    let dashes = {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let canvas = Canvas { area, dashes: RefCell::default() };
        canvas.area.fill(&WHITE).map_err(failed)?;
        paint(&canvas)?;
        canvas.area.present().map_err(failed)?;
        canvas.dashes.into_inner()
    };
    for (written, dashed) in dashes {
        text = text.replacen(&written, &dashed, 1);
    }
    let head = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    let shown = format!("width=\"{width}\" height=\"{height}\" stroke-linejoin=\"round\"");
    Ok(text.replacen(&head, &shown, 1))
}

/// The PNG of an SVG.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
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

fn failed(reason: impl Display) -> Failure {
    Failure::Use(format!("a figure cannot be drawn: {reason}"))
}

fn unit((x, y): Place) -> (i32, i32) {
    ((x * UNIT).round() as i32, (y * UNIT).round() as i32)
}

fn style(size: f64, colour: RGBColor, anchor: Anchor) -> TextStyle<'static> {
    let font = (FAMILY, size * UNIT * TEXT_SIZE).into_font();
    let font = if anchor == Anchor::Upwards { font.transform(FontTransform::Rotate270) } else { font };
    let across = match anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle | Anchor::Upwards => HPos::Center,
        Anchor::End => HPos::Right,
    };
    font.color(&colour).pos(Pos::new(across, VPos::Center))
}

/// Tells plotters of the font, once.
fn know_font() {
    static KNOWN: Once = Once::new();
    // The font is part of the program. If it were damaged, the first text would be refused.
    KNOWN.call_once(|| _ = register_font(FAMILY, FontStyle::Normal, FONT));
}

/// How wide a text of this size is.
pub fn text_width(text: &str, size: f64) -> f64 {
    know_font();
    let width = style(size, ink::DARK, Anchor::Start).font.layout_box(text).map(|(low, high)| high.0 - low.0);
    // Without a font there is no picture either.
    width.map_or(0.0, |width| f64::from(width) / UNIT * TEXT_HEIGHT / TEXT_SIZE)
}

impl Canvas<'_> {
    /// A line through some places.
    pub fn line(&self, places: &[Place], colour: RGBColor, width: f64) -> Result<()> {
        let places: Vec<(i32, i32)> = places.iter().copied().map(unit).collect();
        let style = colour.stroke_width((width * UNIT).round() as u32);
        self.area.draw(&PathElement::new(places, style)).map_err(failed)
    }

    /// A straight line of dashes and gaps of these lengths.
    pub fn dashed(&self, ends: [Place; 2], colour: RGBColor, width: f64, dash: [f64; 2]) -> Result<()> {
        let [from, to] = ends.map(unit);
        let RGBColor(red, green, blue) = colour;
        let written = format!(
            "stroke=\"#{red:02X}{green:02X}{blue:02X}\" stroke-width=\"{}\" points=\"{},{} {},{} \"",
            (width * UNIT).round(),
            from.0,
            from.1,
            to.0,
            to.1
        );
        let [dash, gap] = dash.map(|length| (length * UNIT).round());
        self.dashes
            .borrow_mut()
            .push((written.clone(), format!("stroke-dasharray=\"{dash} {gap}\" {written}")));
        self.line(&ends, colour, width)
    }

    /// A filled shape.
    pub fn shape(&self, places: &[Place], colour: RGBColor, opacity: f64) -> Result<()> {
        let places: Vec<(i32, i32)> = places.iter().copied().map(unit).collect();
        self.area.draw(&Polygon::new(places, colour.mix(opacity).filled())).map_err(failed)
    }

    /// A filled rectangle `[left, top, right, bottom]`.
    pub fn rect(&self, [left, top, right, bottom]: [f64; 4], colour: RGBColor) -> Result<()> {
        let corners = [unit((left, top)), unit((right, bottom))];
        self.area.draw(&Rectangle::new(corners, colour.filled())).map_err(failed)
    }

    /// The outline of a rectangle.
    pub fn frame(&self, [left, top, right, bottom]: [f64; 4], colour: RGBColor, width: f64) -> Result<()> {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.line(&corners, colour, width)
    }

    /// A text of this size.
    pub fn text(&self, at: Place, size: f64, colour: RGBColor, anchor: Anchor, text: &str) -> Result<()> {
        let style = style(size, colour, anchor);
        self.area.draw(&Text::new(text.to_string(), unit(at), style)).map_err(failed)
    }

    /// A marker: filled, with a white rim that sets it off from what is below.
    pub fn marker(&self, marker: Marker, at: Place, colour: RGBColor) -> Result<()> {
        for (scale, colour) in [(1.35, WHITE), (1.0, colour)] {
            match marker.outline(at, scale) {
                Outline::Corners(places) => self.shape(&places, colour, 1.0)?,
                Outline::Circle(radius) => {
                    let radius = (radius * UNIT).round() as u32;
                    self.area.draw(&Circle::new(unit(at), radius, colour.filled())).map_err(failed)?;
                }
            }
        }
        Ok(())
    }
}
