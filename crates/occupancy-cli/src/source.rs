//! From the arguments to a model: the library opens what they name, and this file says what does not go together.

use crate::args::{self, CriterionArgs, PlanArgs, SourceArgs};
use crate::busy::{Limit, Work};
use crate::constraint::{self, CostLabel, Direction};
use crate::failure::{Failure, Result, nearest, seen, wrong};
use crate::show::progress::of_reading;
use occupancy::Error;
use occupancy::env::{self, Env, EnvConfig, Episodes, OptionInfo, Picture};
use occupancy::error::{LineProblem, RowProblem, StartProblem};
use occupancy::model::drn::DrnSignals;
use occupancy::model::{Bound, Cmdp, Criterion, Meter, Origin, ROUNDED_SUMS, ReadOptions};
use occupancy::plan::{OffSupport, PlannerConfig, PlannerKind, Problem};
use occupancy::threads;
use occupancy_lab::error::{SourceProblem, known_sources};
use occupancy_lab::number::count;
use occupancy_lab::{self as lab, Format, OpenOptions};
use std::path::Path;
use std::sync::Arc;

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
    /// Whether rows that are off by rounding were divided by their sums.
    pub normalise: bool,
    /// What its episodes are made of, if it has some.
    pub episodes: Option<Episodes>,
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

/// The model that the arguments ask for.
pub fn open(args: &SourceArgs) -> Result<Source> {
    open_with(args, &[])
}

/// The model that the arguments ask for, to be planned by this criterion: a horizon is the environment's own if it has one.
pub fn open_for(args: &SourceArgs, criterion: &CriterionArgs) -> Result<Source> {
    open_within(args, criterion, None)
}

/// The same, in so much time.
pub fn open_within(args: &SourceArgs, criterion: &CriterionArgs, limit: Option<Limit>) -> Result<Source> {
    let found = find(args)?;
    let args = with_horizon(args, &found, criterion.horizon);
    open_limited(&found, &args, &[], limit)
}

/// The arguments with a horizon as the option that it is, if the source has it.
pub fn with_horizon(args: &SourceArgs, found: &lab::Source, horizon: Option<usize>) -> SourceArgs {
    let mut args = args.clone();
    let steps = horizon.filter(|_| found.has_own_horizon());
    args.set.extend(steps.map(|steps| ("horizon".to_string(), steps.to_string())));
    args
}

/// The model that the arguments ask for; options that are not given have the values in `otherwise`.
pub fn open_with(args: &SourceArgs, otherwise: &[Setting]) -> Result<Source> {
    open_found(&find(args)?, args, otherwise)
}

/// The same, of a source that has been found already.
pub fn open_found(found: &lab::Source, args: &SourceArgs, otherwise: &[Setting]) -> Result<Source> {
    open_limited(found, args, otherwise, None)
}

fn open_limited(
    found: &lab::Source,
    args: &SourceArgs,
    otherwise: &[Setting],
    limit: Option<Limit>,
) -> Result<Source> {
    refuse_what_does_not_apply(found, args)?;
    let given: Vec<Setting> = args.settings().into_iter().map(|(_, key, value)| (key, value)).collect();
    let is_given = |key: &str| given.iter().any(|(known, _)| known == key);
    let mut options = otherwise.to_vec();
    options.retain(|(key, _)| !is_given(key));
    options.extend(given.iter().cloned());
    if found.is_model_file() {
        options.clear();
    }
    let shown = options_of(found, &options)?;
    let signals = if is_drn(found) { drn_signals(args) } else { DrnSignals::default() };
    let reading = ReadOptions { normalise: args.normalise };
    let asked = OpenOptions { options, signals, budgets: None, reading };
    let env = read(found, &args.source, &asked, limit);
    let env = env.map_err(|error| what_would_help(error, args.normalise))?;
    let asked_of = env.episodes.as_ref().map_or(env.model, |episodes| episodes.model.clone());
    let (model, costs) = constrained(asked_of, found, args)?;
    let episodes = env.episodes.map(|episodes| Episodes { model: model.clone(), ..episodes });
    let name = if matches!(found, lab::Source::Input { .. }) { env.name } else { args.source.clone() };
    let (picture, reward, normalise) = (env.picture, args.reward.clone(), args.normalise);
    Ok(Source { name, model, picture, costs, options: shown, reward, normalise, episodes })
}

/// Reads or builds the model, and tells how far that has come.
fn read(
    found: &lab::Source,
    name: &str,
    asked: &OpenOptions,
    limit: Option<Limit>,
) -> occupancy::Result<Env> {
    let doing = if found.format().is_some() { "reading" } else { "building" };
    let (meter, name) = (Arc::new(Meter::default()), name.to_string());
    let seen = Arc::clone(&meter);
    let work = Work::on(format!("{doing} {name}")).within(limit);
    let words = move |seconds: f64| of_reading(seconds, doing, &name, seen.bytes());
    work.watched(words, |_| found.open_watched(asked, &meter))
}

/// The options of an environment or a map with their values, but for the file; none for model files.
fn options_of(found: &lab::Source, options: &[Setting]) -> Result<Vec<Setting>> {
    let Some(config) = found.config(options)? else { return Ok(Vec::new()) };
    Ok(config.options().iter().filter(|option| option.name != "file").map(named).collect())
}

/// The options that a source has.
pub fn option_names(found: &lab::Source) -> Result<Vec<String>> {
    Ok(options_of(found, &[])?.into_iter().map(|(name, _)| name).collect())
}

fn is_drn(found: &lab::Source) -> bool {
    found.format() == Some(Format::Drn)
}

/// The reward models that are read; budgets are set afterwards, together with their directions.
fn drn_signals(args: &SourceArgs) -> DrnSignals {
    let costs = args.cost.iter().map(|cost| (cost.name.clone(), f64::INFINITY)).collect();
    DrnSignals { reward: args.reward.clone(), costs }
}

/// Says which option would help, if one would: the name of the reward, or to take rows that are off by rounding.
fn what_would_help(error: Error, normalise: bool) -> Failure {
    let mut inner = &error;
    while let Error::InFile { source, .. } | Error::AtLine { source, .. } = inner {
        inner = source;
    }
    let is_rounded = |sum: f64| !normalise && (sum - 1.0).abs() <= ROUNDED_SUMS;
    match inner {
        Error::Line { problem: LineProblem::Choose { .. }, .. } => {
            Failure::Use(format!("{error}; say which with --reward NAME"))
        }
        Error::Row { problem: RowProblem::Sum { sum, .. }, .. }
        | Error::Start { problem: StartProblem::Sum { sum, .. } }
            if is_rounded(*sum) =>
        {
            Failure::Use(format!("{error}; --normalise divides rows that are off by rounding by their sums"))
        }
        _ => error.into(),
    }
}

/// What a name or a path stands for; of an unknown one, what was probably meant.
pub fn find(args: &SourceArgs) -> Result<lab::Source> {
    lab::Source::find(&args.source, args.format.map(args::Format::named)).map_err(|error| {
        let lab::Error::Source { problem: SourceProblem::Unknown { given, known } } = &error else {
            return error.into();
        };
        match nearest(given, known.iter().map(String::as_str)) {
            Some(near) => Failure::Use(format!(
                "unknown source {}, did you mean {near}? ({})",
                seen(given),
                known_sources(known)
            )),
            None => error.into(),
        }
    })
}

fn refuse_what_does_not_apply(found: &lab::Source, args: &SourceArgs) -> Result<()> {
    let source = &args.source;
    if args.reward.is_some() && !is_drn(found) {
        return wrong(format!("--reward does not apply to {source}: it names a reward model of a .drn file"));
    }
    if !args.budget.is_empty() && args.set.iter().any(|(key, _)| key == "budget") {
        return wrong("budgets are given twice: by --budget and by --set budget");
    }
    if args.normalise && !found.is_model_file() {
        return wrong(format!("--normalise does not apply to {source}: it is about rows of a model file"));
    }
    if args.format.is_some() && found.format().is_none() {
        return wrong(format!("--format does not apply to {source}: it is an environment"));
    }
    for (flag, key, _) in args.settings() {
        if found.is_model_file() {
            return wrong(format!("{flag} does not apply to {source}: a model file has no options"));
        }
        // A map says by itself which options it has; the library checks them.
        if let lab::Source::Environment { .. } = found {
            let known: Vec<String> = options_of(found, &[])?.into_iter().map(|(name, _)| name).collect();
            if !known.contains(&key) {
                let has = if known.is_empty() {
                    "it has no options".to_string()
                } else {
                    format!("its options are {}", known.join(", "))
                };
                return wrong(format!("{flag} does not apply to {source}: {has}"));
            }
        }
    }
    Ok(())
}

fn constrained(model: Cmdp, found: &lab::Source, args: &SourceArgs) -> Result<(Cmdp, Vec<CostLabel>)> {
    if args.budget.is_empty() {
        return constraint::apply(model, &args.cost);
    }
    let costs = constraint::labels(&model);
    if args.budget.len() != costs.len() {
        let names: Vec<&str> = costs.iter().map(|cost| cost.name.as_str()).collect();
        let hint = if is_drn(found) {
            "; name its costs with --cost NAME=BUDGET".to_string()
        } else if names.is_empty() {
            String::new()
        } else {
            format!(": {}", names.join(", "))
        };
        let (given, has) = (count(args.budget.len(), "budget"), count(costs.len(), "cost"));
        return wrong(format!("--budget gives {given}, but {} has {has}{hint}", args.source));
    }
    let bounds: Vec<Bound> =
        costs.iter().zip(&args.budget).map(|(cost, &budget)| cost.direction.bound(budget)).collect();
    Ok((model.with_bounds(&bounds)?, costs))
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

/// What is made of rewards and costs over time: sums over an episode if the source has episodes and nothing else is asked for.
pub fn criterion(args: &CriterionArgs, source: &Source) -> Result<Criterion> {
    let (model, own) = (&source.model, source.episodes.as_ref().map(|episodes| episodes.horizon));
    let criterion = match (args.discount, args.horizon) {
        (Some(factor), _) => Criterion::Discounted { factor },
        (None, Some(horizon)) => Criterion::Episodes { horizon },
        (None, None) if args.until.is_empty() => {
            own.map_or(Criterion::Average, |horizon| Criterion::Episodes { horizon })
        }
        (None, None) => Criterion::Until { states: states_of(&args.until, model)? },
    };
    criterion.check(model)?;
    Ok(criterion)
}

/// The states that labels, names or indices stand for, ascending.
fn states_of(asked: &[String], model: &Cmdp) -> Result<Vec<usize>> {
    let mut states = Vec::new();
    for name in asked {
        let labelled = model.names().labelled(name);
        if labelled.is_empty() {
            states.push(state_of("--until", name, model)?);
        }
        states.extend(labelled.iter().map(|&state| state as usize));
    }
    states.sort_unstable();
    states.dedup();
    Ok(states)
}

/// The state of a name or an index.
fn state_of(option: &str, name: &str, model: &Cmdp) -> Result<usize> {
    let named = (0..model.states()).find(|&s| model.names().state(s) == *name);
    if let Some(state) = named.or_else(|| name.parse().ok().filter(|&s| s < model.states())) {
        return Ok(state);
    }
    let last = model.states() - 1;
    let names = format!("{} to {}", model.names().state(0), model.names().state(last));
    let labels: Vec<&str> = model.names().labels().collect();
    let labels = match &labels[..] {
        labels if option == "--until" && !labels.is_empty() => format!("; labels are {}", labels.join(", ")),
        _ => String::new(),
    };
    let name = seen(name);
    wrong(format!("{option} {name}: no such state; they are {names}, or 0 to {last} by index{labels}"))
}

/// The state of this name or index, if one is given.
pub fn origin_of(name: Option<&str>, model: &Cmdp) -> Result<Option<Origin>> {
    name.map(|name| Ok(Origin::State(state_of("--from-state", name, model)?))).transpose()
}

/// Where the criterion is counted from.
pub fn origin(args: &PlanArgs, model: &Cmdp) -> Result<Origin> {
    let otherwise = if args.scope == args::Scope::Anywhere { Origin::Anywhere } else { Origin::Start };
    Ok(origin_of(args.from_state.as_deref(), model)?.unwrap_or(otherwise))
}

/// How many stages an episode has; none for other criteria.
pub fn stages(criterion: &Criterion) -> Option<usize> {
    if let Criterion::Episodes { horizon } = criterion { Some(*horizon) } else { None }
}

/// The question that the arguments ask of a model; what does not go together is refused.
pub fn problem<'a>(args: &PlanArgs, source: &'a Source) -> Result<Problem<'a>> {
    let (criterion, model) = (criterion(&args.criterion, source)?, &source.model);
    if !criterion.is_average() && args.planner != args::Planner::Prices {
        return wrong(
            "--planner chooses among planners of long-run averages; sums are planned by `prices` alone",
        );
    }
    if !criterion.is_average() && args.scope == args::Scope::Anywhere {
        return wrong(
            "--scope anywhere is about the long run; a sum is counted from the start, or by --from-state",
        );
    }
    threads::use_at_most(args.threads.map_or(0, usize::from));
    Ok(Problem::new(model, criterion).counted_from(origin(args, model)?))
}

impl Source {
    /// The same, acted in by episodes of this length, or of its own.
    pub fn in_episodes(self, horizon: usize) -> Result<Source> {
        let Source { name, model, picture, costs, options, reward, normalise, episodes } = self;
        let env = Env { name: name.clone(), model, picture, episodes }.in_episodes(horizon)?;
        let episodes = env.episodes;
        let model = episodes.as_ref().map_or(Ok(env.model), Episodes::staged)?;
        Ok(Source { name, model, picture: None, costs, options, reward, normalise, episodes })
    }

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

    /// Whether some cost has to be at least as large as its budget.
    pub fn has_negated_costs(&self) -> bool {
        self.costs.iter().any(|cost| cost.direction == Direction::AtLeast)
    }
}
