//! How learners are told apart: a colour for every kind (Okabe and Ito's, which colour-blind readers tell apart) and
//! markers, for print without colours.

use super::canvas::{Colour, Place};
use occupancy::arithmetic::elementary::sin_cos;
use occupancy::learn::LearnerKind;

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
    pub fn of(kind: LearnerKind, occurrence: usize) -> Marker {
        let place = LearnerKind::ALL.iter().position(|&known| known == kind).unwrap_or(0);
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

/// The colour of a learner kind, here and on the page: Okabe and Ito's, which most colour-blind readers can tell apart. Grey
/// instead of their black is seen on dark pages too.
pub fn colour(kind: LearnerKind) -> Colour {
    match kind {
        LearnerKind::PsrlTransitions => Colour(0x00, 0x72, 0xb2),
        LearnerKind::PsrlLagrangian => Colour(0x00, 0x9e, 0x73),
        LearnerKind::CucrlOptimistic => Colour(0xd5, 0x5e, 0x00),
        LearnerKind::CucrlConservative => Colour(0xe6, 0x9f, 0x00),
        LearnerKind::CucrlTransitions => Colour(0xcc, 0x79, 0xa7),
        LearnerKind::Uniform => Colour(0x56, 0xb4, 0xe9),
        LearnerKind::Oracle => Colour(0x8a, 0x8f, 0x98),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_colour_and_a_marker_of_its_own() {
        let kinds = LearnerKind::ALL;
        for (i, &a) in kinds.iter().enumerate() {
            for &b in &kinds[i + 1..] {
                assert!(colour(a) != colour(b) && Marker::of(a, 0) != Marker::of(b, 0));
            }
        }
        assert_ne!(Marker::of(kinds[0], 0), Marker::of(kinds[0], 1));
    }
}
