//! What can be asked about the program itself.

use clap::Args as ClapArgs;
use clap_complete::Shell;

/// `occupancy completions`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy completions bash > ~/.local/share/bash-completion/completions/occupancy
  occupancy completions zsh > ~/.zfunc/_occupancy
  occupancy completions fish > ~/.config/fish/completions/occupancy.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `occupancy man`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  occupancy man | man -l -
  occupancy man solve > occupancy-solve.1")]
pub struct Man {
    /// The command that the page is about; the whole program if it is left out
    pub command: Option<String>,
}
