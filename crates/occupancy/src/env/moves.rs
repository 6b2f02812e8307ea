//! The four moves and the slip: with probability 1 − ε the chosen move, with probability ε one of the four
//! uniformly.

/// A move on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column after.
    Right,
}

impl Move {
    /// All moves, in the order of the pairs of a state.
    pub const ALL: [Move; 4] = [Move::Up, Move::Down, Move::Left, Move::Right];

    /// The name of the action.
    pub fn name(self) -> &'static str {
        match self {
            Move::Up => "up",
            Move::Down => "down",
            Move::Left => "left",
            Move::Right => "right",
        }
    }

    /// The moves that may really happen when this one is chosen, with their positive probabilities.
    pub fn realised(self, slip: f64) -> impl Iterator<Item = (Move, f64)> {
        let probability = move |real: Move| if real == self { 1.0 - slip + slip / 4.0 } else { slip / 4.0 };
        Move::ALL.into_iter().map(move |real| (real, probability(real))).filter(|&(_, p)| p > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_move_also_slips() {
        let real: Vec<_> = Move::Left.realised(0.1).collect();
        let expected = [(Move::Up, 0.025), (Move::Down, 0.025), (Move::Left, 0.925), (Move::Right, 0.025)];
        assert_eq!(real.len(), 4);
        for ((m, p), (n, q)) in real.into_iter().zip(expected) {
            assert_eq!(m, n);
            assert!((p - q).abs() < 1e-15);
        }
    }

    #[test]
    fn without_slip_the_chosen_move_is_certain() {
        assert_eq!(Move::Up.realised(0.0).collect::<Vec<_>>(), [(Move::Up, 1.0)]);
        assert!(Move::Up.realised(1.0).all(|(_, p)| p == 0.25));
    }
}
