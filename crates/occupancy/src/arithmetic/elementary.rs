//! Elementary functions with the same bits on every machine.
//!
//! The standard library asks the system for them, whose answers differ in the last digit from one system to the next, and
//! on one system with the processor (glibc has other code for those that multiply and add at once). These are the `libm`
//! crate's, which is plain arithmetic. Everything that is stored, or decides what is drawn next, uses them; clippy refuses
//! the others. Square roots are exact everywhere.

use multiversion::multiversion;

/// eˣ.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// eˣ of all numbers, in place, with the bits of [`exp`]. Eight at a time without a branch take a third of the time.
#[multiversion(targets("x86_64+avx2"))]
pub fn exp_all(x: &mut [f64]) {
    let (groups, rest) = x.as_chunks_mut::<8>();
    for group in groups {
        // Beyond, results are no normal numbers; there are few of them.
        if group.iter().all(|x| x.abs() <= 700.0) {
            group.iter_mut().for_each(|x| *x = exp_of_moderate(*x));
        } else {
            group.iter_mut().for_each(|x| *x = libm::exp(*x));
        }
    }
    rest.iter_mut().for_each(|x| *x = libm::exp(*x));
}

/// eˣ for |x| ≤ 700, by the arithmetic of `libm` (that of FreeBSD's `e_exp.c`): x = k ln 2 + r, eʳ = 1 + 2 r / (R(r) − r) with a
/// polynomial R of r², and eˣ = 2ᵏ eʳ.
#[inline(always)]
fn exp_of_moderate(x: f64) -> f64 {
    const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    // `libm` compares upper halves of numbers: 2⁻²⁸, ½ ln 2 and 3/2 ln 2, cut off there.
    let [tiny, half, more] =
        [0x3e30_0001_0000_0000, 0x3fd6_2e43_0000_0000, 0x3ff0_a2b2_0000_0000].map(f64::from_bits);
    let size = x.abs();
    let nearest = (std::f64::consts::LOG2_E * x + 0.5_f64.copysign(x)) as i32;
    let one = if x < 0.0 { -1 } else { 1 };
    let k = if size >= more { nearest } else { one };
    let k = if size >= half { k } else { 0 };
    let (high, low) = (x - f64::from(k) * LN_2[0], f64::from(k) * LN_2[1]);
    let r = high - low;
    let rr = r * r;
    let c = r - rr * (P[0] + rr * (P[1] + rr * (P[2] + rr * (P[3] + rr * P[4]))));
    let y = 1.0 + (r * c / (2.0 - c) - low + high);
    let power = f64::from_bits((i64::from(k + 1023) as u64) << 52);
    if size >= tiny { y * power } else { 1.0 + x }
}

/// The natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The logarithm to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// xʸ.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Sine and cosine.
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Holds sixteen numbers to their exponentials one by one.
    fn check(x: [f64; 16]) {
        let mut all = x;
        exp_all(&mut all);
        for (x, found) in x.into_iter().zip(all) {
            assert_eq!(found.to_bits(), exp(x).to_bits(), "e^{x:e}");
        }
    }

    proptest! {
        #[test]
        fn many_exponentials_have_the_bits_of_single_ones(x in prop::array::uniform16(-750.0..750.0f64), scale in 0..40) {
            check(x.map(|x| x / (1_u64 << scale) as f64));
        }
    }

    #[test]
    fn exponentials_near_the_ends_of_their_cases_have_the_bits_of_single_ones() {
        let half_of_ln_2 = std::f64::consts::LN_2 / 2.0;
        for middle in
            [0.0, 1.0 / (1 << 28) as f64, half_of_ln_2, 3.0 * half_of_ln_2, 700.0, 708.4, 745.2, 709.8]
        {
            let near =
                |i: usize| middle * (1.0 + (i as f64 - 7.5) * f64::EPSILON * (1 << (4 * (i % 8))) as f64);
            check(std::array::from_fn(near));
            check(std::array::from_fn(|i| -near(i)));
        }
        check(
            [-0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300, -1e-300, 5e-324, 1e300]
                .repeat(2)
                .try_into()
                .unwrap(),
        );
    }

    /// The true values, found with 50 digits, which may be missed by one unit in the last place;
    /// and the bits that every machine must give.
    #[test]
    fn values_are_right_and_keep_their_bits() {
        let found = [exp(-0.7), ln(0.3), log10(1000.0), pow(9000.0, 2.0 / 3.0), cbrt(2e6), sin_cos(1.0).0];
        let true_values = [
            0.496_585_303_791_409_5,
            -1.203_972_804_325_936_1,
            3.0,
            432.674_871_092_222_36,
            125.992_104_989_487_32,
            0.841_470_984_807_896_5,
        ];
        for (found, right) in found.into_iter().zip(true_values) {
            assert!((found - right).abs() <= f64::EPSILON * right.abs(), "{found} against {right}");
        }
        let bits = [
            0x3fdf_c80d_b9dd_5542,
            0xbff3_4378_fcbd_a721,
            0x4008_0000_0000_0000,
            0x407b_0acc_45a1_61c6,
            0x405f_7f7e_a5ed_02f9,
            0x3fea_ed54_8f09_0cee,
        ];
        assert_eq!(found.map(f64::to_bits), bits);
    }
}
