//! The words above a picture of an answer.

use super::criterion;
use super::plan::certificate;
use crate::solve::Answer;
use occupancy::plan::Verdict;
use occupancy_lab::figure::grid::Caption;
use occupancy_lab::number::number;

/// What is said above the picture of an answer.
pub fn caption(answer: &Answer) -> Caption {
    let source = answer.source;
    let (head, values, prices) = match &answer.verdict {
        Verdict::Optimal(plan) => {
            // What is not proved the best is not to be taken for it.
            let proved = answer.is_proved(plan);
            let bound = if proved { String::new() } else { certificate(answer, plan) };
            let what = criterion::value_name(&answer.criterion);
            (format!("{what} {}{bound}", number(plan.value.reward)), &plan.value.costs, Some(&plan.prices))
        }
        Verdict::Infeasible(found) => {
            ("no policy meets the budgets: the one that comes closest".to_string(), &found.least_costs, None)
        }
    };
    let cost = |(i, &value): (usize, &f64)| {
        let (label, budget) = (&source.costs[i], source.shown(i, source.model.budgets()[i]));
        let value = number(source.shown(i, value));
        let price = prices.map(|prices| format!(", price {}", number(prices[i]))).unwrap_or_default();
        format!("{} {value}, budget {} {}{price}", label.name, label.direction.sign(), number(budget))
    };
    let lines = std::iter::once(head).chain(values.iter().enumerate().map(cost)).collect();
    Caption { title: source.title(), lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use occupancy::model::{Criterion, Origin};
    use occupancy_lab::figure;

    fn picture_of_the_rover() -> String {
        let source = fixture::rover();
        let verdict = Verdict::Optimal(fixture::rover_plan(&source.model));
        let (planner, from, seconds) = ("prices", Origin::Start, 0.0);
        let answer = Answer {
            source: &source,
            verdict,
            planner,
            criterion: Criterion::Average,
            from,
            seconds,
            stopped: None,
            certificate: None,
            deterministic: None,
            warnings: Vec::new(),
        };
        figure::grid::draw(&answer.scene().unwrap(), &caption(&answer))
    }

    #[test]
    fn the_picture_of_the_rover_is_the_golden_one() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/rover.svg");
        let picture = picture_of_the_rover();
        if std::env::var_os("OCCUPANCY_BLESS").is_some() {
            std::fs::write(golden, &picture).unwrap();
        }
        assert_eq!(picture, std::fs::read_to_string(golden).unwrap(), "OCCUPANCY_BLESS=1 stores it");
    }
}
