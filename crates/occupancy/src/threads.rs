//! The same work for a few things at once.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// The answers for all items, in their order. This thread does the first, and those for which the system gives no other.
pub(crate) fn at_once<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let slots: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    let fill = |slot: &Mutex<(Option<I>, Option<T>)>| {
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(item) = slot.0.take() {
            slot.1 = Some(work(item));
        }
    };
    scope(|threads| {
        for slot in slots.iter().skip(1) {
            let _ = Builder::new().spawn_scoped(threads, || fill(slot));
        }
        slots.iter().take(1).for_each(fill);
    });
    slots.iter().for_each(fill);
    let answers = slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner).1);
    answers.flatten().collect()
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
}
