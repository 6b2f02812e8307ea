//! What is said before an experiment is run.

use super::ink::{Ink, Paint};
use super::table::{Align, table};
use occupancy::env::Env;
use occupancy::sim::{Baseline, Level};
use occupancy_lab::experiment::Experiment;
use occupancy_lab::number::count;
use occupancy_lab::number::number;
use occupancy_lab::runner::Agenda;
use std::path::Path;

/// The experiment in a sentence, and the levels that its learners are compared with.
pub fn heading(experiment: &Experiment, env: &Env, baseline: &Baseline, ink: Ink) -> String {
    let model = &env.model;
    let preset = experiment.preset.map(|preset| format!(", preset {preset}")).unwrap_or_default();
    let mut text = format!(
        "{}: {} with {} and {}; {} × {} × {} rounds, seed {}{preset}\n\n",
        ink.paint(Paint::Bold, &experiment.name),
        env.name,
        count(model.states(), "state"),
        count(model.costs(), "cost"),
        count(experiment.learners.len(), "learner"),
        count(experiment.runs as usize, "run"),
        experiment.rounds,
        experiment.seed,
    );
    let names: Vec<String> = (0..model.costs()).map(|i| model.names().held_cost(i)).collect();
    let mut rows = vec![["", "reward"].into_iter().map(String::from).chain(names).collect::<Vec<_>>()];
    let row = |what: &str, level: &Level| {
        let numbers = std::iter::once(level.reward).chain(level.costs.iter().copied());
        std::iter::once(what.to_string()).chain(numbers.map(number)).collect::<Vec<String>>()
    };
    match &baseline.optimal {
        Some(level) => rows.push(row("optimal", level)),
        None => rows.push(vec!["optimal".to_string(), "none".to_string()]),
    }
    rows.push(row("fast", &baseline.fast));
    rows.extend(baseline.safe.iter().map(|level| row("safe", level)));
    let budgets = model.budgets().iter().map(|&budget| number(budget));
    rows.push(["budget", ""].into_iter().map(String::from).chain(budgets).collect());
    let align: Vec<Align> =
        std::iter::once(Align::Left).chain(vec![Align::Right; model.costs() + 1]).collect();
    text += &table(&align, &rows);
    if baseline.optimal.is_none() {
        text += "\nno policy meets the budgets: there is no regret\n";
    }
    text
}

/// The experiment, and how much of it is left to do, in one line.
pub fn in_a_line(experiment: &Experiment, agenda: &Agenda, ink: Ink) -> String {
    let kept: usize = agenda.kept.iter().sum();
    let stored = match (kept, agenda.len()) {
        (0, _) => String::new(),
        (_, 0) => ", all stored already".to_string(),
        (kept, left) => format!(", {kept} stored already, {left} to do"),
    };
    format!(
        "{}: {} × {} × {} rounds{stored}\n",
        ink.paint(Paint::Bold, &experiment.name),
        count(experiment.learners.len(), "learner"),
        count(experiment.runs as usize, "run"),
        experiment.rounds,
    )
}

/// What is stored already and what is left to do.
pub fn agenda(experiment: &Experiment, agenda: &Agenda, folder: &Path, dry: bool) -> String {
    let kept: usize = agenda.kept.iter().sum();
    let mut text = String::new();
    if dry {
        let head = ["learner", "stored", "to do"].map(String::from).to_vec();
        let row = |(place, learner): (usize, &occupancy_lab::experiment::NamedLearner)| {
            vec![learner.label.clone(), agenda.kept[place].to_string(), agenda.of(place).to_string()]
        };
        let rows: Vec<_> =
            std::iter::once(head).chain(experiment.learners.iter().enumerate().map(row)).collect();
        text += &format!("\n{}", table(&[Align::Left, Align::Right, Align::Right], &rows));
        return text + &format!("\nnothing was run; results go to {}\n", folder.display());
    }
    if kept > 0 {
        let left = count(agenda.len(), "run");
        text += &format!("\n{} stored already in {}, {left} to do\n", count(kept, "run"), folder.display());
    }
    text
}
