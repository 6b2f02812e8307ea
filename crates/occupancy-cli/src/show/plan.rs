//! A verdict in words: the costs against their budgets, what the prices mean, and how the policy mixes.

use super::criterion;
use super::ink::{Ink, Paint};
use super::stages;
use super::table::{Align, table};
use crate::constraint::Direction;
use crate::solve::{Answer, WithoutLotteries};
use crate::source::Source;
use crate::watch::Stopped;
use occupancy::model::{Cmdp, Criterion, Origin};
use occupancy::plan::{Evaluations, Infeasible, Plan, Verdict, WeightedPolicy};
use occupancy::verify::missed;
use occupancy_lab::figure::scene::NOTHING;
use occupancy_lab::number::count;
use occupancy_lab::number::{duration, number, number_above, percent, rough};

/// A cost this close to its budget, relative to the size of both, has reached it.
const REACHED: f64 = 1e-7;
/// A relative gap above this is worth a word.
const NOTICED: f64 = 1e-6;
/// At most this many states are named.
const NAMED: usize = 3;

/// The whole answer without the drawing.
pub fn describe(answer: &Answer, ink: Ink) -> String {
    let model = &answer.source.model;
    let head = format!("{}: {}\n", ink.paint(Paint::Bold, &answer.source.name), sizes(model));
    let (body, policies) = match &answer.verdict {
        Verdict::Optimal(plan) => (within_budgets(answer, plan, ink), &plan.policies),
        Verdict::Infeasible(found) => (infeasible(answer, found, ink), &found.policies),
    };
    let what = match &answer.criterion {
        Criterion::Average => String::new(),
        sum => format!("{} ", criterion::described(sum, model)),
    };
    let from = from_where(model, answer.from);
    let time = duration(answer.seconds);
    let occupancy = answer.occupancy();
    format!(
        "{head}{body}\n{}planned {what}{from} by `{}` in {time}\n{}",
        mixing(answer, policies, &occupancy),
        answer.planner,
        changes(answer.evaluations())
    )
}

/// How large a model is.
pub fn sizes(model: &Cmdp) -> String {
    [count(model.states(), "state"), count(model.pairs(), "pair"), count(model.costs(), "cost")].join(", ")
}

/// Where the long run is counted from.
pub fn from_where(model: &Cmdp, from: Origin) -> String {
    match from {
        Origin::Start => "from the start".to_string(),
        Origin::Anywhere => "from wherever it is best".to_string(),
        Origin::State(state) => format!("from state {}", model.names().state(state)),
    }
}

/// Where iteration did not converge, and what was done instead.
fn changes(Evaluations { switched, left_out, out_of_sweeps, .. }: Evaluations) -> String {
    let mut text = String::new();
    if switched > 0 {
        let chains = count(switched, "chain");
        text.push_str(&format!("iteration did not converge on {chains}; elimination solved them instead\n"));
    }
    if left_out > 0 {
        text.push_str(&format!(
            "left out of the search because no method evaluates them: {left_out} of the policies; the gap counts what they may add\n"
        ));
    }
    if out_of_sweeps > 0 {
        let times = count(out_of_sweeps, "time");
        text.push_str(&format!(
            "value iteration ran out of sweeps {times}; policy iteration went on from there\n"
        ));
    }
    text
}

fn within_budgets(answer: &Answer, plan: &Plan, ink: Ink) -> String {
    let source = answer.source;
    let within = if source.model.costs() == 0 { "" } else { "within the budgets; " };
    let without = answer.deterministic.map(|found| without_lotteries(&found));
    let verdict = match (answer.is_proved(plan), answer.stopped, source.model.costs()) {
        _ if without.is_some() => format!("{within}{}", without.unwrap_or_default()),
        (true, _, 0) => ink.paint(Paint::Green, "optimal"),
        (true, ..) => ink.paint(Paint::Green, "optimal within the budgets"),
        (false, Some(_), _) => format!("{within}stopped early, so that a better plan may exist"),
        (false, None, _) => format!("{within}the search ran out of steps, so that a better plan may exist"),
    };
    let gain = ink.paint(Paint::Bold, &number(plan.value.reward));
    let what = criterion::value_name(&answer.criterion);
    let mut text = format!("{verdict}\n\n{what} {gain}{}\n", certificate(answer, plan));
    if source.model.costs() > 0 {
        text.push('\n');
        text.push_str(&costs(answer, plan));
        text.push_str(&most_missed(answer));
    }
    match answer.stopped {
        // The prices of a search that was stopped are not yet those of the budgets.
        Some(stopped) => text.push_str(&format!("\n{}\n", how_to_go_on(stopped))),
        // Nor are those of a policy without lotteries what more of a budget would bring it.
        None if source.model.costs() > 0 && answer.deterministic.is_none() => {
            text.push('\n');
            (0..source.model.costs()).for_each(|i| text.push_str(&meaning(source, plan, i, what)));
        }
        _ => {}
    }
    if plan.classes > 1 {
        text.push_str(&format!("\nthe long run has {} separate recurrent classes\n", plan.classes));
    }
    text
}

/// What is known of a policy without lotteries.
fn without_lotteries(found: &WithoutLotteries) -> String {
    let plans = count(found.nodes, "sub-model");
    if found.is_exact {
        return format!("the best policy without lotteries, by a search through {plans}");
    }
    let gap = rough(found.gap);
    format!("the best policy without lotteries found in {plans}; a better one may earn up to {gap} more")
}

/// By how much a budget may be missed at most, if it is certain only up to rounding that none is.
fn most_missed(answer: &Answer) -> String {
    let Some(certificate) = &answer.certificate else { return String::new() };
    let costs = certificate.proof.costs.iter().enumerate();
    let most = costs.map(|(i, &cost)| missed(&answer.source.model, i, cost)).fold(0.0, f64::max);
    if most <= 0.0 {
        return String::new();
    }
    format!("\nno budget is missed by more than {}, certified\n", rough(most))
}

/// How far below the optimum the gain can be, to be said after it.
pub fn certificate(answer: &Answer, plan: &Plan) -> String {
    if !plan.gap.is_finite() {
        return "; no bound on the optimum is known yet".into();
    }
    let relative = answer.relative_gap().filter(|&relative| relative > NOTICED);
    let relative = match relative {
        Some(share) if share > 1.0 => " (relative gap above 100%)".into(),
        Some(share) => format!(" (relative gap {})", percent(share)),
        None => String::new(),
    };
    if answer.deterministic.is_some() {
        let gap = number_above(plan.gap.max(0.0));
        return format!(", certified: at most {gap} below the optimum with lotteries");
    }
    let word = if is_unproved(answer) { "not proved" } else { "certified" };
    format!(", {word}: at most {} below the optimum{relative}", rough(plan.gap.max(0.0)))
}

/// Whether there was no time for the proof.
fn is_unproved(answer: &Answer) -> bool {
    answer.stopped.is_some() && answer.certificate.is_none()
}

fn how_to_go_on(stopped: Stopped) -> String {
    match stopped {
        Stopped::TimeLimit(seconds) => {
            format!("the time limit of {seconds} s ran out; a larger --time-limit makes the gap smaller")
        }
        Stopped::Interrupt => "interrupted; a longer run makes the gap smaller".into(),
    }
}

/// The table of costs.
fn costs(answer: &Answer, plan: &Plan) -> String {
    use Align::{Left, Right};
    let source = answer.source;
    // The prices are those of the plan with lotteries.
    let price = |price: String| if answer.deterministic.is_some() { String::new() } else { price };
    let head = ["cost", "value", "", "budget", "used", ""].map(String::from);
    let mut rows = vec![head.into_iter().chain([price("price".into())]).collect::<Vec<String>>()];
    for (i, label) in source.costs.iter().enumerate() {
        let (value, budget) =
            (source.shown(i, plan.value.costs[i]), source.shown(i, source.model.budgets()[i]));
        let used =
            if budget.is_finite() && budget > 0.0 && value >= 0.0 && label.direction == Direction::AtMost {
                percent(value / budget)
            } else {
                String::new()
            };
        let state = match () {
            () if budget.is_infinite() => "free",
            () if reached(source, plan, i) => "binds",
            () => "slack",
        };
        rows.push(vec![
            label.name.clone(),
            number(value),
            label.direction.sign().into(),
            number(budget),
            used,
            state.into(),
            price(number(plan.prices[i])),
        ]);
    }
    table(&[Left, Right, Left, Right, Right, Left, Right], &rows)
}

fn reached(source: &Source, plan: &Plan, i: usize) -> bool {
    let budget = source.model.budgets()[i];
    let size = source.model.signals().size(i + 1).max(budget.abs()).max(1e-12);
    budget.is_finite() && plan.value.costs[i] >= budget - REACHED * size
}

/// What the price of a cost means.
fn meaning(source: &Source, plan: &Plan, i: usize, what: &str) -> String {
    let (name, price) = (&source.costs[i].name, plan.prices[i]);
    let sentence = if source.model.budgets()[i].is_infinite() {
        format!("`{name}` is not constrained")
    } else if price > NOTHING {
        match source.costs[i].direction {
            Direction::AtMost => {
                format!(
                    "each unit more of budget `{name}` adds {} to the {what}, up to the next corner",
                    number(price)
                )
            }
            Direction::AtLeast => {
                format!("asking for one unit less of `{name}` would add {} to the {what}", number(price))
            }
        }
    } else if reached(source, plan, i) {
        format!("budget `{name}` is just used up; more of it would add nothing")
    } else {
        format!("budget `{name}` is slack")
    };
    format!("{sentence}\n")
}

/// One policy or a mixture, and where it draws lots.
fn mixing(answer: &Answer, policies: &[WeightedPolicy], occupancy: &[f64]) -> String {
    let model = &answer.source.model;
    let [single] = policies else {
        let weights: Vec<String> = policies.iter().map(|one| number(one.weight)).collect();
        return format!(
            "a mixture of {} stationary policies: one is drawn at the start and followed for ever (weights {})\n",
            policies.len(),
            weights.join(", ")
        );
    };
    if single.policy.stages() > 1 {
        return stages::mixing(model, answer, &single.policy);
    }
    let probabilities = single.policy.probabilities();
    let mixes = |state: &usize| {
        let pairs = model.pairs_of(*state);
        let visited = occupancy.get(pairs.clone()).is_some_and(|shares| shares.iter().sum::<f64>() > NOTHING);
        visited && probabilities[pairs].iter().filter(|&&p| p > NOTHING).count() > 1
    };
    let mut mixed = (0..model.states()).filter(mixes);
    let named: Vec<String> = mixed.by_ref().take(NAMED).map(|s| model.names().state(s)).collect();
    match (named.len(), mixed.count()) {
        (0, _) => "one stationary policy, deterministic where it goes\n".into(),
        (_, 0) => format!("one stationary policy, random only in state {}\n", named.join(" and ")),
        (some, more) => format!("one stationary policy, random in {} of the states it visits\n", some + more),
    }
}

fn infeasible(answer: &Answer, found: &Infeasible, ink: Ink) -> String {
    use Align::{Left, Right};
    let source = answer.source;
    // Lotteries would meet the budgets: only policies without them do not.
    let lotteries = answer.deterministic.and_then(|found| found.with_lotteries.map(|gain| (found, gain)));
    let what = match &lotteries {
        None => "no policy meets the budgets".to_string(),
        Some((found, _)) if found.is_exact => "no policy without lotteries meets the budgets".to_string(),
        Some((found, _)) => {
            format!(
                "no policy without lotteries was found within the budgets in {}",
                count(found.nodes, "sub-model")
            )
        }
    };
    let mut text = format!("{}: {what}\n\n", ink.paint(Paint::Red, "infeasible"));
    let mut rows = vec![["cost", "closest", "", "budget", "off by"].map(String::from).to_vec()];
    for (i, label) in source.costs.iter().enumerate() {
        let (value, budget) = (found.least_costs[i], source.model.budgets()[i]);
        let over = value - budget;
        rows.push(vec![
            label.name.clone(),
            number(source.shown(i, value)),
            label.direction.sign().into(),
            number(source.shown(i, budget)),
            if over > NOTHING { number(over) } else { "met".into() },
        ]);
    }
    text.push_str(&table(&[Left, Right, Left, Right, Right], &rows));
    let violation = number(found.violation);
    if let Some((_, gain)) = lotteries {
        return text
            + &format!(
                "\nthe closest one found misses by {violation}, in units of the largest cost\nwith lotteries the budgets are met, at a gain of {}\n",
                number(gain)
            );
    }
    text.push_str(&format!(
        "\nno policy comes closer: least violation {violation}, in units of the largest cost\n"
    ));
    text + &enough(source, found)
}

/// The budgets that would do.
fn enough(source: &Source, found: &Infeasible) -> String {
    let enough = |i: usize| {
        let least = number_above(found.least_costs[i].max(source.model.budgets()[i]));
        let shown = match source.costs[i].direction {
            Direction::AtMost => least,
            Direction::AtLeast => least.strip_prefix('-').map_or_else(|| negated(&least), String::from),
        };
        format!("{}{}{}", source.costs[i].name, source.costs[i].direction.ascii(), shown)
    };
    match source.model.costs() {
        1 => {
            let word = if source.costs[0].direction == Direction::AtMost { "smallest" } else { "largest" };
            format!("the {word} budget that would do: --cost '{}'\n", enough(0))
        }
        m => {
            let constrained = (0..m).filter(|&i| source.model.budgets()[i].is_finite());
            let options: Vec<String> = constrained.map(|i| format!("--cost '{}'", enough(i))).collect();
            format!("budgets that would do together: {}\n", options.join(" "))
        }
    }
}

fn negated(text: &str) -> String {
    if text == "0" { text.into() } else { format!("-{text}") }
}

#[cfg(test)]
mod tests;
