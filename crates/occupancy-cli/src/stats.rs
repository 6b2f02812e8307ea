//! `occupancy stats`: what the runs of an experiment say together.

use crate::args::Stats;
use crate::failure::Result;
use crate::show::ink::Ink;
use crate::show::table::{Align, table};
use crate::{json, output, show, stored};
use occupancy_lab::analyse::stats::Description;
use occupancy_lab::analyse::{Ending, LearnerSummary, Statistics, Summary, SummaryConfig, write_tables};
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::number::count;
use occupancy_lab::store::{Checked, Results};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Runs the command.
pub fn run(args: &Stats) -> Result<()> {
    let inside = stored::inside(&args.folder);
    if !inside.is_empty() {
        return output::print(&list(&args.folder, &inside, args.json));
    }
    let results = Results::open(&args.folder)?;
    let config = SummaryConfig { tolerance: args.tolerance, level: args.level, all_pairs: args.all_pairs };
    let model = match results.experiment(&Catalogue::standard()).and_then(|experiment| experiment.build()) {
        Ok(env) => env.model,
        // What is damaged is the first thing to be told.
        Err(error) => return stored::check(&results).and(Err(error.into())),
    };
    let told = |checked: &Checked| stored::tell(&args.folder, checked);
    let statistics = Statistics::of(&results, &model, config, told)?;
    write_tables(&results, &statistics)?;
    let summary = statistics.summary;
    if args.json {
        return output::print(&in_json(&results, &summary));
    }
    let mut text = show::stats::describe(&results.manifest, &summary, Ink::for_stdout());
    let differences = show::stats::comparisons(&results.manifest, &summary);
    if !differences.is_empty() {
        text += &format!("\n{differences}");
    }
    let folder = args.folder.display();
    text += &format!("\nall of it in {folder}: summary.csv, comparisons.csv, curves.csv\n");
    output::print(&text)
}

/// The experiments in a folder that is not one itself.
fn list(folder: &Path, inside: &[(String, Results)], in_json: bool) -> String {
    use Align::{Left, Right};
    let runs = |results: &Results| -> usize {
        results.labels().map(|label| results.runs(label).map_or(0, |runs| runs.len())).sum()
    };
    if in_json {
        let one = |(name, results): &(String, Results)| json!({ "folder": name, "learners": results.labels().count(), "runs": runs(results) as u64 });
        return json::line(&json!({ "inside": inside.iter().map(one).collect::<Vec<_>>() }));
    }
    let mut rows = vec![["experiment", "learners", "runs", "rounds"].map(String::from).to_vec()];
    for (name, results) in inside {
        let stored: usize = runs(results);
        let rounds = results.manifest.rounds.to_string();
        rows.push(vec![name.clone(), results.labels().count().to_string(), stored.to_string(), rounds]);
    }
    let first = inside.first().map_or_else(String::new, |(name, _)| folder.join(name).display().to_string());
    format!(
        "{} holds {}:\n\n{}\nname one of them: occupancy stats {first}\n",
        folder.display(),
        count(inside.len(), "experiment"),
        table(&[Left, Right, Right, Right], &rows)
    )
}

fn in_json(results: &Results, summary: &Summary) -> String {
    let described = |found: &Description| {
        json!({
            "runs": found.count,
            "mean": found.mean,
            "sd": found.deviation,
            "quantiles": found.quantiles,
            "interval": found.interval.map(|(low, high)| [low, high]),
        })
    };
    let learners = summary.learners.iter().map(|learner| {
        let quantities: Map<String, Value> =
            learner.quantities.iter().map(|(name, found)| (name.clone(), described(found))).collect();
        json!({
            "label": learner.label,
            "runs": learner.runs,
            "ends": ends(learner),
            "settled": settled(learner),
            "quantities": quantities,
        })
    });
    let comparisons = summary.comparisons.iter().map(|found| {
        json!({
            "learner": found.label,
            "other": found.other,
            "quantity": found.quantity,
            "difference": found.difference,
            "interval": found.interval.map(|(low, high)| [low, high]),
        })
    });
    json::line(&json!({
        "name": results.manifest.name,
        "rounds": results.manifest.rounds,
        "window": summary.window,
        "tolerance": summary.config.tolerance,
        "near": { "reward": summary.limits.reward, "costs": summary.limits.costs },
        "level": summary.config.level,
        "optimum": results.manifest.optimum(),
        "learners": learners.collect::<Vec<_>>(),
        "reference": summary.reference,
        "best": summary.best,
        "comparisons": comparisons.collect::<Vec<_>>(),
    }))
}

/// How many runs ended where.
fn ends(learner: &LearnerSummary) -> Value {
    let [near, safe, over, short] =
        [Ending::Near, Ending::Safe, Ending::Over, Ending::Short].map(|ending| learner.ended(ending));
    json!({ "near": near, "safe": safe, "over": over, "short": short })
}

/// How many runs have settled, and by which round half of all have; `null` is never.
fn settled(learner: &LearnerSummary) -> Value {
    let interval = learner.half_settled.interval().map(|(low, high)| [low, high]);
    json!({
        "runs": learner.settled_runs(),
        "half_by": learner.half_settled_by(),
        "interval": interval,
    })
}
