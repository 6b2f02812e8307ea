//! From the arguments to what is run: the preset's options, and those given instead.

use super::Asked;
use crate::args::{Learn, SourceArgs};
use crate::failure::{Failure, Result, nearest, seen, wrong};
use crate::learners::check_name;
use crate::source::{self, Setting};
use occupancy::Error;
use occupancy::learn::LearnerConfig;
use occupancy::sim::check_learner;
use occupancy_lab as lab;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::papers::provodin2022::{PAPER_ENVIRONMENTS, Preset};

/// What the arguments ask for.
pub fn asked(args: &Learn) -> Result<Asked> {
    let name = &args.source.source;
    let (catalogue, preset) = (Catalogue::standard(), args.preset.chosen());
    check_name(&args.learner, &catalogue)?;
    let found = source::find(&args.source)?;
    let horizon = args.horizon.or_else(|| found.own_horizon(&args.source.set));
    let rounds = match (args.episodes, horizon) {
        (Some(episodes), Some(horizon)) => horizon as u64 * episodes,
        (Some(_), None) => {
            return wrong(format!("--episodes needs --horizon: {name} has no episodes of its own"));
        }
        (None, _) => args.rounds.unwrap_or_else(|| catalogue.rounds(name)),
    };
    let window = args.window.unwrap_or_else(|| catalogue.window(name, rounds));
    let mut learner = catalogue.learner(&args.learner, Some(&preset), name, rounds)?;
    let (own, others) = divided(learner.as_ref(), &found, &args.source)?;
    if window > rounds {
        return wrong(format!("--window {window} is more than the {rounds} rounds there are"));
    }
    for (key, value) in &own {
        learner.set(key, value)?;
    }
    learner.check_complete().map_err(|error| how_to_give(error, preset, name))?;
    let mut source = args.source.clone();
    source.set = others;
    let source = source::with_horizon(&source, &found, args.horizon);
    let mut source = source::open_found(&found, &source, &preset.environment(name))?;
    if let Some(horizon) = horizon {
        source = source.in_episodes(horizon)?;
    }
    check_learner(&source.model, learner.as_ref(), rounds)?;
    Ok(Asked { source, learner, preset, rounds, window, seed: args.seed, run: args.run })
}

fn option_names(learner: &dyn LearnerConfig) -> Vec<&'static str> {
    learner.infos().iter().map(|info| info.name).collect()
}

/// The settings of the learner, and the others, which are the environment's.
fn divided(
    learner: &dyn LearnerConfig,
    found: &lab::Source,
    args: &SourceArgs,
) -> Result<(Vec<Setting>, Vec<Setting>)> {
    let names = option_names(learner);
    let (own, others): (Vec<Setting>, Vec<Setting>) =
        args.set.iter().cloned().partition(|(key, _)| names.contains(&key.as_str()));
    for (i, (key, _)) in own.iter().enumerate() {
        if own[..i].iter().any(|(before, _)| before == key) {
            return wrong(format!("option {key} is given twice"));
        }
    }
    let options = source::option_names(found)?;
    match others.iter().find(|(key, _)| !options.contains(key)) {
        Some((key, _)) => unknown_option(learner, &args.source, &options, key),
        None => Ok((own, others)),
    }
}

fn unknown_option<T>(learner: &dyn LearnerConfig, source: &str, options: &[String], key: &str) -> Result<T> {
    let listed = |of: &str, options: &[&str]| {
        if options.is_empty() {
            format!("{of} has no options")
        } else {
            format!("the options of {of} are {}", options.join(", "))
        }
    };
    let (own, others) = (option_names(learner), options.iter().map(String::as_str).collect::<Vec<&str>>());
    let near = nearest(key, own.iter().chain(&others).copied());
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    let (own, others) = (listed(learner.name(), &own), listed(source, &others));
    wrong(format!("unknown option {}; {own}; {others}{hint}", seen(key)))
}

/// A value that the preset does not have is asked for with the option that gives it.
fn how_to_give(error: Error, preset: Preset, source: &str) -> Failure {
    let Error::OptionMissing { of, option, about, expected } = error else { return error.into() };
    let example = match option {
        "h" => "20",
        "eta" => "0.01",
        _ => "0.05",
    };
    let [first, second, third] = PAPER_ENVIRONMENTS;
    Failure::Use(format!(
        "{of} needs a value of {option} in {source}, {expected} ({}): the preset {} has one only in {first}, \
         {second} and {third}; give one by --set {option}={example}",
        about.trim_end_matches('.').to_lowercase(),
        preset.name()
    ))
}
