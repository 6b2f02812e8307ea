//! A frontier in words: its break points, and where the model's own budget lies.

use super::ink::{Ink, Paint};
use super::table::{Align, table};
use super::wrap::wrapped;
use crate::constraint::Direction;
use crate::frontier::Curve;
use occupancy_lab::number::count;
use occupancy_lab::number::{number, rough};

/// Characters of a line.
const LINE: usize = 80;
/// A gap above this is worth a word.
const NOTICED: f64 = 1e-9;

/// The table and the sentences.
pub fn describe(curve: &Curve, ink: Ink) -> String {
    let (source, cost) = (ink.paint(Paint::Bold, &curve.source), &curve.cost);
    if curve.points.is_empty() {
        return format!("{source}: the other budgets cannot be met, whatever the budget of `{cost}` is\n");
    }
    let points = count(curve.points.len(), "break point");
    let head = format!("{source}: the best gain by budget of `{cost}`, {points}\n\n");
    let mut rows = vec![["", "budget", "gain", "price until the next"].map(String::from).to_vec()];
    for (i, point) in curve.points.iter().enumerate() {
        let budget = format!("{} {}", curve.direction.sign(), number(point.budget));
        rows.push(vec![(i + 1).to_string(), budget, number(point.gain), number(point.price)]);
    }
    head + &table(&[Align::Right; 4], &rows) + "\n" + &ends(curve) + &own_budget(curve) + &doubts(curve)
}

/// What is not certain: corners that were not searched for, and gaps that are more than rounding.
fn doubts(curve: &Curve) -> String {
    let mut text = String::new();
    if let Some(stopped) = curve.stopped.filter(|_| !curve.unsearched.is_empty()) {
        let spans = curve.unsearched.iter().map(|&(a, b)| format!("{} and {}", number(a), number(b)));
        let spans = spans.collect::<Vec<_>>().join(", ");
        let words = format!("{}: corners may be missing between the budgets {spans}", stopped.what());
        wrapped(&words, LINE).iter().for_each(|line| text += &format!("{line}\n"));
    }
    if curve.gap > NOTICED {
        text += &format!("known to within {} of the largest reward and cost\n", rough(curve.gap));
    }
    text
}

fn ends(curve: &Curve) -> String {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return String::new() };
    let (tighter, looser, more) = match curve.direction {
        Direction::AtMost => ("below", "above", "more of it"),
        Direction::AtLeast => ("above", "below", "asking for less"),
    };
    let (least, most) = (number(first.budget), number(last.budget));
    format!("{tighter} {least} no policy meets the budget; {looser} {most} {more} adds nothing\n")
}

fn own_budget(curve: &Curve) -> String {
    let own = number(curve.budget);
    if curve.budget.is_infinite() {
        return format!("the model does not constrain `{}`\n", curve.cost);
    }
    let Some((gain, price)) = curve.at(curve.budget) else {
        return format!("the model's budget {own} cannot be met\n");
    };
    let gain = number(gain);
    if curve.is_unsearched(curve.budget) {
        return format!("at the model's budget {own} the gain is at least {gain}\n");
    }
    if price > 0.0 {
        let price = number(price);
        return format!(
            "at the model's budget {own} the gain is {gain}, and the price of more {price} per unit\n"
        );
    }
    format!("at the model's budget {own} the gain is {gain}, the greatest there is\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::tests::{curve, stopped};

    #[test]
    fn a_frontier_is_told_with_its_ends_and_the_models_budget() {
        let expected = "\
marsrover-4x4: the best gain by budget of `risky`, 2 break points

   budget    gain  price until the next
1     ≤ 0  -0.875                   0.5
2  ≤ 0.25   -0.75                     0

below 0 no policy meets the budget; above 0.25 more of it adds nothing
at the model's budget 0.2 the gain is -0.775, and the price of more 0.5 per unit
";
        assert_eq!(describe(&curve(), Ink::default()), expected);
    }

    #[test]
    fn a_frontier_that_was_stopped_or_is_not_sharp_says_so() {
        let text = describe(&stopped(), Ink::default());
        let told = "at the model's budget 0.2 the gain is at least -0.775\n\
                    interrupted: corners may be missing between the budgets 0 and 0.25\n";
        assert!(text.ends_with(told), "{text}");
        let text = describe(&Curve { gap: 3e-7, ..curve() }, Ink::default());
        assert!(text.ends_with("\nknown to within 3.0e-7 of the largest reward and cost\n"), "{text}");
    }

    #[test]
    fn budgets_that_are_infinite_too_small_or_large_are_told() {
        let with = |budget| describe(&Curve { budget, ..curve() }, Ink::default());
        assert!(with(f64::INFINITY).ends_with("the model does not constrain `risky`\n"));
        assert!(with(-1.0).ends_with("the model's budget -1 cannot be met\n"));
        assert!(with(1.0).ends_with("at the model's budget 1 the gain is -0.75, the greatest there is\n"));
        let none = Curve { points: Vec::new(), ..curve() };
        assert!(describe(&none, Ink::default()).contains("the other budgets cannot be met"));
    }
}
