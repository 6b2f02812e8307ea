//! The table `[env]`: an environment by its name, or a model or map by its file.
//!
//! A list as the value of an option stands for one environment each, and so for one experiment each.

use super::files::Files;
use super::reader::{Entry, Section};
use super::sweep::{Choice, combinations, joined};
use crate::catalogue::Preset;
use crate::error::{KeyProblem, Result};
use crate::open::stem;
use crate::{Format, OpenOptions, Source};
use occupancy::Error;
use occupancy::env::Env;
use occupancy::model::ReadOptions;
use occupancy::model::drn::DrnSignals;
use occupancy::options::{Budgets, Form, OptionInfo};
use std::path::PathBuf;

/// What a learner acts in.
#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    /// The environment's name, or that of its file without the ending.
    pub name: String,
    source: Source,
    asked: OpenOptions,
    /// The length of an episode, if it is acted in by episodes.
    pub(super) horizon: Option<usize>,
    /// Every setting with defaults filled in; files by the hash of their content.
    settings: Vec<(String, String)>,
    /// The line of the experiment file.
    line: usize,
    /// The line of its budgets, if it gives any.
    budget_line: Option<usize>,
}

/// A key and its value.
type Setting = (String, String);

impl Environment {
    /// Every setting with defaults filled in; files by the hash of their content.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// The file that it comes from; `None` for a name.
    pub fn file(&self) -> Option<&PathBuf> {
        if let Source::File { path, .. } = &self.source { Some(path) } else { None }
    }

    /// The environment, built; errors have the line of the experiment file.
    pub(super) fn build(&self) -> Result<Env> {
        let at_line = |error: Error| {
            let is_budget = matches!(error, Error::BudgetCount { .. } | Error::Budget { .. });
            error.at_line(self.budget_line.filter(|_| is_budget).unwrap_or(self.line))
        };
        let opened = match self.horizon {
            Some(horizon) => self.source.open_in_episodes(&self.asked, horizon),
            None => self.source.open(&self.asked),
        };
        Ok(Env { name: self.name.clone(), ..opened.map_err(at_line)? })
    }
}

/// The environments of a table, each with what tells it from the others.
pub(super) fn read(
    section: Section,
    preset: Option<&dyn Preset>,
    files: &mut Files,
) -> Result<Vec<(Environment, String)>> {
    let horizon = section.get("horizon").map(horizon).transpose()?;
    let mut found = read_source(section, preset, files)?;
    for (environment, _) in &mut found {
        environment.horizon = horizon;
        // Only of episodes: what older results depend on has not changed.
        let steps = horizon.or_else(|| environment.source.own_horizon(&environment.asked.options));
        environment.settings.extend(steps.map(|steps| ("env.horizon".to_string(), steps.to_string())));
    }
    Ok(found)
}

/// The steps of an episode.
fn horizon(entry: Entry) -> Result<usize> {
    Ok(entry.count(1..=MOST_STAGES)? as usize)
}

/// The longest episode that is acted in.
const MOST_STAGES: u64 = 100_000;

/// What the table is about, but for episodes.
fn read_source(
    section: Section,
    preset: Option<&dyn Preset>,
    files: &mut Files,
) -> Result<Vec<(Environment, String)>> {
    let Some(file) = section.get("file") else { return named(section, preset) };
    if let Some(entry) = section.get("name") {
        return Err(entry.unlike("no name beside file, which names the environment"));
    }
    let word = file.word("the path of a model (.cmdp, .csv, .drn, .occ) or a map (.map, .txt)")?;
    let (path, hash) = files.take(word).map_err(|error| error.at_line(file.line))?;
    let name = stem(&path);
    let Some(source) = Source::file(path) else {
        return Err(
            file.unlike("a path that ends in .cmdp, .csv, .drn, .occ, .map or .txt, with or without .gz")
        );
    };
    let found = Found { section, name, source, origin: ("env.file".to_string(), hash) };
    match found.source {
        Source::File { format: Format::Text | Format::Table | Format::Binary, .. } => {
            Ok(vec![(found.model()?, String::new())])
        }
        Source::File { format: Format::Drn, .. } => Ok(vec![(found.storm()?, String::new())]),
        _ => found.every_combination(&["file", "horizon"], &[]),
    }
}

/// An environment of the registry.
fn named(section: Section, preset: Option<&dyn Preset>) -> Result<Vec<(Environment, String)>> {
    let expected = "an environment of `occupancy envs`, or file = \"…\"";
    let Some(entry) = section.get("name") else { return Err(section.missing("name", expected)) };
    let name = entry.word(expected)?.to_string();
    if name == "map" {
        return Err(entry.unlike("file = \"…\" alone for a map"));
    }
    let source = Source::Environment { name: name.clone() };
    source.config(&[]).map_err(|error| error.at_line(entry.line))?;
    let usual = preset.map_or_else(Vec::new, |preset| preset.environment(&name));
    let origin = ("env.name".to_string(), name.clone());
    Found { section, name, source, origin }.every_combination(&["name", "horizon"], &usual)
}

/// What a table is about, before its options are read.
struct Found<'a> {
    section: Section<'a>,
    name: String,
    source: Source,
    /// The setting that says where it comes from.
    origin: Setting,
}

impl Found<'_> {
    /// One environment for every combination of the options of a registered environment or a map. Those that are not given have
    /// the values in `usual`.
    fn every_combination(&self, others: &[&str], usual: &[Setting]) -> Result<Vec<(Environment, String)>> {
        let line = self.section.line;
        let options_with = |texts: &[Setting]| -> occupancy::Result<Vec<OptionInfo>> {
            Ok(self.source.config(texts)?.map(|config| config.options()).unwrap_or_default())
        };
        let mut own = options_with(&[]).map_err(|error| error.at_line(line))?;
        own.retain(|info| !others.contains(&info.name));
        let given = options(self.section, &own, others, &|option| options_with(&[option]).map(drop))?;
        let build = |chosen: Vec<Choice>| {
            let mut texts = usual.to_vec();
            texts.retain(|(key, _)| chosen.iter().all(|choice| choice.key != key));
            texts.extend(chosen.iter().map(|choice| (choice.key.to_string(), choice.text.clone())));
            let mut all = options_with(&texts).map_err(|error| error.at_line(line))?;
            all.retain(|info| !others.contains(&info.name));
            let asked = OpenOptions { options: texts, ..OpenOptions::default() };
            Ok((self.environment(asked, shown(&all)), joined(&chosen)))
        };
        let all = combinations(&given).map_err(|error| error.at_line(line))?;
        all.into_iter().map(build).collect()
    }

    /// A model in the text format, or a table.
    fn model(&self) -> Result<Environment> {
        self.section.only(&["file", "budget", "normalise", "horizon"])?;
        let budgets = self.section.get("budget").map(budgets).transpose()?;
        let shown = budgets.as_deref().map_or_else(|| "own".to_string(), list);
        let (reading, normalise) = self.reading()?;
        let asked = OpenOptions { budgets, reading, ..OpenOptions::default() };
        let settings = [("env.budget".to_string(), shown)].into_iter().chain(normalise).collect();
        Ok(self.environment(asked, settings))
    }

    /// How a model file is read, and the setting that says so if it is not as usual.
    fn reading(&self) -> Result<(ReadOptions, Option<Setting>)> {
        let given = self.section.get("normalise").map(|entry| entry.option(Form::Flag, "true or false"));
        let normalise = given.transpose()?.is_some_and(|flag| flag == "true");
        let setting = normalise.then(|| ("env.normalise".to_string(), "true".to_string()));
        Ok((ReadOptions { normalise }, setting))
    }

    /// A model in Storm's format: its reward and costs are named.
    fn storm(&self) -> Result<Environment> {
        let section = self.section;
        section.only(&["file", "reward", "costs", "budget", "normalise", "horizon"])?;
        let reward = section.get("reward").map(|entry| entry.word("the name of a reward model"));
        let reward = reward.transpose()?;
        let costs = section.get("costs").map(|entry| entry.words("a list of names of reward models"));
        let costs = costs.transpose()?.unwrap_or_default();
        let given = section.get("budget");
        let budgets = given.map(budgets).transpose()?.unwrap_or_default();
        if budgets.len() != costs.len() {
            let line = given.map_or(section.line, |entry| entry.line);
            let error = Error::BudgetCount { found: budgets.len(), expected: costs.len() };
            return Err(error.at_line(line).into());
        }
        let (reading, normalise) = self.reading()?;
        let settings = [
            ("env.reward".to_string(), reward.unwrap_or("own").to_string()),
            ("env.costs".to_string(), costs.join(",")),
            ("env.budget".to_string(), list(&budgets)),
        ];
        let costs = costs.into_iter().map(String::from).zip(budgets).collect();
        let signals = DrnSignals { reward: reward.map(String::from), costs };
        let asked = OpenOptions { signals, reading, ..OpenOptions::default() };
        Ok(self.environment(asked, settings.into_iter().chain(normalise).collect()))
    }

    fn environment(&self, asked: OpenOptions, more: Vec<Setting>) -> Environment {
        let settings = [self.origin.clone()].into_iter().chain(more).collect();
        let (name, source, line) = (self.name.clone(), self.source.clone(), self.section.line);
        let budget_line = self.section.get("budget").map(|entry| entry.line);
        Environment { name, source, asked, horizon: None, settings, line, budget_line }
    }
}

fn budgets(entry: Entry) -> Result<Vec<f64>> {
    let expected = "a number or inf for each cost";
    let text = entry.option(Form::Numbers, expected)?;
    let numbers = text.split(',').map(|word| word.parse().ok()).collect::<Option<Vec<f64>>>();
    numbers.filter(|given| Budgets(given.clone()).in_range()).ok_or_else(|| entry.unlike(expected))
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
}

/// The options that a table gives, each with the values to try. Every value is tried alone, so that an error has its line.
fn options<'a>(
    section: Section<'a>,
    known: &[OptionInfo],
    others: &[&str],
    alone: &dyn Fn(Setting) -> occupancy::Result<()>,
) -> Result<Vec<Vec<Choice<'a>>>> {
    let mut given = Vec::new();
    for entry in section.entries().filter(|entry| !others.contains(&entry.key)) {
        let Some(info) = known.iter().find(|info| info.name == entry.key) else {
            let names = others.iter().copied().chain(known.iter().map(|info| info.name));
            let known = names.collect::<Vec<_>>().join(", ");
            let (key, within) = (entry.key.to_string(), section.within);
            return Err(entry.wrong(KeyProblem::Unknown { key, within, known }));
        };
        let choices = Choice::of(entry, info)?;
        for choice in &choices {
            let option = (choice.key.to_string(), choice.text.clone());
            alone(option).map_err(|error| error.at_line(entry.line))?;
        }
        given.push(choices);
    }
    Ok(given)
}

fn shown(options: &[OptionInfo]) -> Vec<(String, String)> {
    options.iter().map(|info| (format!("env.{}", info.name), info.value.clone())).collect()
}
