//! What can be asked on the command line.

mod cluster;
mod evaluate;
mod export;
mod frontier;
mod help;
mod learn;
mod report;
mod run;
mod verify;

pub use cluster::{Slices, Slurm};
pub use evaluate::{Evaluate, Simulate};
pub use export::{Export, Format};
pub use frontier::Frontier;
pub use help::{Completions, Man};
pub use learn::{Learn, Learners, Preset};
pub use report::{Report, Reproduce};
pub use run::{Merge, Pack, Run, Stats};
pub use verify::Verify;

use crate::constraint::Constraint;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Best policies within budgets, on finite models.
///
/// Maximises the long-run average reward while long-run average costs stay within their budgets.
#[derive(Debug, Parser)]
#[command(name = "occupancy", version, arg_required_else_help = true, propagate_version = true)]
#[command(after_help = "Examples:
  occupancy reproduce --quick
  occupancy envs
  occupancy solve marsrover-4x4 --slip 0.1
  occupancy verify marsrover-4x4 answer.json
  occupancy frontier box --svg frontier.svg
  occupancy learn marsrover-4x4 psrl-transitions
  occupancy run experiments/smoke.toml")]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the best policy within the budgets, or say that there is none
    Solve(Solve),
    /// Check the proof of an answer, without planning
    Verify(Verify),
    /// Say what a given policy attains, beside the best
    Evaluate(Evaluate),
    /// Follow a given policy step by step
    Simulate(Simulate),
    /// Show how the best gain depends on one budget
    Frontier(Frontier),
    /// Let a learner find such a policy by acting, and compare it with the best
    Learn(Learn),
    /// Run the experiments of the paper, and write a report of them
    Reproduce(Reproduce),
    /// Write the report of stored runs
    Report(Report),
    /// Run the experiments of files, and go on with what is stored
    Run(Run),
    /// Cut experiments into slices of equal work, for many machines
    Slices(Slices),
    /// Write a script that runs experiments on Slurm
    Slurm(Slurm),
    /// Unite folders of results
    Merge(Merge),
    /// Put the runs of an experiment into few files
    Pack(Pack),
    /// Say what the runs of an experiment say together
    Stats(Stats),
    /// List the environments that come with the program
    Envs(Envs),
    /// List the learners, their options and the presets
    Learners(Learners),
    /// Write a model to a file
    Export(Export),
    /// Print the completions of a shell
    Completions(Completions),
    /// Print a page of the manual
    Man(Man),
}

/// Where a model comes from, and what is asked of it.
#[derive(Clone, Debug, ClapArgs)]
pub struct SourceArgs {
    /// An environment, a model (.cmdp, .csv, .drn, .occ) or a gridworld map (.map, .txt), packed by gzip or not; - for stdin
    pub source: String,
    /// What the file is, if its name does not say it; of stdin, if its content does not
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Models: divide rows whose probabilities are off by rounding by their sums
    #[arg(long)]
    pub normalise: bool,
    /// Budgets in the order of the costs; inf for no constraint
    #[arg(long, value_name = "X", num_args = 1.., value_delimiter = ',', allow_negative_numbers = true)]
    #[arg(value_parser = parse_budget, conflicts_with = "cost")]
    pub budget: Vec<f64>,
    /// The cost that has a budget: NAME=BUDGET, 'NAME<=BUDGET' or 'NAME>=X'
    #[arg(long, value_name = "NAME=BUDGET", value_parser = Constraint::parse)]
    pub cost: Vec<Constraint>,
    /// The reward model to maximise (.drn only)
    #[arg(long, value_name = "NAME")]
    pub reward: Option<String>,
    /// Gridworlds: the probability of a random move
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = parse_slip)]
    pub slip: Option<f64>,
    /// Gridworlds: whether bumping into a wall on a risky cell costs
    #[arg(long, value_name = "BOOL")]
    pub bump_cost: Option<bool>,
    /// Gridworlds with a box: the states that can be reached, or all
    #[arg(long, value_enum)]
    pub states: Option<States>,
    /// Any other option of the environment
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, String)>,
}

/// How to plan.
#[derive(Debug, ClapArgs)]
pub struct PlanArgs {
    /// The planner
    #[arg(long, value_enum, default_value_t)]
    pub planner: Planner,
    /// Count the long run from the start, or from wherever it is best
    #[arg(long, value_enum, default_value_t, conflicts_with = "from_state")]
    pub scope: Scope,
    /// Count the long run from this state
    #[arg(long, value_name = "NAME_OR_INDEX", allow_negative_numbers = true)]
    pub from_state: Option<String>,
    /// Plan large models on so many threads; by default one for each core. Answers are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// What is made of rewards and costs over time.
    #[command(flatten)]
    pub criterion: CriterionArgs,
}

/// What is made of rewards and costs over time: the average in the long run if nothing else is asked for.
#[derive(Clone, Debug, Default, ClapArgs)]
#[group(multiple = false)]
pub struct CriterionArgs {
    /// Plan discounted sums, Σ G^t, instead of long-run averages; between 0 and 1
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub discount: Option<f64>,
    /// Plan sums over episodes of H steps; policies depend on the step
    #[arg(long, value_name = "H")]
    pub horizon: Option<usize>,
    /// Plan sums until one of these states is reached; may be repeated
    #[arg(long, value_name = "LABEL_OR_STATE", num_args = 1.., allow_negative_numbers = true)]
    pub until: Vec<String>,
}

/// `occupancy solve`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy solve marsrover-4x4
  occupancy solve box --slip 0.1 --budget 0.3 --svg box.svg
  occupancy solve queue --cost service=0.5 --json
  occupancy solve queue --json --witness > answer.json
  occupancy solve model.drn --reward speed --cost fuel=0.2 --cost 'safety>=0.9'
  occupancy solve island.map --slip 0.05 --policy policy.csv
  occupancy solve model.csv.gz --cost 'risk<=0.1' --normalise
  zcat model.cmdp.gz | occupancy solve - --policy -
  occupancy solve queue --discount 0.95 --cost service=10
  occupancy solve marsrover-4x4 --horizon 20 --cost risk=1
  occupancy solve model.drn --reward steps --cost fuel=5 --until done
  occupancy solve large.drn --reward speed --cost fuel=0.2 --time-limit 60

A long search shows its progress on the terminal. Ctrl-C ends it with the best
plan so far and the gap certified for it; a second Ctrl-C ends the program.

Exit codes: 0 there is an answer, also where no policy meets the budgets or the
search was stopped; 1 it was stopped before any plan was known; 2 wrong use.")]
pub struct Solve {
    /// The model.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The planner.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// What the policy does in states that the plan never visits
    #[arg(long, value_enum, default_value_t)]
    pub off_support: OffSupport,
    /// The best policy without lotteries: one action in every state. Exact on small models, otherwise the best found
    #[arg(long)]
    pub deterministic: bool,
    /// Stop after this time with the best plan so far, and the gap certified for it
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Print one JSON object; above 10000 states policies and occupancy are null
    #[arg(long)]
    pub json: bool,
    /// With --json: policies and occupancy, however large the model is
    #[arg(long, requires = "json")]
    pub full: bool,
    /// With --json: the vectors that prove the answer, for `occupancy verify`
    #[arg(long, requires = "json")]
    pub witness: bool,
    /// Write the policy as a table; - for stdout, which then holds nothing else
    #[arg(long, value_name = "FILE.csv")]
    pub policy: Option<PathBuf>,
    /// Draw the policy (gridworlds); a file that ends in .png becomes a PNG
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
}

/// `occupancy envs`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy envs
  occupancy envs --json")]
pub struct Envs {
    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

/// The planners by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Planner {
    /// Search over prices, policy iteration inside
    #[default]
    Prices,
    /// Search over prices, value iteration inside
    PricesVi,
    /// The linear program over occupancy measures
    Lp,
}

/// Where the long run is counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// From the model's start
    #[default]
    Start,
    /// From wherever it is best
    Anywhere,
}

/// What a policy does in states that the plan never visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OffSupport {
    /// Return to the visited states in the best way
    #[default]
    Pinned,
    /// All actions with the same probability
    Uniform,
    /// The first action
    First,
}

/// Which states of a gridworld with a box the model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum States {
    /// Those that can be reached from the start
    Reachable,
    /// Every position of agent and box
    All,
}

impl SourceArgs {
    /// The environment's options that were given: the flag as typed, its key and its value.
    pub fn settings(&self) -> Vec<(String, String, String)> {
        let states = self.states.map(|s| if s == States::All { "all" } else { "reachable" }.to_string());
        let named = [
            ("slip", self.slip.map(|x| x.to_string())),
            ("bump_cost", self.bump_cost.map(|x| x.to_string())),
            ("states", states),
        ];
        let flag = |key: &str| format!("--{}", key.replace('_', "-"));
        let named = named.into_iter().filter_map(|(key, value)| Some((flag(key), key.to_string(), value?)));
        let set = self.set.iter().map(|(key, value)| (format!("--set {key}"), key.clone(), value.clone()));
        named.chain(set).collect()
    }
}

fn parse_budget(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if !value.is_nan() && value != f64::NEG_INFINITY => Ok(value),
        _ => Err("expected a number or inf; the model comes before --budget".into()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("expected a positive number of seconds, e.g. 0.5".into()),
    }
}

/// The library checks the range.
fn parse_slip(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "expected a number from 0 to 1".to_string())
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().replace('-', "_"), value.trim().to_string()))
        }
        _ => Err("expected KEY=VALUE".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn solve(args: &str) -> Result<Solve, String> {
        let words = std::iter::once("occupancy").chain(args.split(' '));
        match Args::try_parse_from(words).map_err(|error| error.to_string())?.command {
            Command::Solve(solve) => Ok(solve),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn the_definition_of_the_arguments_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn budgets_come_in_a_row_repeated_or_with_commas() {
        for args in [
            "solve q --budget 0 -1.5 inf",
            "solve q --budget 0,-1.5,inf",
            "solve q --budget 0 --budget -1.5 inf",
        ] {
            assert_eq!(solve(args).unwrap().source.budget, [0.0, -1.5, f64::INFINITY]);
        }
        assert!(solve("solve --budget 1 q").unwrap_err().contains("the model comes before --budget"));
    }

    #[test]
    fn a_time_limit_is_a_positive_number_of_seconds() {
        assert_eq!(solve("solve q --time-limit 0.5").unwrap().time_limit, Some(0.5));
        assert_eq!(solve("solve q").unwrap().time_limit, None);
        for wrong in ["0", "-1", "inf", "nan", "soon"] {
            let error = solve(&format!("solve q --time-limit {wrong}")).unwrap_err();
            assert!(
                error.contains("--time-limit") && error.contains("positive number of seconds"),
                "{error}"
            );
        }
    }

    #[test]
    fn full_belongs_to_json() {
        assert!(solve("solve q --json --full").unwrap().full);
        assert!(solve("solve q --full").unwrap_err().contains("--json"));
    }

    #[test]
    fn named_options_and_set_become_settings_of_the_environment() {
        let args = solve("solve g --slip 0.1 --bump-cost false --states all --set branching=3").unwrap();
        let keys: Vec<String> =
            args.source.settings().into_iter().map(|(_, k, v)| format!("{k}={v}")).collect();
        assert_eq!(keys, ["slip=0.1", "bump_cost=false", "states=all", "branching=3"]);
    }
}
