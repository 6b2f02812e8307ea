//! `occupancy reproduce`: the paper's experiments, run and reported.
//!
//! The experiment files are part of the program, so that it works anywhere. Runs are stored by the path of
//! [`crate::run`]: what is stored is never done again.

use crate::args::{Part, Reproduce, Run};
use crate::failure::{Failure, Result, wrong};
use crate::{output, report, run};
use occupancy_lab::experiment::Experiment;
use occupancy_lab::number::duration;
use occupancy_lab::papers::provodin2022::Preset;
use std::time::Instant;

/// An experiment file of the paper.
struct Source {
    part: Part,
    preset: Preset,
    /// The file's name without its ending.
    name: &'static str,
    text: &'static str,
}

macro_rules! source {
    ($part:ident, $preset:ident, $name:literal) => {
        Source {
            part: Part::$part,
            preset: Preset::$preset,
            name: $name,
            text: include_str!(concat!("../../../experiments/provodin2022/", $name, ".toml")),
        }
    };
}

/// All of them, in the order of the paper.
const SOURCES: [Source; 11] = [
    source!(Marsrover4x4, Published, "marsrover-4x4-published"),
    source!(Marsrover8x8, Published, "marsrover-8x8-published"),
    source!(Box, Published, "box-published"),
    source!(BoxAblation, Published, "box-ablation"),
    source!(BoxAblation, Published, "box-unvisited"),
    source!(Marsrover4x4, Sound, "marsrover-4x4-sound"),
    source!(Marsrover8x8, Sound, "marsrover-8x8-sound"),
    source!(Box, Sound, "box-sound"),
    source!(Marsrover4x4, Paper, "marsrover-4x4-paper"),
    source!(Marsrover8x8, Paper, "marsrover-8x8-paper"),
    source!(Box, Paper, "box-paper"),
];

/// What `--extended` adds to a file that lacks it.
const LAST_LEARNER: &str = "\n[[learner]]\nname = \"cucrl-transitions\"\n";

/// How many runs give the figures in seconds.
fn quick_runs(part: Part) -> u64 {
    match part {
        Part::Marsrover4x4 => 10,
        Part::Marsrover8x8 => 5,
        Part::Box => 3,
        Part::BoxAblation => 1,
    }
}

/// Runs the command.
pub fn run(args: &Reproduce) -> Result<()> {
    let began = Instant::now();
    let experiments = experiments(args)?;
    let settings = Run {
        files: Vec::new(),
        out: args.out.clone(),
        jobs: args.jobs,
        runs: None,
        dry_run: false,
        set_aside: args.set_aside,
        plain: args.plain,
        brief: true,
    };
    let mut unfinished = run::all(&settings, &experiments)?;
    let written = report::write(&args.out)?;
    let time = duration(began.elapsed().as_secs_f64());
    output::print(&format!("\n{}\nafter {time}: {}\n", report::summary(&written), written.page.display()))?;
    unfinished.extend(written.left_out);
    if unfinished.is_empty() { Ok(()) } else { Err(Failure::Stopped(unfinished.join("; "))) }
}

/// The experiments that are asked for.
fn experiments(args: &Reproduce) -> Result<Vec<Experiment>> {
    let wanted = |source: &&Source| {
        args.preset.include(source.preset) && (args.only.is_empty() || args.only.contains(&source.part))
    };
    let mut experiments = Vec::new();
    for source in SOURCES.iter().filter(wanted) {
        let extended = args.extended && !source.text.contains("cucrl-transitions\"");
        let extended = extended && source.part != Part::BoxAblation;
        let (name, text) = match extended {
            true => (format!("{}-extended", source.name), format!("{}{LAST_LEARNER}", source.text)),
            false => (source.name.to_string(), source.text.to_string()),
        };
        for mut experiment in Experiment::from_text(&text, format!("{name}.toml"))? {
            if args.quick {
                experiment.runs = experiment.runs.min(quick_runs(source.part));
            }
            experiments.push(experiment);
        }
    }
    if experiments.is_empty() {
        return wrong("box-ablation belongs to --preset published; there is no other experiment to run");
    }
    Ok(experiments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn names(arguments: &str) -> Vec<String> {
        let words = ["occupancy", "reproduce"].into_iter().chain(arguments.split_whitespace());
        let Command::Reproduce(args) = Args::try_parse_from(words).unwrap().command else { panic!() };
        experiments(&args).unwrap().into_iter().map(|experiment| experiment.name).collect()
    }

    #[test]
    fn the_default_is_what_made_the_papers_figures_and_the_ablation_of_box() {
        let figures = ["marsrover-4x4-published", "marsrover-8x8-published", "box-published"];
        let sweeps = ["box-ablation", "box-unvisited"]
            .map(|name| ["reachable", "all"].map(|states| format!("{name}+states={states}")));
        assert_eq!(names(""), [figures.map(String::from).to_vec(), sweeps.concat()].concat());
        assert_eq!(names("--preset sound --only box,marsrover-4x4"), ["marsrover-4x4-sound", "box-sound"]);
        assert_eq!(names("--preset all").len(), 13);
    }

    #[test]
    fn extended_adds_the_learner_that_the_paper_left_out_under_another_name() {
        let extended = ["marsrover-4x4-paper", "marsrover-8x8-paper-extended", "box-paper-extended"];
        assert_eq!(names("--preset paper --extended"), extended);
    }

    #[test]
    fn every_file_has_the_rounds_and_runs_of_the_paper() {
        for source in &SOURCES {
            let experiments = Experiment::from_text(source.text, format!("{}.toml", source.name)).unwrap();
            let (rounds, runs) = match source.part {
                Part::Marsrover4x4 => (9000, 100),
                Part::Marsrover8x8 => (200_000, 30),
                Part::Box => (2_000_000, 30),
                Part::BoxAblation => (300_000, 10),
            };
            for experiment in experiments {
                assert_eq!((experiment.rounds, experiment.runs), (rounds, runs), "{}", source.name);
                assert_eq!(experiment.preset, Some(source.preset));
                assert!(experiment.runs > quick_runs(source.part));
            }
        }
    }
}
