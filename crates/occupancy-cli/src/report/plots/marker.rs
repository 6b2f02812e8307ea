//! How learners are told apart: a colour for every kind (Okabe and Ito's, which colour-blind readers tell apart) and
//! markers, for print without colours.

use super::canvas::{Colour, Place};
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
    Corners(Vec<Place>),
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

    /// The marker of a learner kind; of several learners of one kind each has another.
    pub fn of(kind: &str, occurrence: usize) -> Marker {
        let place = KNOWN.iter().position(|&known| known == kind).unwrap_or(KNOWN.len());
        Marker::ALL[(place + occurrence) % Marker::ALL.len()]
    }

    /// Its outline around a place, so many times its usual size.
    pub fn outline(self, (x, y): Place, scale: f64) -> Outline {
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
fn star((x, y): Place, radius: f64, turn: f64) -> Vec<Place> {
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

/// The learners whose colours are their own.
pub const KNOWN: [&str; 7] = [
    "psrl-transitions",
    "psrl-lagrangian",
    "cucrl-optimistic",
    "cucrl-conservative",
    "cucrl-transitions",
    "uniform",
    "oracle",
];

/// The colours of other learners, such as those of a user.
const OTHERS: [Colour; 4] =
    [Colour(0x7b, 0x4f, 0xa3), Colour(0x8c, 0x56, 0x4b), Colour(0xb8, 0x9d, 0x00), Colour(0x11, 0x73, 0x73)];

/// The colour of a learner kind, here and on the page: Okabe and Ito's, which most colour-blind readers can tell apart. Grey
/// instead of their black is seen on dark pages too.
pub fn colour(kind: &str) -> Colour {
    match kind {
        "psrl-transitions" => Colour(0x00, 0x72, 0xb2),
        "psrl-lagrangian" => Colour(0x00, 0x9e, 0x73),
        "cucrl-optimistic" => Colour(0xd5, 0x5e, 0x00),
        "cucrl-conservative" => Colour(0xe6, 0x9f, 0x00),
        "cucrl-transitions" => Colour(0xcc, 0x79, 0xa7),
        "uniform" => Colour(0x56, 0xb4, 0xe9),
        "oracle" => Colour(0x8a, 0x8f, 0x98),
        _ => OTHERS[kind.bytes().fold(0, |sum, byte| sum + usize::from(byte)) % OTHERS.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_colour_and_a_marker_of_its_own() {
        let kinds = KNOWN;
        for (i, &a) in kinds.iter().enumerate() {
            for &b in &kinds[i + 1..] {
                assert!(colour(a) != colour(b) && Marker::of(a, 0) != Marker::of(b, 0));
            }
        }
        assert_ne!(Marker::of(kinds[0], 0), Marker::of(kinds[0], 1));
    }
}
