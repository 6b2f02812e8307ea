//! Elementary functions with the same bits on every machine.
//!
//! The standard library asks the system for them, whose answers differ in the last digit from one system to the next, and
//! on one system with the processor (glibc has other code for those that multiply and add at once). These are the `libm`
//! crate's, which is plain arithmetic. Everything that is stored, or decides what is drawn next, uses them; clippy refuses
//! the others. Square roots are exact everywhere.

/// eˣ.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
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
