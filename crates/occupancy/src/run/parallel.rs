//! The same work for several things at once, on all cores, with the answers in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The answers for all items. The caller's thread works too, so that the work is done even if no other can be started.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    map_on(threads, items, work)
}

fn map_on<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let answer = work(item);
            answers.lock().unwrap_or_else(PoisonError::into_inner).push((at, answer));
        }
    };
    thread::scope(|scope| {
        // Where the system refuses a thread it refuses the next ones as well.
        let others = (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, worker).ok());
        let _started: Vec<_> = others.collect();
        worker();
    });
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
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
}
