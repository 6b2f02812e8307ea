//! Hints before a long run: what it will take, and what would make it shorter.

use occupancy::learn::LearnerConfig;
use occupancy::model::Cmdp;
use occupancy_lab::Estimate;
use occupancy_lab::number::{count, duration};

/// What the plans of a run will take, if that is long.
pub fn of_long_runs(estimate: &Estimate) -> Option<String> {
    let (plans, each) = (count(estimate.plans as usize, "plan"), duration(estimate.each.as_secs_f64()));
    let all = duration(estimate.seconds());
    estimate.is_long().then(|| format!("at most {plans} of about {each} each, up to {all} a run"))
}

/// The option that makes plans in a model slow, and what to give instead.
pub fn of_slow_plans(learner: &dyn LearnerConfig, model: &Cmdp) -> Option<String> {
    let slow = learner.slow_option(model)?;
    let (option, states) = (slow.option, model.states());
    Some(format!(
        "{option}={} gives every pair a row of all {states} states; {option}={} plans in a fraction of the time",
        slow.value, slow.instead
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy::env::EnvConfig;
    use occupancy_lab::papers::provodin2022::Preset;
    use std::time::Duration;

    #[test]
    fn a_long_run_is_told_before_it_begins() {
        let told = |plans, each| of_long_runs(&Estimate { plans, each: Duration::from_millis(each) });
        assert_eq!(told(4000, 30).unwrap(), "at most 4000 plans of about 30.0 ms each, up to 2.0 min a run");
        assert_eq!(told(300, 30), None);
    }

    #[test]
    fn a_prior_of_all_states_is_told_in_large_sparse_models_alone() {
        let model = |states: &str| {
            let options = [("states".to_string(), states.to_string())];
            EnvConfig::from_options("river-swim", &options).unwrap().build().unwrap().model
        };
        let mut learner = Preset::Sound.learner("psrl-transitions", "river-swim", 100).unwrap();
        assert_eq!(
            of_slow_plans(learner.as_ref(), &model("300")).unwrap(),
            "prior=add:0.1 gives every pair a row of all 300 states; prior=sparse:1 plans in a fraction of the time"
        );
        assert_eq!(of_slow_plans(learner.as_ref(), &model("100")), None);
        learner.set("prior", "sparse:1").unwrap();
        assert_eq!(of_slow_plans(learner.as_ref(), &model("300")), None);
    }
}
