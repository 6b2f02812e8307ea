//! Any bytes as a map in a file: lines with `=` are options, the others the map. What is built is a whole model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use occupancy::env::{Move, from_map_file};
use std::path::PathBuf;
use std::sync::LazyLock;

static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("occupancy-fuzz-{}.map", std::process::id())));

fuzz_target!(|bytes: &[u8]| {
    let (mut map, mut options) = (Vec::new(), Vec::new());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line).ok().and_then(|line| line.trim().split_once('=')) {
            Some((key, value)) => options.push((key.to_string(), value.to_string())),
            None => map.extend_from_slice(line),
        }
    }
    std::fs::write(&*FILE, &map).unwrap();
    let env = match from_map_file(&*FILE, &options) {
        Ok(env) => env,
        Err(error) => {
            return assert!(!error.to_string().contains('\n'), "an error of several lines: {error}");
        }
    };
    let picture = env.picture.unwrap();
    assert_eq!(picture.cells.len(), picture.height * picture.width);
    assert_eq!(picture.agent.len(), env.model.states());
    assert_eq!(env.model.pairs(), env.model.states() * Move::ALL.len());
    assert!(
        picture.agent.iter().chain(picture.pushed.iter().flatten()).all(|&cell| cell < picture.cells.len())
    );
});
