//! The folder of results of an experiment: every run in a file of its own, readable without this program.
//!
//! ```text
//! manifest.json                 what was run, and the levels of the true model; its last key is its checksum
//! experiment.toml               the experiment, as it was first given
//! files/                        files that it names
//! sessions/<when>-<n>.json      when, where and with which program it was worked on
//! trials/<learner>/007.csv      run 7: cumulative sums at the steps of the grid
//! timings/<learner>/007.csv     the receipt of run 7: how long it took, and the hashes of its files
//! packed/0000.csv.gz            the tables of many runs, once they are packed (`packs`)
//! policies/<learner>.csv        policy and prices of run 0 at a few epochs
//! terms/<learner>.csv           what regret and violation of run 0 are made of, where the learner shows its drawn models
//! tmp/                          files that are being written
//! SHA256SUMS                    of all of these, for `sha256sum -c`; made again with the statistics, and never read
//! ```
//!
//! The bytes of `trials/`, `policies/` and `terms/` follow from the settings alone: not from threads, order, or how often
//! the work was stopped. A run is stored when its file in `trials/` is there; the files that belong to it are written before.
//!
//! Every file that is read back carries a checksum or follows from one that does: manifest and sessions their own (`seal`), the
//! files of a run in its receipt, which carries its own (`receipt`), the copies in the manifest (`copies`).

mod check;
mod copies;
mod fill;
mod folder_writer;
mod layout;
mod manifest;
mod manifest_file;
mod merge;
mod owner;
mod pack;
mod packs;
mod policies;
mod receipt;
mod results;
mod run_files;
mod seal;
mod session;
mod term_file;
mod trial_file;

pub use check::Checked;
pub use fill::{Parcel, Store};
pub use manifest::{Entry, Levels, Manifest, Shape};
pub use merge::{Merged, merge};
pub use pack::{Packed, pack};
pub use receipt::Timing;
pub use results::Results;
pub use session::Session;

use crate::error::{Damage, Error, Result};
use folder_writer::FolderWriter;
#[cfg(test)]
pub(crate) use run_files::readings;
use run_files::{RunFiles, RunState};
use session::Sessions;
use std::path::{Path, PathBuf};

/// What is stored of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Nothing, or not all that belongs to it.
    Missing,
    /// The whole run.
    Whole,
    /// A file that is not what was written.
    Damaged {
        /// The file, from the folder.
        file: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
}

impl From<RunState> for Stored {
    fn from(state: RunState) -> Stored {
        match state {
            RunState::Missing => Stored::Missing,
            RunState::Whole { .. } => Stored::Whole,
            RunState::Damaged { file, damage } => Stored::Damaged { file, damage },
        }
    }
}

/// Moves the results in a folder aside; where they are then.
pub fn set_aside(folder: &Path) -> Result<PathBuf> {
    let failed = |source| Error::File { path: folder.to_path_buf(), source };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let target = (1..).map(|n| folder.with_file_name(format!("{name}.old-{n}"))).find(|path| !path.exists());
    let target = target.unwrap_or_else(|| folder.to_path_buf());
    std::fs::rename(folder, &target).map_err(failed)?;
    Ok(target)
}

#[cfg(test)]
mod tests;
