//! Experiments: what a TOML file asks to be run.
//!
//! ```toml
//! name = "smoke"                # by default the file's name
//! title = "A first try"         # of its report; by default the name
//! description = "What for"      # in its report
//! rounds = 9000                 # or episodes = 450, if [env] has a horizon
//! runs = 100
//! seed = 1                      # by default 0
//! windows = [1000]              # of the moving averages; the first is the one that statistics are about
//! values = true                 # stores the exact gaps of the policies followed; by default of episodes alone
//! preset = "published"          # fills in the options of the environment and the learners
//!
//! [env]
//! name = "marsrover-4x4"        # or file = "model.cmdp"
//! slip = 0.1                    # what is given wins over the preset
//! horizon = 20                  # acts in episodes of so many steps
//!
//! [[learner]]
//! name = "cucrl-optimistic"
//! coef = [0.01, 0.05, 0.5]      # a list: one learner each
//! ```
//!
//! A list in `[env]` stands for one experiment each. Files are looked for beside the experiment file.

mod environment;
mod files;
mod learners;
mod reader;
mod sweep;

pub use environment::Environment;
pub use files::Copied;
pub(super) use files::stamp;
pub use learners::NamedLearner;
pub(super) use sweep::is_tame_path;

use crate::Source;
use crate::catalogue::{Catalogue, Preset};
use crate::error::{Error, KeyProblem, Result};
use files::{Files, NamedFile};
use occupancy::env::Env;
use occupancy::sim::Grid;
use occupancy::sim::MOST_POINTS;
use reader::{Entry, Section};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The version of the numbers: raised whenever the same settings give other results.
pub const NUMBERS: u32 = 2;
/// Rounds of a run are not more than this.
pub(super) const MOST_ROUNDS: u64 = 1_000_000_000_000;
/// Runs of a learner are fewer than this.
pub(super) const MOST_RUNS: u64 = 100_000;
/// What names of folders are like.
pub(super) const TAME: &str = "a name of letters, digits, -, _, + and =";

/// What is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The name of its folder.
    pub name: String,
    /// The title of its report; no setting, so that it changes no result.
    pub title: Option<String>,
    /// What it is about, for its report; no setting either.
    pub description: Option<String>,
    /// Steps of a run.
    pub rounds: u64,
    /// Runs of every learner.
    pub runs: u64,
    /// The seed that all random numbers follow from.
    pub seed: u64,
    /// Windows of moving averages; the first is the one that statistics are about.
    pub windows: Vec<u64>,
    /// Whether the exact gaps of the policies followed are stored: by default those of episodes are.
    pub values: bool,
    /// The preset of the file, by its name.
    pub preset: Option<&'static str>,
    /// What the learners act in.
    pub environment: Environment,
    /// The learners.
    pub learners: Vec<NamedLearner>,
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Files that it names.
    pub(super) files: Vec<NamedFile>,
}

impl Experiment {
    /// The experiments of a file: one, or one for each environment of a sweep. Learners and presets are those of the catalogue.
    pub fn read(path: impl AsRef<Path>, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
        let path = path.as_ref();
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        read(path, Files { folder, copies: false, found: Vec::new() }, catalogue)
    }

    /// The experiments of a text, as if it were read from this file.
    pub fn from_text(text: &str, path: impl AsRef<Path>, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
        let path = path.as_ref();
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        parse_file(text, path, Files { folder, copies: false, found: Vec::new() }, catalogue)
    }

    /// The copies of the files that it names, as a folder of results holds them: names and bytes.
    pub fn copies(&self) -> Result<Vec<(String, Vec<u8>)>> {
        self.files.iter().map(|file| Ok((file.copy.clone(), file.reread()?))).collect()
    }

    /// The experiments of the copy in a folder of results, with the files that were copied along.
    pub fn read_copy(folder: &Path, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
        let files = Files { folder: folder.join("files"), copies: true, found: Vec::new() };
        read(&folder.join("experiment.toml"), files, catalogue)
    }

    /// The environment, built from files that are still what they were when the experiment was read.
    pub fn build(&self) -> Result<Env> {
        let env = self.environment.build();
        let env = env.map_err(|error| error.in_file(&self.path))?;
        for file in &self.files {
            file.check_unedited()?;
        }
        Ok(env)
    }

    /// The steps at which runs are recorded.
    pub fn grid(&self) -> Grid {
        Grid::new(self.rounds, &self.windows)
    }

    /// All that the results depend on, as keys and values with defaults filled in. Name and runs are not among them.
    pub fn settings(&self) -> Vec<(String, String)> {
        let windows: Vec<String> = self.windows.iter().map(u64::to_string).collect();
        let mut settings = vec![
            ("numbers".to_string(), NUMBERS.to_string()),
            ("rounds".to_string(), self.rounds.to_string()),
            ("seed".to_string(), self.seed.to_string()),
            ("windows".to_string(), windows.join(",")),
        ];
        if self.values != self.environment.horizon.is_some() {
            settings.push(("values".to_string(), self.values.to_string()));
        }
        settings.extend(self.environment.settings().iter().cloned());
        settings.extend(self.learners.iter().flat_map(NamedLearner::settings));
        settings
    }

    /// The hash of the settings.
    pub fn hash(&self) -> String {
        settings_hash(&self.settings())
    }
}

/// The hash of settings.
pub(super) fn settings_hash(settings: &[(String, String)]) -> String {
    let lines = settings.iter().map(|(key, value)| format!("{key} = {value}\n"));
    sha256(lines.collect::<String>().as_bytes())
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path, files: Files, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.into(), source })?;
    let text = String::from_utf8(bytes).map_err(|wrong| {
        let position = wrong.utf8_error().valid_up_to();
        let line = 1 + wrong.as_bytes().iter().take(position).filter(|&&byte| byte == b'\n').count();
        let problem = occupancy::error::LineProblem::NotText { position };
        occupancy::Error::Line { line, problem }.in_file(path)
    })?;
    parse_file(&text, path, files, catalogue)
}

fn parse_file(text: &str, path: &Path, files: Files, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
    // A file that is named in the text is not the text.
    parse(text, path, files, catalogue)
        .map_err(|error| if error.names_its_file() { error } else { error.in_file(path) })
}

fn parse(text: &str, path: &Path, mut files: Files, catalogue: &Catalogue) -> Result<Vec<Experiment>> {
    let tables = reader::parse(text)?;
    let whole = Section::whole(text, tables.get_ref());
    whole.only(&[
        "name",
        "title",
        "description",
        "rounds",
        "episodes",
        "criterion",
        "runs",
        "seed",
        "windows",
        "values",
        "preset",
        "env",
        "learner",
    ])?;
    let name = name(whole, path)?;
    let title = words(whole, "title", "a line of text", |text| !text.contains(char::is_control))?;
    let printable = |text: &str| !text.contains(|c: char| c.is_control() && !c.is_whitespace());
    let description = words(whole, "description", "a text without control characters", printable)?;
    let runs = required(whole, "runs", "how often each learner is run", 1..=MOST_RUNS)?;
    let seed = whole.get("seed").map_or(Ok(0), |entry| entry.count(0..=u64::MAX))?;
    let preset = whole.get("preset").map(|entry| preset(entry, catalogue)).transpose()?;
    let Some(section) = whole.section("env", " in [env]")? else {
        return Err(whole.missing("[env]", "the environment, by name or file"));
    };
    let rounds = rounds(whole, section)?;
    check_criterion(whole, section)?;
    let values = whole.get("values").map(Entry::flag).transpose()?;
    let values = values.unwrap_or(section.get("horizon").is_some());
    let environments = environment::read(section, preset, &mut files)?;
    let sections = whole.sections("learner", " in [[learner]]")?;
    if sections.is_empty() {
        return Err(whole.missing("[[learner]]", "at least one learner"));
    }
    let full_name = |(environment, addition): (Environment, String)| {
        Ok((environment, sweep::full_name(&name, &addition).map_err(|error| error.at_line(section.line))?))
    };
    let environments = environments.into_iter().map(full_name).collect::<Result<Vec<_>>>()?;
    let mut names = BTreeSet::new();
    for (_, name) in &environments {
        if !names.insert(name.to_ascii_lowercase()) {
            let name = name.clone();
            return Err(Error::from(KeyProblem::SameName { name }).at_line(section.line));
        }
    }
    let most = sweep::MOST / environments.len();
    let finish = |(environment, name): (Environment, String)| {
        let windows = windows(whole, &environment.name, rounds, catalogue)?;
        let common = learners::Common { environment: &environment.name, rounds, preset, most, catalogue };
        let learners = learners::read(&sections, &common, &mut files)?;
        let (text, path, files) = (text.to_string(), path.to_path_buf(), files.found.clone());
        let preset = preset.map(Preset::name);
        let (title, description) = (title.clone(), description.clone());
        Ok(Experiment {
            name,
            title,
            description,
            rounds,
            runs,
            seed,
            windows,
            values,
            preset,
            environment,
            learners,
            path,
            text,
            files,
        })
    };
    environments.into_iter().map(finish).collect()
}

/// The name that is given, or that of the file.
fn name(whole: Section, path: &Path) -> Result<String> {
    if let Some(entry) = whole.get("name") {
        let name = entry.word(TAME)?;
        return if sweep::is_tame(name) { Ok(name.to_string()) } else { Err(entry.unlike(TAME)) };
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if sweep::is_tame(&stem) { Ok(stem) } else { Err(whole.missing("name", TAME)) }
}

/// A text for readers, if it is given.
fn words(whole: Section, key: &str, expected: &str, fits: impl Fn(&str) -> bool) -> Result<Option<String>> {
    let Some(entry) = whole.get(key) else { return Ok(None) };
    let text = entry.word(expected)?.trim();
    if text.is_empty() || !fits(text) { Err(entry.unlike(expected)) } else { Ok(Some(text.to_string())) }
}

/// The steps of a run: as they are given, or episodes times their length.
fn rounds(whole: Section, env: Section) -> Result<u64> {
    let Some(entry) = whole.get("episodes") else {
        return required(whole, "rounds", "the steps of a run", 1..=MOST_ROUNDS);
    };
    if let Some(rounds) = whole.get("rounds") {
        return Err(rounds.unlike("no rounds beside episodes: they are episodes × horizon"));
    }
    let Some(horizon) = horizon(env)? else {
        return Err(env.missing("horizon", "the steps of an episode, as there are episodes"));
    };
    Ok(horizon * entry.count(1..=MOST_ROUNDS / horizon)?)
}

/// The steps of an episode: as they are given, or those of an environment of episodes; `None` without episodes.
fn horizon(env: Section) -> Result<Option<u64>> {
    if let Some(entry) = env.get("horizon") {
        return entry.count(1..=MOST_ROUNDS).map(Some);
    }
    let Some(name) = env.get("name") else { return Ok(None) };
    let source = Source::Environment { name: name.word("the name of an environment")?.to_string() };
    Ok(source.own_horizon(&[]).map(|steps| steps as u64))
}

/// Runs are about averages in the long run, or about episodes if these have a length: a criterion that is given has to agree.
fn check_criterion(whole: Section, env: Section) -> Result<()> {
    let Some(entry) = whole.get("criterion") else { return Ok(()) };
    let expected = if horizon(env)?.is_some() { "episodes" } else { "average" };
    match entry.word("average or episodes")? {
        word if word == expected => Ok(()),
        "episodes" => Err(env.missing("horizon", "the steps of an episode, as the criterion is episodes")),
        _ => Err(entry.unlike(if expected == "average" {
            "average; episodes have a horizon in [env]"
        } else {
            "episodes, as the environment has a horizon"
        })),
    }
}

fn required(
    whole: Section,
    key: &'static str,
    expected: &'static str,
    range: std::ops::RangeInclusive<u64>,
) -> Result<u64> {
    whole.get(key).ok_or_else(|| whole.missing(key, expected))?.count(range)
}

fn preset(entry: Entry, catalogue: &Catalogue) -> Result<&'static dyn Preset> {
    let expected = || catalogue.preset_names().collect::<Vec<_>>().join(", ");
    let name = entry.word(&expected())?;
    catalogue.preset(name).map_err(|_| entry.unlike(&expected()))
}

/// The windows; by default the catalogue's.
fn windows(whole: Section, environment: &str, rounds: u64, catalogue: &Catalogue) -> Result<Vec<u64>> {
    let Some(entry) = whole.get("windows") else { return Ok(vec![catalogue.window(environment, rounds)]) };
    let windows = entry.counts(1..=rounds)?;
    let (divisor, points) = Grid::density(rounds, &windows);
    if points > MOST_POINTS {
        let enough = rounds.div_ceil(MOST_POINTS);
        return Err(entry.wrong(KeyProblem::Windows { divisor, points, most: MOST_POINTS, enough }));
    }
    Ok(windows)
}
