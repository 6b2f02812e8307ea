//! Whatever happens to a stored file, it is named, made again, or does no harm; whatever a folder of somebody else says, nothing
//! is written outside of what was asked for.

#![cfg(unix)] // links and pipes
use crate::program::experiment::{assert_same, bytes, errors, finish, small};
use crate::program::{out, path, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a command says on stderr, after its exit code was checked.
fn said(args: &[&str], code: i32) -> String {
    errors(&run(args), code)
}

/// Every file below a folder, from the folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap().to_string();
        if entry.is_dir() {
            found.extend(files(&entry).into_iter().map(|below| format!("{name}/{below}")))
        } else {
            found.push(name)
        }
    }
    found.sort();
    found
}

/// An experiment of two learners on a model in a file, stored.
fn stored(test: &str) -> (PathBuf, String, PathBuf) {
    let (folder, file) = small(test, 300, 2);
    let model = "cost heat <= 0.25\nstate cool\n  rest -> cool\n  work reward 2 -> cool 0.5, warm 0.5\n\
                 state warm\n  rest heat 1 -> cool\n  work reward 3 heat 1 -> warm\n";
    std::fs::write(folder.join("plant.cmdp"), model).unwrap();
    let text = "rounds = 300\nruns = 2\nseed = 3\n[env]\nfile = \"plant.cmdp\"\n[[learner]]\nname = \"psrl-lagrangian\"\n\
                eta = 0.1\n[[learner]]\nname = \"uniform\"\n";
    std::fs::write(&file, text).unwrap();
    errors(&finish(&file, &folder.join("out"), &[]), 0);
    let results = folder.join("out/small");
    (folder, file, results)
}

/// What can be made again from what is stored: no damage has to be told of.
const DERIVED: [&str; 4] = ["SHA256SUMS", "comparisons.csv", "curves.csv", "summary.csv"];

/// A way to damage a file.
type Way<'a> = (&'a str, &'a dyn Fn(&Path));

#[test]
fn every_damaged_file_is_named_and_made_again() {
    let (folder, file, results) = stored("every");
    let (expected, names) = (bytes(&results), files(&results));
    assert!(names.len() > 16 && names.contains(&"files/plant.cmdp".to_string()), "{names:?}");
    let change = |path: &Path| {
        let mut bytes = std::fs::read(path).unwrap();
        // A digit in the second half, which leaves the file readable.
        let at = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
        bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
        std::fs::write(path, bytes).unwrap();
    };
    let cut = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    };
    let empty = |path: &Path| std::fs::write(path, "").unwrap();
    let remove = |path: &Path| std::fs::remove_file(path).unwrap();
    let pipe = |path: &Path| {
        std::fs::remove_file(path).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let link = |path: &Path| {
        let elsewhere = folder.join("elsewhere");
        std::fs::rename(path, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, path).unwrap();
    };
    let ways: [Way; 6] = [
        ("changed", &change),
        ("cut", &cut),
        ("emptied", &empty),
        ("removed", &remove),
        ("a pipe", &pipe),
        ("a link", &link),
    ];
    let folder_name = results.to_str().unwrap();
    for name in names.iter().filter(|name| !DERIVED.contains(&name.as_str())) {
        // Every way for one file of each kind, one way for the others.
        let ways = if name.contains("001") || name.contains("uniform") { &ways[..1] } else { &ways[..] };
        for (what, way) in ways {
            if !results.join(name).exists() {
                break; // a session that was removed is not made again
            }
            way(&results.join(name));
            // What no file tells of is not missed: a run that is not stored, a session.
            let harmless =
                *what == "removed" && ["trials", "sessions"].iter().any(|kind| name.starts_with(kind));
            let text = said(&["stats", folder_name], i32::from(!harmless));
            assert!(harmless || text.contains(name.as_str()), "{name} {what}: {text}");
            if matches!(*what, "changed" | "removed") {
                let code = run(&["report", folder_name]).status.code();
                assert_eq!(code, Some(i32::from(!harmless)), "{name} {what}");
            }
            let text = errors(&finish(&file, &folder.join("out"), &[]), 0);
            assert!(harmless || text.contains(&format!("{name} is damaged (")), "{name} {what}: {text}");
            said(&["stats", folder_name], 0);
            for written in ["index.html", "figures"] {
                let path = results.join(written);
                let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
            }
            assert_same(&results, &expected, &format!("{name} {what}"));
        }
    }
    let mut check = Command::new("sha256sum");
    check.args(["--check", "--strict", "--quiet", "SHA256SUMS"]).current_dir(&results);
    assert!(check.status().unwrap().success(), "sha256sum agrees");
    let listed = std::fs::read_to_string(results.join("SHA256SUMS")).unwrap().lines().count();
    assert_eq!(listed, files(&results).len() - DERIVED.len());
}

#[test]
fn swapped_files_are_named() {
    let (_, _, results) = stored("swapped");
    let names = files(&results);
    let name = results.to_str().unwrap();
    for kind in ["trials/", "timings/", "policies/"] {
        let of_kind: Vec<&String> = names.iter().filter(|name| name.starts_with(kind)).collect();
        let [one, other] = [of_kind[0], of_kind[of_kind.len() - 1]].map(|name| results.join(name));
        let swap = || {
            let spare = results.join("spare");
            std::fs::rename(&one, &spare).unwrap();
            std::fs::rename(&other, &one).unwrap();
            std::fs::rename(&spare, &other).unwrap();
        };
        swap();
        let text = said(&["stats", name], 1);
        assert!(text.contains(kind), "{text}");
        swap();
        said(&["stats", name], 0);
    }
    // A table and its receipt together are those of another run all the same.
    for kind in ["trials", "timings"] {
        let of = |run: &str| results.join(kind).join("uniform").join(run);
        std::fs::copy(of("000.csv"), of("001.csv")).unwrap();
    }
    let text = said(&["stats", name], 1);
    assert!(
        text.contains("timings/uniform/001.csv (it was written for another run or other settings)"),
        "{text}"
    );
}

#[test]
fn a_stray_file_is_named_and_not_counted() {
    let (folder, file, results) = stored("stray");
    let expected = out(&["stats", results.to_str().unwrap()]);
    std::fs::copy(results.join("trials/uniform/001.csv"), results.join("trials/uniform/7.csv")).unwrap();
    std::fs::create_dir(results.join("trials/nobody")).unwrap();
    let output = run(&["stats", results.to_str().unwrap()]);
    let text = errors(&output, 0);
    assert!(
        text.contains("trials/uniform/7.csv is left out") && text.contains("trials/nobody is left out"),
        "{text}"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    let text = errors(&finish(&file, &folder.join("out"), &[]), 0);
    assert!(text.contains("trials/uniform/7.csv is left out"), "{text}");
}

/// Changes a manifest and gives it a checksum that fits, as somebody who means harm would.
fn forge(results: &Path, change: impl FnOnce(&mut Value)) {
    let path = results.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    let settings: String =
        manifest["settings"].as_array().unwrap().iter().fold(String::new(), |text, pair| {
            text + &format!("{} = {}\n", pair[0].as_str().unwrap(), pair[1].as_str().unwrap())
        });
    manifest["hash"] = sha256(settings.as_bytes()).into();
    manifest.as_object_mut().unwrap().remove("checksum");
    let text = serde_json::to_string_pretty(&manifest).unwrap();
    let hash = sha256(format!("{text}\n").as_bytes());
    let body = text.strip_suffix("\n}").unwrap();
    std::fs::write(&path, format!("{body},\n  \"checksum\": \"sha256:{hash}\"\n}}\n")).unwrap();
}

fn sha256(bytes: &[u8]) -> String {
    use std::io::Write;
    let mut child = Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()[..64].to_string()
}

/// What is said of a changed manifest, and the change.
type Lie<'a> = (&'a str, Box<dyn Fn(&mut Value) + 'a>);

#[test]
fn a_manifest_of_somebody_else_is_held_to_what_can_be() {
    let (folder, _, results) = stored("stranger");
    let whole = std::fs::read(results.join("manifest.json")).unwrap();
    let rename = |manifest: &mut Value, label: &str| {
        let old = manifest["learners"][1]["label"].as_str().unwrap().to_string();
        manifest["learners"][1]["label"] = label.into();
        for pair in manifest["settings"].as_array_mut().unwrap() {
            pair[0] = pair[0].as_str().unwrap().replace(&format!(".{old}."), &format!(".{label}.")).into();
        }
    };
    let setting = |manifest: &mut Value, key: &str, value: &str| {
        let pairs = manifest["settings"].as_array_mut().unwrap();
        pairs.iter_mut().find(|pair| pair[0] == key).unwrap()[1] = value.into();
    };
    let cases: Vec<Lie> = vec![
        ("learners.label is `../../outside`", Box::new(|m| rename(m, "../../outside"))),
        ("learners.label is `/tmp/outside`", Box::new(|m| rename(m, "/tmp/outside"))),
        ("two learners are called PSRL-Lagrangian", Box::new(|m| rename(m, "PSRL-Lagrangian"))),
        ("name is `../outside`", Box::new(|m| m["name"] = "../outside".into())),
        ("name is ``", Box::new(|m| m["name"] = "".into())),
        ("files has `../plant.cmdp`", Box::new(|m| m["files"][0]["name"] = "../plant.cmdp".into())),
        (
            "environment.budgets has 0 numbers for 1 costs",
            Box::new(|m| m["environment"]["budgets"] = Vec::<f64>::new().into()),
        ),
        ("environment.budgets has 1e308", Box::new(|m| m["environment"]["budgets"][0] = 1e308.into())),
        (
            "baseline.fast has 2 costs, expected 1",
            Box::new(|m| m["baseline"]["fast"]["costs"] = vec![0.0, 1.0].into()),
        ),
        ("baseline.optimal has 1e308", Box::new(|m| m["baseline"]["optimal"]["reward"] = 1e308.into())),
        (
            "rounds is 1000000000000000000",
            Box::new(|m| {
                m["rounds"] = 1_000_000_000_000_000_000u64.into();
                setting(m, "rounds", "1000000000000000000");
            }),
        ),
        ("windows is 0", Box::new(|m| m["windows"] = vec![0].into())),
        ("runs is 0", Box::new(|m| m["runs"] = 0.into())),
        ("learners is empty", Box::new(|m| m["learners"] = Vec::<Value>::new().into())),
        ("`rounds` is `301`, which its settings do not say", Box::new(|m| m["rounds"] = 301.into())),
        ("expected f64", Box::new(|m| m["baseline"]["fast"]["reward"] = Value::Null)),
    ];
    let (name, target) = (path(&folder, "out/small"), path(&folder, "united"));
    for (expected, change) in &cases {
        std::fs::write(results.join("manifest.json"), &whole).unwrap();
        forge(&results, change);
        for args in [vec!["stats", &name], vec!["report", &name], vec!["merge", &name, "--out", &target]] {
            let text = said(&args, 1);
            assert!(text.contains("manifest.json") && text.contains(expected), "{expected}: {text}");
            assert_eq!(text.lines().count(), 1, "{text}");
        }
    }
    assert!(!folder.join("united").exists() && !folder.join("outside").exists());
    // Other settings than those of its hash.
    let mut manifest: Value = serde_json::from_slice(&whole).unwrap();
    manifest["sessions"] = vec![serde_json::json!({ "version": "0", "revision": "0", "host": "h", "jobs": 1, "started": "", "ended": null })].into();
    manifest.as_object_mut().unwrap().remove("checksum");
    setting(&mut manifest, "seed", "4");
    std::fs::write(results.join("manifest.json"), manifest.to_string()).unwrap();
    assert!(said(&["stats", &name], 1).contains("its hash is not that of its settings"));
}

#[test]
fn nothing_is_written_through_a_link() {
    let (folder, file, results) = stored("through");
    let name = results.to_str().unwrap();
    let outside = folder.join("outside");
    std::fs::create_dir(&outside).unwrap();
    let link = |below: &str| std::os::unix::fs::symlink(&outside, results.join(below)).unwrap();
    link("figures");
    assert!(said(&["report", name], 2).contains("figures: it is not a folder"));
    std::fs::remove_file(results.join("figures")).unwrap();
    link("index.html");
    assert!(said(&["report", name], 2).contains("index.html: there is something that is no ordinary file"));
    std::fs::remove_dir_all(results.join("trials")).unwrap();
    link("trials");
    assert!(said(&["stats", name], 1).contains("trials: it is a link, expected a folder"));
    let output = finish(&file, &folder.join("out"), &[]);
    assert!(!output.status.success());
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn merging_leaves_out_what_is_damaged_and_says_so() {
    let (folder, _, results) = stored("left-out");
    let trial = results.join("trials/uniform/001.csv");
    let text = std::fs::read_to_string(&trial).unwrap();
    std::fs::write(&trial, text.replacen("\n1,", "\n1,7", 1)).unwrap();
    let (part, target) = (path(&folder, "out/small"), path(&folder, "united"));
    let output = run(&["merge", &part, "--out", &target]);
    let text = errors(&output, 1);
    assert!(
        text.contains("left out because they are damaged: ") && text.contains("uniform/001.csv ("),
        "{text}"
    );
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("3 runs copied into "));
    said(&["stats", &target], 0);
}

/// Makes of a folder one that the first programs would have written: no checksums but those of trials.
fn as_it_was_first(results: &Path) {
    let path = results.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for name in files(&results.join("sessions")) {
        let mut session: Value =
            serde_json::from_slice(&std::fs::read(results.join("sessions").join(name)).unwrap()).unwrap();
        for key in ["settings", "runs", "checksum"] {
            session.as_object_mut().unwrap().remove(key);
        }
        manifest["sessions"] = vec![session].into();
    }
    for key in ["experiment", "files", "checksum"] {
        manifest.as_object_mut().unwrap().remove(key);
    }
    std::fs::write(&path, serde_json::to_string_pretty(&manifest).unwrap() + "\n").unwrap();
    std::fs::remove_dir_all(results.join("sessions")).unwrap();
    for name in files(&results.join("timings")) {
        let path = results.join("timings").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().map(|line| line.split(',').take(5).collect::<Vec<_>>().join(",") + "\n");
        std::fs::write(&path, first.collect::<String>()).unwrap();
    }
}

#[test]
fn folders_of_the_first_programs_are_read_continued_and_merged_with_a_note() {
    let (folder, file, results) = stored("first");
    let expected = bytes(&results);
    as_it_was_first(&results);
    let name = results.to_str().unwrap();
    let text = said(&["stats", name], 0);
    assert!(text.starts_with("note: 4 runs in ") && text.lines().count() == 1, "{text}");
    said(&["report", name], 0);
    let runs = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, runs.replace("runs = 2", "runs = 3")).unwrap();
    let text = errors(&finish(&file, &folder.join("out"), &[]), 0);
    assert!(text.starts_with("note: 4 runs in "), "{text}");
    let found: BTreeMap<String, Vec<u8>> = bytes(&results);
    assert_eq!(found.keys().filter(|name| name.starts_with("trials/")).count(), 6);
    assert!(
        expected
            .iter()
            .filter(|(name, _)| name.starts_with("trials/"))
            .all(|(name, bytes)| &found[name] == bytes)
    );
    // Together with a folder of the present program, whichever comes first.
    std::fs::write(&file, runs).unwrap();
    errors(&finish(&file, &folder.join("new"), &["--runs", "0..1"]), 0);
    let new = path(&folder, "new/small");
    for (target, parts) in [("a", [name, &new]), ("b", [&new, name])] {
        let target = path(&folder, target);
        let text = out(&["merge", parts[0], parts[1], "--out", &target]);
        assert!(text.starts_with("6 runs copied into "), "{text}");
        assert!(said(&["stats", &target], 0).starts_with("note: "));
    }
    // A changed digit is seen by the hash in the times.
    let trial = results.join("trials/uniform/001.csv");
    let text = std::fs::read_to_string(&trial).unwrap();
    std::fs::write(&trial, text.replacen("\n1,", "\n1,7", 1)).unwrap();
    assert!(said(&["stats", name], 1).contains("trials/uniform/001.csv"));
}
