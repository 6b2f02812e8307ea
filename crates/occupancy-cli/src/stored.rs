//! Opening a folder of results: every file in it is looked at before anything is made of them.

use crate::failure::{Failure, Result, wrong};
use crate::output::say;
use crate::source::count;
use occupancy_lab::error::Damage;
use occupancy_lab::store::{Checked, Results};
use std::path::{Path, PathBuf};

/// So many names are told; of more, the number.
const TOLD: usize = 3;

/// The results in a folder, all of whose files are what was written.
pub fn open(folder: &Path) -> Result<Results> {
    let results = Results::open(folder)?;
    let checked = results.check()?;
    tell_strays(folder, &checked.strays);
    if checked.unsealed > 0 {
        say(&format!(
            "note: {} in {} stored before every file had a checksum: changes of policies, terms and times cannot be told",
            count(checked.unsealed, "run"),
            folder.display()
        ));
    }
    damaged(folder, &checked).map_or(Ok(results), |text| Err(Failure::Damaged(text)))
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

/// What is damaged, in one line; `None` where nothing is.
fn damaged(folder: &Path, checked: &Checked) -> Option<String> {
    let names = list(&checked.damaged)?;
    let (files, them) =
        if checked.damaged.len() == 1 { ("a damaged file", "it") } else { ("damaged files", "them") };
    let again = format!("the `occupancy run` that stored {them} makes {them} again");
    Some(format!("{} has {files}: {names}; {again}", folder.display()))
}

/// Damaged files with what is wrong with them, as many as are told; `None` where there are none.
pub fn list(damaged: &[(PathBuf, Damage)]) -> Option<String> {
    let told = damaged.iter().take(TOLD).map(|(file, damage)| format!("{} ({damage})", file.display()));
    let mut told: Vec<String> = told.collect();
    if damaged.len() > TOLD {
        told.push(format!("and {} more", damaged.len() - TOLD));
    }
    (!told.is_empty()).then(|| told.join(", "))
}

/// Refuses to write a page and figures through links or into pipes: a folder of somebody else may hold such.
pub fn check_page(folder: &Path) -> Result<()> {
    let figures = folder.join("figures");
    let found = |path: &Path| std::fs::symlink_metadata(path).ok().map(|found| found.file_type());
    let inside =
        found(&figures).filter(std::fs::FileType::is_dir).and_then(|_| std::fs::read_dir(&figures).ok());
    let inside = inside.into_iter().flatten().flatten().map(|entry| entry.path());
    for path in inside.chain([folder.join("index.html")]) {
        if found(&path).is_some_and(|found| !found.is_file()) {
            return wrong(format!(
                "cannot write {}: there is something that is no ordinary file",
                path.display()
            ));
        }
    }
    match found(&figures).is_some_and(|found| !found.is_dir()) {
        true => wrong(format!("cannot write {}: it is not a folder", figures.display())),
        false => Ok(()),
    }
}
