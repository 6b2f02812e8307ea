//! Any options of any environment: a line with its name, then lines `key=value`. Small models are built.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy::env::EnvConfig;

/// The largest model that is built here; the project's own limits allow more than a fuzzer has time for.
const MOST: f64 = 2000.0;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split('\n');
    let name = lines.next().unwrap_or_default();
    let option = |line: &str| line.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    let options: Vec<(String, String)> = lines.filter_map(option).collect();
    let Ok(config) = EnvConfig::from_options(name, &options) else { return };
    if !matches!(config, EnvConfig::Map(_)) && size(&config) <= MOST {
        let _ = config.build();
    }
});

/// The product of all sizes among the options.
fn size(config: &EnvConfig) -> f64 {
    match config {
        EnvConfig::Garnet(garnet) => (garnet.states * garnet.actions) as f64 * (1 + garnet.costs) as f64,
        EnvConfig::Queue(queue) => (queue.length * queue.service.len() * queue.flow.len()) as f64,
        EnvConfig::RiverSwim(river) => river.states as f64,
        _ => 1.0,
    }
}
