//! `occupancy simulate`: a trajectory of a given policy as a table.

use crate::args::Simulate;
use crate::failure::{Result, wrong};
use crate::source::Source;
use crate::{output, policy_file, source};
use occupancy::cell::quoted;
use occupancy::model::{Origin, Policy};
use occupancy::seed::Seed;
use occupancy::sim::Walk;
use occupancy_lab::number::number;
use occupancy_lab::staged;
use std::io::{self, Write};

/// Runs the command.
pub fn run(args: &Simulate) -> Result<()> {
    policy_file::check_inputs(&args.source.source, &args.policy)?;
    output::check_targets(&args.source.source, &args.out)?;
    let source = source::open(&args.source)?;
    let policies = policy_file::read(&args.policy, &source.model)?;
    let weighted: Vec<(f64, &Policy)> = policies.iter().map(|one| (one.weight, &one.policy)).collect();
    let start = match source::origin_of(args.from_state.as_deref(), &source.model)? {
        Some(Origin::State(state)) => vec![(state, 1.0)],
        _ => source.model.start().to_vec(),
    };
    let Some(walk) = Walk::new(&source.model, &weighted, &start, Seed(args.seed)) else {
        return wrong("there is no policy to follow");
    };
    let mut sums = vec![0.0; source.model.signals().count()];
    let Some(path) = args.out.as_ref().filter(|path| !output::is_stdout(path)) else {
        return output::print_with(|out| write(&source, walk, args.steps, &mut sums, out));
    };
    staged::stage(path, |out| write(&source, walk, args.steps, &mut sums, out))?.publish()?;
    output::print(&averages(&source, args.steps, &sums))
}

/// Writes a line for every step, and adds up the signals as they are shown.
fn write(source: &Source, walk: Walk, steps: u64, sums: &mut [f64], out: &mut dyn Write) -> io::Result<()> {
    let (model, signals) = (&source.model, source.model.signals());
    write!(out, "step,state,action,next,reward")?;
    source.costs.iter().try_for_each(|cost| write!(out, ",{}", quoted(&cost.name)))?;
    writeln!(out)?;
    for (number, step) in (1..=steps).zip(walk) {
        let (state, next) =
            (quoted(&model.names().state(step.state)), quoted(&model.names().state(step.next)));
        write!(out, "{number},{state},{},{next}", quoted(&model.action_name(step.pair)))?;
        for (k, sum) in sums.iter_mut().enumerate() {
            let value = source.shown_signal(k, signals.realised(k, step.pair, step.next).unwrap_or(0.0));
            *sum += value;
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn averages(source: &Source, steps: u64, sums: &[f64]) -> String {
    let names = std::iter::once("reward").chain(source.costs.iter().map(|cost| cost.name.as_str()));
    let each: Vec<String> =
        names.zip(sums).map(|(name, sum)| format!("{name} {}", number(sum / steps as f64))).collect();
    format!("averages over {steps} steps: {}\n", each.join(", "))
}
