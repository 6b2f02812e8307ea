//! The tables of statistics in long format: `summary.csv`, `comparisons.csv` and `curves.csv`.

use crate::analyse::stats::Description;
use crate::analyse::{LearnerSummary, Statistics, Summary};
use crate::error::Result;
use crate::store::Results;
use occupancy::cell::written;

/// Writes the three tables into the folder of the results, and the checksums of what they were made from.
pub fn write_tables(results: &Results, statistics: &Statistics) -> Result<()> {
    results.put("summary.csv", summary_csv(&statistics.summary).as_bytes())?;
    results.put("comparisons.csv", comparisons_csv(&statistics.summary).as_bytes())?;
    results.put("curves.csv", curves_csv(statistics).as_bytes())?;
    results.put("SHA256SUMS", results.sums()?.as_bytes())
}

const DESCRIBED: &str = "runs,mean,sd,q05,q25,median,q75,q95,low,high";

/// A number in the fewest digits that read back as the same number; empty if there is none, and if it is never.
fn cell(value: Option<f64>) -> String {
    value.filter(|x| x.is_finite()).map(|x| x.to_string()).unwrap_or_default()
}

fn described(found: &Description) -> String {
    let interval = [found.interval.map(|(low, _)| low), found.interval.map(|(_, high)| high)];
    let numbers =
        [Some(found.mean), found.deviation].into_iter().chain(found.quantiles.map(Some)).chain(interval);
    let cells: Vec<String> = numbers.map(cell).collect();
    format!("{},{}", found.count, cells.join(","))
}

/// `summary.csv`: every quantity of every learner.
pub fn summary_csv(summary: &Summary) -> String {
    let mut text = format!("learner,quantity,{DESCRIBED}\n");
    for learner in &summary.learners {
        let label = written(&learner.label);
        // Times differ from one computer to the next; the other numbers do not.
        for (name, found) in learner.quantities.iter().filter(|(name, _)| name != "seconds") {
            text += &format!("{label},{name},{}\n", described(found));
        }
        text += &settled(&label, learner);
    }
    text
}

/// `half_settled_step`: the round by which half of the runs have settled, with its interval; what is never is empty.
fn settled(label: &str, learner: &LearnerSummary) -> String {
    let interval = learner.half_settled.interval();
    let numbers =
        [Some(learner.half_settled.value), interval.map(|ends| ends.0), interval.map(|ends| ends.1)];
    let [step, low, high] = numbers.map(cell);
    format!("{label},half_settled_step,{},{step},,,,,,,{low},{high}\n", learner.runs)
}

/// `comparisons.csv`: the differences of learners.
pub fn comparisons_csv(summary: &Summary) -> String {
    let mut text = "learner,other,quantity,difference,low,high\n".to_string();
    for found in &summary.comparisons {
        let numbers = [Some(found.difference), found.interval.map(|i| i.0), found.interval.map(|i| i.1)];
        let cells = numbers.map(cell).join(",");
        let (label, other) = (written(&found.label), written(&found.other));
        text += &format!("{label},{other},{},{cells}\n", found.quantity);
    }
    text
}

/// `curves.csv`: every quantity of every learner over time.
pub fn curves_csv(statistics: &Statistics) -> String {
    let mut text = format!("learner,quantity,window,step,{DESCRIBED}\n");
    for (learner, curves) in statistics.summary.learners.iter().zip(&statistics.curves) {
        let label = written(&learner.label);
        for point in curves {
            let window = point.window.map(|window| window.to_string()).unwrap_or_default();
            let found = described(&point.found);
            text += &format!("{label},{},{window},{},{found}\n", point.quantity, point.step);
        }
    }
    text
}
