//! The command line of `occupancy`: `solve`, `frontier`, `learn`, `envs`, `learners` and `export`.
//!
//! Reading order: [`args`] says what can be asked; [`source`] turns a name or a file into a model; one file per
//! command ([`solve`], [`verify`], [`evaluate`], [`simulate`], [`frontier`], [`learn`], [`envs`], [`learners`], [`export`]) asks the library and hands the
//! answer to [`show`] (text), [`json`] and [`csv`], or the drawing of `occupancy_lab` (SVG). [`reproduce`] runs the paper's experiments by way of [`run`], and [`report`] makes a page of stored
//! runs. A long search is followed by [`watch`], a long run by [`learn`] itself; [`interrupt`] tells
//! both of Ctrl-C. What is read, proved and written besides is followed by [`busy`].

#![warn(clippy::disallowed_methods)]

mod args;
mod busy;
mod constraint;
mod csv;
mod envs;
mod evaluate;
mod export;
mod failure;
#[cfg(test)]
mod fixture;
mod frontier;
mod interrupt;
mod json;
mod learn;
mod learners;
mod manual;
mod merge;
mod output;
mod pack;
mod policy_file;
mod report;
mod reproduce;
mod run;
mod show;
mod simulate;
mod slices;
mod slurm;
mod solve;
mod source;
mod stats;
mod stored;
mod verify;
mod watch;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    failure::say_faults_in_one_line();
    let asked = match Args::try_parse() {
        Ok(asked) => asked,
        Err(error) => return refuse(&error),
    };
    let done = match asked.command {
        Command::Solve(args) => std::panic::catch_unwind(|| solve::run(&args)),
        Command::Verify(args) => std::panic::catch_unwind(|| verify::run(&args)),
        Command::Evaluate(args) => std::panic::catch_unwind(|| evaluate::run(&args)),
        Command::Simulate(args) => std::panic::catch_unwind(|| simulate::run(&args)),
        Command::Frontier(args) => std::panic::catch_unwind(|| frontier::run(&args)),
        Command::Reproduce(args) => std::panic::catch_unwind(|| reproduce::run(&args)),
        Command::Report(args) => std::panic::catch_unwind(|| report::run(&args)),
        Command::Run(args) => std::panic::catch_unwind(|| run::run(&args)),
        Command::Slices(args) => std::panic::catch_unwind(|| slices::run(&args)),
        Command::Slurm(args) => std::panic::catch_unwind(|| slurm::run(&args)),
        Command::Merge(args) => std::panic::catch_unwind(|| merge::run(&args)),
        Command::Pack(args) => std::panic::catch_unwind(|| pack::run(&args)),
        Command::Stats(args) => std::panic::catch_unwind(|| stats::run(&args)),
        Command::Learn(args) => std::panic::catch_unwind(|| learn::run(&args)),
        Command::Envs(args) => std::panic::catch_unwind(|| envs::run(&args)),
        Command::Learners(args) => std::panic::catch_unwind(|| learners::run(&args)),
        Command::Export(args) => std::panic::catch_unwind(|| export::run(&args)),
        Command::Completions(args) => std::panic::catch_unwind(|| manual::completions(&args)),
        Command::Man(args) => std::panic::catch_unwind(|| manual::man(&args)),
    };
    match done {
        Ok(Ok(()) | Err(Failure::Closed)) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            output::complain(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
        Err(_) => ExitCode::from(2),
    }
}

/// Help and version are printed as they are; what is wrong with the arguments is said in one line.
fn refuse(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        // Where nobody reads the help, there is nobody to tell.
        let _ = error.print();
    } else {
        output::complain(&failure::in_one_line(error, std::env::args_os().skip(1)));
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
