//! After an error a model is as it was.
use occupancy::model::{Cmdp, text};

fn model() -> Cmdp {
    let model = text::parse(
        "cost heat <= 0.2
         state cool
           rest                      -> cool
           work  reward 2            -> cool 0.5, warm 0.5
         state warm
           rest            heat 1    -> cool
           wait  reward 1  heat 1    -> warm",
    );
    model.unwrap()
}

/// Asserts that `change` is refused with a message, and changes nothing.
fn assert_refused(change: impl FnOnce(&mut Cmdp) -> occupancy::Result<()>, expected: &str) {
    let (before, mut after) = (model(), model());
    assert_eq!(change(&mut after).unwrap_err().to_string(), expected);
    assert_eq!(before.kernel(), after.kernel());
    assert_eq!(before.signals(), after.signals());
    assert_eq!((0..2).map(|k| before.signals().size(k)).collect::<Vec<_>>(), [2.0, 1.0]);
}

#[test]
fn a_signal_that_is_no_number_is_refused_before_it_is_written() {
    for bad in [f64::NAN, 1e101] {
        let expected = format!(
            "cost heat of (state warm, action rest) is {bad}, expected a finite number of at most 1e100 in size",
            bad = if bad.is_nan() { "NaN" } else { "1e101" }
        );
        assert_refused(|model| model.rewrite_signal(1, |pair| if pair < 2 { 7.0 } else { bad }), &expected);
    }
    assert_refused(
        |model| model.rewrite_signal(2, |_| 0.0),
        "signal is 2, expected 0 for the reward, or 1 + the index of one of the model's costs",
    );
}

#[test]
fn rows_that_are_no_distributions_are_refused_before_they_are_written() {
    let expected = "transition row (state warm, action rest) sums to 0, expected 1 within 1e-9";
    assert_refused(|model| model.resample(|pair, row| row.fill(f64::from(u8::from(pair < 2)))), expected);
    assert_refused(
        |model| {
            let weight = |pair: usize| f64::from(u8::from(pair < 2));
            model.rewrite_rows(|pair, row| row.push((1, weight(pair))))
        },
        expected,
    );
}

#[test]
fn a_draw_after_a_refused_one_is_as_if_there_had_been_none() {
    let (mut first, mut second) = (model(), model());
    let draw = |pair: usize, row: &mut [f64]| row.copy_from_slice(&[1.0, pair as f64]);
    first.resample(draw).unwrap();
    second.resample(|_, row| row.fill(f64::NAN)).unwrap_err();
    second.resample(draw).unwrap();
    assert_eq!(first.kernel(), second.kernel());
    assert!(!first.kernel().is_positive());
    first.resample(|_, row| row.fill(3.0)).unwrap();
    assert!(first.kernel().is_positive() && first.kernel() != second.kernel());
}

#[test]
fn a_cost_that_does_not_exist_cannot_be_negated() {
    let error = model().with_negated_cost(1).unwrap_err();
    assert_eq!(error.to_string(), "cost is 1, expected the index of one of the model's costs");
    let negated = model().with_negated_cost(0).unwrap();
    assert_eq!((negated.budgets(), negated.signals().cost(0)), (&[-0.2][..], &[0.0, 0.0, -1.0, -1.0][..]));
}
