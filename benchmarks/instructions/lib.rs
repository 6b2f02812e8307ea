//! Nothing but a home for the benchmark beside this file.
