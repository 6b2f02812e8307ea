//! What regret and violation of run 0 are made of, as a table: sums up to the ends of epochs.
//!
//! ```text
//! quantity,epoch,step,sum,posterior_cmdp,relaxation,posterior_mdp,remainder,infeasible,unsettled
//! ```
//!
//! `sum` is that of the four columns after it. Only learners that show the models they drew have such a table; it has no
//! rows where there is neither an optimum nor a budget to lose against.

use crate::terms::{TermRow, Terms};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str =
    "quantity,epoch,step,sum,posterior_cmdp,relaxation,posterior_mdp,remainder,infeasible,unsettled";

/// The file of a learner, from the folder of results.
pub(super) fn file(label: &str) -> PathBuf {
    Path::new("terms").join(format!("{label}.csv"))
}

/// The table of some terms.
pub(super) fn write(terms: &[Terms]) -> String {
    let mut text = HEAD.to_string() + "\n";
    for Terms { quantity, rows } in terms {
        for row in rows {
            // Writing to a text cannot fail.
            let _ = write!(text, "{quantity},{},{}", row.epoch, row.step);
            for sum in [row.sum, row.posterior_cmdp, row.relaxation, row.posterior_mdp, row.remainder] {
                let _ = write!(text, ",{sum}");
            }
            let _ = writeln!(text, ",{},{}", row.infeasible, row.unsettled);
        }
    }
    text
}

/// The terms of a table, or the number of the line that is not one of it.
pub(super) fn read(text: &str) -> Result<Vec<Terms>, usize> {
    let mut found: Vec<Terms> = Vec::new();
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) || !text.ends_with('\n') {
        return Err(1);
    }
    for (at, line) in lines.enumerate() {
        let (quantity, row) = row(line).ok_or(at + 2)?;
        match found.last_mut().filter(|terms| terms.quantity == quantity) {
            Some(terms) => terms.rows.push(row),
            None => found.push(Terms { quantity: quantity.to_string(), rows: vec![row] }),
        }
    }
    Ok(found)
}

fn row(line: &str) -> Option<(&str, TermRow)> {
    let cells: Vec<&str> = line.split(',').collect();
    let [quantity, epoch, step, sums @ .., infeasible, unsettled] = &cells[..] else { return None };
    let sums = sums.iter().map(|cell| cell.parse().ok().filter(|x: &f64| x.is_finite()));
    let sums: [f64; 5] = sums.collect::<Option<Vec<f64>>>()?.try_into().ok()?;
    let [sum, posterior_cmdp, relaxation, posterior_mdp, remainder] = sums;
    let count = |cell: &str| cell.parse::<u64>().ok();
    let row = TermRow {
        epoch: count(epoch)?,
        step: count(step)?,
        sum,
        posterior_cmdp,
        relaxation,
        posterior_mdp,
        remainder,
        infeasible: count(infeasible)?,
        unsettled: count(unsettled)?,
    };
    Some((quantity, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_back_as_they_were_and_damage_is_named() {
        let row = |epoch| TermRow {
            epoch,
            step: 7 * epoch,
            sum: 0.1 + 0.2,
            posterior_cmdp: -1e-9,
            relaxation: 1.0 / 3.0,
            posterior_mdp: -0.0,
            remainder: 2e22,
            infeasible: 1,
            unsettled: 0,
        };
        let terms = |name: &str| Terms { quantity: name.into(), rows: vec![row(1), row(3)] };
        let all = [terms("regret"), terms("violation_0")];
        let text = write(&all);
        assert_eq!(read(&text).unwrap(), all);
        assert_eq!(read(&write(&[])), Ok(Vec::new()), "an empty table is one");
        assert_eq!(read(&text.replace("violation_0,3", "violation_0,x")), Err(5));
        assert_eq!(read(&text.replace("violation_0,3,", "violation_0,")), Err(5));
        assert_eq!([read(""), read(text.trim_end())], [Err(1), Err(1)]);
    }
}
