//! What can be asked of learners.

use super::{SourceArgs, parse_seconds};
use clap::{Args as ClapArgs, ValueEnum};
use occupancy_lab::papers::provodin2022;
use std::path::PathBuf;

/// No run is longer than this: sums of as many steps are still exact.
const MOST_ROUNDS: u64 = 1_000_000_000_000_000;

/// `occupancy learn`.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("set", |arg| arg.help("An option of the learner or, if it has none of that name, of the environment")))]
#[command(after_help = "Examples:
  occupancy learn marsrover-4x4 psrl-transitions
  occupancy learn box cucrl-optimistic --preset published --rounds 20000
  occupancy learn river-swim psrl-lagrangian --set execute=sampled --set states=8
  occupancy learn model.drn psrl-transitions --reward speed --cost fuel=0.2 --json
  for i in 0 1 2; do occupancy learn queue oracle --run $i --csv run-$i.csv; done

The preset chooses the options of the learner and, in the paper's environments,
slip, states and bump_cost; what is given by --set or by an option of its own
wins. `occupancy learners` lists the options and their values. A key that both
the learner and the environment have is the learner's.

The rounds are 9000, 200000 and 2000000 in marsrover-4x4, marsrover-8x8 and box
(the paper's), elsewhere 10000. The window is 1000, 5000 and 50000, elsewhere a
tenth of the rounds. A run is repeated exactly by its seed and its number.

With --horizon the learner acts in a model of stages: its states are those of the
model at every step of an episode, and gains and budgets are for one step. The
goal of a gridworld then ends the reward, not the episode.

`value_regret` and `value_violation` sum the exact gaps of the policies followed,
`signed` or `strong` (their positive parts alone).

Regret and violation are sums over all rounds: `signed` lets gains make up for
losses, `total` is the same but not below 0, `stepwise` adds losses alone.

Ctrl-C and --time-limit end a run with all that is known of the rounds so far.

Exit codes: 0 the run is done, or was stopped after its first round; 1, 130 or
143 the time limit, Ctrl-C or SIGTERM came before; 2 wrong use.")]
pub struct Learn {
    /// The model.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The learner; `occupancy learners` lists them
    pub learner: String,
    /// Where the options come from that are not given
    #[arg(long, value_enum, default_value_t)]
    pub preset: Preset,
    /// How many steps the learner takes
    #[arg(long, value_name = "T", value_parser = parse_rounds, allow_negative_numbers = true)]
    pub rounds: Option<u64>,
    /// Act in episodes of H steps: budgets are for an episode, and its last step leads back to the start
    #[arg(long, value_name = "H", value_parser = parse_horizon)]
    pub horizon: Option<usize>,
    /// How many episodes there are: rounds are H times as many
    #[arg(long, value_name = "K", conflicts_with = "rounds", value_parser = parse_rounds)]
    pub episodes: Option<u64>,
    /// Which of the runs of a seed
    #[arg(long, value_name = "I", default_value_t = 0, value_parser = parse_number, allow_negative_numbers = true)]
    pub run: u64,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 2022, value_parser = parse_number, allow_negative_numbers = true)]
    pub seed: u64,
    /// The last averages are over this many rounds
    #[arg(long, value_name = "W", value_parser = parse_rounds, allow_negative_numbers = true)]
    pub window: Option<u64>,
    /// Stop after this time with what is known of the rounds so far
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write the sums over the rounds as a table
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
}

/// `occupancy learners`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy learners
  occupancy learners optcmdp psrl-transitions
  occupancy learners --json

Without names the learners are listed in a line each; with names, with their
options and what the presets make of them.")]
pub struct Learners {
    /// Show the options of these learners
    #[arg(value_name = "LEARNER")]
    pub names: Vec<String>,
    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

/// The presets by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// What produced the paper's figures: its code
    Published,
    /// The paper's text
    Paper,
    /// The same learners as we would use them
    #[default]
    Sound,
    /// The constants that the learners' papers prove their bounds with
    Theory,
}

impl Preset {
    /// The library's preset.
    pub fn chosen(self) -> provodin2022::Preset {
        match self {
            Preset::Published => provodin2022::Preset::Published,
            Preset::Paper => provodin2022::Preset::Paper,
            Preset::Sound => provodin2022::Preset::Sound,
            Preset::Theory => provodin2022::Preset::Theory,
        }
    }
}

fn parse_rounds(text: &str) -> Result<u64, String> {
    let count = text.trim().parse().ok().filter(|count| (1..=MOST_ROUNDS).contains(count));
    count.ok_or_else(|| format!("expected a count from 1 to {MOST_ROUNDS}"))
}

fn parse_horizon(text: &str) -> Result<usize, String> {
    let steps = text.trim().parse().ok().filter(|steps| (1..=100_000).contains(steps));
    steps.ok_or_else(|| "expected a number of steps from 1 to 100000".to_string())
}

fn parse_number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}
