//! The tables `[[learner]]`: a learner by its name, its options, and a label where the name is not enough.

use super::TAME;
use super::files::Files;
use super::reader::Section;
use super::sweep::{Choice, MOST, combinations, full_name, is_tame, joined};
use crate::catalogue::{Catalogue, Preset};
use crate::error::{Error, KeyProblem, Result};
use occupancy::learn::LearnerConfig;
use std::collections::BTreeSet;

/// A learner of an experiment.
#[derive(Clone, Debug)]
pub struct NamedLearner {
    /// What it is called in the results: its label or name, and what a sweep gave it.
    pub label: String,
    /// The preset that its options come from if the file does not give them, by its name.
    pub preset: Option<&'static str>,
    /// The learner and its options.
    pub config: Box<dyn LearnerConfig>,
    /// The options that name a file, each with the hash of its content.
    pub(super) file_hashes: Vec<(&'static str, String)>,
}

impl PartialEq for NamedLearner {
    fn eq(&self, other: &NamedLearner) -> bool {
        let parts = |one: &NamedLearner| (one.label.clone(), one.preset, one.file_hashes.clone());
        parts(self) == parts(other) && *self.config == *other.config
    }
}

impl NamedLearner {
    /// Every option with defaults filled in; a file by the hash of its content.
    pub fn settings(&self) -> Vec<(String, String)> {
        let key = |name: &str| format!("learner.{}.{name}", self.label);
        let mut settings = vec![(key("name"), self.config.name().to_string())];
        for info in self.config.infos() {
            let hash = self.file_hashes.iter().find(|(option, _)| *option == info.name);
            settings.push((key(info.name), hash.map_or(info.value, |(_, hash)| format!("file:{hash}"))));
        }
        settings
    }
}

/// What the learners of a file have in common.
pub(super) struct Common<'a> {
    pub environment: &'a str,
    pub rounds: u64,
    pub preset: Option<&'static dyn Preset>,
    /// How many there may be.
    pub most: usize,
    pub catalogue: &'a Catalogue,
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
    let name = entry.word(expected)?;
    let Common { environment, rounds, catalogue, .. } = *common;
    catalogue.learners().find(name).map_err(|error| error.at_line(entry.line))?;
    let label = match section.get("label") {
        None => name,
        Some(entry) => match entry.word(TAME)? {
            label if is_tame(label) => label,
            _ => return Err(entry.unlike(TAME)),
        },
    };
    let preset = match section.get("preset") {
        None => common.preset,
        Some(entry) => Some(super::preset(entry, catalogue)?),
    };
    let own = catalogue.learner(name, preset.map(|preset| preset as &dyn Preset), environment, rounds)?;
    let given = options(section, own.as_ref())?;
    let build = |chosen: Vec<Choice>| {
        let mut config = own.clone();
        for choice in &chosen {
            config.set(choice.key, &choice.text).map_err(|error| error.at_line(choice.line))?;
        }
        let mut file_hashes = Vec::new();
        for info in config.infos() {
            let Some(path) = info.value.strip_prefix("file:") else { continue };
            let (found, hash) = files.take(path).map_err(|error| error.at_line(section.line))?;
            config.set(info.name, &format!("file:{}", found.display()))?;
            file_hashes.push((info.name, hash));
        }
        config.check_complete().map_err(|error| error.at_line(section.line))?;
        let label = full_name(label, &joined(&chosen)).map_err(|error| error.at_line(section.line))?;
        Ok(NamedLearner { label, preset: preset.map(Preset::name), config, file_hashes })
    };
    let all = combinations(&given).map_err(|error| error.at_line(section.line))?;
    all.into_iter().map(build).collect()
}

/// The options that a table gives, each with the values to try.
fn options<'a>(section: Section<'a>, own: &dyn LearnerConfig) -> Result<Vec<Vec<Choice<'a>>>> {
    let (others, known) = (["name", "label", "preset"], own.infos());
    let mut given = Vec::new();
    for entry in section.entries().filter(|entry| !others.contains(&entry.key)) {
        let Some(info) = known.iter().find(|info| info.name == entry.key) else {
            let (of, option) = (own.name().to_string(), entry.key.to_string());
            let known = others.iter().copied().chain(known.iter().map(|info| info.name));
            let known = known.map(String::from).collect();
            return Err(occupancy::Error::UnknownOption { of, option, known }.at_line(entry.line).into());
        };
        given.push(Choice::of(entry, info)?);
    }
    Ok(given)
}
