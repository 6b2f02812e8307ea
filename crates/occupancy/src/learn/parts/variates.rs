//! Exponential, normal and gamma variates with the same bits on every machine.
//!
//! ```text
//! ziggurat   256 layers of equal area under a falling density f:  x_i (f(x_{i+1}) − f(x_i)) = area,  x_1 = tail
//!            a place in a layer that is below the next one's edge is under f; of the others f decides
//! gamma      d v with d = w − 1/3, v = (1 + z/√(9d))³, z normal; taken if ln u < z²/2 + d (1 − v + ln v)
//! ```
//!
//! Source: Marsaglia and Tsang, *The ziggurat method* and *A simple method for generating gamma variables* (2000), with
//! the tail and area that they give for 256 layers.

mod ends;

use crate::arithmetic::elementary::{exp, ln};
use crate::seed::Rng;
use rand::distr::{Distribution, Open01};
use rand::{Rng as _, RngExt};
use std::sync::LazyLock;

const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;
const LAYERS: usize = 256;

static EXPONENTIAL: LazyLock<Layers> = LazyLock::new(|| Layers::new(&ends::EXPONENTIAL, exponential_density));
static NORMAL: LazyLock<Layers> = LazyLock::new(|| Layers::new(&ends::NORMAL, normal_density));

fn exponential_density(x: f64) -> f64 {
    exp(-x)
}

/// Up to a factor.
fn normal_density(x: f64) -> f64 {
    exp(-x * x / 2.0)
}

/// The layers under a density.
struct Layers {
    /// Where each ends, descending to 0; the first is as long as a box of its area would be, although it is a tail.
    ends: &'static [f64; LAYERS + 1],
    /// The density there.
    heights: [f64; LAYERS + 1],
}

impl Layers {
    fn new(ends: &'static [f64; LAYERS + 1], density: fn(f64) -> f64) -> Layers {
        Layers { ends, heights: ends.map(density) }
    }

    /// Whether a place in a layer, beyond the end of the next one, is under the density.
    fn holds(&self, layer: usize, density: f64, rng: &mut Rng) -> bool {
        let (low, high) = (self.heights[layer], self.heights[layer + 1]);
        high + (low - high) * rng.random::<f64>() < density
    }
}

/// The mantissa of a number in [1, 2), from the upper bits; the lower ones choose the layer.
fn mantissa(bits: u64) -> u64 {
    bits >> 12
}

/// Exponential variates of mean 1.
pub struct Exponential(&'static Layers);

impl Exponential {
    pub fn new() -> Exponential {
        Exponential(&EXPONENTIAL)
    }

    pub fn sample(&self, rng: &mut Rng) -> f64 {
        let mut one = [0.0];
        self.fill(&mut one, rng);
        one[0]
    }

    /// Draws one number after the other. The generator is a copy of which nothing outside the inner loop knows, so that it
    /// stays in registers: half of the time.
    pub fn fill(&self, numbers: &mut [f64], rng: &mut Rng) {
        let mut rest = numbers.iter_mut();
        loop {
            let mut own = rng.clone();
            let undecided = rest.by_ref().find_map(|number| {
                let (x, layer) = self.place(own.next_u64());
                *number = x;
                (x >= self.0.ends[layer + 1]).then_some((number, layer))
            });
            *rng = own;
            let Some((number, layer)) = undecided else { return };
            *number = self.decide(*number, layer, rng);
        }
    }

    /// A place and its layer.
    #[inline(always)]
    fn place(&self, bits: u64) -> (f64, usize) {
        let layer = bits as usize % LAYERS;
        // In (0, 1).
        let share = f64::from_bits(1f64.to_bits() | mantissa(bits)) - (1.0 - f64::EPSILON / 2.0);
        (share * self.0.ends[layer], layer)
    }

    /// What is drawn if a place is beyond the end of the next layer: one in a hundred is.
    #[cold]
    fn decide(&self, mut x: f64, mut layer: usize, rng: &mut Rng) -> f64 {
        loop {
            if x < self.0.ends[layer + 1] {
                return x;
            }
            if layer == 0 {
                let past = ln(rng.random::<f64>().max(f64::MIN_POSITIVE));
                return EXPONENTIAL_TAIL - past;
            }
            if self.0.holds(layer, exponential_density(x), rng) {
                return x;
            }
            (x, layer) = self.place(rng.next_u64());
        }
    }
}

/// Normal variates of mean 0 and variance 1.
struct Normal(&'static Layers);

impl Normal {
    #[inline]
    fn sample(&self, rng: &mut Rng) -> f64 {
        loop {
            let bits = rng.next_u64();
            let layer = bits as usize % LAYERS;
            // In [−1, 1).
            let share = f64::from_bits(2f64.to_bits() | mantissa(bits)) - 3.0;
            let x = share * self.0.ends[layer];
            if x.abs() < self.0.ends[layer + 1] {
                return x;
            }
            if layer == 0 {
                return beyond(rng).copysign(share);
            }
            if self.0.holds(layer, normal_density(x), rng) {
                return x;
            }
        }
    }
}

/// A normal variate beyond the tail's beginning.
fn beyond(rng: &mut Rng) -> f64 {
    loop {
        let (past, height): (f64, f64) = (Open01.sample(rng), Open01.sample(rng));
        let past = ln(past) / NORMAL_TAIL;
        if -2.0 * ln(height) >= past * past {
            return NORMAL_TAIL - past;
        }
    }
}

/// A gamma variate of a weight of at least 1.
pub fn gamma(weight: f64, rng: &mut Rng) -> f64 {
    if weight == 1.0 {
        return Exponential::new().sample(rng);
    }
    let normal = Normal(&NORMAL);
    let d = weight - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let z = normal.sample(rng);
        let root = 1.0 + c * z;
        if root <= 0.0 {
            continue;
        }
        let (v, u, square) = (root * root * root, rng.sample::<f64, _>(Open01), z * z);
        if u < 1.0 - 0.0331 * square * square || ln(u) < 0.5 * square + d * (1.0 - v + ln(v)) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    const DRAWS: usize = 200_000;

    /// The share of draws below each bound must be the distribution's, within five standard errors.
    fn check_shares(name: &str, draw: impl Fn(&mut Rng) -> f64, bounds: &[(f64, f64)]) {
        let mut rng = Seed(5).rng(name);
        let draws: Vec<f64> = (0..DRAWS).map(|_| draw(&mut rng)).collect();
        for &(bound, share) in bounds {
            let found = draws.iter().filter(|&&x| x < bound).count() as f64 / DRAWS as f64;
            let error = 5.0 * (share * (1.0 - share) / DRAWS as f64).sqrt();
            assert!((found - share).abs() < error, "{name}: {found} below {bound}, expected {share}");
        }
    }

    #[test]
    fn variates_have_their_distributions_in_body_and_tail() {
        // 1 − e⁻ˣ; tables of the normal law; those of χ² with 5 degrees of freedom at 2x.
        let exponential =
            [(0.1, 0.095_162_58), (1.0, 0.632_120_56), (4.0, 0.981_684_36), (8.0, 0.999_664_54)];
        check_shares("exponential", |rng| Exponential::new().sample(rng), &exponential);
        check_shares("gamma 1", |rng| gamma(1.0, rng), &exponential);
        let normal = [(-3.7, 0.000_107_8), (-1.0, 0.158_655_25), (0.0, 0.5), (2.0, 0.977_249_87)];
        check_shares("normal", |rng| Normal(&NORMAL).sample(rng), &normal);
        let gamma_shares = [(0.5, 0.037_434_23), (2.5, 0.584_119_81), (6.0, 0.965_212_65)];
        check_shares("gamma 2.5", |rng| gamma(2.5, rng), &gamma_shares);
    }

    #[test]
    fn all_layers_have_the_same_area() {
        let areas = [(&*EXPONENTIAL, 0.003_949_659_822_581_557), (&*NORMAL, 0.004_928_673_233_99)];
        for (layers, area) in areas {
            for i in 1..LAYERS {
                let layer = layers.ends[i] * (layers.heights[i + 1] - layers.heights[i]);
                assert!((layer / area - 1.0).abs() < 1e-8, "{layer} in layer {i}, expected {area}");
            }
            assert!((layers.ends[0] * layers.heights[1] / area - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bits_on_every_machine() {
        let mut rng = Seed(1).rng("bits");
        let sums = [1.0, 1.05, 40.0].map(|weight| (0..1000).map(|_| gamma(weight, &mut rng)).sum::<f64>());
        assert_eq!(
            sums.map(f64::to_bits),
            [0x408f_19ad_7962_c5bc, 0x4090_6ab3_19e7_50bd, 0x40e3_74b8_4da7_6981]
        );
    }
}
