//! The table `[env]`: an environment by its name, or a model or map by its file.
//!
//! A list as the value of an option stands for one environment each, and so for one experiment each.

use super::files::Files;
use super::reader::{Entry, Section};
use super::sweep::{Choice, combinations, joined};
use crate::error::{KeyProblem, Result};
use crate::papers::provodin2022::Preset;
use occupancy::env::{Env, EnvConfig};
use occupancy::model::{drn, text};
use occupancy::options::{Budgets, Form, OptionInfo};
use std::path::PathBuf;

/// What a learner acts in.
#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    /// The environment's name, or that of its file without the ending.
    pub name: String,
    source: Source,
    /// Every setting with defaults filled in; files by the hash of their content.
    settings: Vec<(String, String)>,
    /// The line of the experiment file.
    pub(super) line: usize,
}

/// A key and its value.
type Setting = (String, String);

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Config(EnvConfig),
    Model { path: PathBuf, budgets: Option<Vec<f64>> },
    Drn { path: PathBuf, signals: drn::DrnSignals },
}

impl Environment {
    /// Every setting with defaults filled in; files by the hash of their content.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// The environment's options and where it comes from, as `occupancy learn` is told of them; `None` for a name.
    pub fn file(&self) -> Option<&PathBuf> {
        match &self.source {
            Source::Model { path, .. } | Source::Drn { path, .. } => Some(path),
            Source::Config(EnvConfig::Map(options)) => Some(&options.file),
            Source::Config(_) => None,
        }
    }

    /// The environment, built.
    pub(super) fn build(&self) -> Result<Env> {
        let model = match &self.source {
            Source::Config(config) => return Ok(Env { name: self.name.clone(), ..config.build()? }),
            Source::Model { path, budgets: None } => text::read(path)?,
            Source::Model { path, budgets: Some(budgets) } => text::read(path)?.with_budgets(budgets)?,
            Source::Drn { path, signals } => drn::read(path, signals)?,
        };
        Ok(Env { name: self.name.clone(), model, picture: None })
    }
}

/// The environments of a table, each with what tells it from the others.
pub(super) fn read(
    section: Section,
    preset: Option<Preset>,
    files: &mut Files,
) -> Result<Vec<(Environment, String)>> {
    let Some(file) = section.get("file") else { return named(section, preset) };
    if let Some(entry) = section.get("name") {
        return Err(entry.unlike("no name beside file, which names the environment"));
    }
    let word = file.word("the path of a model (.cmdp, .drn) or a map (.map, .txt)")?;
    let (path, hash) = files.take(word).map_err(|error| error.at_line(file.line))?;
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
        Some("map" | "txt") => map(section, name, (path, hash)),
        Some("cmdp") => Ok(vec![(model(section, name, path, hash)?, String::new())]),
        Some("drn") => Ok(vec![(storm(section, name, path, hash)?, String::new())]),
        _ => Err(file.unlike("a path that ends in .cmdp, .drn, .map or .txt")),
    }
}

/// An environment of the registry.
fn named(section: Section, preset: Option<Preset>) -> Result<Vec<(Environment, String)>> {
    let expected = "an environment of `occupancy envs`, or file = \"…\"";
    let Some(entry) = section.get("name") else { return Err(section.missing("name", expected)) };
    let name = entry.word(expected)?;
    let own = match name {
        "map" => return Err(entry.unlike("file = \"…\" alone for a map")),
        _ => EnvConfig::from_options(name, &[]).map_err(|error| error.at_line(entry.line))?,
    };
    let alone = |option: Setting| EnvConfig::from_options(name, &[option]).map(drop);
    let given = options(section, &own.options(), &["name"], &alone)?;
    let first = preset.map_or_else(Vec::new, |preset| preset.environment(name));
    let build = |chosen: Vec<Choice>| {
        let mut texts: Vec<(String, String)> = first.clone();
        texts.retain(|(key, _)| chosen.iter().all(|choice| choice.key != key));
        texts.extend(chosen.iter().map(|choice| (choice.key.to_string(), choice.text.clone())));
        let config = EnvConfig::from_options(name, &texts).map_err(|error| error.at_line(section.line))?;
        let mut settings = vec![("env.name".to_string(), name.to_string())];
        settings.extend(shown(&config.options()));
        let (name, source, line) = (name.to_string(), Source::Config(config), section.line);
        Ok((Environment { name, source, settings, line }, joined(&chosen)))
    };
    let all = combinations(&given).map_err(|error| error.at_line(section.line))?;
    all.into_iter().map(build).collect()
}

/// A gridworld from a map.
fn map(
    section: Section,
    name: String,
    (path, hash): (PathBuf, String),
) -> Result<Vec<(Environment, String)>> {
    let with_file = |mut texts: Vec<Setting>| {
        texts.push(("file".to_string(), path.display().to_string()));
        EnvConfig::from_options("map", &texts)
    };
    let own = with_file(Vec::new()).map_err(|error| error.at_line(section.line))?;
    let alone = |option: Setting| with_file(vec![option]).map(drop);
    let given = options(section, &own.options(), &["file"], &alone)?;
    let build = |chosen: Vec<Choice>| {
        let texts = chosen.iter().map(|choice| (choice.key.to_string(), choice.text.clone())).collect();
        let config = with_file(texts).map_err(|error| error.at_line(section.line))?;
        let mut settings = vec![("env.file".to_string(), hash.clone())];
        settings.extend(shown(&config.options()).into_iter().filter(|(key, _)| key != "env.file"));
        let (name, source, line) = (name.clone(), Source::Config(config), section.line);
        Ok((Environment { name, source, settings, line }, joined(&chosen)))
    };
    let all = combinations(&given).map_err(|error| error.at_line(section.line))?;
    all.into_iter().map(build).collect()
}

/// A model in the text format.
fn model(section: Section, name: String, path: PathBuf, hash: String) -> Result<Environment> {
    section.only(&["file", "budget"])?;
    let budgets = section.get("budget").map(budgets).transpose()?;
    let shown = budgets.as_deref().map_or_else(|| "own".to_string(), list);
    let settings = vec![("env.file".to_string(), hash), ("env.budget".to_string(), shown)];
    Ok(Environment { name, source: Source::Model { path, budgets }, settings, line: section.line })
}

/// A model in Storm's format: its reward and costs are named.
fn storm(section: Section, name: String, path: PathBuf, hash: String) -> Result<Environment> {
    section.only(&["file", "reward", "costs", "budget"])?;
    let reward = section.get("reward").map(|entry| entry.word("the name of a reward model")).transpose()?;
    let costs =
        section.get("costs").map(|entry| entry.words("a list of names of reward models")).transpose()?;
    let (costs, given) = (costs.unwrap_or_default(), section.get("budget"));
    let budgets = given.map(budgets).transpose()?.unwrap_or_default();
    if budgets.len() != costs.len() {
        let line = given.map_or(section.line, |entry| entry.line);
        let (found, expected) = (budgets.len(), costs.len());
        return Err(occupancy::Error::BudgetCount { found, expected }.at_line(line).into());
    }
    let settings = vec![
        ("env.file".to_string(), hash),
        ("env.reward".to_string(), reward.unwrap_or("own").to_string()),
        ("env.costs".to_string(), costs.join(",")),
        ("env.budget".to_string(), list(&budgets)),
    ];
    let costs = costs.into_iter().map(String::from).zip(budgets).collect();
    let signals = drn::DrnSignals { reward: reward.map(String::from), costs };
    Ok(Environment { name, source: Source::Drn { path, signals }, settings, line: section.line })
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
