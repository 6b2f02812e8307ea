//! The words for every kind of verdict.

use super::*;
use crate::constraint::{self, Constraint};
use crate::fixture;
use occupancy::model::Policy;
use occupancy::plan::{Ended, WeightedPolicy};

fn say(source: &Source, verdict: Verdict) -> String {
    say_stopped(source, verdict, None)
}

fn say_stopped(source: &Source, verdict: Verdict, stopped: Option<Stopped>) -> String {
    let (planner, from, seconds) = ("prices", Origin::Start, 0.0012);
    describe(
        &Answer {
            source,
            verdict,
            planner,
            criterion: Criterion::Average,
            from,
            seconds,
            stopped,
            certificate: None,
            deterministic: None,
            warnings: Vec::new(),
        },
        Ink::default(),
    )
}

#[test]
fn a_search_that_was_stopped_says_so_and_how_to_go_on() {
    let source = fixture::rover();
    let plan = |gap| Verdict::Optimal(Plan { gap, ..fixture::rover_plan(&source.model) });
    let text = say_stopped(&source, plan(0.045), Some(Stopped::TimeLimit(0.5)));
    let expected = "\
marsrover-4x4: 16 states, 64 pairs, 1 cost
within the budgets; stopped early, so that a better plan may exist

gain -0.775, not proved: at most 4.5e-2 below the optimum (relative gap 20%)

cost   value     budget  used         price
risky    0.2  ≤     0.2  100%  binds    0.5

the time limit of 0.5 s ran out; a larger --time-limit makes the gap smaller

one stationary policy, random only in state (4, 3)
planned from the start by `prices` in 1.2 ms
";
    assert_eq!(text, expected);
    let text = say_stopped(&source, plan(7.0), Some(Stopped::Interrupt));
    assert!(text.contains("at most 7.0e0 below the optimum (relative gap above 100%)\n"), "{text}");
    let text = say_stopped(&source, plan(f64::INFINITY), Some(Stopped::Interrupt));
    assert!(text.contains("gain -0.775; no bound on the optimum is known yet\n"), "{text}");
    assert!(text.contains("\ninterrupted; a longer run makes the gap smaller\n"), "{text}");
}

#[test]
fn a_search_that_ran_out_of_steps_is_not_told_as_optimal() {
    let source = fixture::rover();
    let plan = |gap| {
        let plan = Plan { gap, ended: Ended::OutOfSteps, ..fixture::rover_plan(&source.model) };
        say(&source, Verdict::Optimal(plan))
    };
    let told = "within the budgets; the search ran out of steps, so that a better plan may exist\n";
    assert!(plan(0.045).contains(told) && !plan(0.045).contains("optimal within"), "{}", plan(0.045));
    assert!(plan(1e-9).contains("optimal within the budgets\n"), "{}", plan(1e-9));
}

#[test]
fn a_change_of_method_is_said() {
    let source = fixture::rover();
    let evaluations = Evaluations { switched: 13, left_out: 2, out_of_sweeps: 1, iterations: 40 };
    let text = say(&source, Verdict::Optimal(Plan { evaluations, ..fixture::rover_plan(&source.model) }));
    let told = "\
planned from the start by `prices` in 1.2 ms
iteration did not converge on 13 chains; elimination solved them instead
left out of the search because no method evaluates them: 2 of the policies; the gap counts what they may add
value iteration ran out of sweeps 1 time; policy iteration went on from there
";
    assert!(text.ends_with(told), "{text}");
}

#[test]
fn only_the_first_states_of_many_are_named() {
    let source = fixture::rover();
    let mut plan = fixture::rover_plan(&source.model);
    let uniform = Policy::new(&source.model, vec![0.25; 64]).unwrap();
    plan.policies[0].policy = uniform;
    let text = say(&source, Verdict::Optimal(plan));
    assert!(text.contains("one stationary policy, random in 10 of the states it visits\n"), "{text}");
}

#[test]
fn an_optimum_is_told_with_costs_prices_and_where_it_mixes() {
    let source = fixture::rover();
    let text = say(&source, Verdict::Optimal(fixture::rover_plan(&source.model)));
    let expected = "\
marsrover-4x4: 16 states, 64 pairs, 1 cost
optimal within the budgets

gain -0.775, certified: at most 2.0e-16 below the optimum

cost   value     budget  used         price
risky    0.2  ≤     0.2  100%  binds    0.5

each unit more of budget `risky` adds 0.5 to the gain, up to the next corner

one stationary policy, random only in state (4, 3)
planned from the start by `prices` in 1.2 ms
";
    assert_eq!(text, expected);
}

#[test]
fn slack_and_infinite_budgets_are_called_so() {
    let mut source = fixture::rover();
    let plan = || Plan { prices: vec![0.0], ..fixture::rover_plan(&fixture::rover().model) };
    source.model = source.model.with_budgets(&[0.5]).unwrap();
    let text = say(&source, Verdict::Optimal(plan()));
    assert!(text.contains("40%  slack") && text.contains("budget `risky` is slack\n"), "{text}");
    source.model = source.model.with_budgets(&[f64::INFINITY]).unwrap();
    let text = say(&source, Verdict::Optimal(plan()));
    assert!(text.contains("inf") && text.contains("`risky` is not constrained\n"), "{text}");
    source.model = source.model.with_budgets(&[0.2]).unwrap();
    let text = say(&source, Verdict::Optimal(plan()));
    assert!(text.contains("just used up; more of it would add nothing\n"), "{text}");
}

#[test]
fn a_constraint_of_the_other_direction_is_told_in_its_own_sign() {
    let mut source = fixture::rover();
    let (model, costs) =
        constraint::apply(source.model, &[Constraint::parse("risky>=0.2").unwrap()]).unwrap();
    (source.model, source.costs) = (model, costs);
    let mut plan = fixture::rover_plan(&source.model);
    plan.value.costs = vec![-0.2];
    let text = say(&source, Verdict::Optimal(plan));
    assert!(text.contains("risky    0.2  ≥     0.2"), "{text}");
    assert!(text.contains("asking for one unit less of `risky` would add 0.5 to the gain"), "{text}");
}

#[test]
fn infeasible_is_told_with_the_closest_policy_and_a_budget_that_would_do() {
    let mut source = fixture::rover();
    source.model = source.model.with_budgets(&[-0.1]).unwrap();
    let text = say(&source, Verdict::Infeasible(fixture::rover_infeasible(&source.model)));
    assert!(text.contains("infeasible: no policy meets the budgets\n"), "{text}");
    assert!(text.contains("risky        0  ≤    -0.1     0.1\n"), "{text}");
    assert!(text.contains("least violation 0.1, in units of the largest cost\n"), "{text}");
    assert!(text.contains("the smallest budget that would do: --cost 'risky<=0'\n"), "{text}");
}

#[test]
fn a_mixture_is_told_with_its_weights_and_classes_are_counted() {
    let source = fixture::rover();
    let mut plan = fixture::rover_plan(&source.model);
    let policy = plan.policies[0].policy.clone();
    plan.policies =
        vec![WeightedPolicy { weight: 0.3, policy: policy.clone() }, WeightedPolicy { weight: 0.7, policy }];
    plan.classes = 2;
    let text = say(&source, Verdict::Optimal(plan));
    assert!(text.contains("a mixture of 2 stationary policies"), "{text}");
    assert!(text.contains("(weights 0.3, 0.7)"), "{text}");
    assert!(text.contains("the long run has 2 separate recurrent classes"), "{text}");
}
