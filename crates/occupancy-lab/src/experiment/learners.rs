//! The tables `[[learner]]`: a learner by its name, its options, and a label where the name is not enough.

use super::TAME;
use super::files::Files;
use super::reader::Section;
use super::sweep::{Choice, MOST, combinations, full_name, is_tame, joined};
use crate::error::{Error, KeyProblem, Result};
use crate::papers::provodin2022::Preset;
use occupancy::learn::{LearnerConfig, LearnerKind, Prior};
use std::collections::BTreeSet;

/// A learner of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedLearner {
    /// What it is called in the results: its label or name, and what a sweep gave it.
    pub label: String,
    /// The preset that its options come from, where the file does not give them.
    pub preset: Option<Preset>,
    /// The learner and its options.
    pub config: LearnerConfig,
    /// The hash of the file that its prior is read from.
    pub(super) prior_hash: Option<String>,
}

impl NamedLearner {
    /// Every option with defaults filled in; a file by the hash of its content.
    pub fn settings(&self) -> Vec<(String, String)> {
        let key = |name: &str| format!("learner.{}.{name}", self.label);
        let mut settings = vec![(key("name"), self.config.kind.name().to_string())];
        for info in self.config.options() {
            let hash = self.prior_hash.as_ref().filter(|_| info.name == "prior");
            settings.push((key(info.name), hash.map_or(info.value, |hash| format!("file:{hash}"))));
        }
        settings
    }
}

/// What the learners of a file have in common.
pub(super) struct Common<'a> {
    pub environment: &'a str,
    pub rounds: u64,
    pub preset: Option<Preset>,
    /// How many there may be.
    pub most: usize,
}

/// All learners, with those of sweeps one by one.
pub(super) fn read(sections: &[Section], common: &Common, files: &mut Files) -> Result<Vec<NamedLearner>> {
    let mut learners: Vec<NamedLearner> = Vec::new();
    let mut labels = BTreeSet::new();
    for &section in sections {
        for learner in of_section(section, common, files)? {
            if !labels.insert(learner.label.to_ascii_lowercase()) {
                let label = learner.label;
                return Err(Error::from(KeyProblem::SameLabel { label }).at_line(section.line));
            }
            learners.push(learner);
        }
        if learners.len() > common.most {
            let error = occupancy::Error::TooLarge { what: "learners in all experiments", most: MOST };
            return Err(error.at_line(section.line).into());
        }
    }
    Ok(learners)
}

fn of_section(section: Section, common: &Common, files: &mut Files) -> Result<Vec<NamedLearner>> {
    let expected = "a learner of `occupancy learners`";
    let Some(entry) = section.get("name") else { return Err(section.missing("name", expected)) };
    let kind = LearnerKind::from_name(entry.word(expected)?).map_err(|error| error.at_line(entry.line))?;
    let label = match section.get("label") {
        None => kind.name(),
        Some(entry) => match entry.word(TAME)? {
            label if is_tame(label) => label,
            _ => return Err(entry.unlike(TAME)),
        },
    };
    let preset = match section.get("preset") {
        None => common.preset,
        Some(entry) => Some(super::preset(entry)?),
    };
    // Without a preset, options have the values of `sound`.
    let own = preset.unwrap_or(Preset::Sound).learner(kind, common.environment, common.rounds);
    let given = options(section, &own)?;
    let build = |chosen: Vec<Choice>| {
        let mut config = own.clone();
        for choice in &chosen {
            config.set(choice.key, &choice.text).map_err(|error| error.at_line(choice.line))?;
        }
        let prior_hash = match &mut config.settings.prior {
            Prior::File(path) if kind.keys().contains(&"prior") => {
                let (found, hash) =
                    files.take(&path.display().to_string()).map_err(|error| error.at_line(section.line))?;
                *path = found;
                Some(hash)
            }
            _ => None,
        };
        config.check_complete().map_err(|error| error.at_line(section.line))?;
        let label = full_name(label, &joined(&chosen)).map_err(|error| error.at_line(section.line))?;
        Ok(NamedLearner { label, preset, config, prior_hash })
    };
    let all = combinations(&given).map_err(|error| error.at_line(section.line))?;
    all.into_iter().map(build).collect()
}

/// The options that a table gives, each with the values to try.
fn options<'a>(section: Section<'a>, own: &LearnerConfig) -> Result<Vec<Vec<Choice<'a>>>> {
    let (others, known) = (["name", "label", "preset"], own.options());
    let mut given = Vec::new();
    for entry in section.entries().filter(|entry| !others.contains(&entry.key)) {
        let Some(info) = known.iter().find(|info| info.name == entry.key) else {
            let (of, option) = (own.kind.name().to_string(), entry.key.to_string());
            let known = others.iter().copied().chain(known.iter().map(|info| info.name));
            let known = known.map(String::from).collect();
            return Err(occupancy::Error::UnknownOption { of, option, known }.at_line(entry.line).into());
        };
        given.push(Choice::of(entry, info)?);
    }
    Ok(given)
}
