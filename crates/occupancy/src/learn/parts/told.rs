//! What a learner's user may tell it: the signals, and a policy that is known to be safe.

use crate::error::{LearnerProblem, Result};
use crate::learn::Knowledge;
use crate::model::{Policy, Task, policy_table};
use crate::options::{Form, OptionValue};
use crate::words;
use std::path::PathBuf;

words! {
    /// Where the rewards and costs of a learner's model come from.
    pub enum SignalSource {
        /// They are told.
        Known = "known",
        /// They are the means of what was seen.
        Estimated = "estimated",
    }
}

impl SignalSource {
    /// What the option takes, in words.
    pub const EXPECTED: &'static str = "known or estimated";
}

/// The mean rewards and costs that a learner was told.
pub fn known_signals<'a>(learner: &'static str, knowledge: &'a Knowledge) -> Result<&'a [Vec<f64>]> {
    let missing = LearnerProblem::Unknown {
        learner,
        what: "the rewards and costs",
        how: "whoever builds it hands them over as Knowledge::signals; signals=estimated does without",
    };
    Ok(knowledge.signals.as_deref().ok_or(missing)?)
}

/// A policy that a learner is given.
#[derive(Clone, Debug, PartialEq)]
pub enum BaselinePolicy {
    /// Every action with the same probability.
    Uniform,
    /// A table as `solve --policy` writes it.
    File(PathBuf),
}

impl BaselinePolicy {
    /// What the option takes, in words.
    pub const EXPECTED: &'static str = "the path of a policy's table, or uniform";

    /// Whether it can be read.
    pub fn in_range(given: &Option<BaselinePolicy>) -> bool {
        !matches!(given, Some(BaselinePolicy::File(path)) if path.as_os_str().is_empty())
    }

    /// The policy in a task; of several in a file, the only one. With episodes it has a row for every state of every stage.
    pub fn policy(&self, learner: &'static str, task: &Task) -> Result<Policy> {
        let BaselinePolicy::File(path) = self else { return Ok(Policy::uniform(&task.blank())) };
        let shape = task.stage();
        let found = policy_table::read(path, &shape.as_ref().unwrap_or(task).blank(), task.horizon())?;
        match <[(f64, Policy); 1]>::try_from(found) {
            Ok([(_, policy)]) => Ok(Policy::unchecked(policy.into_probabilities(), 1)),
            Err(several) => Err(LearnerProblem::Contradiction {
                learner,
                option: "baseline",
                value: several.len() as f64,
                expected: "one policy in the file".into(),
            }
            .into()),
        }
    }
}

impl OptionValue for BaselinePolicy {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<BaselinePolicy> {
        Some(match text {
            "uniform" => BaselinePolicy::Uniform,
            path => BaselinePolicy::File(path.strip_prefix("file:").unwrap_or(path).into()),
        })
    }

    fn show(&self) -> String {
        match self {
            BaselinePolicy::Uniform => "uniform".into(),
            BaselinePolicy::File(path) => format!("file:{}", path.display()),
        }
    }
}
