//! The same work for several things at once, with the answers in order.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// The answers for all items, on all cores.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_on(thread::available_parallelism().map_or(1, usize::from), items, work)
}

/// The answers for all items, on so many threads. This one is the first of them: if the system gives no others, it does
/// everything. A panic goes on here, with its own message.
pub(super) fn map_on<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let answer = work(item);
            answers.lock().unwrap_or_else(PoisonError::into_inner).push((at, answer));
        }
    };
    let panicked = std::thread::scope(|scope| {
        let others =
            (1..threads.min(items.len())).map_while(|_| Builder::new().spawn_scoped(scope, worker).ok());
        let others: Vec<_> = others.collect();
        worker();
        others.into_iter().filter_map(|other| other.join().err()).last()
    });
    if let Some(panic) = panicked {
        std::panic::resume_unwind(panic);
    }
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// What a panic says.
pub(super) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it says nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 3] {
            let squares = map_on(threads, &items, |x| x * x);
            assert_eq!(squares, items.iter().map(|x| x * x).collect::<Vec<_>>());
        }
        assert!(map(&[] as &[u64], |x| *x).is_empty());
    }

    #[test]
    fn a_panic_keeps_its_message_whichever_thread_it_is_in() {
        for bad in 0..20u64 {
            let items: Vec<u64> = (0..20).collect();
            // Not a panic that is reported: tests should be quiet.
            let work =
                |&x: &u64| if x == bad { std::panic::resume_unwind(Box::new("item is bad")) } else { x };
            let caught = std::panic::catch_unwind(|| map_on(4, &items, work)).unwrap_err();
            assert_eq!(message(caught.as_ref()), "item is bad");
        }
        assert_eq!(message(&7), "it says nothing");
    }
}
