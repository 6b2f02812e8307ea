//! The file of a run: one line for each step of the grid, all columns cumulative.
//!
//! ```text
//! step,reward,cost_0,…,shortfall,excess_0,…,epochs,infeasible,multichain
//! ```
//!
//! Runs of episodes, and others if the experiment asks for it, end their lines with the exact gaps of the policies followed, signed and then strong, of the reward and
//! then of every cost: `value_regret,value_violation_0,…,strong_regret,strong_violation_0,…`.
//!
//! Numbers are written in the fewest digits that read back as the same number. A file is whole if it has the head, the
//! steps of the grid, finite numbers, and counts that never fall.

use crate::error::Damage;
use occupancy::sim::{Grid, Record, ValueGaps};
use std::fmt::Write;

/// No sum is larger: signals of 1e100 at most, over 1e12 rounds.
const LARGEST: f64 = 1e112;

/// The first line.
fn head(costs: usize) -> String {
    let list = |what: &str| (0..costs).map(|i| format!("{what}_{i},")).collect::<String>();
    format!("step,reward,{}shortfall,{}epochs,infeasible,multichain", list("cost"), list("excess"))
}

/// What follows it if there are values.
fn value_head(costs: usize) -> String {
    let list = |what: &str| (0..costs).map(|i| format!(",{what}_violation_{i}")).collect::<String>();
    format!(",value_regret{},strong_regret{}", list("value"), list("strong"))
}

/// The text of a record.
pub(super) fn write(record: &Record) -> String {
    let mut text = head(record.costs.len());
    if record.values.is_some() {
        text += &value_head(record.costs.len());
    }
    text.push('\n');
    for i in 0..record.step.len() {
        // Writing to a text cannot fail.
        let _ = write!(text, "{},{}", record.step[i], record.reward[i]);
        record.costs.iter().for_each(|column| _ = write!(text, ",{}", column[i]));
        let _ = write!(text, ",{}", record.shortfall[i]);
        record.excess.iter().for_each(|column| _ = write!(text, ",{}", column[i]));
        let counts = (record.epochs[i], record.infeasible[i], record.multichain[i]);
        let _ = write!(text, ",{},{},{}", counts.0, counts.1, counts.2);
        for column in record.values.iter().flat_map(|values| values.signed.iter().chain(&values.strong)) {
            let _ = write!(text, ",{}", column[i]);
        }
        text.push('\n');
    }
    text
}

/// The record of a text that has the steps of a grid, or any ascending steps where there is no grid.
pub(super) fn read(text: &str, costs: usize, grid: Option<&Grid>) -> Result<Record, Damage> {
    let (first, expected) = (text.lines().next().unwrap_or_default(), head(costs));
    let has_values = first.strip_prefix(&expected).is_some_and(|rest| rest == value_head(costs));
    if first != expected && !has_values {
        let found = if first.is_empty() { "empty".to_string() } else { first.chars().take(200).collect() };
        return Err(Damage::Head { found, expected });
    }
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let steps = grid.map_or(lines.len(), |grid| grid.steps().len());
    if lines.len() != steps || lines.is_empty() {
        return Err(Damage::Length { found: lines.len(), expected: steps.max(1) });
    }
    let mut record = empty(costs);
    if has_values {
        let none = vec![Vec::new(); costs + 1];
        record.values = Some(ValueGaps { signed: none.clone(), strong: none });
    }
    for (i, line) in lines.iter().enumerate() {
        let expected = grid.map(|grid| grid.steps()[i]);
        add(&mut record, line, expected).ok_or(Damage::Line { line: i + 2 })?;
    }
    // A last line without its end may have lost digits.
    if !text.ends_with('\n') {
        return Err(Damage::Line { line: lines.len() + 1 });
    }
    Ok(record)
}

fn empty(costs: usize) -> Record {
    let none = vec![Vec::new(); costs];
    Record { costs: none.clone(), excess: none, ..Record::default() }
}

/// Adds a line to a record; `None` where it cannot be the next one.
fn add(record: &mut Record, line: &str, step: Option<u64>) -> Option<()> {
    let mut cells = line.split(',');
    let found: u64 = cells.next()?.parse().ok()?;
    let follows = record.step.last().is_none_or(|&last| last < found);
    if !follows || step.is_some_and(|step| step != found) {
        return None;
    }
    record.step.push(found);
    let mut number = || cells.next()?.parse::<f64>().ok().filter(|x| x.abs() <= LARGEST);
    record.reward.push(number()?);
    for column in &mut record.costs {
        column.push(number()?);
    }
    record.shortfall.push(number()?);
    for column in &mut record.excess {
        column.push(number()?);
    }
    for column in [&mut record.epochs, &mut record.infeasible, &mut record.multichain] {
        let count: u64 = cells.next()?.parse().ok()?;
        if column.last().is_some_and(|&last| count < last) {
            return None;
        }
        column.push(count);
    }
    let values = record.values.as_mut().map(|values| values.signed.iter_mut().chain(&mut values.strong));
    for column in values.into_iter().flatten() {
        // Nothing is claimed of a policy whose chain the arithmetic does not resolve.
        column.push(cells.next()?.parse::<f64>().ok().filter(|x| x.is_nan() || x.abs() <= LARGEST)?);
    }
    cells.next().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record() -> Record {
        Record {
            step: vec![1, 2, 3],
            reward: vec![-1.0, -1.25, 0.1 + 0.2],
            costs: vec![vec![0.0, 1.0, 1.0], vec![1e-300, -0.0, 1e22]],
            shortfall: vec![0.5; 3],
            excess: vec![vec![0.0; 3], vec![0.25; 3]],
            epochs: vec![1, 2, 2],
            infeasible: vec![0; 3],
            multichain: vec![0, 0, 1],
            values: None,
        }
    }

    #[test]
    fn a_file_holds_every_digit() {
        let text = write(&record());
        let head = "step,reward,cost_0,cost_1,shortfall,excess_0,excess_1,epochs,infeasible,multichain";
        assert_eq!(text.lines().next(), Some(head));
        assert_eq!(
            text.lines().nth(3),
            Some("3,0.30000000000000004,1,10000000000000000000000,0.5,0,0.25,2,0,1")
        );
        assert_eq!(read(&text, 2, Some(&Grid::new(3, &[]))).unwrap(), record());
        assert_eq!(read(&text, 2, None).unwrap(), record());
    }

    #[test]
    fn damage_is_named() {
        let (text, grid) = (write(&record()), Grid::new(3, &[]));
        let damage = |text: &str| read(text, 2, Some(&grid)).unwrap_err();
        assert!(matches!(damage(""), Damage::Head { .. }));
        assert!(matches!(read(&text, 1, None).unwrap_err(), Damage::Head { .. }));
        let two = text.lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
        assert_eq!(damage(&two), Damage::Length { found: 2, expected: 3 });
        assert_eq!(damage(&text.replace("\n2,", "\n4,")), Damage::Line { line: 3 });
        for number in ["NaN", "inf", "1e308"] {
            assert_eq!(damage(&text.replace("-1.25", number)), Damage::Line { line: 3 });
        }
        assert_eq!(damage(&text.replace("-1.25", "-1.25,7")), Damage::Line { line: 3 });
        assert_eq!(damage(&text.replace(",1,0,0\n", ",9,0,0\n")), Damage::Line { line: 3 });
        assert_eq!(damage(text.trim_end()), Damage::Line { line: 4 });
    }

    proptest! {
        #[test]
        fn no_truncated_file_is_taken_for_whole(cut in 0usize..400) {
            let text = write(&record());
            prop_assume!(cut < text.len());
            prop_assert!(read(&text[..cut], 2, Some(&Grid::new(3, &[]))).is_err());
        }

        #[test]
        fn any_number_that_can_be_survives(x in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            prop_assume!(x.abs() <= LARGEST);
            let mut record = record();
            record.reward[1] = x;
            let read = read(&write(&record), 2, None).unwrap();
            prop_assert_eq!(read.reward[1].to_bits(), x.to_bits());
        }
    }
}
