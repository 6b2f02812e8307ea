//! How many threads planners use, and the same work for a few things at once.
//!
//! Plans of large models are found on all cores unless somebody says otherwise. Answers do not depend on it, to the last bit:
//! threads share nothing that is written, and sums are made of parts that are the same for any number of them.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

static MOST: AtomicUsize = AtomicUsize::new(0);
static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));

/// Work on fewer things than this is not shared out: a thread costs some 30 µs, a look at as many states half of that.
const FEW: usize = 20_000;

/// Lets planners use so many threads at most, in the whole process; 0 stands for one on each core, as at first.
pub fn use_at_most(threads: usize) {
    MOST.store(threads, Ordering::Relaxed);
}

/// How many threads planners use at most.
pub fn most() -> usize {
    match MOST.load(Ordering::Relaxed) {
        0 => *CORES,
        threads => threads,
    }
}

/// The answers for all items, in their order. This thread works, too, and does what no other comes to.
pub(crate) fn at_once<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let others = most().min(items.len()).saturating_sub(1);
    if others == 0 {
        return items.into_iter().map(work).collect();
    }
    let slots: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    let next = AtomicUsize::new(0);
    let fill = || {
        while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(item) = slot.0.take() {
                slot.1 = Some(work(item));
            }
        }
    };
    scope(|threads| {
        for _ in 0..others {
            let _ = Builder::new().spawn_scoped(threads, fill);
        }
        fill();
    });
    let answers = slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner).1);
    answers.flatten().collect()
}

/// `0..count` in about equal ranges, one for each thread; in one piece if there are few.
pub(crate) fn shares(count: usize) -> Vec<Range<usize>> {
    let parts = if count < FEW { 1 } else { most() };
    (0..parts).map(|part| count * part / parts..count * (part + 1) / parts).collect()
}

/// A slice cut into pieces that end at these places.
pub(crate) fn cut<T>(mut whole: &mut [T], ends: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let mut begin = 0;
    let piece = |end: usize| {
        let (piece, rest) = std::mem::take(&mut whole).split_at_mut(end - begin);
        (whole, begin) = (rest, end);
        piece
    };
    ends.map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_the_order_of_the_items() {
        let mut numbers = [1, 2, 3, 4, 5];
        let squares = at_once(numbers.iter_mut().collect(), |number| {
            *number *= *number;
            *number + 1
        });
        assert_eq!((squares, numbers), (vec![2, 5, 10, 17, 26], [1, 4, 9, 16, 25]));
        assert!(at_once(Vec::<u8>::new(), |x| x).is_empty());
    }

    #[test]
    fn pieces_follow_each_other() {
        let mut numbers = [1, 2, 3, 4, 5];
        assert_eq!(cut(&mut numbers, [2, 2, 5].into_iter()), [&[1, 2][..], &[], &[3, 4, 5]]);
    }

    #[test]
    fn shares_cover_everything_once() {
        for count in [0, 1, FEW - 1, FEW, 100_003] {
            let shares = shares(count);
            assert_eq!((shares[0].start, shares.last().unwrap().end), (0, count));
            assert!(shares.windows(2).all(|two| two[0].end == two[1].start));
        }
    }
}
