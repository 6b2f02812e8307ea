//! How learners are told apart: a colour for every kind (Okabe and Ito's, which colour-blind readers tell apart) and
//! markers, for print without colours.

use super::canvas::{Colour, Position};
use occupancy::arithmetic::elementary::sin_cos;

/// The radius of a marker in pixels.
const RADIUS: f64 = 3.1;

/// The shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Disc,
    /// A square on its side.
    Square,
    /// A triangle that points up.
    Up,
    /// A triangle that points down.
    Down,
    /// A square on its corner.
    Diamond,
    /// A plus sign.
    Plus,
    /// A cross.
    Cross,
}

/// The outline of a marker.
pub enum Outline {
    /// A circle of this radius.
    Circle(f64),
    /// These corners.
    Corners(Vec<Position>),
}

impl Marker {
    const ALL: [Marker; 7] = [
        Marker::Disc,
        Marker::Square,
        Marker::Up,
        Marker::Down,
        Marker::Diamond,
        Marker::Plus,
        Marker::Cross,
    ];

    /// The marker of a learner; of several learners of one name each has another.
    pub fn of(learner: &str, occurrence: usize) -> Marker {
        Marker::ALL[(number_of(learner) + occurrence) % Marker::ALL.len()]
    }

    /// Its outline around a place, so many times its usual size.
    pub fn outline(self, (x, y): Position, scale: f64) -> Outline {
        let regular = |corners: usize, first: f64, size: f64| {
            let corner = |i: usize| {
                let angle = (first + 360.0 * i as f64 / corners as f64).to_radians();
                let (sine, cosine) = sin_cos(angle);
                (x + size * RADIUS * scale * cosine, y + size * RADIUS * scale * sine)
            };
            Outline::Corners((0..corners).map(corner).collect())
        };
        match self {
            Marker::Disc => Outline::Circle(0.95 * RADIUS * scale),
            Marker::Square => regular(4, 45.0, 1.15),
            Marker::Up => regular(3, -90.0, 1.3),
            Marker::Down => regular(3, 90.0, 1.3),
            Marker::Diamond => regular(4, 0.0, 1.3),
            Marker::Plus => Outline::Corners(star((x, y), RADIUS * scale, 0.0)),
            Marker::Cross => Outline::Corners(star((x, y), RADIUS * scale, 45.0)),
        }
    }
}

/// Two bars across each other.
fn star((x, y): Position, radius: f64, turn: f64) -> Vec<Position> {
    let (long, short) = (1.3 * radius, 0.42 * radius);
    let (sine, cosine) = sin_cos(turn.to_radians());
    let arm = [(long, -short), (long, short), (short, short)];
    let mut outline = Vec::new();
    for quarter in 0..4 {
        for (a, b) in arm {
            let (a, b) = (0..quarter).fold((a, b), |(a, b), _| (-b, a));
            outline.push((x + a * cosine - b * sine, y + a * sine + b * cosine));
        }
    }
    outline
}

/// The learners that come along, each with its colour here and on the page. Those of the first seven are Okabe and Ito's, which most
/// colour-blind readers can tell apart; grey instead of their black is seen on dark pages too. The others were chosen one by one as
/// far as possible (in CIELAB, from 38 to 72 of lightness) from those that they are compared with: averages first, then episodes.
/// Any two differ by at least 19, two of a setting by at least 26.
pub const COLOURS: [(&str, Colour); 29] = [
    ("psrl-transitions", Colour(0x00, 0x72, 0xb2)),
    ("psrl-lagrangian", Colour(0x00, 0x9e, 0x73)),
    ("cucrl-optimistic", Colour(0xd5, 0x5e, 0x00)),
    ("cucrl-conservative", Colour(0xe6, 0x9f, 0x00)),
    ("cucrl-transitions", Colour(0xcc, 0x79, 0xa7)),
    ("uniform", Colour(0x56, 0xb4, 0xe9)),
    ("oracle", Colour(0x8a, 0x8f, 0x98)),
    ("ucrl-cmdp", Colour(0x70, 0x10, 0xf0)),
    ("uc-curl", Colour(0x10, 0xc0, 0x10)),
    ("c-ucrl", Colour(0xf0, 0x10, 0xc0)),
    ("chen-policy", Colour(0xe0, 0x10, 0x50)),
    ("chen-horizon", Colour(0x60, 0x60, 0x10)),
    ("cmdp-psrl", Colour(0x90, 0x70, 0xf0)),
    ("psconrl", Colour(0xe0, 0xa0, 0x70)),
    ("ucrl2", Colour(0xa0, 0xb0, 0x10)),
    ("tsde", Colour(0xa0, 0x40, 0x30)),
    ("optcmdp", Colour(0x10, 0x80, 0x10)),
    ("optcmdp-bonus", Colour(0xf0, 0x10, 0x10)),
    ("optdual", Colour(0xd0, 0x20, 0x80)),
    ("optprimaldual", Colour(0x10, 0x50, 0xf0)),
    ("conrl", Colour(0xa0, 0x70, 0x10)),
    ("ucpd", Colour(0xf0, 0x10, 0xf0)),
    ("optpess-lp", Colour(0xc0, 0x90, 0xf0)),
    ("optpess-primaldual", Colour(0x10, 0xc0, 0xb0)),
    ("dope", Colour(0xf0, 0x80, 0x80)),
    ("uopt", Colour(0xa0, 0xb0, 0x70)),
    ("safe-psrl", Colour(0x10, 0x60, 0xc0)),
    ("triple-q", Colour(0x90, 0x30, 0xb0)),
    ("psrl", Colour(0x90, 0x50, 0x80)),
];

/// How many of them learners of somebody else share: those with a marker of their own.
const SHARED: usize = Marker::ALL.len();

/// The colour of a learner.
pub fn colour(learner: &str) -> Colour {
    COLOURS[number_of(learner)].1
}

/// The place of a learner in the table. One that is not in it always has that of the same other one, chosen by the letters
/// of its name: the figures of the same runs are the same everywhere.
fn number_of(learner: &str) -> usize {
    let known = COLOURS.iter().position(|(name, _)| *name == learner);
    let chosen =
        || learner.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    known.unwrap_or_else(|| chosen() % SHARED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn every_learner_that_comes_along_has_a_colour_of_its_own_and_those_of_the_paper_a_marker() {
        let standard = Catalogue::standard();
        let mut names: Vec<&str> = COLOURS.iter().map(|(name, _)| *name).collect();
        for (i, a) in names.iter().enumerate() {
            for b in &names[i + 1..] {
                assert!(colour(a) != colour(b), "{a} {b}");
                assert!(
                    i + 1 >= SHARED || Marker::of(a, 0) != Marker::of(b, 0) || !names[..SHARED].contains(b)
                );
            }
        }
        assert_ne!(Marker::of(names[0], 0), Marker::of(names[0], 1));
        let mut known: Vec<&str> = standard.learners().all().map(|learner| learner.name()).collect();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn a_learner_of_somebody_else_can_be_drawn() {
        assert_eq!(colour("a-strangers"), colour("a-strangers"));
        assert!(COLOURS.iter().any(|(_, known)| *known == colour("")));
    }
}
