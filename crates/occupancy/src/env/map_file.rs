//! Gridworlds whose map is read from a file: with a box they get the rules of Box, otherwise those of Marsrover.

use super::{BoxOptions, Env, EnvConfig, GridOptions, Map, StateSet, box_grid, grid};
use crate::error::{Error, Result};
use crate::options;
use crate::options::Budgets;
use std::path::{Path, PathBuf};

options! {
    /// Options of a gridworld whose map is read from a file.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MapOptions {
        /// The file with the map.
        file: PathBuf = PathBuf::new(), "the path of a map" => |file| !file.as_os_str().is_empty();
        /// Probability that a uniformly drawn move replaces the chosen one.
        slip: f64 = 0.0, "a number from 0 to 1" => |slip| (0.0..=1.0).contains(slip);
        /// Budget of the cost; by default inf, no constraint.
        budget: Budgets = Budgets::default(), "a number, or inf for no constraint" => Budgets::in_range;
        /// Without a box: whether bumping into a wall in a risky cell costs 1; by default true.
        bump_cost: Option<bool> = None, "true or false" => |_| true;
        /// With a box: which pairs of cells are states; by default reachable.
        states: Option<StateSet> = None, "reachable or all" => |_| true;
    }
}

/// A gridworld from a map in a file, with the options of [`MapOptions`] but `file`. It is named after the file.
pub fn from_map_file(path: impl Into<PathBuf>, options: &[(String, String)]) -> Result<Env> {
    EnvConfig::of_map_file(path, options)?.build()
}

impl EnvConfig {
    /// A gridworld from a map in a file, not read yet; see [`from_map_file`].
    pub fn of_map_file(path: impl Into<PathBuf>, options: &[(String, String)]) -> Result<EnvConfig> {
        let mut config = EnvConfig::Map(MapOptions { file: path.into(), ..MapOptions::default() });
        config.set_all("a map", &["file"], options)?;
        Ok(config)
    }
}

/// Reads the map and applies the rules that fit it; options of the other rules are refused.
pub(super) fn build(options: &MapOptions) -> Result<Env> {
    build_map(&name_of(&options.file), &Map::read(&options.file)?, options)
}

/// A gridworld from a map, with the options of [`MapOptions`] but `file`.
pub fn from_map(name: &str, map: &Map, options: &[(String, String)]) -> Result<Env> {
    match EnvConfig::of_map_file(name, options)? {
        EnvConfig::Map(options) => build_map(name, map, &options),
        other => other.build(),
    }
}

fn build_map(name: &str, map: &Map, options: &MapOptions) -> Result<Env> {
    let (slip, budget) = (options.slip, options.budget.clone());
    if map.pushed().is_some() {
        if options.bump_cost.is_some() {
            return Err(Error::OptionNotHere { option: "bump_cost", applies_to: "a map without a box (X)" });
        }
        let options = BoxOptions { slip, budget, states: options.states.unwrap_or_default() };
        return box_grid::build(name, map, &options, f64::INFINITY);
    }
    if options.states.is_some() {
        return Err(Error::OptionNotHere { option: "states", applies_to: "a map with a box (X)" });
    }
    let options = GridOptions { slip, budget, bump_cost: options.bump_cost.unwrap_or(true) };
    grid::build(name, map, &options, f64::INFINITY)
}

fn name_of(file: &Path) -> String {
    let file = if file.extension().is_some_and(|ending| ending == "gz") {
        file.with_extension("")
    } else {
        file.into()
    };
    file.file_stem().map_or_else(|| "map".to_string(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(options: &[(&str, &str)]) -> Vec<(String, String)> {
        options.iter().map(|(option, text)| (option.to_string(), text.to_string())).collect()
    }

    fn on_map(text: &str, options: &[(&str, &str)]) -> Result<Env> {
        let id = std::thread::current().id();
        let folder = std::env::temp_dir().join(format!("occupancy-config-{}-{id:?}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("little.txt");
        std::fs::write(&path, text).unwrap();
        let env = from_map_file(&path, &texts(options));
        std::fs::remove_dir_all(&folder).unwrap();
        env
    }

    #[test]
    fn a_map_file_gets_the_rules_that_fit_it() {
        let rover = on_map("SPG", &[("bump_cost", "false")]).unwrap();
        assert_eq!((rover.name.as_str(), rover.model.states()), ("little", 3));
        assert_eq!(
            (rover.model.budgets(), rover.model.names().cost(0).as_str()),
            (&[f64::INFINITY][..], "risk")
        );
        let boxed = on_map("S0\nX0\n0G", &[("budget", "0.5"), ("states", "all")]).unwrap();
        assert_eq!((boxed.model.states(), boxed.model.budgets()), (36, &[0.5][..]));
    }

    #[test]
    fn options_that_do_not_fit_the_map_are_refused() {
        let refused = |text, options: &[(&str, &str)]| on_map(text, options).unwrap_err().to_string();
        let only = "applies only to a map";
        assert_eq!(refused("SPG", &[("states", "all")]), format!("option states {only} with a box (X)"));
        assert_eq!(
            refused("SXG", &[("bump_cost", "true")]),
            format!("option bump_cost {only} without a box (X)")
        );
        assert_eq!(refused("SXG", &[("file", "other")]), "option file is given twice");
        let options = "file, slip, budget, bump_cost, states";
        assert_eq!(
            refused("SXG", &[("goal", "1")]),
            format!("a map has no option goal; its options: {options}")
        );
        assert!(refused("S", &[]).ends_with(
            "little.txt: line 1: the map ends here without a goal; mark at least one cell with G"
        ));
    }
}
