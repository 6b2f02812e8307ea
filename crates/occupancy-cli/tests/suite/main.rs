//! What the program promises, one file each. Tests of times and memory are programs of their own, beside this folder.

#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

#[path = "../program/mod.rs"]
mod program;

mod bad_arguments;
mod bad_files;
mod cli;
mod cluster;
mod criteria;
mod damage;
mod docs;
mod layers;
mod learn;
mod limits;
mod messages;
mod odd_reports;
mod policies;
mod report;
mod run;
mod tables;
mod told;
