//! The planner finds the values of delicate families that other solvers found, and its policies attain them.

use crate::attained::attained;
use crate::families::CATALOGUE;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, Verdict};
use serde_json::Value;
use std::collections::BTreeMap;

/// The recorded cases of each member: the case's name, and what was recorded.
fn recorded() -> BTreeMap<String, Vec<(String, Value)>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/strangers/families.json");
    let all: BTreeMap<String, Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut cases: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    for (name, case) in all {
        let member = name.split('/').next().unwrap().to_string();
        cases.entry(member).or_default().push((name, case));
    }
    cases
}

/// The values of other solvers; `None` is infeasible.
fn values(case: &Value) -> Vec<Option<f64>> {
    ["highs", "storm"].iter().filter_map(|solver| case.get(solver)).map(Value::as_f64).collect()
}

/// The member with the budgets of a case; costs that the case does not name have none.
fn posed(model: Cmdp, case: &Value) -> Cmdp {
    let given = case["budgets"].as_object().unwrap();
    let budget = |cost: usize| {
        let name = model.names().cost(cost);
        given.get(&name).map_or(f64::INFINITY, |budget| budget.as_f64().unwrap())
    };
    let budgets: Vec<f64> = (0..model.costs()).map(budget).collect();
    model.with_budgets(&budgets).unwrap()
}

/// What is wrong with our answer, if anything is.
fn judged(model: &Cmdp, expected: &[Option<f64>]) -> Option<String> {
    let plan = match PlannerConfig::default().build().plan(&Problem::average(model)).unwrap() {
        Verdict::Optimal(plan) => plan,
        Verdict::Infeasible(_) if expected.iter().all(Option::is_none) => return None,
        Verdict::Infeasible(_) => return Some(format!("infeasible instead of {expected:?}")),
    };
    let far = |value: &Option<f64>| value.is_none_or(|value| (plan.value.reward - value).abs() > 1e-7);
    if expected.iter().any(far) {
        return Some(format!("gain {} instead of {expected:?}", plan.value.reward));
    }
    let found = attained(model, Origin::Start, &plan.policies, &plan.occupancy);
    let stated = std::iter::once(plan.value.reward).chain(plan.value.costs.iter().copied());
    let attained = found.iter().zip(stated).all(|(x, y)| (x - y).abs() <= 1e-8);
    let within = plan.value.costs.iter().zip(model.budgets()).all(|(cost, budget)| *cost <= budget + 2e-9);
    (plan.gap > 1e-7 || !attained || !within).then(|| {
        format!(
            "gap {:e}, costs {:?}, attained {found:?}, budgets {:?}",
            plan.gap,
            plan.value.costs,
            model.budgets()
        )
    })
}

#[test]
fn every_member_has_values_of_other_solvers() {
    let recorded = recorded();
    for member in CATALOGUE {
        let cases = recorded.get(member.name).map_or(0, Vec::len);
        assert!(cases > 0, "{}: nobody answered", member.name);
    }
    let mut confirmed = 0;
    for (name, case) in recorded.values().flatten() {
        assert!(!values(case).is_empty(), "{name}: no value");
        confirmed += usize::from(values(case).len() == 2);
    }
    // The largest members were answered by one of the two in time.
    assert!(confirmed >= 90, "{confirmed} cases were answered by both");
}

#[test]
fn the_planner_finds_the_values_of_other_solvers() {
    let recorded = recorded();
    let mut wrong = Vec::new();
    for member in CATALOGUE {
        let model = (member.build)();
        for (name, case) in &recorded[member.name] {
            let found = judged(&posed(model.clone(), case), &values(case));
            wrong.extend(found.map(|what| format!("{name}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
