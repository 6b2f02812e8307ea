//! Any bytes as a DRN file; what can be read is written and read again as the same model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy::model::drn::{self, DrnSignals};
use occupancy_fuzz::same_model;

/// Budgets of up to three costs.
const BUDGETS: [f64; 3] = [0.5, f64::INFINITY, -1e100];

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    read_and_write(text, &DrnSignals::default());
    read_and_write(text, &named(text));
});

/// The first reward model as the reward, the next ones as costs.
fn named(text: &str) -> DrnSignals {
    let after = text.split_once("@reward_models").map_or("", |(_, after)| after);
    let mut names = after.trim_start_matches(':').split_whitespace().map(str::to_string);
    DrnSignals {
        reward: names.next(),
        costs: names.take_while(|name| !name.starts_with('@')).zip(BUDGETS).collect(),
    }
}

fn read_and_write(text: &str, signals: &DrnSignals) {
    let model = match drn::parse(text, signals) {
        Ok(model) => model,
        Err(error) => {
            return assert!(!error.to_string().contains('\n'), "an error of several lines: {error}");
        }
    };
    let written = drn::to_string(&model);
    let mut signals = named(&written);
    signals.costs.iter_mut().zip(model.budgets()).for_each(|(cost, &budget)| cost.1 = budget);
    assert_eq!(signals.costs.len(), model.costs(), "{written}");
    let read = drn::parse(&written, &signals).unwrap_or_else(|error| panic!("{error}\n{written}"));
    same_model(&model, &read, false);
}
