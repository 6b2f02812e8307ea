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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::LearnerConfig;
    use crate::learn::algorithms::OptPessLpConfig;
    use crate::model::text;
    use crate::options::Options;

    /// Two states and two actions each, in episodes of three steps.
    fn task() -> Task {
        let text = "cost c <= 2\nstate A\n  x reward 1 c 1 -> A 0.5, B 0.5\n  y -> B\nstate B\n  x c 1 -> A\n  y -> B";
        Task::of(&text::parse(text).unwrap().layered(3).unwrap(), 300)
    }

    fn file(name: &str, lines: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("occupancy-{}-{name}", std::process::id()));
        std::fs::write(&path, lines).unwrap();
        path
    }

    #[test]
    fn a_baseline_whose_stages_differ_is_followed_stage_by_stage() {
        let lines = "stage,state,action,probability\n0,A,x,1\n0,B,y,1\n1,A,y,1\n1,B,x,0.25\n1,B,y,0.75\n2,A,x,0.5\n2,A,y,0.5\n2,B,x,1\n";
        let path = file("staged.csv", lines);
        let found = BaselinePolicy::File(path.clone()).policy("test", &task()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(found.probabilities(), [1., 0., 0., 1., 0., 1., 0.25, 0.75, 0.5, 0.5, 1., 0.]);
        let path = file("same.csv", "state,action,probability\nA,y,1\nB,x,1\n");
        let same = BaselinePolicy::File(path.clone()).policy("test", &task()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(same.probabilities(), [0., 1., 1., 0.].repeat(3));
    }

    #[test]
    fn a_baseline_without_one_of_the_stages_is_refused_by_the_learner() {
        let path = file("short.csv", "stage,state,action,probability\n0,A,x,1\n0,B,y,1\n1,A,y,1\n1,B,y,1\n");
        let mut config = OptPessLpConfig::default();
        config.assign("baseline", &path.display().to_string(), false).unwrap().unwrap();
        config.assign("baseline_cost", "1", false).unwrap().unwrap();
        let error = config.build(&task(), &Knowledge::default()).err().unwrap().to_string();
        std::fs::remove_file(&path).unwrap();
        assert!(error.contains("short.csv") && error.contains("stage 2"), "{error}");
    }
}
