//! Sessions: the times that a program worked on the results, each noted in a file of its own.
//!
//! A file `sessions/<when>-<number>.json` is written by one process alone, so that none loses what another noted. No number
//! of the results depends on it.

use super::layout::{self, Found, SESSIONS};
use super::seal::{self, Seal};
use super::{FolderWriter, owner};
use crate::error::{Damage, Result};
use crate::experiment::{MOST_RUNS, sha256};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A time that a program worked on the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The version of the program.
    pub version: String,
    /// The revision that it was built from.
    pub revision: String,
    /// The machine.
    pub host: String,
    /// Threads.
    pub jobs: usize,
    /// When it began, in UTC.
    pub started: String,
    /// When it ended; `null` where it was killed.
    pub ended: Option<String>,
    /// A number that tells it from others that began in the same second.
    #[serde(skip)]
    number: u64,
}

/// What the file of a session says.
#[derive(Serialize, Deserialize)]
struct Note {
    /// The hash of the settings.
    settings: String,
    /// Runs of every learner that were asked for.
    runs: u64,
    #[serde(flatten)]
    session: Session,
}

/// The sessions of a folder.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    pub sessions: Vec<Session>,
    /// The most runs of a learner that any of them asked for.
    pub runs: u64,
    pub damaged: Vec<(PathBuf, Damage)>,
    /// Those that tell of the settings asked about.
    pub witnesses: usize,
}

impl Session {
    /// One that begins now, of a program of this version and revision.
    pub fn begin(version: &str, revision: &str, jobs: usize) -> Session {
        let (version, revision) = (version.to_string(), revision.to_string());
        let (host, started, number) = (owner::host(), now(), owner::random());
        Session { version, revision, host, jobs, started, ended: None, number }
    }

    /// Notes a session of an experiment with these settings.
    pub(super) fn note(&self, writer: &FolderWriter, settings: &str, runs: u64) -> Result<()> {
        let note = Note { settings: settings.to_string(), runs, session: self.clone() };
        let digits: String = self.started.chars().filter(char::is_ascii_alphanumeric).collect();
        let file = Path::new(SESSIONS).join(format!("{digits}-{:016x}.json", self.number));
        writer.put_changed(&file, &seal::seal(&note))
    }

    /// Notes a session that an older manifest tells of, under a name that is always the same.
    pub(super) fn note_again(&self, writer: &FolderWriter, settings: &str, runs: u64) -> Result<()> {
        let hash = sha256(&seal::seal(self));
        let number = u64::from_str_radix(&hash[..16], 16).unwrap_or(0);
        Session { number, ..self.clone() }.note(writer, settings, runs)
    }

    /// The same, at its end.
    pub(super) fn ended(&self) -> Session {
        Session { ended: Some(now()), ..self.clone() }
    }
}

impl Sessions {
    /// Reads those of a folder that are of some settings.
    pub fn read(folder: &Path, settings: &str) -> Result<Sessions> {
        let mut found = Sessions::default();
        for name in layout::names(folder, SESSIONS)? {
            let file = Path::new(SESSIONS).join(name);
            match note(layout::read(&folder.join(&file))?) {
                Ok(None) => {}
                Ok(Some(note)) if note.settings == settings => {
                    found.runs = found.runs.max(note.runs);
                    found.sessions.push(note.session);
                    found.witnesses += 1;
                }
                Ok(Some(_)) => found.damaged.push((file, Damage::Misplaced)),
                Err(damage) => found.damaged.push((file, damage)),
            }
        }
        Ok(found)
    }
}

/// What the file of a session says; nothing where another process has just removed it.
fn note(found: Found) -> std::result::Result<Option<Note>, Damage> {
    let bytes = match found {
        Found::Nothing => return Ok(None),
        found => found.bytes()?,
    };
    if seal::check(&bytes) != Seal::Whole {
        return Err(Damage::Checksum);
    }
    match serde_json::from_slice::<Note>(&bytes) {
        Ok(note) if note.runs <= MOST_RUNS => Ok(Some(note)),
        Ok(note) => {
            Err(Damage::Content { message: format!("runs is {}, expected at most {MOST_RUNS}", note.runs) })
        }
        Err(error) => Err(Damage::Content { message: error.to_string() }),
    }
}

/// The time in UTC, as in 2022-09-07T12:34:56Z.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    timestamp(seconds)
}

/// Days become dates as in Hinnant's *chrono-compatible low-level date algorithms*.
fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (date, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // From `date -u -d @…`.
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), expected);
        }
    }
}
