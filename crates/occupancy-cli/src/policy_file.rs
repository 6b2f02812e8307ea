//! Reads a policy as `solve --policy` writes it, from a file or the standard input.

use crate::failure::{Failure, Result, wrong};
use crate::output;
use occupancy::model::{Cmdp, policy_table, read_text_from};
use occupancy::plan::WeightedPolicy;
use std::path::Path;

/// The policies of a table for this model, `-` for the standard input. Episodes have so many stages: a table without the column
/// `stage` holds for all of them. Everything else has one.
pub fn read(path: &Path, model: &Cmdp, stages: Option<usize>) -> Result<Vec<WeightedPolicy>> {
    let found = if output::is_stdout(path) {
        let text = read_text_from(std::io::stdin())?;
        policy_table::parse(&text, model, stages)
            .map_err(|problem| Failure::Use(format!("standard input: {problem}")))?
    } else {
        policy_table::read(path, model, stages).map_err(|error| Failure::Use(error.to_string()))?
    };
    Ok(found.into_iter().map(|(weight, policy)| WeightedPolicy { weight, policy }).collect())
}

/// Refuses a model and a policy that are both to be read from the standard input.
pub fn check_inputs(source: &str, policy: &Path) -> Result<()> {
    if source == occupancy_lab::INPUT && output::is_stdout(policy) {
        return wrong("the model and the policy cannot both be read from stdin: give one of them as a file");
    }
    Ok(())
}
