//! Numbers and tables as the page's data hold them.

use crate::analyse::stats::Description;
use serde::{Serialize, Serializer};

/// A number with five digits, which is drawn and not read; `null` if it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Short(pub f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Short(x) = *self;
        if !x.is_finite() {
            return serializer.serialize_none();
        }
        let rounded: f64 = format!("{x:.4e}").parse().unwrap_or(x);
        if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
            serializer.serialize_i64(rounded as i64)
        } else {
            serializer.serialize_f64(rounded)
        }
    }
}

/// A number to ten digits, which the page rounds once for its reader; `null` if it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact(pub f64);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Exact(x) = *self;
        if !x.is_finite() {
            serializer.serialize_none()
        } else if x.abs() < 1e-12 {
            serializer.serialize_i64(0)
        } else {
            serializer.serialize_f64(format!("{x:.9e}").parse().unwrap_or(x))
        }
    }
}

/// A mean and its interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Estimate {
    /// The mean over the runs.
    pub mean: Exact,
    /// The lower end of its interval.
    pub low: Exact,
    /// The upper end of its interval.
    pub high: Exact,
}

impl Estimate {
    /// What is known of a quantity.
    pub fn of(found: &Description) -> Estimate {
        let (low, high) = found.interval.unwrap_or((f64::NAN, f64::NAN));
        Estimate { mean: Exact(found.mean), low: Exact(low), high: Exact(high) }
    }
}

/// An object whose keys are data, in the order in which they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyed<T>(pub Vec<(String, T)>);

impl<T> Default for Keyed<T> {
    fn default() -> Keyed<T> {
        Keyed(Vec::new())
    }
}

impl<T> Keyed<T> {
    /// Adds a key.
    pub fn insert(&mut self, key: impl Into<String>, value: T) {
        self.0.push((key.into(), value));
    }
}

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let short = [1.0 / 3.0, 2.0, -0.0, 123_456.0, 1e300, f64::NAN].map(Short);
        assert_eq!(serde_json::to_string(&short).unwrap(), "[0.33333,2,0,123460,1e+300,null]");
        let exact = [1.0 / 3.0, 2.0, -0.0, 1e-13, f64::INFINITY].map(Exact);
        assert_eq!(serde_json::to_string(&exact).unwrap(), "[0.3333333333,2.0,0,0,null]");
    }

    #[test]
    fn keys_stay_in_their_order() {
        let mut found = Keyed::default();
        found.insert("z", 1);
        found.insert("a", 2);
        assert_eq!(serde_json::to_string(&found).unwrap(), "{\"z\":1,\"a\":2}");
    }
}
