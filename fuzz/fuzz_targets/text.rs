//! Any bytes as a `.cmdp` file; what can be read is written and read again as the same model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy::model::text;
use occupancy_fuzz::same_model;

fuzz_target!(|bytes: &[u8]| {
    let Ok(given) = std::str::from_utf8(bytes) else { return };
    let model = match text::parse(given) {
        Ok(model) => model,
        Err(error) => {
            return assert!(!error.to_string().contains('\n'), "an error of several lines: {error}");
        }
    };
    let written = text::to_string(&model);
    let read = text::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    same_model(&model, &read, true);
});
