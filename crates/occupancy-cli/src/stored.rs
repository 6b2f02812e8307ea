//! Folders of results: what is in them, and what was found in them besides runs.

use crate::failure::Result;
use crate::output::say;
use occupancy_lab::number::count;
use occupancy_lab::store::{Checked, Results};
use std::path::{Path, PathBuf};

/// So many names are told; of more, the number.
const TOLD: usize = 3;

/// Looks at every file of some results, says what was found, and refuses damage.
pub fn check(results: &Results) -> Result<()> {
    let checked = results.check()?;
    tell(&results.folder, &checked);
    Ok(checked.refuse_damage(&results.folder)?)
}

/// The experiments in the folders of a folder that is none itself, by name.
pub fn inside(folder: &Path) -> Vec<(String, Results)> {
    if Results::open(folder).is_ok() {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    let opened = named.filter_map(|(name, path)| Results::open(path).ok().map(|results| (name, results)));
    let mut inside: Vec<(String, Results)> = opened.collect();
    inside.sort_by(|a, b| a.0.cmp(&b.0));
    inside
}

/// Says what was found in a folder besides its runs.
pub fn tell(folder: &Path, checked: &Checked) {
    tell_strays(folder, &checked.strays);
    if checked.unsealed > 0 {
        say(&format!(
            "note: {} in {} stored before every file had a checksum: changes of policies, terms and times cannot be told",
            count(checked.unsealed, "run"),
            folder.display()
        ));
    }
}

/// Names the files among the runs that are none.
pub fn tell_strays(folder: &Path, strays: &[PathBuf]) {
    for stray in strays.iter().take(TOLD) {
        let file = folder.join(stray);
        say(&format!("{} is left out: it is not the file of a run, such as 007.csv", file.display()));
    }
    if strays.len() > TOLD {
        say(&format!("and so are {} more", strays.len() - TOLD));
    }
}
