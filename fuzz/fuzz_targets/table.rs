//! Any bytes as a table; what can be read is written and read again as the same model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy::model::table;
use occupancy_fuzz::same_model;

fuzz_target!(|bytes: &[u8]| {
    let Ok(given) = std::str::from_utf8(bytes) else { return };
    let model = match table::parse(given) {
        Ok(model) => model,
        Err(error) => {
            return assert!(!error.to_string().contains('\n'), "an error of several lines: {error}");
        }
    };
    let written = table::to_string(&model);
    let read = table::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    same_model(&model, &read, true);
});
