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

/// So many break points are shown unless all are asked for.
const SHOWN: usize = 40;

/// The table and the sentences.
pub fn describe(curve: &Curve, all: bool, ink: Ink) -> String {
    let (source, cost) = (ink.paint(Paint::Bold, &curve.source), &curve.cost);
    if curve.points.is_empty() {
        return format!("{source}: the other budgets cannot be met, whatever the budget of `{cost}` is\n");
    }
    let points = count(curve.points.len(), "break point");
    let head = format!("{source}: the best gain by budget of `{cost}`, {points}\n\n");
    let mut rows = vec![["", "budget", "gain", "price until the next"].map(String::from).to_vec()];
    let shown = if all { (0..curve.points.len()).collect() } else { shown(curve) };
    for &i in &shown {
        let point = &curve.points[i];
        let budget = format!("{} {}", curve.direction.sign(), number(point.budget));
        rows.push(vec![(i + 1).to_string(), budget, number(point.gain), number(point.price)]);
    }
    let mut text = head + &table(&[Align::Right; 4], &rows) + "\n";
    if shown.len() < curve.points.len() {
        text += &format!("{} of them are shown; --all, --csv and --json have the others\n", shown.len());
    }
    text + &ends(curve) + &own_budget(curve) + &doubts(curve)
}

/// The places of the break points that are shown: both ends, those around the model's own budget, and others evenly between.
fn shown(curve: &Curve) -> Vec<usize> {
    let points = curve.points.len();
    if points <= SHOWN {
        return (0..points).collect();
    }
    let evenly = SHOWN - 2;
    let tight = |budget: f64| curve.direction.shown(budget);
    let own = curve.points.partition_point(|point| tight(point.budget) <= tight(curve.budget));
    let around = [own.saturating_sub(1), own.min(points - 1)];
    let mut places: Vec<usize> = (0..evenly).map(|i| i * (points - 1) / (evenly - 1)).chain(around).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// What is not certain: corners that were not searched for, and gaps that are more than rounding.
fn doubts(curve: &Curve) -> String {
    let mut text = String::new();
    if let (Some(first), Some(last)) = (curve.unsearched.first(), curve.unsearched.last()) {
        let why = match curve.stopped {
            Some(stopped) => stopped.what(),
            None => "no more points were asked for".to_string(),
        };
        let words = format!(
            "{why}: corners may be missing between the budgets {} and {}, where the gain may be higher by up to {}",
            number(first.0),
            number(last.1),
            rough(curve.missing)
        );
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
    use occupancy::plan::FrontierPoint;

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
        assert_eq!(describe(&curve(), false, Ink::default()), expected);
    }

    #[test]
    fn a_frontier_that_was_stopped_or_is_not_sharp_says_so() {
        let text = describe(&stopped(), false, Ink::default());
        let told = "at the model's budget 0.2 the gain is at least -0.775\n\
                    interrupted: corners may be missing between the budgets 0 and 0.25, where the\n\
                    gain may be higher by up to 1.2e-1\n";
        assert!(text.ends_with(told), "{text}");
        let asked = Curve { stopped: None, ..stopped() };
        let text = describe(&asked, false, Ink::default());
        assert!(text.contains("\nno more points were asked for: corners may be missing between"), "{text}");
        let text = describe(&Curve { gap: 3e-7, ..curve() }, false, Ink::default());
        assert!(text.ends_with("\nknown to within 3.0e-7 of the largest reward and cost\n"), "{text}");
    }

    #[test]
    fn of_many_break_points_forty_are_shown_unless_all_are_asked_for() {
        let last = &curve().points[1];
        let point = |i: usize| FrontierPoint { budget: i as f64 / 1000.0, ..last.clone() };
        let many = Curve { points: (0..387).map(point).collect(), ..curve() };
        let rows = |text: &str| text.lines().filter(|line| line.contains('≤')).count();
        let text = describe(&many, false, Ink::default());
        assert_eq!(rows(&text), 40, "{text}");
        assert!(text.contains("\n40 of them are shown; --all, --csv and --json have the others\n"), "{text}");
        // The first, the last, and the two around the budget of 0.2.
        for row in ["\n  1      ≤ 0", "\n387  ≤ 0.386", "\n201    ≤ 0.2", "\n202  ≤ 0.201"] {
            assert!(text.contains(row), "{row:?} in {text}");
        }
        let whole = describe(&many, true, Ink::default());
        assert!(rows(&whole) == 387 && !whole.contains("shown"), "{whole}");
        let few = Curve { points: (0..40).map(point).collect(), ..curve() };
        assert_eq!(rows(&describe(&few, false, Ink::default())), 40);
    }

    #[test]
    fn budgets_that_are_infinite_too_small_or_large_are_told() {
        let with = |budget| describe(&Curve { budget, ..curve() }, false, Ink::default());
        assert!(with(f64::INFINITY).ends_with("the model does not constrain `risky`\n"));
        assert!(with(-1.0).ends_with("the model's budget -1 cannot be met\n"));
        assert!(with(1.0).ends_with("at the model's budget 1 the gain is -0.75, the greatest there is\n"));
        let none = Curve { points: Vec::new(), ..curve() };
        assert!(describe(&none, false, Ink::default()).contains("the other budgets cannot be met"));
    }
}
