//! What a given policy attains, in words and as a table beside the optimum.

use super::plan::{from_where, sizes};
use super::table::{Align, table};
use crate::evaluate::Attained;
use occupancy::plan::Verdict;
use occupancy::verify::missed;
use occupancy_lab::number::{count, number, number_above, rough};

/// A budget that is missed by less than this share of the largest cost is met, up to rounding.
const MET: f64 = 1e-9;

/// The whole answer.
pub fn describe(found: &Attained) -> String {
    let (source, plan, proof) = (found.source, &found.plan, &found.certificate.proof);
    let mut text =
        format!("{} in {}: {}\n\n{}", found.policy, source.name, sizes(&source.model), values(found));
    let width = std::iter::once(&proof.gain).chain(&proof.costs).map(|range| range.high - range.low);
    text += &format!("\nthe policy's numbers are certified to {}\n", rough(width.fold(0.0, f64::max)));
    for (i, cost) in source.costs.iter().enumerate() {
        let over = missed(&source.model, i, proof.costs[i]);
        let limit = MET * source.model.signals().size(i + 1).max(1e-12);
        if over > limit {
            text += &format!("it misses the budget of `{}` by {}\n", cost.name, number(over));
        }
    }
    match &found.optimum {
        Verdict::Optimal(best) if best.value.reward >= plan.value.reward => {
            text +=
                &format!("it earns {} less than the optimum", number(best.value.reward - plan.value.reward));
            text += &format!(", certified: at most {}\n", number_above(plan.gap.max(0.0)));
        }
        Verdict::Optimal(best) => {
            let more = number(plan.value.reward - best.value.reward);
            text += &format!("it earns {more} more than any policy within the budgets can, up to rounding\n");
        }
        Verdict::Infeasible(_) => text += "no policy meets the budgets\n",
    }
    if plan.classes > 1 {
        text += &format!(
            "it may end in {} that it never leaves\n",
            count(plan.classes, "part") + " of the model"
        );
    }
    text + &format!("counted {}\n", from_where(&source.model, found.from))
}

/// The policy beside the optimum and the budgets.
fn values(found: &Attained) -> String {
    let source = found.source;
    let head = ["", "gain"].into_iter().map(String::from);
    let mut rows = vec![head.chain(source.costs.iter().map(|cost| cost.name.clone())).collect::<Vec<_>>()];
    let costs = |values: &[f64]| {
        values.iter().enumerate().map(|(i, &x)| number(source.shown(i, x))).collect::<Vec<_>>()
    };
    let row = |what: &str, gain: String, costs: Vec<String>| {
        [what.to_string(), gain].into_iter().chain(costs).collect::<Vec<String>>()
    };
    rows.push(row("policy", number(found.plan.value.reward), costs(&found.plan.value.costs)));
    rows.push(match &found.optimum {
        Verdict::Optimal(best) => row("optimum", number(best.value.reward), costs(&best.value.costs)),
        Verdict::Infeasible(closest) => row("closest", "–".into(), costs(&closest.least_costs)),
    });
    if !source.costs.is_empty() {
        let budget = |(i, &x): (usize, &f64)| {
            format!("{} {}", source.costs[i].direction.sign(), number(source.shown(i, x)))
        };
        let budgets = source.model.budgets().iter().enumerate().map(budget).collect();
        rows.push(row("budget", String::new(), budgets));
    }
    let align: Vec<Align> =
        std::iter::once(Align::Left).chain(vec![Align::Right; source.costs.len() + 1]).collect();
    table(&align, &rows)
}
