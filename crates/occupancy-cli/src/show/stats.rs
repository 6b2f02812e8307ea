//! What the runs of an experiment say together.

use super::ink::{Ink, Paint};
use super::table::{Align, table};
use occupancy_lab::analyse::stats::Description;
use occupancy_lab::analyse::{Ending, LearnerSummary, Summary};
use occupancy_lab::number::brief;
use occupancy_lab::store::Manifest;

/// The learners at the end, and how they differ.
pub fn describe(manifest: &Manifest, summary: &Summary, ink: Ink) -> String {
    let percent = 100.0 * summary.config.level;
    let title =
        format!("the last {} of {} rounds, mean and {percent}% interval", summary.window, manifest.rounds);
    let mut text = format!("{}\n\n{}", ink.paint(Paint::Bold, &title), learners(manifest, summary));
    text += &near(manifest, summary);
    let few: Vec<&LearnerSummary> = summary.learners.iter().filter(|learner| learner.runs < 5).collect();
    if let Some(learner) = few.iter().min_by_key(|learner| learner.runs) {
        text += match learner.runs {
            0 => "\nsome learners have no runs yet\n",
            1 => "\none run says nothing about how much runs differ\n",
            _ => "\nso few runs say little about how much runs differ\n",
        };
    }
    text
}

/// The table of the learners.
fn learners(manifest: &Manifest, summary: &Summary) -> String {
    let costs = &manifest.environment.costs;
    let bounded: Vec<usize> =
        (0..costs.len()).filter(|&i| manifest.environment.budgets[i].is_finite()).collect();
    let mut head: Vec<String> = ["learner", "runs", "reward"].map(String::from).to_vec();
    head.extend(costs.iter().cloned());
    if manifest.optimum().is_some() {
        head.push("regret".into());
    }
    head.extend(bounded.iter().map(|&i| format!("over {}", costs[i])));
    head.extend(["near", "half settled by"].map(String::from));
    let mut rows = vec![head];
    for learner in &summary.learners {
        let mut row = vec![learner.label.clone(), learner.runs.to_string()];
        let mut add = |name: &str, show: &dyn Fn(&Description) -> String| {
            row.push(learner.quantity(name).map_or_else(|| "–".into(), show));
        };
        add("reward", &|found| with_interval(found, 4));
        (0..costs.len()).for_each(|i| add(&format!("cost_{i}"), &|found| with_interval(found, 4)));
        if manifest.optimum().is_some() {
            add("regret", &|found| with_interval(found, 0));
        }
        bounded.iter().for_each(|i| {
            add(&format!("violates_{i}"), &|found| format!("{:.0}%", 100.0 * found.mean));
        });
        row.push(format!("{} of {}", learner.ended(Ending::Near), learner.runs));
        row.push(learner.half_settled_by().map_or_else(|| "–".into(), |step| step.to_string()));
        rows.push(row);
    }
    let align: Vec<Align> =
        std::iter::once(Align::Left).chain(vec![Align::Right; rows[0].len() - 1]).collect();
    table(&align, &rows)
}

/// What is near the optimum, in a line.
fn near(manifest: &Manifest, summary: &Summary) -> String {
    let limits = &summary.limits;
    let Some(reward) = limits.reward else { return "\nno policy meets the budgets\n".to_string() };
    let costs = manifest.environment.costs.iter().zip(&limits.costs).filter(|(_, most)| most.is_finite());
    let costs = costs.map(|(cost, most)| format!(", {cost} at most {}", brief(*most))).collect::<String>();
    let tolerance = limits.tolerance;
    format!("\nnear: reward at least {}{costs} (tolerance {tolerance})\n", brief(reward))
}

/// `-0.7751 [-0.7760, -0.7743]`, with so many decimals.
fn with_interval(found: &Description, decimals: usize) -> String {
    let shown = |x: f64| {
        let text = format!("{x:.decimals$}");
        // −0 is 0 to a reader.
        if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "") } else { text }
    };
    match found.interval {
        Some((low, high)) => format!("{} [{}, {}]", shown(found.mean), shown(low), shown(high)),
        None => shown(found.mean),
    }
}

/// The differences of learners.
pub fn comparisons(manifest: &Manifest, summary: &Summary) -> String {
    let mut rows = vec![["learner", "other", "difference in", "", ""].map(String::from).to_vec()];
    let name = |quantity: &str| match quantity.rsplit_once('_') {
        Some((what, i)) => {
            let cost = i.parse().ok().and_then(|i: usize| manifest.environment.costs.get(i));
            cost.map_or_else(|| quantity.to_string(), |cost| format!("{what} {cost}"))
        }
        None => quantity.to_string(),
    };
    for found in &summary.comparisons {
        let decimals = if found.quantity.starts_with("re") && found.quantity != "reward" { 0 } else { 4 };
        let decimals = if found.quantity.starts_with("violation") { 0 } else { decimals };
        let (interval, sure) = match found.interval {
            Some((low, high)) => {
                let sure = if low > 0.0 || high < 0.0 { "" } else { "may be none" };
                (format!("[{low:+.decimals$}, {high:+.decimals$}]"), sure)
            }
            None => (String::new(), "too few runs"),
        };
        let difference = format!("{:+.decimals$} {interval}", found.difference);
        let words = [&found.label, &found.other, &name(&found.quantity), difference.trim_end(), sure];
        rows.push(words.map(String::from).to_vec());
    }
    if rows.len() == 1 {
        return String::new();
    }
    table(&[Align::Left, Align::Left, Align::Left, Align::Right, Align::Left], &rows)
}
