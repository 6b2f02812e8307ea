//! Opens a model by its name or its path: the one place that knows what is a name, what is a file, and which format it has.

use crate::Result;
use crate::error::SourceProblem;
use occupancy::Error;
use occupancy::env::{self, Env, EnvConfig};
use occupancy::model::drn::{self, DrnSignals};
use occupancy::model::text;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A model in this project's text format.
    Text,
    /// A model in Storm's explicit format.
    Drn,
    /// A map of a gridworld.
    Map,
}

impl Format {
    /// The format of a file, by its ending.
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_string_lossy().to_lowercase();
        match ending.as_str() {
            "cmdp" => Some(Format::Text),
            "drn" => Some(Format::Drn),
            "map" | "txt" => Some(Format::Map),
            _ => None,
        }
    }
}

/// Where a model comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// An environment that comes along.
    Environment {
        /// Its name.
        name: String,
    },
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// What is in it.
        format: Format,
    },
}

/// What is asked of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenOptions {
    /// Options of an environment or a map, as texts; what is not given has its default.
    pub options: Vec<(String, String)>,
    /// Which reward models of a file in Storm's format are the reward and the costs.
    pub signals: DrnSignals,
    /// Budgets in place of the model's own, one for each cost.
    pub budgets: Option<Vec<f64>>,
}

/// The model of a name or a path.
///
/// ```
/// use occupancy_lab::{OpenOptions, open};
///
/// let rover = open("marsrover-4x4", &OpenOptions::default())?;
/// assert_eq!(rover.model.states(), 16);
/// # Ok::<(), occupancy_lab::Error>(())
/// ```
pub fn open(source: &str, asked: &OpenOptions) -> Result<Env> {
    Ok(Source::find(source)?.open(asked)?)
}

impl Source {
    /// The environment of this name, or else the file of this path.
    pub fn find(source: &str) -> Result<Source> {
        let known: Vec<String> = env::list().iter().map(|entry| entry.name.to_string()).collect();
        if known.iter().any(|name| name == source) {
            return Ok(Source::Environment { name: source.to_string() });
        }
        let path = Path::new(source);
        let found = std::fs::metadata(path);
        let (format, given) = (Format::of(path), source.to_string());
        match (format, found) {
            (_, Ok(found)) if found.is_dir() => Err(SourceProblem::Folder { given }.into()),
            // A device or a pipe may never end.
            (_, Ok(found)) if !found.is_file() => Err(SourceProblem::NotAFile { given }.into()),
            (Some(format), Ok(_)) => Ok(Source::File { path: path.to_path_buf(), format }),
            (Some(_), Err(error)) => {
                let is_absent = error.kind() == ErrorKind::NotFound;
                let reason = if is_absent { "no such file".to_string() } else { error.to_string() };
                Err(SourceProblem::Unreadable { given, reason }.into())
            }
            (None, Ok(_)) => Err(SourceProblem::NoFormat { given }.into()),
            (None, Err(_)) => Err(SourceProblem::Unknown { given, known }.into()),
        }
    }

    /// The file of a path; `None` if its ending is that of no format.
    pub fn file(path: impl Into<PathBuf>) -> Option<Source> {
        let path = path.into();
        Format::of(&path).map(|format| Source::File { path, format })
    }

    /// An environment or a map with these options; `None` for a model file, which has none.
    pub fn config(&self, options: &[(String, String)]) -> occupancy::Result<Option<EnvConfig>> {
        match self {
            Source::Environment { name } => EnvConfig::from_options(name, options).map(Some),
            Source::File { path, format: Format::Map } => EnvConfig::of_map_file(path, options).map(Some),
            Source::File { .. } => Ok(None),
        }
    }

    /// The model.
    pub fn open(&self, asked: &OpenOptions) -> occupancy::Result<Env> {
        self.refuse_what_does_not_apply(asked)?;
        let mut env = match self {
            Source::File { path, format: Format::Text } => of_file(path, text::read(path)?),
            Source::File { path, format: Format::Drn } => of_file(path, drn::read(path, &asked.signals)?),
            Source::File { path, format: Format::Map } => {
                EnvConfig::of_map_file(path, &asked.options)?.build()?
            }
            Source::Environment { name } => EnvConfig::from_options(name, &asked.options)?.build()?,
        };
        if let Some(budgets) = &asked.budgets {
            env.model = env.model.with_budgets(budgets)?;
        }
        Ok(env)
    }

    fn refuse_what_does_not_apply(&self, asked: &OpenOptions) -> occupancy::Result<()> {
        let format = if let Source::File { format, .. } = self { Some(*format) } else { None };
        let is_model = matches!(format, Some(Format::Text | Format::Drn));
        if let (true, Some((option, _))) = (is_model, asked.options.first()) {
            let (of, option) = ("a model file".to_string(), option.clone());
            return Err(Error::UnknownOption { of, option, known: Vec::new() });
        }
        if format != Some(Format::Drn) && asked.signals != DrnSignals::default() {
            return Err(Error::OptionNotHere { option: "signals", applies_to: "a .drn file" });
        }
        Ok(())
    }
}

fn of_file(path: &Path, model: occupancy::model::Cmdp) -> Env {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Env { name, model, picture: None, episodes: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_of_a_file_is_in_its_ending_whatever_its_case() {
        let formats =
            ["a.cmdp", "a.DRN", "b/c.map", "c.Txt", "cmdp", "a.json"].map(|path| Format::of(path.as_ref()));
        let [text, drn, map] = [Format::Text, Format::Drn, Format::Map].map(Some);
        assert_eq!(formats, [text, drn, map, map, None, None]);
    }

    #[test]
    fn a_name_is_an_environment_and_all_else_a_file_or_nothing() {
        assert_eq!(Source::find("box").unwrap(), Source::Environment { name: "box".into() });
        let said = |source: &str| Source::find(source).unwrap_err().to_string();
        assert_eq!(said("absent.cmdp"), "absent.cmdp: no such file");
        assert_eq!(said("."), ". is a folder, expected a model or a map");
        assert!(
            said("bxo").starts_with("unknown source bxo (environments: ") && said("").contains("source ''")
        );
    }

    #[test]
    fn what_a_source_does_not_have_is_refused() {
        let reward = DrnSignals { reward: Some("r".into()), costs: Vec::new() };
        let asked = OpenOptions { signals: reward, ..OpenOptions::default() };
        let said = open("box", &asked).unwrap_err().to_string();
        assert_eq!(said, "option signals applies only to a .drn file");
        let options = vec![("slip".to_string(), "0".to_string())];
        let model = Source::file("model.cmdp").unwrap();
        let said = model.open(&OpenOptions { options, ..OpenOptions::default() }).unwrap_err().to_string();
        assert_eq!(said, "a model file has no option slip; it has none");
    }
}
