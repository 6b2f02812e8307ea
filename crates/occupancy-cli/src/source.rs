//! Turns a name or a file and its options into a model: the only file that knows how the library is asked for one.

use crate::args::{self, PlanArgs, SourceArgs};
use crate::constraint::{self, CostLabel, Direction};
use crate::failure::{Failure, Result, nearest, seen, wrong};
use occupancy::Error;
use occupancy::env::{self, Env, EnvConfig, OptionInfo, Picture};
use occupancy::error::LineProblem;
use occupancy::model::{Cmdp, drn, text};
use occupancy::plan::{From, OffSupport, PlannerConfig, PlannerKind};
use occupancy_lab::number::count;
use std::io::{self, Write};
use std::path::Path;

/// An option and its value.
pub type Setting = (String, String);

/// A model with what is needed to talk about it.
pub struct Source {
    /// What it is called: the environment or the file.
    pub name: String,
    /// The model, as the planner sees it.
    pub model: Cmdp,
    /// How to draw it, if it is a gridworld.
    pub picture: Option<Picture>,
    /// The names and directions of its costs.
    pub costs: Vec<CostLabel>,
    /// The environment's options with their values; none for model files.
    pub options: Vec<Setting>,
    /// The reward model that was asked for by name, if one was.
    pub reward: Option<String>,
}

/// An environment as the list of environments shows it.
pub struct Listed {
    /// The name.
    pub name: String,
    /// One line about it.
    pub description: String,
    /// Its options with their defaults.
    pub options: Vec<Setting>,
}

fn named(option: &OptionInfo) -> Setting {
    (option.name.to_string(), option.value.clone())
}

/// The environments that come with the library.
pub fn environments() -> Vec<Listed> {
    let listed = |entry: env::Listing| Listed {
        name: entry.name.to_string(),
        description: entry.about.to_string(),
        options: entry.options.iter().map(named).collect(),
    };
    env::list().into_iter().map(listed).collect()
}

/// An environment with its default options.
pub fn default_environment(name: &str) -> Result<Env> {
    Ok(EnvConfig::from_options(name, &[])?.build()?)
}

/// Writes a model in Storm's explicit format.
pub fn write_drn(model: &Cmdp, out: &mut dyn Write) -> io::Result<()> {
    drn::write(model, out)
}

/// Writes a model in this project's text format.
pub fn write_text(model: &Cmdp, out: &mut dyn Write) -> io::Result<()> {
    text::write(model, out)
}

/// The kinds of sources.
enum Kind {
    Environment(Listed),
    Drn,
    Text,
    Map,
}

/// The model that the arguments ask for.
pub fn open(args: &SourceArgs) -> Result<Source> {
    open_with(args, &[])
}

/// The model that the arguments ask for; options that are not given have the values in `otherwise`.
pub fn open_with(args: &SourceArgs, otherwise: &[Setting]) -> Result<Source> {
    let kind = find(&args.source)?;
    refuse_what_does_not_apply(&kind, args)?;
    let given = args.settings().into_iter().map(|(_, key, value)| (key, value));
    let given: Vec<Setting> = given.collect();
    let is_given = |key: &str| given.iter().any(|(known, _)| known == key);
    let mut settings = otherwise.to_vec();
    settings.retain(|(key, _)| !is_given(key));
    settings.extend(given.iter().cloned());
    let path = Path::new(&args.source);
    let (model, picture, options) = match &kind {
        Kind::Environment(listed) => drawn(&EnvConfig::from_options(&listed.name, &settings)?)?,
        Kind::Map => drawn(&EnvConfig::of_map_file(path, &settings)?)?,
        Kind::Text => (text::read(path)?, None, Vec::new()),
        Kind::Drn => (drn::read(path, &drn_signals(args)).map_err(how_to_choose)?, None, Vec::new()),
    };
    let (model, costs) = constrained(model, &kind, args)?;
    let reward = args.reward.clone();
    Ok(Source { name: args.source.clone(), model, picture, costs, options, reward })
}

/// The model of an environment, how to draw it, and its options.
fn drawn(config: &EnvConfig) -> Result<(Cmdp, Option<Picture>, Vec<Setting>)> {
    let env = config.build()?;
    let options = config.options().iter().filter(|option| option.name != "file").map(named).collect();
    Ok((env.model, env.picture, options))
}

/// The options that a source has.
pub fn option_names(source: &str) -> Result<Vec<String>> {
    let config = match find(source)? {
        Kind::Environment(listed) => EnvConfig::from_options(&listed.name, &[])?,
        Kind::Map => EnvConfig::of_map_file(source, &[])?,
        Kind::Text | Kind::Drn => return Ok(Vec::new()),
    };
    let options = config.options();
    Ok(options.iter().map(|option| option.name.to_string()).filter(|name| name != "file").collect())
}

/// The reward models that are read; budgets are set afterwards, together with their directions.
fn drn_signals(args: &SourceArgs) -> drn::DrnSignals {
    let costs = args.cost.iter().map(|cost| (cost.name.clone(), f64::INFINITY)).collect();
    drn::DrnSignals { reward: args.reward.clone(), costs }
}

/// Says how the reward is named, where that is what is missing.
fn how_to_choose(error: Error) -> Failure {
    let inner = if let Error::InFile { source, .. } = &error { source } else { &error };
    match inner {
        Error::Line { problem: LineProblem::Choose { .. }, .. } => {
            Failure::Use(format!("{error}; say which with --reward NAME"))
        }
        _ => error.into(),
    }
}

fn find(source: &str) -> Result<Kind> {
    let mut known = environments();
    if let Some(at) = known.iter().position(|listed| listed.name == source) {
        return Ok(Kind::Environment(known.swap_remove(at)));
    }
    let path = Path::new(source);
    let found = std::fs::metadata(path);
    match &found {
        Ok(found) if found.is_dir() => {
            return wrong(format!("{source} is a folder, expected a model or a map"));
        }
        // A device or a pipe may never end.
        Ok(found) if !found.is_file() => return wrong(format!("{source} is no ordinary file")),
        _ => {}
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let kind = match extension.as_deref() {
        Some("drn") => Some(Kind::Drn),
        Some("cmdp") => Some(Kind::Text),
        Some("map" | "txt") => Some(Kind::Map),
        _ => None,
    };
    let files = "models are read from .drn and .cmdp files, gridworlds from .map and .txt files";
    match kind {
        Some(kind) if found.is_ok() => Ok(kind),
        Some(_) => {
            let error = found.err().filter(|error| error.kind() != io::ErrorKind::NotFound);
            wrong(format!("{source}: {}", error.map_or("no such file".into(), |error| error.to_string())))
        }
        None if found.is_ok() => wrong(format!("{source}: the file's name does not say what it is; {files}")),
        None => {
            let names: Vec<&str> = known.iter().map(|listed| listed.name.as_str()).collect();
            let near = nearest(source, names.iter().copied());
            let hint = near.map(|near| format!(", did you mean {near}?")).unwrap_or_default();
            let source = seen(source);
            wrong(format!("unknown source {source}{hint} (environments: {}; {files})", names.join(", ")))
        }
    }
}

fn refuse_what_does_not_apply(kind: &Kind, args: &SourceArgs) -> Result<()> {
    let source = &args.source;
    if args.reward.is_some() && !matches!(kind, Kind::Drn) {
        return wrong(format!("--reward does not apply to {source}: it names a reward model of a .drn file"));
    }
    if !args.budget.is_empty() && args.set.iter().any(|(key, _)| key == "budget") {
        return wrong("budgets are given twice: by --budget and by --set budget");
    }
    for (flag, key, _) in args.settings() {
        match kind {
            // The map says which options it has; the library checks them.
            Kind::Map => {}
            Kind::Drn | Kind::Text => {
                return wrong(format!("{flag} does not apply to {source}: a model file has no options"));
            }
            Kind::Environment(listed) if listed.options.iter().all(|(known, _)| *known != key) => {
                let known: Vec<&str> = listed.options.iter().map(|(known, _)| known.as_str()).collect();
                let known = if known.is_empty() {
                    "it has no options".into()
                } else {
                    format!("its options are {}", known.join(", "))
                };
                return wrong(format!("{flag} does not apply to {source}: {known}"));
            }
            Kind::Environment(_) => {}
        }
    }
    Ok(())
}

fn constrained(model: Cmdp, kind: &Kind, args: &SourceArgs) -> Result<(Cmdp, Vec<CostLabel>)> {
    if args.budget.is_empty() {
        return constraint::apply(model, &args.cost);
    }
    let costs = constraint::labels(&model);
    if args.budget.len() != costs.len() {
        let names: Vec<&str> = costs.iter().map(|cost| cost.name.as_str()).collect();
        let hint = match kind {
            Kind::Drn => "; name its costs with --cost NAME=BUDGET".to_string(),
            _ if names.is_empty() => String::new(),
            _ => format!(": {}", names.join(", ")),
        };
        let (given, has) = (count(args.budget.len(), "budget"), count(costs.len(), "cost"));
        return wrong(format!("--budget gives {given}, but {} has {has}{hint}", args.source));
    }
    Ok((model.with_budgets(&args.budget)?, costs))
}

/// The planner that the arguments name.
pub fn planner(planner: args::Planner, off_support: args::OffSupport) -> PlannerConfig {
    let kind = match planner {
        args::Planner::Prices => PlannerKind::Prices,
        args::Planner::PricesVi => PlannerKind::PricesByValueIteration,
        args::Planner::Lp => PlannerKind::Lp,
    };
    let off_support = match off_support {
        args::OffSupport::Pinned => OffSupport::Pinned,
        args::OffSupport::Uniform => OffSupport::Uniform,
        args::OffSupport::First => OffSupport::First,
    };
    PlannerConfig { kind, off_support }
}

/// Where the long run is counted from.
pub fn origin(args: &PlanArgs, model: &Cmdp) -> Result<From> {
    let Some(name) = &args.from_state else {
        return Ok(if args.scope == args::Scope::Anywhere { From::Anywhere } else { From::Start });
    };
    let named = (0..model.states()).find(|&s| model.names().state(s) == *name);
    match named.or_else(|| name.parse().ok().filter(|&s| s < model.states())) {
        Some(state) => Ok(From::State(state)),
        None => {
            let last = model.states() - 1;
            let names = format!("{} to {}", model.names().state(0), model.names().state(last));
            let name = seen(name);
            wrong(format!("--from-state {name}: no such state; they are {names}, or 0 to {last} by index"))
        }
    }
}

impl Source {
    /// The name for a picture: a file without its folders.
    pub fn title(&self) -> String {
        let file = Path::new(&self.name).file_name();
        file.map_or_else(|| self.name.clone(), |file| file.to_string_lossy().into_owned())
    }

    /// J(c_i) or a budget, in the original sign.
    pub fn shown(&self, i: usize, x: f64) -> f64 {
        self.costs[i].direction.shown(x)
    }

    /// A value of a signal in the original sign: 0 is the reward, i + 1 the cost i.
    pub fn shown_signal(&self, signal: usize, x: f64) -> f64 {
        if signal == 0 { x + 0.0 } else { self.shown(signal - 1, x) }
    }

    /// Whether some cost is negated for the planner.
    pub fn has_negated_costs(&self) -> bool {
        self.costs.iter().any(|cost| cost.direction == Direction::AtLeast)
    }
}
