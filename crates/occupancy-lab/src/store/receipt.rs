//! The receipt of a run: how long it took, and the SHA-256 of every file that was stored with it, in one line.
//!
//! ```text
//! run,seconds,planning_seconds,host,trial_hash,policies_hash,terms_hash,learner,settings_hash,row_hash
//! ```
//!
//! `row_hash` is the SHA-256 of the cells before it, with the commas between them. Times differ whenever a run is done again,
//! the other files do not: therefore one file holds all of it, and two processes that do the same run agree, whoever is last.
//! Receipts of the first programs end with `trial_hash`.

use crate::experiment::sha256;
use crate::timed::TimedTrial;

const FIRST_HEAD: &str = "run,seconds,planning_seconds,host,trial_hash";
const MORE: &str = "policies_hash,terms_hash,learner,settings_hash,row_hash";
/// No run takes longer than this, in seconds: 30 000 years.
const LONGEST: f64 = 1e12;

/// How long a run took.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The run.
    pub run: u64,
    /// Seconds of the whole run.
    pub seconds: f64,
    /// Seconds spent in the learner.
    pub planning: f64,
    /// The machine.
    pub host: String,
}

/// What was stored of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Receipt {
    pub timing: Timing,
    /// The hash of the run's table.
    pub trial: String,
    /// `None` in receipts of the first programs.
    pub more: Option<More>,
}

/// What the first programs did not note.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct More {
    /// The hashes of the tables that belong to run 0.
    pub policies: Option<String>,
    pub terms: Option<String>,
    pub learner: String,
    /// The hash of the settings.
    pub settings: String,
}

/// The first line of a receipt.
pub(super) fn head() -> String {
    format!("{FIRST_HEAD},{MORE}")
}

impl Receipt {
    pub fn new(run: u64, timed: &TimedTrial, trial_hash: String, more: More) -> Receipt {
        let (seconds, planning) = (timed.total.as_secs_f64(), timed.planning.as_secs_f64());
        let timing = Timing { run, seconds, planning, host: super::owner::host() };
        Receipt { timing, trial: trial_hash, more: Some(more) }
    }

    pub fn to_csv(&self) -> String {
        let Timing { run, seconds, planning, host } = &self.timing;
        let first = format!("{run},{seconds},{planning},{host},sha256:{}", self.trial);
        let Some(More { policies, terms, learner, settings }) = &self.more else {
            return format!("{FIRST_HEAD}\n{first}\n");
        };
        let hash =
            |hash: &Option<String>| hash.as_ref().map(|hash| format!("sha256:{hash}")).unwrap_or_default();
        let row = format!("{first},{},{},{learner},sha256:{settings}", hash(policies), hash(terms));
        format!("{FIRST_HEAD},{MORE}\n{row},sha256:{}\n", sha256(row.as_bytes()))
    }

    /// `None` for bytes that are no receipt, or not the one that was written.
    pub fn from_csv(bytes: &[u8]) -> Option<Receipt> {
        let (head, rest) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
        let row = rest.strip_suffix('\n')?;
        let cells: Vec<&str> = row.split(',').collect();
        let hash = |cell: &str| cell.strip_prefix("sha256:").map(String::from);
        let more = match cells[..] {
            [_, _, _, _, _] if head == FIRST_HEAD => None,
            [_, _, _, _, _, policies, terms, learner, settings, seal]
                if head.strip_prefix(FIRST_HEAD)?.strip_prefix(',') == Some(MORE) =>
            {
                let sealed = &row[..row.len() - seal.len() - 1];
                if hash(seal)? != sha256(sealed.as_bytes()) {
                    return None;
                }
                let (learner, settings) = (learner.to_string(), hash(settings)?);
                Some(More { policies: hash(policies), terms: hash(terms), learner, settings })
            }
            _ => return None,
        };
        let seconds = |cell: &str| cell.parse().ok().filter(|x| (0.0..=LONGEST).contains(x));
        let timing = Timing {
            run: cells[0].parse().ok()?,
            seconds: seconds(cells[1])?,
            planning: seconds(cells[2])?,
            host: cells[3].to_string(),
        };
        Some(Receipt { timing, trial: hash(cells[4])?, more })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt() -> Receipt {
        let timing = Timing { run: 7, seconds: 0.1, planning: 1e-7, host: "here".into() };
        let (policies, terms) = (Some("b".repeat(64)), None);
        let more = More { policies, terms, learner: "a+coef=0.5".into(), settings: "c".repeat(64) };
        Receipt { timing, trial: "a".repeat(64), more: Some(more) }
    }

    #[test]
    fn receipts_of_all_programs_are_read_back_as_they_were() {
        let first = Receipt { more: None, ..receipt() };
        for receipt in [receipt(), first] {
            assert_eq!(Receipt::from_csv(receipt.to_csv().as_bytes()), Some(receipt));
        }
    }

    #[test]
    fn no_change_of_a_byte_and_no_cut_is_believed() {
        let bytes = receipt().to_csv().into_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(Receipt::from_csv(&changed), None, "byte {at}");
            assert_eq!(Receipt::from_csv(&bytes[..at]), None, "cut at {at}");
        }
        let first = Receipt { more: None, ..receipt() }.to_csv();
        assert_eq!(Receipt::from_csv(first.replace("0.1,", "1e308,").as_bytes()), None);
        assert_eq!(Receipt::from_csv(first.replace("0.1,", "-1,").as_bytes()), None);
    }
}
