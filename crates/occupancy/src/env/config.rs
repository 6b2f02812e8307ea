//! The registry of environments: a name and options become an [`EnvConfig`], and that becomes an [`Env`].

use super::box_grid::BoxOptions;
use super::garnet::GarnetOptions;
use super::grid::GridOptions;
use super::inventory::InventoryOptions;
use super::job_scheduling::JobSchedulingOptions;
use super::map_file::MapOptions;
use super::media::MediaOptions;
use super::needle::NeedleOptions;
use super::queue::QueueOptions;
use super::river_swim::RiverSwimOptions;
use super::two_state::TwoStateOptions;
use super::wireless_queue::WirelessQueueOptions;
use super::{
    Env, Map, box_grid, garnet, grid, inventory, job_scheduling, map_file, media, needle, queue, river_swim,
    two_state, wireless_queue,
};
use crate::error::{Error, Result};
use crate::options::{OptionInfo, Options};
use serde::Deserialize;

/// An environment and its options. In an experiment file, `name` chooses the environment and the other keys are its
/// options:
///
/// ```
/// use occupancy::env::EnvConfig;
/// let text = r#"{ "name": "box", "slip": 0.1, "budget": 0.6 }"#;
/// let env = serde_json::from_str::<EnvConfig>(text).unwrap().build().unwrap();
/// assert_eq!((env.model.states(), env.model.budgets()), (60, &[0.6][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "name")]
pub enum EnvConfig {
    /// Marsrover on 4 × 4 cells.
    #[serde(rename = "marsrover-4x4")]
    Marsrover4x4(GridOptions),
    /// Marsrover on 8 × 8 cells.
    #[serde(rename = "marsrover-8x8")]
    Marsrover8x8(GridOptions),
    /// A box to be pushed out of the way.
    #[serde(rename = "box")]
    Box(BoxOptions),
    /// A single-server queue.
    #[serde(rename = "queue")]
    Queue(QueueOptions),
    /// A random model.
    #[serde(rename = "garnet")]
    Garnet(GarnetOptions),
    /// A river to be swum against its current.
    #[serde(rename = "river-swim")]
    RiverSwim(RiverSwimOptions),
    /// Inventory control, in episodes.
    #[serde(rename = "inventory")]
    Inventory(InventoryOptions),
    /// Jobs to be sent away, in episodes.
    #[serde(rename = "job-scheduling")]
    JobScheduling(JobSchedulingOptions),
    /// Media streaming, in episodes.
    #[serde(rename = "media")]
    Media(MediaOptions),
    /// A chain in which one sequence pays.
    #[serde(rename = "needle")]
    Needle(NeedleOptions),
    /// Two states with a tight budget.
    #[serde(rename = "two-state")]
    TwoState(TwoStateOptions),
    /// A queue of packets.
    #[serde(rename = "wireless-queue")]
    WirelessQueue(WirelessQueueOptions),
    /// A gridworld from a map in a file.
    #[serde(rename = "map")]
    Map(MapOptions),
}

/// An environment that is ready to be built, as shown to its user.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its options, with their defaults as values.
    pub options: Vec<OptionInfo>,
    /// The environment with its defaults.
    pub config: EnvConfig,
}

/// Does the same with the options of any environment.
macro_rules! with_options {
    ($config:expr, $options:ident => $result:expr) => {
        match $config {
            EnvConfig::Marsrover4x4($options) => $result,
            EnvConfig::Marsrover8x8($options) => $result,
            EnvConfig::Box($options) => $result,
            EnvConfig::Queue($options) => $result,
            EnvConfig::Garnet($options) => $result,
            EnvConfig::RiverSwim($options) => $result,
            EnvConfig::Inventory($options) => $result,
            EnvConfig::JobScheduling($options) => $result,
            EnvConfig::Media($options) => $result,
            EnvConfig::Needle($options) => $result,
            EnvConfig::TwoState($options) => $result,
            EnvConfig::WirelessQueue($options) => $result,
            EnvConfig::Map($options) => $result,
        }
    };
}

/// The environments that need no file, with their names, what they are, and their defaults.
fn ready() -> [(&'static str, &'static str, EnvConfig); 12] {
    [
        (
            "marsrover-4x4",
            "walk to the goal past risky cells, 4 × 4",
            EnvConfig::Marsrover4x4(GridOptions::default()),
        ),
        (
            "marsrover-8x8",
            "walk to the goal past risky cells, 8 × 8",
            EnvConfig::Marsrover8x8(GridOptions::default()),
        ),
        ("box", "push a box out of the way, but not into a corner", EnvConfig::Box(BoxOptions::default())),
        (
            "queue",
            "keep a queue short by faster service or less inflow",
            EnvConfig::Queue(QueueOptions::default()),
        ),
        (
            "garnet",
            "a random model of any size; budgets are the least costs + 0.3",
            EnvConfig::Garnet(GarnetOptions::default()),
        ),
        (
            "river-swim",
            "swim up a river to the great reward with limited effort",
            EnvConfig::RiverSwim(RiverSwimOptions::default()),
        ),
        (
            "inventory",
            "sell from a stock, with limited expenses of orders; episodes of 7 steps",
            EnvConfig::Inventory(InventoryOptions::default()),
        ),
        (
            "job-scheduling",
            "send jobs away when it is cheap; episodes of 10 steps",
            EnvConfig::JobScheduling(JobSchedulingOptions::default()),
        ),
        (
            "media",
            "keep a buffer filled with a limited number of fast steps; episodes of 10 steps",
            EnvConfig::Media(MediaOptions::default()),
        ),
        (
            "needle",
            "a chain in which only one long sequence of actions pays",
            EnvConfig::Needle(NeedleOptions::default()),
        ),
        (
            "two-state",
            "two states in which nearly every drawn model is infeasible at first",
            EnvConfig::TwoState(TwoStateOptions::default()),
        ),
        (
            "wireless-queue",
            "keep a queue of packets short with little power",
            EnvConfig::WirelessQueue(WirelessQueueOptions::default()),
        ),
    ]
}

/// The environments that need no file, with their options.
pub fn list() -> Vec<Listing> {
    let listing = |(name, about, config): (_, _, EnvConfig)| {
        let options = config.options();
        Listing { name, about, options, config }
    };
    ready().into_iter().map(listing).collect()
}

impl EnvConfig {
    /// From a name and options as texts; an option that takes a list may be given several times.
    pub fn from_options(name: &str, options: &[(String, String)]) -> Result<EnvConfig> {
        let map = ("map", "", EnvConfig::Map(MapOptions::default()));
        let all = || ready().into_iter().chain([map.clone()]);
        let Some((name, _, mut config)) = all().find(|entry| entry.0 == name) else {
            let known = all().map(|entry| entry.0.to_string()).collect();
            return Err(Error::Unknown { what: "environment", name: name.to_string(), known });
        };
        config.set_all(name, &[], options)?;
        Ok(config)
    }

    /// The options with their present values.
    pub fn options(&self) -> Vec<OptionInfo> {
        with_options!(self, options => options.infos())
    }

    /// Builds the environment, after checking the options' ranges.
    pub fn build(&self) -> Result<Env> {
        self.check()?;
        match self {
            EnvConfig::Marsrover4x4(options) => {
                let map = Map::parse(include_str!("maps/marsrover-4x4.txt"))?;
                grid::build("marsrover-4x4", &map, options, 0.2)
            }
            EnvConfig::Marsrover8x8(options) => {
                let map = Map::parse(include_str!("maps/marsrover-8x8.txt"))?;
                grid::build("marsrover-8x8", &map, options, 0.1)
            }
            EnvConfig::Box(options) => {
                let map = Map::parse(include_str!("maps/box.txt"))?;
                box_grid::build("box", &map, options, 0.2)
            }
            EnvConfig::Queue(options) => queue::build(options),
            EnvConfig::Garnet(options) => garnet::build(options),
            EnvConfig::RiverSwim(options) => river_swim::build(options),
            EnvConfig::Inventory(options) => inventory::build(options),
            EnvConfig::JobScheduling(options) => job_scheduling::build(options),
            EnvConfig::Media(options) => media::build(options),
            EnvConfig::Needle(options) => needle::build(options),
            EnvConfig::TwoState(options) => two_state::build(options),
            EnvConfig::WirelessQueue(options) => wireless_queue::build(options),
            EnvConfig::Map(options) => map_file::build(options),
        }
    }

    fn check(&self) -> Result<()> {
        with_options!(self, options => options.check_ranges())
    }

    /// Sets options from texts and checks them; `given` are those that have been set before.
    pub(super) fn set_all(&mut self, name: &str, given: &[&str], options: &[(String, String)]) -> Result<()> {
        let mut given: Vec<&str> = given.to_vec();
        for (option, text) in options {
            let again = given.contains(&option.as_str());
            let set = with_options!(self, options => options.assign(option, text, again));
            set.unwrap_or_else(|| {
                let known = self.options().iter().map(|option| option.name.to_string()).collect();
                let (of, option) = (name.to_string(), option.clone());
                Err(Error::UnknownOption { of, option, known })
            })?;
            given.push(option);
        }
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::{Budgets, StateSet};

    fn texts(options: &[(&str, &str)]) -> Vec<(String, String)> {
        options.iter().map(|(option, text)| (option.to_string(), text.to_string())).collect()
    }

    fn refused(name: &str, options: &[(&str, &str)]) -> String {
        EnvConfig::from_options(name, &texts(options)).unwrap_err().to_string()
    }

    #[test]
    fn options_are_parsed_by_their_type() {
        let config =
            EnvConfig::from_options("marsrover-8x8", &texts(&[("slip", "0.1"), ("bump_cost", "false")]));
        let expected = GridOptions { slip: 0.1, bump_cost: false, ..Default::default() };
        assert_eq!(config.unwrap(), EnvConfig::Marsrover8x8(expected));
        let config = EnvConfig::from_options("box", &texts(&[("states", "all"), ("budget", "inf")])).unwrap();
        let expected = BoxOptions { slip: 0.0, states: StateSet::All, budget: Budgets(vec![f64::INFINITY]) };
        assert_eq!(config, EnvConfig::Box(expected));
        let queue = texts(&[("budget", "0.5"), ("flow", "0.4,0.5"), ("budget", "1")]);
        let EnvConfig::Queue(queue) = EnvConfig::from_options("queue", &queue).unwrap() else { panic!() };
        assert_eq!((queue.budget, queue.flow), (Budgets(vec![0.5, 1.0]), vec![0.4, 0.5]));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_would_be_right() {
        let names = "marsrover-4x4, marsrover-8x8, box, queue, garnet, river-swim, inventory, job-scheduling, media, \
                     needle, two-state, wireless-queue, map";
        assert_eq!(refused("maze", &[]), format!("unknown environment maze; known: {names}"));
        assert_eq!(
            refused("box", &[("slp", "0")]),
            "box has no option slp; its options: slip, budget, states"
        );
        assert_eq!(refused("box", &[("slip", "x")]), "slip is x, expected a number from 0 to 1");
        assert_eq!(refused("box", &[("slip", "-0.1")]), "slip is -0.1, expected a number from 0 to 1");
        assert_eq!(refused("box", &[("slip", "NaN")]), "slip is NaN, expected a number from 0 to 1");
        assert_eq!(refused("box", &[("states", "some")]), "states is some, expected reachable or all");
        assert_eq!(refused("box", &[("slip", "0"), ("slip", "1")]), "option slip is given twice");
        assert_eq!(
            refused("river-swim", &[("states", "1")]),
            "states is 1, expected a count from 2 to 100000"
        );
        assert_eq!(refused("map", &[]), "file is empty, expected the path of a map");
        let two = EnvConfig::from_options("box", &texts(&[("budget", "1,2")])).unwrap().build().unwrap_err();
        assert!(matches!(two, Error::BudgetCount { found: 2, expected: 1 }));
    }

    #[test]
    fn ranges_are_checked_however_the_options_came() {
        let config = EnvConfig::Box(BoxOptions { slip: 1.5, ..Default::default() });
        assert_eq!(config.build().unwrap_err().to_string(), "slip is 1.5, expected a number from 0 to 1");
    }

    #[test]
    fn experiment_files_refuse_unknown_names_and_keys() {
        let read = |text: &str| serde_json::from_str::<EnvConfig>(text);
        for listing in list() {
            assert_eq!(read(&format!(r#"{{"name": "{}"}}"#, listing.name)).unwrap(), listing.config);
        }
        let config = read(r#"{"name": "garnet", "states": 7, "seed": 18446744073709551615}"#).unwrap();
        let expected = GarnetOptions { states: 7, seed: u64::MAX, ..Default::default() };
        assert_eq!(config, EnvConfig::Garnet(expected));
        let unknown = read(r#"{"name": "box", "slp": 0}"#).unwrap_err().to_string();
        assert!(unknown.contains("unknown field `slp`, expected one of `slip`, `budget`"), "{unknown}");
        let maze = read(r#"{"name": "maze"}"#).unwrap_err().to_string();
        assert!(maze.contains("unknown variant `maze`, expected one of `marsrover-4x4`"), "{maze}");
    }

    #[test]
    fn the_list_shows_every_option_with_its_default() {
        let listed = list();
        let queue = listed.iter().find(|listing| listing.name == "queue").unwrap();
        let shown: Vec<_> = queue.options.iter().map(|o| (o.name, o.value.as_str())).collect();
        let rates = ("0.2,0.4,0.6,0.8", "0.4,0.5,0.6,0.7");
        assert_eq!(shown, [("length", "5"), ("service", rates.0), ("flow", rates.1), ("budget", "own")]);
        assert!(listed.iter().all(|listing| listing.options.iter().all(|option| !option.about.is_empty())));
        for listing in listed.iter().filter(|listing| listing.name != "garnet") {
            assert_eq!(listing.config.build().unwrap().name, listing.name);
        }
    }

    /// A test of own budgets, which are made by a planner.
    mod with_a_planner {
        use super::*;

        #[test]
        fn every_listed_environment_can_be_built() {
            for listing in list() {
                assert_eq!(listing.config.build().unwrap().name, listing.name);
            }
        }
    }
}
