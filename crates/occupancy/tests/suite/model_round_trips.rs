//! A model that is written and read again is the same model, and damaged files are refused, never more than that.

use occupancy::model::drn::{self, DrnSignals};
use occupancy::model::{Bound, Cmdp, CmdpBuilder, Outcome, table, text};
use proptest::collection::vec;
use proptest::prelude::*;

/// How far a probability may move: each reading divides a row by its sum.
const ROUNDING: f64 = 1e-15;

/// One pair: the weight of each outcome with its successor, and values for its signals.
type Pair = (Vec<(usize, u32)>, Vec<f64>, Option<String>);

/// Few or many digits, of any size.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), (-9i32..9).prop_map(f64::from), -1.0..1.0f64, -1e99..1e99f64, -1e-99..1e-99f64]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,3}", "\\PC{0,4}", "[ ,()#\\[\\]<>=@/\"-]{0,3}"]
}

fn pairs(states: usize, costs: usize) -> impl Strategy<Value = Vec<Vec<Pair>>> {
    let outcomes = vec((0..states, 1u32..9), 1..4);
    let pair = (outcomes, vec(value(), 4 * (costs + 1)), proptest::option::of(name()));
    vec(vec(pair, 1..4), states)
}

fn start(states: usize) -> impl Strategy<Value = Vec<(usize, u32)>> {
    prop_oneof![(0..states).prop_map(|state| vec![(state, 1)]), vec((0..states, 1u32..9), 1..4)]
}

fn distribution(weights: &[(usize, u32)]) -> Vec<(usize, f64)> {
    let sum: u32 = weights.iter().map(|&(_, weight)| weight).sum();
    weights.iter().map(|&(state, weight)| (state, f64::from(weight) / f64::from(sum))).collect()
}

fn add(model: &mut CmdpBuilder, state: usize, (weights, values, name): Pair, by_outcome: bool, costs: usize) {
    let row = distribution(&weights);
    if by_outcome {
        let signals = values.chunks(costs + 1);
        let outcome = |(&(next, probability), signals): (&(usize, f64), &[f64])| Outcome {
            next,
            probability,
            reward: signals[0],
            costs: signals[1..].to_vec(),
        };
        model.outcomes(state, &row.iter().zip(signals).map(outcome).collect::<Vec<_>>());
    } else {
        model.pair(state, &row, values[0], &values[1..=costs]);
    }
    if let Some(name) = name {
        model.action(name);
    }
}

/// Small models: ragged action sets, names or none, signals of pairs or of outcomes, one start or several.
fn model() -> impl Strategy<Value = Cmdp> {
    let shape = (1usize..6, 0usize..3, any::<bool>());
    let parts = shape.prop_flat_map(|(states, costs, by_outcome)| {
        let budget = prop_oneof![Just(f64::INFINITY), value()];
        let names = (proptest::option::of(vec(name(), states)), proptest::option::of(vec(name(), costs)));
        (pairs(states, costs), start(states), vec(budget, costs), names, Just(by_outcome))
    });
    parts.prop_map(|(pairs, start, budgets, (states, costs), by_outcome)| {
        let mut model = CmdpBuilder::new(pairs.len(), &budgets);
        for (state, pairs) in pairs.into_iter().enumerate() {
            for (index, pair) in pairs.into_iter().enumerate() {
                add(&mut model, state, pair, by_outcome && index != 1, budgets.len());
            }
        }
        if let Some(names) = states {
            model.state_names(names);
        }
        if let Some(names) = costs {
            model.cost_names(names);
        }
        model.start_distribution(&distribution(&start)).build().unwrap()
    })
}

fn same(written: &[(usize, f64)], read: &[(usize, f64)]) {
    assert_eq!(written.len(), read.len());
    for (&(state, p), &(state_read, p_read)) in written.iter().zip(read) {
        assert_eq!(state, state_read);
        assert!((p - p_read).abs() <= ROUNDING, "{p} is read as {p_read}");
    }
}

fn same_rows(written: &Cmdp, read: &Cmdp) {
    for state in 0..written.states() {
        assert_eq!(written.pairs_of(state), read.pairs_of(state));
    }
    for pair in 0..written.pairs() {
        let row = |model: &Cmdp| model.kernel().row(pair).iter().collect::<Vec<_>>();
        same(&row(written), &row(read));
    }
}

/// The bound, or the same number from below.
fn turn(bound: Bound, turned: bool) -> Bound {
    match bound {
        Bound::AtMost(x) if turned => Bound::AtLeast(if x.is_finite() { x } else { f64::NEG_INFINITY }),
        other => other,
    }
}

/// The reward models of a written text, as the signals to read it with.
fn signals_of(text: &str, budgets: &[f64]) -> DrnSignals {
    let names = text.lines().skip_while(|&line| line != "@reward_models").nth(1).unwrap();
    let costs = names.split_whitespace().skip(1).map(str::to_string).zip(budgets.iter().copied());
    DrnSignals { reward: Some("r".into()), costs: costs.collect() }
}

proptest! {
    #[test]
    fn drn_keeps_pairs_rows_and_mean_signals(model in model()) {
        let text = drn::to_string(&model);
        let read = drn::parse(&text, &signals_of(&text, model.budgets())).unwrap();
        let added = usize::from(model.start().len() > 1);
        prop_assert_eq!((read.states(), read.pairs()), (model.states() + added, model.pairs() + added));
        same_rows(&model, &read);
        for k in 0..=model.costs() {
            prop_assert_eq!(&read.signals().signal(k)[..model.pairs()], model.signals().signal(k));
        }
        prop_assert_eq!(read.budgets(), model.budgets());
        let drawn: Vec<(usize, f64)> = read.kernel().row(read.pairs() - 1).iter().collect();
        same(model.start(), if added == 0 { read.start() } else { &drawn });
    }

    #[test]
    fn the_text_format_and_the_table_keep_everything(model in model(), turned in any::<bool>()) {
        let bounds: Vec<Bound> = (0..model.costs()).map(|i| turn(model.bound(i), turned && i == 0)).collect();
        let model = model.with_bounds(&bounds).unwrap();
        for (written, read) in [(text::to_string as fn(&Cmdp) -> String, text::parse as fn(&str) -> _), (table::to_string, table::parse)] {
            let text = written(&model);
            let read: Cmdp = read(&text).unwrap();
            prop_assert_eq!((read.states(), read.pairs()), (model.states(), model.pairs()));
            same_rows(&model, &read);
            let bounds: Vec<Bound> = (0..read.costs()).map(|i| read.bound(i)).collect();
            prop_assert_eq!((read.budgets(), &bounds), (model.budgets(), &(0..model.costs()).map(|i| model.bound(i)).collect()));
            same(model.start(), read.start());
            for pair in 0..model.pairs() {
                for (next, _) in model.kernel().row(pair).iter() {
                    for k in 0..=model.costs() {
                        let (is, was) = (read.signals().realised(k, pair, next), model.signals().realised(k, pair, next));
                        prop_assert_eq!(is, was);
                    }
                }
            }
            prop_assert_eq!(written(&read).lines().count(), text.lines().count());
        }
    }

    #[test]
    fn the_table_keeps_every_name_that_is_told_apart_from_the_others(model in model()) {
        let read = table::parse(&table::to_string(&model)).unwrap();
        let names = |model: &Cmdp| (0..model.states()).map(|state| model.names().state(state)).collect::<Vec<_>>();
        let (was, is) = (names(&model), names(&read));
        for state in 0..was.len() {
            let is_alone = !was[state].is_empty() && was.iter().filter(|name| **name == was[state]).count() == 1;
            prop_assert!(is[state] == was[state] || !is_alone || is[state].starts_with(&was[state]));
        }
    }

    #[test]
    fn damaged_files_never_panic(model in model(), at in any::<prop::sample::Index>(), length in 0usize..20, new in "\\PC{0,4}") {
        let signals = DrnSignals { reward: Some("r".into()), costs: vec![] };
        for (text, format) in [(drn::to_string(&model), "drn"), (text::to_string(&model), "cmdp"), (table::to_string(&model), "csv")] {
            let letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len());
            let after = letters.iter().skip(at + length);
            let damaged: String = letters.iter().take(at).copied().chain(new.chars()).chain(after.copied()).collect();
            let read = match format {
                "drn" => drn::parse(&damaged, &signals),
                "cmdp" => text::parse(&damaged),
                _ => table::parse(&damaged),
            };
            if let Err(error) = read {
                prop_assert!(!error.in_file(format).to_string().contains('\n'));
            }
        }
    }
}
