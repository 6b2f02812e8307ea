//! What learning costs: epochs, time spent planning, and steps per second, as bars.

use super::canvas::{Anchor, Canvas, ink, picture, text_width};
use super::lines::LineStyle;
use crate::analyse::Runs;
use crate::analyse::stats::mean;
use crate::number::duration;
use crate::report::Chapter;

const ROW: f64 = 22.0;
const BAR: f64 = 105.0;
const VALUE: f64 = 64.0;
const LABEL: f64 = 9.5;
const TOP: f64 = 48.0;

/// A quantity of every learner, and how it is written.
struct Bars {
    title: &'static str,
    values: Vec<Option<f64>>,
    words: fn(f64) -> String,
}

/// The figure of a chapter.
pub fn draw(chapter: &Chapter, runs: &[&Runs]) -> String {
    let styles = LineStyle::of(runs);
    let names = styles.iter().map(|style| text_width(&style.name, LABEL)).fold(0.0, f64::max);
    let left = 12.0 + names + 8.0;
    let groups = bars(runs, chapter.results.manifest.rounds as f64);
    let width = left + groups.len() as f64 * (BAR + VALUE) + 6.0;
    let title = format!("{}: mean of a run", chapter.results.manifest.name);
    picture(width, TOP + ROW * runs.len() as f64 + 10.0, |canvas| {
        canvas.text((12.0, 13.0), LABEL, ink::FAINT, Anchor::Start, &title);
        for (row, style) in styles.iter().enumerate() {
            let y = TOP + ROW * (row as f64 + 0.5);
            canvas.text((left - 8.0, y), LABEL, ink::DARK, Anchor::End, &style.name);
        }
        for (at, group) in groups.iter().enumerate() {
            group.draw(canvas, left + at as f64 * (BAR + VALUE), &styles);
        }
    })
}

fn bars(runs: &[&Runs], rounds: f64) -> [Bars; 3] {
    let of_known = |times: &[f64]| (!times.is_empty()).then(|| mean(times));
    let epochs = |learner: &&Runs| Some(mean(&learner.epochs));
    let planning = |learner: &&Runs| of_known(&learner.planning);
    let speed = |learner: &&Runs| of_known(&learner.seconds).map(|seconds| rounds / seconds);
    [
        Bars { title: "epochs", values: runs.iter().map(epochs).collect(), words: |x| format!("{x:.0}") },
        Bars { title: "planning time", values: runs.iter().map(planning).collect(), words: duration },
        Bars { title: "steps per second", values: runs.iter().map(speed).collect(), words: in_thousands },
    ]
}

/// Two digits and a unit: `850k`, `1.2M`.
fn in_thousands(x: f64) -> String {
    match x {
        x if x >= 1e7 => format!("{:.0}M", x / 1e6),
        x if x >= 1e6 => format!("{:.1}M", x / 1e6),
        x if x >= 1e4 => format!("{:.0}k", x / 1e3),
        x if x >= 1e3 => format!("{:.1}k", x / 1e3),
        x => format!("{x:.0}"),
    }
}

impl Bars {
    fn draw(&self, canvas: &mut Canvas, left: f64, styles: &[LineStyle]) {
        let most = self.values.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
        canvas.text((left, TOP - 12.0), 11.0, ink::DARK, Anchor::Start, self.title);
        let bottom = TOP + ROW * styles.len() as f64;
        canvas.line(&[(left, TOP - 2.0), (left, bottom + 2.0)], ink::FRAME, 0.8);
        for (row, (value, style)) in self.values.iter().zip(styles).enumerate() {
            let (top, middle) = (TOP + ROW * row as f64, TOP + ROW * (row as f64 + 0.5));
            let Some(value) = value else {
                canvas.text((left + 5.0, middle), LABEL, ink::FAINT, Anchor::Start, "not known");
                continue;
            };
            let right = left + (value / most * BAR).max(0.8);
            canvas.rect([left + 0.4, top + 4.0, right, top + ROW - 4.0], style.colour);
            let words = (self.words)(*value);
            canvas.text((right + 4.0, middle), LABEL, ink::FAINT, Anchor::Start, &words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_short() {
        assert_eq!(
            [12.3, 4500.0, 850_000.0, 1.24e6, 2.5e7].map(in_thousands),
            ["12", "4.5k", "850k", "1.2M", "25M"]
        );
    }
}
