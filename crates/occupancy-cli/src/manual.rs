//! `occupancy completions` and `occupancy man`: what shells and `man` know of the arguments.

use crate::args::{Args, Completions, Man};
use crate::failure::{Result, nearest, seen, wrong};
use crate::output;
use clap::CommandFactory;

/// Runs `occupancy completions`.
pub fn completions(args: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "occupancy", &mut script);
    output::print_with(|out| out.write_all(&script))
}

/// Runs `occupancy man`.
pub fn man(args: &Man) -> Result<()> {
    let mut program = Args::command();
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                let near = nearest(name, known.iter().copied());
                let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                return wrong(format!(
                    "there is no command {}; known: {}{hint}",
                    seen(name),
                    known.join(", ")
                ));
            }
        },
    };
    let mut text = Vec::new();
    output::print_with(|out| {
        clap_mangen::Man::new(page).render(&mut text)?;
        out.write_all(&text)
    })
}
