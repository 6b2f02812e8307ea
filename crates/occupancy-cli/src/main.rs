//! The command line of `occupancy`.

fn main() {}
