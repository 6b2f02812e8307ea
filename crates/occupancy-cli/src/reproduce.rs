//! `occupancy reproduce`: the paper's experiments, run and reported.
//!
//! Runs are stored by the path of [`crate::run`]: what is stored is never done again.

use crate::args::{Reproduce, Run};
use crate::failure::{Failure, Result, wrong};
use crate::{output, report, run};
use occupancy_lab::analyse::TOLERANCE;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::number::duration;
use occupancy_lab::papers::provodin2022::{EXPERIMENT_FILES, ExperimentFile, Reading};
use std::time::Instant;

/// Runs the command.
pub fn run(args: &Reproduce) -> Result<()> {
    let began = Instant::now();
    let experiments = experiments(args)?;
    let settings = Run {
        files: Vec::new(),
        slices: None,
        slice: None,
        out: args.out.clone(),
        jobs: args.jobs,
        runs: None,
        dry_run: false,
        set_aside: args.set_aside,
        plain: args.plain,
        brief: true,
        is_slice: false,
    };
    let mut unfinished = run::all(&settings, &experiments)?;
    let written = report::write(&args.out, TOLERANCE)?;
    let time = duration(began.elapsed().as_secs_f64());
    output::print(&format!("\n{}\nafter {time}: {}\n", report::summary(&written), written.page.display()))?;
    unfinished.extend(written.left_out);
    if unfinished.is_empty() { Ok(()) } else { Err(Failure::Stopped(unfinished.join("; "))) }
}

/// The experiments that are asked for.
fn experiments(args: &Reproduce) -> Result<Vec<Experiment>> {
    let is_wanted = |file: &&ExperimentFile| {
        let is_named = args.only.iter().any(|only| only.topic() == file.topic);
        args.preset.include(file.preset) && (args.only.is_empty() || is_named)
    };
    // Whoever names the sweeps gets all of their runs.
    let short_sweeps = args.only.is_empty();
    let reading = Reading { quick: args.quick, extended: args.extended, short_sweeps };
    let (catalogue, mut experiments) = (Catalogue::standard(), Vec::new());
    for file in EXPERIMENT_FILES.iter().filter(is_wanted) {
        experiments.extend(file.experiments(reading, &catalogue)?);
    }
    if experiments.is_empty() {
        return wrong(
            "box-ablation and epochs belong to --preset published; there is no other experiment to run",
        );
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
        let epochs = ["marsrover-4x4", "marsrover-8x8", "box"].map(|name| format!("{name}-epochs"));
        let all = [figures.map(String::from).to_vec(), sweeps.concat(), epochs.to_vec()].concat();
        assert_eq!(names(""), all);
        assert_eq!(names("--only epochs"), epochs);
        assert_eq!(names("--preset sound --only box,marsrover-4x4"), ["marsrover-4x4-sound", "box-sound"]);
        assert_eq!(names("--preset all").len(), 16);
    }

    #[test]
    fn the_sweeps_have_all_their_runs_if_they_are_named() {
        let runs = |arguments: &str| {
            let words = ["occupancy", "reproduce"].into_iter().chain(arguments.split_whitespace());
            let Command::Reproduce(args) = Args::try_parse_from(words).unwrap().command else { panic!() };
            let sweep =
                experiments(&args).unwrap().into_iter().find(|one| one.name.starts_with("box-ablation"));
            sweep.unwrap().runs
        };
        assert_eq!((runs(""), runs("--only box-ablation"), runs("--quick")), (3, 10, 1));
    }

    #[test]
    fn extended_adds_the_learner_that_the_paper_left_out_under_another_name() {
        let extended = ["marsrover-4x4-paper", "marsrover-8x8-paper-extended", "box-paper-extended"];
        assert_eq!(names("--preset paper --extended"), extended);
    }
}
