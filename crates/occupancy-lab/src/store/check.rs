//! Looking at every stored file, before anything is made of them.

use super::layout::{self, EXPERIMENT, FILES, Found, MANIFEST, SESSIONS, TRIALS};
use super::run_files::RunState;
use super::{Results, Sessions, Timing, copies, policies, term_file};
use crate::error::{Damage, Error, Result, ResultsProblem};
use crate::experiment::sha256;
use crate::parallel;
use occupancy::sim::Record;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was found of all stored files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Files that are not what was written, from the folder.
    pub damaged: Vec<(PathBuf, Damage)>,
    /// Files among the runs that are none.
    pub strays: Vec<PathBuf>,
    /// Runs stored by programs that noted the hash of a run's table at most.
    pub unsealed: usize,
}

impl Checked {
    /// Refuses results of which a file is damaged.
    pub fn refuse_damage(&self, folder: &Path) -> Result<()> {
        if self.damaged.is_empty() {
            return Ok(());
        }
        let problem = ResultsProblem::DamagedFiles { files: self.damaged.clone() };
        Err(Error::Results { folder: folder.to_path_buf(), problem })
    }
}

/// So many runs are read before what is kept of them is handed on.
const GROUP: usize = 512;

/// What a look at a run leaves behind.
enum Look<T> {
    Nothing,
    Damaged(PathBuf, Damage),
    Whole { sealed: bool, kept: T },
}

impl Results {
    /// Looks at every stored file.
    pub fn check(&self) -> Result<Checked> {
        let mut checked = self.check_beside()?;
        for label in self.labels() {
            self.read_runs(label, &mut checked, |_, _| (), drop)?;
        }
        Ok(checked)
    }

    /// Looks at every stored file but those of the runs, and names what is among these and is no run.
    pub fn check_beside(&self) -> Result<Checked> {
        let mut checked =
            Checked { damaged: copies::damage(&self.folder, &self.manifest)?, ..Checked::default() };
        checked.damaged.extend(Sessions::read(&self.folder, &self.manifest.hash)?.damaged);
        for label in self.labels() {
            let (_, strays) = self.stored_runs(label)?;
            checked.strays.extend(strays.into_iter().map(|name| Path::new(TRIALS).join(label).join(name)));
        }
        let labels: BTreeSet<&str> = self.labels().collect();
        let others =
            layout::names(&self.folder, TRIALS)?.into_iter().filter(|name| !labels.contains(name.as_str()));
        checked.strays.extend(others.map(|name| Path::new(TRIALS).join(name)));
        Ok(checked)
    }

    /// Reads every run of a learner once, on all cores and in their order: a run is checked, taken apart, reduced to what is
    /// wanted of it, and forgotten, because the records of 100 000 runs would take more than a gigabyte. What is kept comes
    /// in groups. Runs with a damaged file are added to `checked` and left out.
    pub fn read_runs<T: Send>(
        &self,
        label: &str,
        checked: &mut Checked,
        reduce: impl Fn(&Record, Option<Timing>) -> T + Sync,
        mut keep: impl FnMut(Vec<T>),
    ) -> Result<()> {
        let files = self.files();
        let look = |run: &u64| -> Result<Look<T>> {
            Ok(match files.inspect(label, *run)? {
                RunState::Missing => Look::Nothing,
                RunState::Damaged { file, damage } => Look::Damaged(file, damage),
                RunState::Whole { record, receipt } => {
                    let sealed = receipt.as_ref().is_some_and(|receipt| receipt.more.is_some());
                    Look::Whole { sealed, kept: reduce(&record, receipt.map(|receipt| receipt.timing)) }
                }
            })
        };
        for group in self.runs(label)?.chunks(GROUP) {
            let mut whole = Vec::with_capacity(group.len());
            for look in parallel::map(group, look) {
                match look? {
                    Look::Nothing => {}
                    Look::Damaged(file, damage) => checked.damaged.push((file, damage)),
                    Look::Whole { sealed, kept } => {
                        checked.unsealed += usize::from(!sealed);
                        whole.push(kept);
                    }
                }
            }
            keep(whole);
        }
        Ok(())
    }

    /// The SHA-256 of every file that is stored, as `sha256sum -c` reads it. Nothing here reads it back: it is for those who
    /// want to check a folder without this program.
    pub fn sums(&self) -> Result<String> {
        let mut files: Vec<PathBuf> = [MANIFEST, EXPERIMENT].map(PathBuf::from).to_vec();
        for folder in [FILES, SESSIONS] {
            let names = layout::names(&self.folder, folder)?;
            files.extend(names.into_iter().map(|name| Path::new(folder).join(name)));
        }
        for label in self.labels() {
            files.extend([policies::file(label), term_file::file(label)]);
            let runs = layout::runs(&self.folder, label)?.0;
            files.extend(
                runs.into_iter().flat_map(|run| [layout::trial(label, run), layout::timing(label, run)]),
            );
        }
        files.extend(self.packs().files());
        let lines = parallel::map(&files, |file| {
            Ok(match layout::read(&self.folder.join(file))? {
                Found::Bytes(bytes) => format!("{}  {}\n", sha256(&bytes), file.display()),
                // Not every learner has every file.
                Found::Nothing | Found::Odd(_) => String::new(),
            })
        });
        lines.into_iter().collect()
    }
}
