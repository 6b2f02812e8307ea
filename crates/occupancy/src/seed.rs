//! Seeds and their streams of random numbers: the only place where generators are made.
//!
//! A stream is a function of a seed and a name. The name is hashed with FNV-1a (64 bits), added to the seed, and
//! mixed by SplitMix64's output function; the result seeds xoshiro256++ in the way its authors advise, through
//! SplitMix64. All of this is integer arithmetic, so a stream is the same on every machine.
//!
//! Sources: Blackman and Vigna, *Scrambled linear pseudorandom number generators* (2021); Steele, Lea and Flood,
//! *Fast splittable pseudorandom number generators* (2014); Fowler, Noll and Vo's hash.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator used everywhere.
pub type Rng = Xoshiro256PlusPlus;

/// The number from which all random numbers of a purpose follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// The generator of one purpose, such as `"garnet"`; different purposes get unrelated numbers.
    ///
    /// ```
    /// use occupancy::seed::Seed;
    /// use rand::Rng;
    /// assert_eq!(Seed(7).rng("a").next_u64(), Seed(7).rng("a").next_u64());
    /// assert_ne!(Seed(7).rng("a").next_u64(), Seed(7).rng("b").next_u64());
    /// ```
    pub fn rng(self, stream: &str) -> Rng {
        Rng::seed_from_u64(mix(self.0.wrapping_add(fnv1a(stream.as_bytes()))))
    }

    /// The seed after this one.
    pub fn next(self) -> Seed {
        Seed(self.0.wrapping_add(1))
    }
}

/// h ← (h ⊕ byte) · 0x100000001b3, from 0xcbf29ce484222325.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// SplitMix64's output function: a bijection after which neighbouring numbers share no pattern.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn streams_keep_their_numbers() {
        // From a second implementation of the three functions, in Python.
        let first = |seed: u64, stream: &str| {
            let mut rng = Seed(seed).rng(stream);
            [rng.next_u64(), rng.next_u64()]
        };
        assert_eq!(first(0, ""), [10_790_235_241_482_405_851, 11_711_423_396_718_057_392]);
        assert_eq!(first(0, "garnet"), [13_146_261_966_447_979_708, 17_659_772_878_980_553_263]);
        assert_eq!(first(u64::MAX, "garnet"), [7_045_348_388_423_276_854, 13_298_416_802_888_022_766]);
    }

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn neighbouring_seeds_have_unrelated_streams() {
        let mut a = Seed(1).rng("garnet");
        let mut b = Seed(1).next().rng("garnet");
        let same = (0..64).filter(|_| (a.next_u64() ^ b.next_u64()).count_ones() < 8).count();
        assert_eq!(same, 0);
    }
}
