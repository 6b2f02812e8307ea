//! What the library says, to those who call it from Python: arguments have names there, and no flags of a command line.

use occupancy::Error;
use occupancy::error::{LearnerProblem, LineProblem, RowProblem, system};
use occupancy_lab::error::ReportProblem;

/// An error of the library.
pub fn of(error: &Error) -> String {
    match error {
        Error::Learner(problem) => of_learner(problem),
        Error::Row { problem: RowProblem::Sum { sum, .. }, .. } if is_rounding(*sum) => {
            format!("{error}; normalise=True takes rows that are off by rounding, as those of float32 are")
        }
        Error::Row { problem: RowProblem::Probability { value, .. }, .. } if is_rounding(*value) => {
            format!("{error}; normalise=True takes rows that are off by rounding, as those of float32 are")
        }
        Error::UnknownState { state, states } if *state == usize::MAX => {
            format!("an action is given for a negative state; they are 0 to {}", states.saturating_sub(1))
        }
        Error::Unknown { what: "learner", .. } => {
            format!("{error}; learners of your own are given by learners=[…]")
        }
        Error::Line { problem: LineProblem::Choose { .. }, .. } => format!("{error}; reward=… names it"),
        Error::InFile { path, source } => format!("{}: {}", path.display(), of(source)),
        Error::AtLine { line, source } => format!("line {line}: {}", of(source)),
        _ => error.to_string(),
    }
}

fn of_learner(problem: &LearnerProblem) -> String {
    match problem {
        LearnerProblem::NoEpisodes { learner } => {
            format!(
                "{learner} learns in episodes: give their length by horizon=…, or by horizon = … under [env] of an experiment"
            )
        }
        LearnerProblem::NoBaselineCost { learner } => format!(
            "{learner} has to know the cost of an episode under a safe policy: give baseline_cost=…; \
             evaluate(model, policy, horizon=…).costs tells what a policy costs"
        ),
        LearnerProblem::NoBaseline { learner } => format!(
            "{learner} has to know a policy within the budgets: give baseline=\"FILE.csv\", which Policy.to_csv writes, or \
             baseline=\"uniform\""
        ),
        _ => problem.to_string(),
    }
}

/// An error of the lab.
pub fn of_lab(error: &occupancy_lab::Error) -> String {
    use occupancy_lab::Error as Lab;
    match error {
        Lab::Model(error) => of(error),
        Lab::Occupied { source } => {
            format!(
                "{}; set_aside=True keeps them beside and begins afresh, another folder leaves them alone",
                of_lab(source)
            )
        }
        Lab::TooManyJobs { path, each, free, jobs, at_once } => format!(
            "{}: {jobs} runs at once have tables of {} MB each, and {} MB of memory are free; jobs={at_once} needs less",
            path.display(),
            each / 1_000_000,
            free / 1_000_000
        ),
        Lab::Thread { thread, threads, source } => {
            let fewer = match thread {
                0 | 1 => String::new(),
                _ => format!("; jobs={} needs no more than there were", thread - 1),
            };
            format!("thread {thread} of {threads} cannot be started: {}{fewer}", system(source))
        }
        Lab::Report { problem: ReportProblem::NoResults { folder } } => {
            format!("{} holds no results; Experiment.run makes some", folder.display())
        }
        Lab::InFile { path, source } => format!("{}: {}", path.display(), of_lab(source)),
        Lab::AtLine { line, source } => format!("line {line}: {}", of_lab(source)),
        _ => error.to_string(),
    }
}

/// Whether a number that should be 1, or no more than that, is off by what single precision leaves open.
fn is_rounding(value: f64) -> bool {
    (value - 1.0).abs() <= 1e-3
}
