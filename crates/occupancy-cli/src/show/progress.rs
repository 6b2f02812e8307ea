//! A line on the terminal that is rewritten while a plan is searched for or a learner acts.

use occupancy::plan::Progress;
use occupancy_lab::number::count;
use occupancy_lab::number::{duration, number, percent, rough};
use std::io::Write;

/// Seconds before anything is shown: a short search needs no company.
const PATIENCE: f64 = 0.5;
/// Seconds between two versions of the line.
const PAUSE: f64 = 0.1;
/// A longer line would be wrapped, and only its last row rewritten.
const LONGEST: usize = 79;
/// Back to the first column, and the line is empty.
const ERASE: &str = "\r\x1b[2K";

/// The line.
pub struct StatusLine<W: Write> {
    out: W,
    /// When it was last written.
    written: Option<f64>,
}

impl<W: Write> StatusLine<W> {
    /// A line that is not shown yet.
    pub fn new(out: W) -> StatusLine<W> {
        StatusLine { out, written: None }
    }

    /// Shows how far it has come after this many seconds, if it is time to.
    pub fn tell(&mut self, seconds: f64, words: impl FnOnce() -> String) {
        if seconds < self.written.map_or(PATIENCE, |before| before + PAUSE) {
            return;
        }
        self.written = Some(seconds);
        let text: String = words().chars().take(LONGEST).collect();
        self.put(&format!("{ERASE}{text}"));
    }

    /// Leaves the terminal as it was.
    pub fn erase(&mut self) {
        if self.written.take().is_some() {
            self.put(ERASE);
        }
    }

    /// Progress that cannot be shown is no reason to stop.
    fn put(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

/// How far a model has been read: bytes of bytes in all, which are 0 where nobody counts them.
pub fn of_reading(seconds: f64, doing: &str, name: &str, (read, all): (u64, u64)) -> String {
    if all == 0 {
        return format!("{doing} {name}, {seconds:.1} s; Ctrl-C ends it");
    }
    if read >= all {
        return format!("making the model of {name}, {seconds:.1} s; Ctrl-C ends it");
    }
    let share = read as f64 / all as f64;
    let left = seconds * (1.0 - share) / share;
    let left = if share >= 0.01 { format!(", about {} left", duration(left)) } else { String::new() };
    let (read, all) = (read as f64 / 1e6, all as f64 / 1e6);
    format!("{doing} {name}: {read:.0} of {all:.0} MB ({}), {seconds:.1} s{left}", percent(share))
}

/// So many steps most plans of large models take: 18 to 36 on grids, queues, random jumps and networks of up to ten million states.
const USUAL_STEPS: usize = 26;
/// And their proof takes as long as so many steps: 2 to 5.
const STEPS_OF_PROOF: usize = 3;

/// How far the search for a plan has come, and how long it will take if it is like most.
pub fn of_plan(seconds: f64, progress: &Progress) -> String {
    let left = (USUAL_STEPS + STEPS_OF_PROOF) as f64 / progress.steps as f64 - 1.0;
    // The way into the budgets may be long or short.
    let is_usual = progress.gain.is_some() && (2..=USUAL_STEPS).contains(&progress.steps);
    let left = if is_usual { format!(", about {} left", duration(seconds * left)) } else { String::new() };
    of_steps(progress, format!("{seconds:.1} s{left}"))
}

/// How far a search has come of which nobody knows how long it will take.
pub fn of_search(seconds: f64, progress: &Progress) -> String {
    of_steps(progress, format!("{seconds:.1} s"))
}

fn of_steps(progress: &Progress, time: String) -> String {
    let mut steps = count(progress.steps, "step");
    if progress.evaluations.switched > 0 {
        steps.push_str(&format!(" ({} chains by elimination)", progress.evaluations.switched));
    }
    if progress.evaluations.left_out > 0 {
        steps.push_str(&format!(" ({} left out)", progress.evaluations.left_out));
    }
    match progress.gain {
        Some(gain) => {
            let gap = (progress.upper - gain).max(0.0);
            let gap = if gap.is_finite() { rough(gap) } else { "unknown".into() };
            format!("{steps}, gain {}, gap {gap}, {time}; Ctrl-C keeps it", number(gain))
        }
        None if progress.violation.is_finite() => {
            format!("{steps}, least violation of the budgets {}, {time}", rough(progress.violation))
        }
        None => format!("{steps}, {time}"),
    }
}

/// How far the plan for the next corner of a frontier has come.
pub fn of_frontier(seconds: f64, progress: &Progress) -> String {
    let steps = count(progress.steps, "step");
    format!("{steps} towards the next corner, {seconds:.1} s; Ctrl-C stops with the corners known")
}

/// How far a learner has come.
pub fn of_run(seconds: f64, step: u64, rounds: u64) -> String {
    if step == 0 {
        return format!("planning with the true model, {seconds:.1} s; Ctrl-C ends the run");
    }
    let (done, left) = (step as f64 / rounds as f64, (rounds - step) as f64 / step as f64);
    let left =
        if done >= 0.01 { format!(", about {} left", duration(seconds * left)) } else { String::new() };
    format!(
        "{step} of {rounds} rounds ({}), {seconds:.1} s{left}; Ctrl-C stops with the rounds so far",
        percent(done)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::plan::Evaluations;

    const FOUND: Progress = Progress {
        steps: 12,
        gain: Some(-0.775),
        upper: -0.7745,
        violation: 0.0,
        evaluations: Evaluations { switched: 0, left_out: 0, out_of_sweeps: 0, iterations: 0 },
    };

    #[test]
    fn the_line_has_steps_gain_gap_and_time() {
        assert_eq!(of_search(2.34, &FOUND), "12 steps, gain -0.775, gap 5.0e-4, 2.3 s; Ctrl-C keeps it");
        let evaluations = Evaluations { switched: 3, left_out: 1, ..Evaluations::default() };
        let changed = of_search(2.34, &Progress { evaluations, ..FOUND });
        assert!(changed.starts_with("12 steps (3 chains by elimination) (1 left out), gain"), "{changed}");
        let unbounded = Progress { upper: f64::INFINITY, ..FOUND };
        assert!(of_search(2.0, &unbounded).contains("gap unknown"));
        let none = Progress { steps: 1, gain: None, violation: 0.01, ..FOUND };
        assert_eq!(of_search(0.5, &none), "1 step, least violation of the budgets 1.0e-2, 0.5 s");
        assert_eq!(of_search(0.5, &Progress { violation: f64::INFINITY, ..none }), "1 step, 0.5 s");
    }

    #[test]
    fn a_plan_tells_how_long_it_will_take_as_long_as_it_is_like_others() {
        let told = |steps| of_plan(24.0, &Progress { steps, ..FOUND });
        assert_eq!(told(12), "12 steps, gain -0.775, gap 5.0e-4, 24.0 s, about 34.0 s left; Ctrl-C keeps it");
        assert!(told(26).contains("24.0 s, about 2.8 s left; "), "{}", told(26));
        assert!([1, 27].into_iter().all(|steps| !told(steps).contains("left")));
        let without = Progress { gain: None, violation: 0.01, ..FOUND };
        assert!(!of_plan(24.0, &without).contains("left"));
    }

    #[test]
    fn a_frontier_tells_that_its_corners_are_kept() {
        let expected = "12 steps towards the next corner, 2.3 s; Ctrl-C stops with the corners known";
        assert_eq!(of_frontier(2.34, &FOUND), expected);
    }

    #[test]
    fn reading_tells_its_bytes_and_how_long_it_will_take() {
        let told = |bytes| of_reading(3.0, "reading", "a.drn", bytes);
        assert_eq!(
            told((300_000_000, 400_000_000)),
            "reading a.drn: 300 of 400 MB (75%), 3.0 s, about 1.0 s left"
        );
        assert_eq!(told((1, 400_000_000)), "reading a.drn: 0 of 400 MB (<0.1%), 3.0 s");
        assert_eq!(told((5, 5)), "making the model of a.drn, 3.0 s; Ctrl-C ends it");
        assert_eq!(told((0, 0)), "reading a.drn, 3.0 s; Ctrl-C ends it");
    }

    #[test]
    fn a_run_tells_its_rounds_and_how_long_it_will_take() {
        assert_eq!(of_run(0.6, 0, 9000), "planning with the true model, 0.6 s; Ctrl-C ends the run");
        assert_eq!(
            of_run(3.0, 300_000, 400_000),
            "300000 of 400000 rounds (75%), 3.0 s, about 1.0 s left; Ctrl-C stops with the rounds so far"
        );
        assert!(of_run(3.0, 5, 400_000).starts_with("5 of 400000 rounds (<0.1%), 3.0 s; "));
    }

    #[test]
    fn a_short_search_shows_nothing_and_a_long_one_ten_lines_a_second() {
        let mut line = StatusLine::new(Vec::new());
        line.tell(0.4, || of_search(0.4, &FOUND));
        line.erase();
        assert!(line.out.is_empty());
        [0.5, 0.55, 0.59, 0.65].iter().for_each(|&seconds| line.tell(seconds, || of_search(seconds, &FOUND)));
        line.erase();
        line.erase();
        let text = String::from_utf8(line.out).unwrap();
        let shown: Vec<&str> = text.split(ERASE).collect();
        assert_eq!((shown.len(), shown[0], shown[3]), (4, "", ""), "{text:?}");
    }

    #[test]
    fn the_line_is_never_wrapped() {
        let mut line = StatusLine::new(Vec::new());
        let long = Progress { steps: 123_456, gain: Some(-1.0 / 3e9), upper: 1e200, ..FOUND };
        line.tell(123_456.7, || of_search(123_456.7, &long));
        assert!(line.out.len() <= ERASE.len() + LONGEST);
    }
}
