//! Work besides a search: a model is read, an answer is proved or written. Whoever sits at a terminal sees it, and Ctrl-C or the time limit
//! end it within a second, at every size.

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output;
use crate::show::progress::StatusLine;
use crate::watch::{Stopped, status_line};
use std::io::{self, Stderr, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the work has to end.
const PAUSE: Duration = Duration::from_millis(20);
/// So much longer than the time limit the work before a search may take: a small model is read whatever the limit is.
const GRACE: f64 = 0.5;
/// So long work that listens has to end by itself once it is asked to.
const PATIENCE: Duration = Duration::from_millis(500);

/// A number of seconds since a moment.
pub type Limit = (Instant, f64);

/// The word for the work, such as "reading a.drn".
pub struct Work {
    what: String,
    /// After this the work ends the program.
    limit: Option<Limit>,
    /// How long it may go on after a signal.
    patience: Duration,
    /// Whether its progress is shown.
    is_shown: bool,
}

impl Work {
    /// Work that leaves nothing behind: it is broken off at once.
    pub fn on(what: impl Into<String>) -> Work {
        Work { what: what.into(), limit: None, patience: Duration::ZERO, is_shown: true }
    }

    /// The same, in so much time.
    pub fn within(self, limit: Option<Limit>) -> Work {
        Work { limit, ..self }
    }

    /// Does it, while another thread shows `words` of the seconds passed and ends the program if it has to.
    pub fn watched<T>(
        self,
        words: impl Fn(f64) -> String + Send + 'static,
        work: impl FnOnce(&Interrupt) -> T,
    ) -> T {
        let interrupt = Interrupt::listen();
        // Set by whoever comes first: the end of the work, or the end of the program.
        let decided = Arc::new(AtomicBool::new(false));
        let (asked, seen, signal) = (interrupt.watch(), Arc::clone(&decided), Interrupt::listen());
        let watch = move || {
            let mut line = status_line().filter(|_| self.is_shown);
            let (began, mut since) = (Instant::now(), None);
            while !seen.load(Ordering::Acquire) {
                let waited = asked().then(|| since.get_or_insert_with(Instant::now).elapsed());
                let is_asked = waited.is_some_and(|waited| waited >= self.patience);
                if let Some(failure) = self.failure(signal.signal().filter(|_| is_asked))
                    && !seen.swap(true, Ordering::AcqRel)
                {
                    end_program(line, &failure);
                }
                let seconds = began.elapsed().as_secs_f64();
                if let Some(line) = &mut line {
                    line.tell(seconds, || words(seconds));
                }
                thread::park_timeout(PAUSE);
            }
            if let Some(line) = &mut line {
                line.erase();
            }
        };
        // A system that has no thread left still does the work.
        let guard = thread::Builder::new().spawn(watch).ok();
        let done = work(&interrupt);
        while decided.swap(true, Ordering::AcqRel) {
            // The program is about to end.
            thread::sleep(Duration::from_secs(1));
        }
        if let Some(guard) = guard {
            guard.thread().unpark();
            let _ = guard.join();
        }
        done
    }

    /// Why the work has to end, if it has.
    fn failure(&self, signal: Option<u8>) -> Option<Failure> {
        let what = &self.what;
        if let Some(signal) = signal {
            return Some(Failure::Interrupted { text: format!("interrupted while {what}"), signal });
        }
        let (began, seconds) = self.limit?;
        let is_over = began.elapsed().as_secs_f64() >= seconds + GRACE;
        let said = Stopped::TimeLimit(seconds).what();
        is_over.then(|| Failure::Stopped(format!("{said} while {what}; a larger limit leaves time to plan")))
    }
}

/// Ends the program from beside its work.
fn end_program(line: Option<StatusLine<Stderr>>, failure: &Failure) -> ! {
    if let Some(mut line) = line {
        line.erase();
    }
    output::complain(&failure.to_string());
    std::process::exit(i32::from(failure.exit_code()))
}

/// Lets `write` write to what `target` opens, and shows how much. A signal ends it as an error of the writing does, so that no part of a file
/// stays; `name` is that of the file.
pub fn writing<T>(
    name: &str,
    is_shown: bool,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
    target: impl FnOnce(&mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<T>,
) -> Result<T> {
    let what = format!("writing {name}");
    let written = Arc::new(AtomicU64::new(0));
    let (shown, label) = (Arc::clone(&written), what.clone());
    let words = move |seconds: f64| {
        let megabytes = shown.load(Ordering::Relaxed) / 1_000_000;
        format!("{label}: {megabytes} MB, {seconds:.1} s; Ctrl-C ends it")
    };
    let work = Work { patience: PATIENCE, is_shown, ..Work::on(what.clone()) };
    work.watched(words, |interrupt| {
        let done = target(&mut |out| write(&mut Heard { out, interrupt, written: &written }));
        match (done, interrupt.signal()) {
            (Err(_), Some(signal)) => {
                Err(Failure::Interrupted { text: format!("interrupted while {what}"), signal })
            }
            (done, _) => done,
        }
    })
}

/// Writes until a signal comes.
struct Heard<'a> {
    out: &'a mut dyn Write,
    interrupt: &'a Interrupt,
    written: &'a AtomicU64,
}

impl Write for Heard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupt.asked() {
            return Err(io::Error::other("interrupted"));
        }
        let count = self.out.write(bytes)?;
        self.written.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_by_a_signal_or_well_after_its_limit_and_says_what_it_was() {
        let began = Instant::now();
        let limited = |seconds: f64| Work::on("reading a.drn").within(Some((began, seconds)));
        let said =
            |failure: Option<Failure>| failure.map(|failure| (failure.to_string(), failure.exit_code()));
        assert_eq!(
            said(limited(1e9).failure(Some(2))),
            Some(("interrupted while reading a.drn".to_string(), 130))
        );
        let over =
            "--time-limit -1 ran out while reading a.drn; a larger limit leaves time to plan".to_string();
        assert_eq!(said(limited(-1.0).failure(None)), Some((over, 1)));
        assert!(limited(1e9).failure(None).is_none() && Work::on("proving").failure(None).is_none());
    }

    #[test]
    fn what_is_written_arrives_whole() {
        let mut all = Vec::new();
        let write = |out: &mut dyn Write| (0..1000).try_for_each(|i| write!(out, "{i},"));
        writing("numbers", false, write, |write| {
            write(&mut all).unwrap();
            Ok(())
        })
        .unwrap();
        assert!(all.starts_with(b"0,1,2,") && all.ends_with(b"998,999,"));
    }
}
