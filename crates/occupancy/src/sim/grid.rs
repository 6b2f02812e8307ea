//! The steps at which a trial is recorded.
//!
//! All multiples of d, the largest common divisor of the windows that leaves at least 1500 points, and 1, 2, 5, 10, 20, 50,
//! …: both ends of every window that ends on a multiple of d are recorded, so that window averages are exact. Where the
//! windows share no divisor that is large enough for a sensible number of points, the last windows alone are exact.

/// Points are not fewer than this, where the windows allow it.
const POINTS: u64 = 1500;
/// Nor more than this, whatever the windows are: such files nobody wants to read.
pub const MOST_POINTS: u64 = 200_000;

/// Ascending steps, the last of which is the last of the trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    steps: Vec<u64>,
}

impl Grid {
    /// The grid of a trial of so many rounds, for moving averages over these windows.
    pub fn new(rounds: u64, windows: &[u64]) -> Grid {
        let windows = windows.iter().copied().filter(|&window| window > 0);
        let common = windows.clone().fold(0, greatest_common_divisor);
        let spacing = spacing(rounds, if common == 0 { rounds } else { common });
        let spacing = spacing.unwrap_or((rounds / POINTS).max(1));
        let mut steps: Vec<u64> = (1..=rounds / spacing).map(|i| i * spacing).collect();
        let decades = std::iter::successors(Some(1u64), |&power| power.checked_mul(10));
        let fine = decades.flat_map(|power| [1, 2, 5].map(|digit| power.saturating_mul(digit)));
        steps.extend(fine.take_while(|&step| step <= rounds));
        steps.extend(windows.filter(|&window| window < rounds).map(|window| rounds - window));
        steps.push(rounds);
        steps.sort_unstable();
        steps.dedup();
        Grid { steps }
    }

    /// The greatest common divisor of the windows, and about how many steps a grid would have on which all their averages
    /// are exact.
    pub fn density(rounds: u64, windows: &[u64]) -> (u64, u64) {
        let windows = windows.iter().copied().filter(|&window| window > 0);
        let common = windows.fold(0, greatest_common_divisor);
        let common = if common == 0 { rounds } else { common };
        let dense = if common <= rounds / MOST_POINTS { common } else { 1 };
        (common, rounds / spacing(rounds, common).unwrap_or(dense))
    }

    /// The steps.
    pub fn steps(&self) -> &[u64] {
        &self.steps
    }
}

/// The largest divisor of `common` that leaves enough points and not too many.
fn spacing(rounds: u64, common: u64) -> Option<u64> {
    let (least, most) = (rounds.div_ceil(MOST_POINTS).max(1), (rounds / POINTS).max(1));
    let mut parts = common.div_ceil(most)..=common / least;
    parts.find(|&parts| common.is_multiple_of(parts)).map(|parts| common / parts)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_windows_have_their_ends_on_the_grid() {
        for (rounds, window, spacing) in [(9000, 1000, 5), (200_000, 5000, 125), (2_000_000, 50_000, 1250)] {
            let grid = Grid::new(rounds, &[window]);
            assert!((1500..=1850).contains(&grid.steps().len()), "{}", grid.steps().len());
            assert!((1..=rounds / spacing).all(|i| grid.steps().binary_search(&(i * spacing)).is_ok()));
            assert_eq!(window % spacing, 0);
        }
    }

    #[test]
    fn odd_numbers_keep_the_last_window_exact() {
        let grid = Grid::new(10_007, &[300, 1000]);
        assert_eq!(grid.steps()[..4], [1, 2, 5, 10]);
        for step in [10_007, 9707, 9007, 5000, 100] {
            assert!(grid.steps().binary_search(&step).is_ok(), "{step}");
        }
        assert_eq!(Grid::new(3, &[]).steps(), [1, 2, 3]);
        assert_eq!(Grid::new(1, &[1]).steps(), [1]);
    }

    #[test]
    fn windows_without_a_divisor_do_not_make_millions_of_points() {
        let grid = Grid::new(1_000_000_000_000, &[1_000_003]);
        assert!((1500..1600).contains(&grid.steps().len()), "{}", grid.steps().len());
        assert!(grid.steps().binary_search(&(1_000_000_000_000 - 1_000_003)).is_ok());
    }
}
