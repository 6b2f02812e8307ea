//! Draws from Dirichlet distributions: p = g / Σ g with g_i ~ Gamma(w_i).
//!
//! Under the paper's priors most weights of a row are the same: those of the successors that were never seen. Where that
//! weight is 1 its variate is exponential, which takes half the time of a gamma variate. Below 1, variates can be smaller
//! than any number (a weight of 0.001 gives less than 1e-308 every second time), so that such rows are drawn in
//! logarithms:  ln Gamma(w) = ln Gamma(w + 1) + ln U / w  (Marsaglia and Tsang 2000).

use super::variates::{Exponential, gamma};
use crate::arithmetic::elementary::{exp, ln};
use crate::seed::Rng;
use rand::RngExt;
use rand::distr::{Distribution, Open01};

/// A probability below this becomes 0: it would make a model of nearly separate parts that no arithmetic resolves.
const NOTHING: f64 = 1e-12;

/// Of the share of states never seen, what is less than this is not broken any more.
const CRUMB: f64 = 1e-3;

/// A row whose successors have weight `base`, except those in `seen`, which have a greater one; written into `row` with a
/// sum of 1.
pub fn draw_dense(row: &mut [f64], base: f64, seen: impl Iterator<Item = (usize, f64)>, rng: &mut Rng) {
    let logarithms = base < 1.0;
    let draw =
        |weight: f64, rng: &mut Rng| if logarithms { ln_gamma(weight, rng) } else { gamma(weight, rng) };
    if base == 1.0 && !logarithms {
        Exponential::new().fill(row, rng);
    } else {
        row.iter_mut().for_each(|entry| *entry = draw(base, rng));
    }
    for (successor, weight) in seen {
        row[successor] = draw(weight, rng);
    }
    finish(row, logarithms);
}

/// A row on the successors in `weights` alone; `row` receives those with positive probability, with a sum of 1.
pub fn draw_sparse(row: &mut Vec<(usize, f64)>, weights: &[(usize, f64)], rng: &mut Rng) {
    let mut values: Vec<f64> = weights.iter().map(|&(_, weight)| ln_gamma(weight, rng)).collect();
    finish(&mut values, true);
    let drawn = weights.iter().zip(&values).filter(|&(_, &p)| p > 0.0);
    row.extend(drawn.map(|(&(successor, _), &p)| (successor, p)));
}

/// A row of a Dirichlet process after `seen` successors: Dir(N, α) on them and on all `states` together, whose share is broken
/// into pieces, each for a state that is drawn uniformly.
pub fn draw_process(
    row: &mut Vec<(usize, f64)>,
    seen: impl Iterator<Item = (usize, u64)>,
    weight: f64,
    states: usize,
    rng: &mut Rng,
) {
    // The last place is that of all states.
    let mut weights: Vec<(usize, f64)> = seen.map(|(successor, count)| (successor, count as f64)).collect();
    weights.push((states, weight));
    draw_sparse(row, &weights, rng);
    let Some((_, mut share)) = row.pop_if(|(successor, _)| *successor == states) else { return };
    while share > 0.0 {
        let uniform: f64 = Open01.sample(rng);
        // 1 − U^(1/α) is the first piece, a variate of Beta(1, α).
        let left = if share > CRUMB { share * exp(ln(uniform) / weight) } else { 0.0 };
        add_share(row, rng.random_range(0..states), share - left);
        share = left;
    }
}

/// Adds to the share of a successor, successors ascending.
fn add_share(row: &mut Vec<(usize, f64)>, successor: usize, share: f64) {
    match row.binary_search_by_key(&successor, |&(successor, _)| successor) {
        Ok(place) => row[place].1 += share,
        Err(place) if share > 0.0 => row.insert(place, (successor, share)),
        Err(_) => {}
    }
}

/// Variates, or their logarithms, become probabilities.
fn finish(row: &mut [f64], logarithms: bool) {
    if logarithms {
        let most = row.iter().fold(f64::NEG_INFINITY, |most, &x| most.max(x));
        row.iter_mut().for_each(|x| *x = exp(*x - most));
    }
    let mut sum: f64 = row.iter().sum();
    let least = NOTHING * sum;
    // Hardly ever: otherwise the sum stays what it is, and adding up once more would take a third of the time.
    if row.iter().fold(false, |any, &x| any | (x < least)) {
        row.iter_mut().for_each(|x| *x = if *x < least { 0.0 } else { *x });
        sum = row.iter().sum();
    }
    row.iter_mut().for_each(|x| *x /= sum);
}

fn ln_gamma(weight: f64, rng: &mut Rng) -> f64 {
    if weight >= 1.0 {
        return ln(gamma(weight, rng));
    }
    let uniform: f64 = Open01.sample(rng);
    ln(gamma(weight + 1.0, rng)) + ln(uniform) / weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    /// Mean and variance of every entry of Dir(w), over many draws, against w_i / W and w_i (W − w_i) / (W² (W + 1)).
    fn check_moments(base: f64, seen: &[(usize, f64)]) {
        const DRAWS: usize = 40_000;
        let mut weights = [base; 5];
        seen.iter().for_each(|&(i, weight)| weights[i] = weight);
        let total: f64 = weights.iter().sum();
        let mut rng = Seed(5).rng("moments");
        let (mut sums, mut squares, mut row) = ([0.0; 5], [0.0; 5], [0.0; 5]);
        for _ in 0..DRAWS {
            draw_dense(&mut row, base, seen.iter().copied(), &mut rng);
            for i in 0..5 {
                sums[i] += row[i];
                squares[i] += row[i] * row[i];
            }
        }
        for i in 0..5 {
            let mean = sums[i] / DRAWS as f64;
            let variance = squares[i] / DRAWS as f64 - mean * mean;
            let expected = weights[i] / total;
            let spread = expected * (1.0 - expected) / (total + 1.0);
            // Five standard errors of the mean; a variance of a quantity in [0, 1] has at most √(spread/n).
            let mean_error = 5.0 * (spread / DRAWS as f64).sqrt();
            let variance_error = 5.0 * (spread / DRAWS as f64).sqrt();
            assert!((mean - expected).abs() < mean_error, "mean {mean} against {expected}, entry {i}");
            assert!(
                (variance - spread).abs() < variance_error,
                "variance {variance} against {spread}, entry {i}"
            );
        }
    }

    #[test]
    fn draws_have_the_moments_of_their_distribution() {
        check_moments(1.0, &[]);
        check_moments(1.0, &[(2, 7.0)]);
        check_moments(0.05, &[(0, 3.05), (4, 1.05)]);
        check_moments(2.5, &[(1, 40.0)]);
    }

    #[test]
    fn tiny_weights_give_distributions() {
        let mut rng = Seed(1).rng("tiny");
        let mut row = [0.0; 3];
        for _ in 0..1000 {
            draw_dense(&mut row, 1e-6, std::iter::empty(), &mut rng);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{row:?}");
        }
    }

    #[test]
    fn a_sparse_draw_stays_on_its_successors() {
        let mut rng = Seed(1).rng("sparse");
        let mut row = Vec::new();
        draw_sparse(&mut row, &[(3, 1.0), (8, 2.0)], &mut rng);
        assert_eq!(row.iter().map(|&(next, _)| next).collect::<Vec<_>>(), [3, 8]);
        assert!((row.iter().map(|&(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_process_gives_what_was_seen_its_share_and_the_rest_to_a_few_states() {
        // Dir(6, 3, 1): means 0.6, 0.3 and 0.1, of which a thousandth is that of each state.
        const DRAWS: usize = 20_000;
        let mut rng = Seed(6).rng("process");
        let (mut sums, mut squares, mut lengths) = ([0.0; 2], [0.0; 2], 0);
        let mut elsewhere = vec![0.0; 1000];
        for _ in 0..DRAWS {
            let mut row = Vec::new();
            draw_process(&mut row, [(3, 6), (7, 3)].into_iter(), 1.0, 1000, &mut rng);
            assert!(row.windows(2).all(|two| two[0].0 < two[1].0), "{row:?}");
            assert!((row.iter().map(|&(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
            lengths += row.len();
            for (successor, p) in row {
                elsewhere[successor] += p;
                if let Some(i) = [3, 7].iter().position(|&seen| seen == successor) {
                    sums[i] += p;
                    squares[i] += p * p;
                }
            }
        }
        let draws = DRAWS as f64;
        for (i, weight) in [6.0, 3.0].into_iter().enumerate() {
            let (mean, share) = (sums[i] / draws, weight / 10.0 + 1e-4);
            let variance = squares[i] / draws - mean * mean;
            let expected: f64 = share * (1.0 - share) / 11.0;
            assert!((mean - share).abs() < 5.0 * (expected / draws).sqrt(), "{mean} against {share}");
            assert!((variance / expected - 1.0).abs() < 0.06, "{variance} against {expected}");
        }
        let rest: f64 = (0..500).filter(|i| ![3, 7].contains(i)).map(|i| elsewhere[i]).sum();
        assert!((rest / draws - 0.05).abs() < 0.003, "each half of the states has half of the rest: {rest}");
        assert!((6.0..10.0).contains(&(lengths as f64 / draws)), "{lengths}");
    }

    #[test]
    fn a_pair_that_was_never_visited_may_lead_anywhere() {
        let mut rng = Seed(7).rng("never");
        for weight in [1e-6, 0.1, 1.0, 10.0] {
            let mut row = Vec::new();
            draw_process(&mut row, std::iter::empty(), weight, 50, &mut rng);
            let sum: f64 = row.iter().map(|&(_, p)| p).sum();
            assert!(
                (sum - 1.0).abs() < 1e-12 && row.iter().all(|&(state, p)| state < 50 && p > 0.0),
                "{row:?}"
            );
        }
    }
}
