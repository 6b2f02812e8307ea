//! Whether two models are the same: pairs, rows, signals, budgets and start.

use occupancy::model::Cmdp;

/// How far a probability may move: each reading divides a row by its sum.
const ROUNDING: f64 = 4e-16;

/// Panics where two models differ in anything but names. `realised` compares the signals of single transitions too.
pub fn same_model(written: &Cmdp, read: &Cmdp, realised: bool) {
    assert_eq!((written.states(), written.pairs()), (read.states(), read.pairs()));
    for state in 0..written.states() {
        assert_eq!(written.pairs_of(state), read.pairs_of(state));
    }
    assert_eq!(written.budgets(), read.budgets());
    same_distribution("the start", written.start(), read.start());
    for pair in 0..written.pairs() {
        let row = |model: &Cmdp| model.kernel().row(pair).iter().collect::<Vec<_>>();
        same_distribution(&format!("the row of pair {pair}"), &row(written), &row(read));
        for k in 0..=written.costs() {
            let (was, is) = (written.signals().signal(k)[pair], read.signals().signal(k)[pair]);
            if realised && written.signals().depends_on_successor() {
                let values = row(written)
                    .into_iter()
                    .filter_map(|(next, _)| written.signals().realised(k, pair, next));
                let size = values.fold(was.abs(), |most, x| x.abs().max(most));
                assert!(
                    (was - is).abs() <= 4.0 * ROUNDING * size,
                    "signal {k} of pair {pair}: {was} is read as {is}"
                );
                for (next, _) in row(written) {
                    let value = |model: &Cmdp| model.signals().realised(k, pair, next);
                    assert_eq!(value(written), value(read), "signal {k} of pair {pair} to {next}");
                }
            } else {
                assert_eq!(was, is, "signal {k} of pair {pair}");
            }
        }
    }
}

fn same_distribution(what: &str, written: &[(usize, f64)], read: &[(usize, f64)]) {
    assert_eq!(written.len(), read.len(), "{what}: {written:?} is read as {read:?}");
    for (&(state, p), &(state_read, p_read)) in written.iter().zip(read) {
        assert_eq!(state, state_read, "{what}");
        assert!((p - p_read).abs() <= ROUNDING, "{what}: {p} is read as {p_read}");
    }
}
