//! Opens a model by its name or its path: the one place that knows what is a name, what is a file, and which format it has.

mod format;

pub use format::Format;

use crate::Result;
use crate::error::SourceProblem;
use occupancy::Error;
use occupancy::env::{self, Env, EnvConfig, Map};
use occupancy::error::system;
use occupancy::model::drn::{self, DrnSignals};
use occupancy::model::{
    Bound, Cmdp, Meter, ReadOptions, binary, read_model_bytes, read_model_bytes_from, table, text, text_of,
};
use std::path::{Path, PathBuf};

/// The option of environments that have episodes of their own.
const HORIZON: &str = "horizon";
/// What stands for the standard input.
pub const INPUT: &str = "-";
/// What the standard input is called.
const INPUT_NAME: &str = "standard input";

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
    /// The standard input, which can be read once.
    Input {
        /// What it held.
        bytes: Vec<u8>,
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
    /// How a model file is read.
    pub reading: ReadOptions,
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
    Ok(Source::find(source, None)?.open(asked)?)
}

impl Source {
    /// The environment of this name, the standard input for `-`, or else the file of this path; its format is the one given, or
    /// that of its ending or, for the standard input, of its content.
    pub fn find(source: &str, format: Option<Format>) -> Result<Source> {
        if source == INPUT {
            let bytes = read_model_bytes_from(std::io::stdin()).map_err(|error| error.in_file(INPUT_NAME))?;
            let format = format.unwrap_or_else(|| Format::of_bytes(&bytes));
            return Ok(Source::Input { bytes, format });
        }
        let known: Vec<String> = env::list().iter().map(|entry| entry.name.to_string()).collect();
        if known.iter().any(|name| name == source) {
            return Ok(Source::Environment { name: source.to_string() });
        }
        let path = Path::new(source);
        let found = std::fs::metadata(path);
        let (format, given) = (format.or_else(|| Format::of(path)), source.to_string());
        match (format, found) {
            (_, Ok(found)) if found.is_dir() => Err(SourceProblem::Folder { given }.into()),
            // A device or a pipe may never end.
            (_, Ok(found)) if !found.is_file() => Err(SourceProblem::NotAFile { given }.into()),
            (Some(format), Ok(_)) => Ok(Source::File { path: path.to_path_buf(), format }),
            (Some(_), Err(error)) => {
                let reason = system(&error);
                Err(SourceProblem::Unreadable { given, reason }.into())
            }
            (None, Ok(_)) => Err(SourceProblem::NoFormat { given }.into()),
            (None, Err(_)) => Err(SourceProblem::Unknown { given, known }.into()),
        }
    }

    /// The format of a file or of the standard input; an environment has none.
    pub fn format(&self) -> Option<Format> {
        match self {
            Source::Environment { .. } => None,
            Source::File { format, .. } | Source::Input { format, .. } => Some(*format),
        }
    }

    /// Whether it says everything itself: neither an environment nor a map.
    pub fn is_model_file(&self) -> bool {
        self.format().is_some_and(|format| format != Format::Map)
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
            Source::Input { format: Format::Map, .. } => {
                EnvConfig::of_map_file(INPUT_NAME, options).map(Some)
            }
            Source::File { .. } | Source::Input { .. } => Ok(None),
        }
    }

    /// The model.
    pub fn open(&self, asked: &OpenOptions) -> occupancy::Result<Env> {
        self.open_watched(asked, &Meter::default())
    }

    /// The model, with a meter of how much of its file has been read.
    pub fn open_watched(&self, asked: &OpenOptions, meter: &Meter) -> occupancy::Result<Env> {
        self.refuse_what_does_not_apply(asked)?;
        let mut env = match self {
            Source::Environment { name } => EnvConfig::from_options(name, &asked.options)?.build()?,
            Source::File { path, format: Format::Map } => {
                EnvConfig::of_map_file(path, &asked.options)?.build()?
            }
            Source::Input { bytes, format: Format::Map } => {
                let map = text_of(bytes.clone()).and_then(|text| Map::parse(&text));
                let map = map.map_err(|error| error.in_file(INPUT_NAME))?;
                env::from_map(INPUT_NAME, &map, &asked.options)?
            }
            Source::File { path, format } => file(path, *format, asked, meter)?,
            Source::Input { bytes, format } => input(bytes, *format, asked)?,
        };
        if let Some(budgets) = &asked.budgets {
            env.model = with_written(env.model, budgets)?;
        }
        Ok(env)
    }

    /// Whether episodes of a length are asked for by an option of its own.
    pub fn has_own_horizon(&self) -> bool {
        let config = self.config(&[]).ok().flatten();
        config.is_some_and(|config| config.options().iter().any(|option| option.name == HORIZON))
    }

    /// The length of its own episodes with these options; `None` if it has none.
    pub fn own_horizon(&self, options: &[(String, String)]) -> Option<usize> {
        let config = self.config(options).ok().flatten()?;
        let option = config.options().into_iter().find(|option| option.name == HORIZON)?;
        option.value.parse().ok().filter(|&steps| steps > 0)
    }

    /// The model, acted in by episodes of this length: by its own option if it has one, otherwise with the same model at every
    /// stage.
    pub fn open_in_episodes(&self, asked: &OpenOptions, horizon: usize) -> occupancy::Result<Env> {
        if !self.has_own_horizon() {
            return self.open(asked)?.in_episodes(horizon);
        }
        let mut asked = asked.clone();
        asked.options.retain(|(key, _)| key != HORIZON);
        asked.options.push((HORIZON.to_string(), horizon.to_string()));
        self.open(&asked)
    }

    fn refuse_what_does_not_apply(&self, asked: &OpenOptions) -> occupancy::Result<()> {
        let format = self.format();
        if let (true, Some((option, _))) = (self.is_model_file(), asked.options.first()) {
            let (of, option) = ("a model file".to_string(), option.clone());
            return Err(Error::UnknownOption { of, option, known: Vec::new() });
        }
        if format != Some(Format::Drn) && asked.signals != DrnSignals::default() {
            return Err(Error::OptionNotHere { option: "signals", applies_to: "a .drn file" });
        }
        if asked.reading.normalise && (!self.is_model_file() || format == Some(Format::Binary)) {
            return Err(Error::OptionNotHere { option: "normalise", applies_to: "a model file of text" });
        }
        Ok(())
    }
}

/// The model of a file in one of the formats of models. Those of large models are read piece by piece.
fn file(path: &Path, format: Format, asked: &OpenOptions, meter: &Meter) -> occupancy::Result<Env> {
    let model = match format {
        Format::Drn => drn::read_with(path, &asked.signals, asked.reading, meter)?,
        Format::Table => table::read_with(path, asked.reading, meter)?,
        Format::Binary => binary::read_file(path, meter)?,
        _ => {
            let read =
                text_of(read_model_bytes(path)?).and_then(|text| text::parse_with(&text, asked.reading));
            read.map_err(|error| error.in_file(path))?
        }
    };
    Ok(Env { name: stem(path), model, picture: None, episodes: None })
}

/// The same of the bytes of the standard input.
fn input(bytes: &[u8], format: Format, asked: &OpenOptions) -> occupancy::Result<Env> {
    let parse = |text: String| match format {
        Format::Drn => drn::parse_with(&text, &asked.signals, asked.reading),
        Format::Table => table::parse_with(&text, asked.reading),
        _ => text::parse_with(&text, asked.reading),
    };
    let read = match format {
        Format::Binary => binary::read(bytes),
        _ => text_of(bytes.to_vec()).and_then(parse),
    };
    let model = read.map_err(|error| error.in_file(INPUT_NAME))?;
    Ok(Env { name: INPUT_NAME.to_string(), model, picture: None, episodes: None })
}

/// The model with other numbers for its bounds, each on the side where it was.
fn with_written(model: Cmdp, budgets: &[f64]) -> occupancy::Result<Cmdp> {
    if budgets.len() != model.costs() {
        return Err(Error::BudgetCount { found: budgets.len(), expected: model.costs() });
    }
    let bound = |(i, &value): (usize, &f64)| match model.bound(i) {
        Bound::AtMost(_) => Bound::AtMost(value),
        Bound::AtLeast(_) => Bound::AtLeast(value),
    };
    let bounds: Vec<Bound> = budgets.iter().enumerate().map(bound).collect();
    model.with_bounds(&bounds)
}

/// The name of a file without its endings.
pub(crate) fn stem(path: &Path) -> String {
    let name = format::unpacked_name(path);
    name.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_environment_and_all_else_a_file_or_nothing() {
        assert_eq!(Source::find("box", None).unwrap(), Source::Environment { name: "box".into() });
        let said = |source: &str| Source::find(source, None).unwrap_err().to_string();
        assert_eq!(said("absent.cmdp"), "absent.cmdp: no such file");
        assert_eq!(said("."), ". is a folder, expected a model or a map");
        assert!(
            said("bxo").starts_with("unknown source bxo (environments: ") && said("").contains("source ''")
        );
    }

    #[test]
    fn an_environment_of_episodes_has_a_horizon_and_others_are_given_one() {
        let open = |name: &str, horizon: usize| {
            let source = Source::Environment { name: name.into() };
            source.open_in_episodes(&OpenOptions::default(), horizon).unwrap()
        };
        let own = super::open("media", &OpenOptions::default()).unwrap().episodes.unwrap();
        assert_eq!((own.horizon, own.model.states(), own.alike), (10, 10, true));
        assert_eq!(open("media", 4).model.states(), 40);
        assert_eq!(open("job-scheduling", 3).episodes.unwrap().horizon, 3);
        assert_eq!(open("river-swim", 3).model.states(), 18);
        assert!(!open("garnet", 2).episodes.unwrap().alike);
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
        let reading = ReadOptions { normalise: true };
        let said = open("box", &OpenOptions { reading, ..OpenOptions::default() }).unwrap_err().to_string();
        assert_eq!(said, "option normalise applies only to a model file of text");
    }
}
