//! Builds one large model and prints its size, the seconds and the peak memory:
//!
//! ```text
//! cargo run --release -p occupancy --example large_grid [side] [map | grid | tandem | jumps]
//! ```
//!
//! `map` writes a slippery grid of side × side cells to a file and reads it back as an environment, `grid` builds the
//! same grid pair by pair; `tandem` and `jumps` build the other families with about side × side states.

#[path = "../benches/large/mod.rs"]
mod large;

use occupancy::env;
use occupancy::model::Cmdp;
use std::error::Error;
use std::time::Instant;

const SLIP: f64 = 0.1;
const BUDGET: f64 = 0.1;
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let side: usize = arguments.next().map_or(Ok(1000), |side| side.parse())?;
    let family = arguments.next().unwrap_or_else(|| "map".to_string());
    if side < 2 {
        return Err("the side is at least 2".into());
    }
    let clock = Instant::now();
    let model = match family.as_str() {
        "map" => from_map(side)?,
        "grid" => large::grid(side, SLIP, BUDGET, SEED),
        "tandem" => large::tandem_queue(side - 1, BUDGET),
        "jumps" => large::jumps(side * side, BUDGET, SEED),
        _ => return Err(format!("unknown family {family}; known: map, grid, tandem, jumps").into()),
    };
    let seconds = clock.elapsed().as_secs_f64();
    let transitions = model.kernel().transitions();
    println!("{} states, {} pairs, {transitions} transitions", model.states(), model.pairs());
    println!("{seconds:.2} s, peak memory {}", peak().unwrap_or_else(|| "unknown".to_string()));
    Ok(())
}

fn from_map(side: usize) -> Result<Cmdp, Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("occupancy-large-{}.txt", std::process::id()));
    std::fs::write(&path, large::map(side, SEED))?;
    let options = [("slip", SLIP), ("budget", BUDGET)].map(|(name, x)| (name.to_string(), x.to_string()));
    let env = env::from_map_file(&path, &options);
    std::fs::remove_file(&path)?;
    Ok(env?.model)
}

/// The most memory that this process has held, where the system tells it.
fn peak() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.0} MB", kilobytes / 1000.0))
}
