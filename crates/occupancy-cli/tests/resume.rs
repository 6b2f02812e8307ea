//! Nothing is lost: however an experiment is stopped, and however often, the same command ends with the same bytes.

#![cfg(unix)] // signals
#![allow(clippy::unwrap_used)] // helpers of tests fail like tests

mod program;

use program::experiment::{assert_same, bytes, errors, finish, small, start};
use program::signals::send;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// So many kills have to hit a program at work.
const KILLS: usize = 50;

/// Numbers that look random (Knuth's generator).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

#[test]
fn fifty_kills_change_no_byte() {
    let (folder, file) = small("kills", 1500, 4);
    let began = Instant::now();
    errors(&finish(&file, &folder.join("undisturbed"), &[]), 0);
    let usual = began.elapsed().as_micros() as u64;
    let expected = bytes(&folder.join("undisturbed/small"));
    let (mut chance, mut kills, mut torn) = (Chance(2022), 0, 0);
    for round in 0.. {
        let out = folder.join(format!("killed-{round}"));
        // Some kills in each round, so that there is work left to be killed.
        for kill in 0..8 {
            let threads = ["1", "2", "4"][(round + kill) % 3];
            let mut child = start(&file, &out, &["--jobs", threads]);
            std::thread::sleep(Duration::from_micros(chance.below(usual / 2)));
            kills += usize::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            let left = std::fs::read_dir(out.join("small/tmp")).map_or(0, |entries| entries.count());
            torn += usize::from(left > 0);
        }
        errors(&finish(&file, &out, &["--jobs", "2"]), 0);
        assert_same(&out.join("small"), &expected, &format!("round {round}"));
        std::fs::remove_dir_all(&out).unwrap();
        if kills >= KILLS {
            break;
        }
    }
    println!("{kills} kills at work, {torn} with a file half written");
}

#[test]
fn threads_order_and_deletion_change_no_byte() {
    let (folder, file) = small("threads", 1000, 3);
    errors(&finish(&file, &folder.join("one"), &["--jobs", "1"]), 0);
    let expected = bytes(&folder.join("one/small"));
    assert_eq!(expected.keys().filter(|name| name.starts_with("trials/")).count(), 15);
    for jobs in ["2", "4"] {
        let out = folder.join(jobs);
        errors(&finish(&file, &out, &["--jobs", jobs]), 0);
        assert_same(&out.join("small"), &expected, jobs);
    }
    let gone = [
        "trials/psrl-transitions/001.csv",
        "policies/psrl-transitions.csv",
        "terms/psrl-lagrangian.csv",
        "curves.csv",
        "experiment.toml",
    ];
    gone.iter().for_each(|name| std::fs::remove_file(folder.join("one/small").join(name)).unwrap());
    std::fs::remove_dir_all(folder.join("one/small/timings")).unwrap();
    errors(&finish(&file, &folder.join("one"), &[]), 0);
    assert_same(&folder.join("one/small"), &expected, "deleted");
}

#[test]
fn damaged_runs_are_named_and_done_again() {
    let (folder, file) = small("damaged", 1000, 2);
    let out = folder.join("out");
    errors(&finish(&file, &out, &[]), 0);
    let expected = bytes(&out.join("small"));
    let damage = |name: &str, change: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        let path = out.join("small/trials").join(name);
        std::fs::write(&path, change(std::fs::read(&path).unwrap())).unwrap();
    };
    damage("psrl-transitions/000.csv", &|bytes| bytes[..bytes.len() / 2].to_vec());
    damage("psrl-lagrangian/001.csv", &|_| Vec::new());
    // A digit of a number, which no look at the file alone would notice.
    damage("cucrl-conservative/001.csv", &|mut bytes| {
        let at = bytes.iter().rposition(|byte| byte.is_ascii_digit()).unwrap();
        bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
        bytes
    });
    let said = errors(&finish(&file, &out, &[]), 0);
    for name in ["psrl-transitions/000.csv", "psrl-lagrangian/001.csv", "cucrl-conservative/001.csv"] {
        assert!(said.contains(&format!("{name} is damaged (")), "{said}");
    }
    assert_same(&out.join("small"), &expected, "mended");
    assert_eq!(errors(&finish(&file, &out, &[]), 0), "");
}

fn signal(name: &str) {
    let (folder, file) = small(&format!("signal-{name}"), 300_000_000, 2);
    let out = folder.join("out");
    let mut child = start(&file, &out, &[]);
    while !out.join("small/manifest.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    let sent = Instant::now();
    send(name, &child);
    let ended = child.wait().unwrap();
    let seconds = sent.elapsed().as_secs_f64();
    let said =
        String::from_utf8(std::io::read_to_string(child.stderr.take().unwrap()).unwrap().into()).unwrap();
    println!("{name}: ended after {seconds:.3} s");
    assert_eq!(ended.code(), Some(1), "{said}");
    assert!(said.starts_with("error: stopped after 0 of 10 runs, stored in "), "{said}");
    assert!(said.ends_with("; the same command goes on from there\n"), "{said}");
    // A second by itself; the rest is for a computer that is busy with other tests.
    assert!(seconds < 5.0, "{seconds} s");
    assert_eq!(std::fs::read_dir(out.join("small/tmp")).unwrap().count(), 0);
}

#[test]
fn ctrl_c_ends_at_once_and_says_how_to_go_on() {
    signal("INT");
}

#[test]
fn sigterm_ends_at_once_and_says_how_to_go_on() {
    signal("TERM");
}

#[test]
fn two_processes_in_one_folder_do_not_harm_each_other() {
    let (folder, file) = small("two", 3000, 4);
    errors(&finish(&file, &folder.join("alone"), &[]), 0);
    let expected = bytes(&folder.join("alone/small"));
    for round in 0..3 {
        let out = folder.join(format!("both-{round}"));
        let children = [start(&file, &out, &["--jobs", "1"]), start(&file, &out, &["--jobs", "2"])];
        for child in children {
            errors(&child.wait_with_output().unwrap(), 0);
        }
        assert_same(&out.join("small"), &expected, &format!("round {round}"));
    }
}

/// Runs a script in a mount namespace of its own; `None` where the system does not allow that.
fn with_mounts(script: &str, folder: &Path) -> Option<String> {
    let allowed = Command::new("unshare").args(["-rm", "true"]).stderr(Stdio::null()).status();
    if !allowed.is_ok_and(|status| status.success()) {
        println!("not tested: this system does not let the test mount a small disk");
        return None;
    }
    let program = env!("CARGO_BIN_EXE_occupancy");
    let script = format!("run() {{ '{program}' run small.toml --out \"$@\" 2>&1; }}\n{script}");
    let output =
        Command::new("unshare").args(["-rm", "sh", "-c", &script]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_full_disk_stops_the_work_and_loses_nothing() {
    let (folder, file) = small("full", 1500, 4);
    errors(&finish(&file, &folder.join("whole"), &[]), 0);
    let expected = bytes(&folder.join("whole/small"));
    let script = "mkdir disk && mount -t tmpfs -o size=400k none disk || exit 9\n\
                  run disk > first; echo code $?; tail -1 first; ls disk/small/tmp\n\
                  mount -o remount,size=40m disk; run disk > second; echo code $?; cp -r disk/small copy";
    let Some(said) = with_mounts(script, &folder) else { return };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (3, "code 1", "code 0"), "{said}");
    assert!(lines[1].contains("no space left") && lines[1].contains("the same command goes on"), "{said}");
    let kept = lines[1].split("stopped after ").nth(1).unwrap().split(' ').next().unwrap();
    assert!((1..20).contains(&kept.parse::<u32>().unwrap()), "{said}");
    assert_same(&folder.join("copy"), &expected, "after a full disk");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_unless_there_is_nothing_to_write() {
    let (folder, file) = small("readonly", 500, 1);
    errors(&finish(&file, &folder.join("done"), &[]), 0);
    std::fs::create_dir_all(folder.join("empty")).unwrap();
    let script = "for disk in empty done; do mount --bind $disk $disk && mount -o remount,bind,ro $disk || exit 9; done\n\
                  run empty > first; echo code $?; tail -1 first; run done > second; echo code $?";
    let Some(said) = with_mounts(script, &folder) else { return };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (3, "code 2", "code 0"), "{said}");
    assert!(lines[1].starts_with("error: empty/small") && lines[1].contains("read-only"), "{said}");
}
