//! Experiments from the command line: what is said, what is stored, and what is kept apart.

use crate::program::experiment::{assert_same, bytes, errors, finish, small};
use crate::program::{folder, json, out, path, refused, run};
use serde_json::Value;

#[test]
fn the_smoke_experiment_runs_and_its_files_are_plain_tables() {
    let folder = folder("smoke");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/smoke.toml");
    let text = out(&["run", file, "--out", folder.to_str().unwrap()]);
    assert!(text.contains("optimal  -0.775   0.2\n") && text.contains("fast      -0.75  0.25\n"), "{text}");
    let results = folder.join("smoke");
    let table = |name: &str| std::fs::read_to_string(results.join(name)).unwrap();
    let trial = table("trials/psrl-transitions/003.csv");
    let head = "step,reward,cost_0,shortfall,excess_0,epochs,infeasible,multichain";
    assert_eq!(trial.lines().next(), Some(head));
    assert!(trial.lines().skip(1).all(|line| line.split(',').all(|cell| cell.parse::<f64>().is_ok())));
    assert_eq!(trial.lines().last().and_then(|line| line.split(',').next()), Some("2000"));
    let described = "runs,mean,sd,q05,q25,median,q75,q95,low,high";
    assert!(table("summary.csv").starts_with(&format!("learner,quantity,{described}\n")));
    assert!(table("curves.csv").starts_with(&format!("learner,quantity,window,step,{described}\n")));
    assert!(table("comparisons.csv").starts_with("learner,other,quantity,difference,low,high\n"));
    assert!(table("policies/oracle.csv").starts_with("epoch,step,pair,state,action,probability,price_0\n"));
    let manifest: Value = serde_json::from_str(&table("manifest.json")).unwrap();
    assert_eq!((&manifest["runs"], &manifest["seed"]), (&4.into(), &1.into()));
    assert!((manifest["baseline"]["optimal"]["reward"].as_f64().unwrap() + 0.775).abs() < 1e-9);
    let session = std::fs::read_dir(results.join("sessions")).unwrap().next().unwrap().unwrap().path();
    let session: Value = serde_json::from_slice(&std::fs::read(session).unwrap()).unwrap();
    assert_eq!(
        (&session["version"], &session["settings"]),
        (&env!("CARGO_PKG_VERSION").into(), &manifest["hash"])
    );
    assert!(session["ended"].is_string() && manifest["hash"].as_str().unwrap().len() == 64);
    assert_eq!(
        std::fs::read_to_string(results.join("experiment.toml")).unwrap(),
        std::fs::read_to_string(file).unwrap()
    );
}

#[test]
fn learners_are_compared_with_the_reference_and_the_best_unless_all_pairs_are_asked_for() {
    let (folder, file) = small("compared", 300, 2);
    out(&["run", &file, "--out", folder.to_str().unwrap()]);
    let results = path(&folder, "small");
    let pairs = || {
        let text = std::fs::read_to_string(folder.join("small/comparisons.csv")).unwrap();
        let pair = |line: &str| line.split(',').take(2).map(String::from).collect::<Vec<_>>();
        text.lines().skip(1).map(pair).collect::<std::collections::BTreeSet<_>>()
    };
    let (said, few) = (json(&["stats", &results, "--json"]), pairs());
    let (reference, best) = (said["reference"].as_str().unwrap(), said["best"].as_str().unwrap());
    assert_eq!(reference, "psrl-transitions", "the first, because there is no oracle");
    assert!(few.iter().all(|pair| pair[1] == reference || pair[1] == best), "{few:?}");
    assert_eq!(few.len(), if best == reference { 4 } else { 4 + 3 });
    let all = json(&["stats", &results, "--json", "--all-pairs"]);
    assert_eq!(pairs().len(), 10);
    assert_eq!(all["comparisons"].as_array().unwrap().len(), 10 * 4);
}

#[test]
fn a_dry_run_says_what_there_is_to_do_and_writes_nothing() {
    let (folder, file) = small("dry", 1000, 3);
    let results = path(&folder, "out");
    let text = out(&["run", &file, "--out", &results, "--dry-run", "--runs", "1..3"]);
    assert!(text.contains("\ncucrl-optimistic+coef=0.01       0      2\n"), "{text}");
    assert!(text.contains("nothing was run"), "{text}");
    assert!(!folder.join("out").exists());
}

#[test]
fn more_runs_continue_an_experiment_and_other_settings_are_kept_apart() {
    let (folder, file) = small("changed", 800, 2);
    let out = folder.join("out");
    errors(&finish(&file, &out, &["--plain"]), 0);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("runs = 2", "runs = 3")).unwrap();
    let output = finish(&file, &out, &["--plain"]);
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(said.contains("\n10 runs stored already in ") && said.contains(", 5 runs to do\n"), "{said}");
    assert_eq!(errors(&output, 0).lines().count(), 5);
    std::fs::write(&file, text.replace("rounds = 800", "rounds = 900").replace("seed = 3", "seed = 4"))
        .unwrap();
    let before = bytes(&out.join("small"));
    let said = errors(&finish(&file, &out, &[]), 2);
    assert!(said.contains("(rounds 800 there, 900 here; seed 3 there, 4 here)"), "{said}");
    assert!(said.contains("choose: --set-aside") && said.contains("--out DIR"), "{said}");
    assert_same(&out.join("small"), &before, "refused");
    errors(&finish(&file, &out, &["--set-aside"]), 0);
    assert_same(&out.join("small.old-1"), &before, "set aside");
    assert_ne!(bytes(&out.join("small")).keys().count(), before.keys().count());
}

#[test]
fn slices_are_united_to_the_bytes_of_the_whole() {
    let (folder, file) = small("slices", 800, 5);
    errors(&finish(&file, &folder.join("whole"), &[]), 0);
    for (name, slice) in [("a", "0..2"), ("b", "1..4"), ("c", "4..9")] {
        errors(&finish(&file, &folder.join(name), &["--runs", slice]), 0);
    }
    let [a, b, c] = ["a/small", "b/small", "c/small"].map(|name| path(&folder, name));
    let target = path(&folder, "united");
    let text = out(&["merge", &a, &b, &c, "--out", &target]);
    assert!(
        text.starts_with("25 runs copied into ") && text.ends_with("; 5 there already with the same bytes\n"),
        "{text}"
    );
    out(&["stats", &target]);
    assert_same(&folder.join("united"), &bytes(&folder.join("whole/small")), "united");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("seed = 3", "seed = 4")).unwrap();
    errors(&finish(&file, &folder.join("other"), &["--runs", "0..1"]), 0);
    let other = path(&folder, "other/small");
    let said = refused(&["merge", &target, &other]);
    assert!(said.contains("holds results of other settings (seed 4 there, 3 here)"), "{said}");
    // The same settings, but another number in a run: one of the two is wrong.
    let trial = folder.join("a/small/trials/psrl-transitions/000.csv");
    std::fs::write(&trial, std::fs::read_to_string(&trial).unwrap().replacen("\n1,-1,", "\n1,-2,", 1))
        .unwrap();
    std::fs::remove_dir_all(folder.join("a/small/timings")).unwrap();
    let said = refused(&["merge", &target, &a]);
    assert!(said.contains("have different results of one run: trials/psrl-transitions/000.csv"), "{said}");
    assert!(refused(&["merge", &a]).contains("give another DIR"));
    assert!(refused(&["merge", &path(&folder, "nothing"), &a]).contains("holds no results"));
}

#[test]
fn a_run_that_fails_does_not_stop_the_others_and_can_be_repeated_alone() {
    let (folder, file) = small("failing", 500, 2);
    std::fs::write(folder.join("weights.csv"), "state,action,successor,weight\nnowhere,up,r1c1,1\n").unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let learner =
        "[[learner]]\nname = \"psrl-transitions\"\nlabel = \"told\"\nprior = \"file:weights.csv\"\n";
    std::fs::write(&file, format!("{text}{learner}")).unwrap();
    let output = finish(&file, &folder.join("out"), &[]);
    let said = errors(&output, 1);
    assert!(said.contains("run 1 of told failed (seed 3): "), "{said}");
    let command = "  alone: occupancy learn marsrover-4x4 psrl-transitions --preset published --rounds 500 --window 50 \
                   --seed 3 --run 1 --set prior=file:";
    assert!(said.contains(command), "{said}");
    assert!(said.ends_with("error: 2 of 12 runs of small failed; the others are stored\n"), "{said}");
    let trials = bytes(&folder.join("out/small"));
    assert_eq!(trials.keys().filter(|name| name.starts_with("trials/")).count(), 10);
    // What failed is tried again, and nothing else.
    let said = errors(&finish(&file, &folder.join("out"), &[]), 1);
    assert!(said.ends_with("error: 2 of 2 runs of small failed; the others are stored\n"), "{said}");
}

#[test]
fn statistics_of_one_run_say_what_they_cannot_say() {
    let (folder, file) = small("one-run", 500, 1);
    let text = out(&["run", &file, "--out", &path(&folder, "out")]);
    assert!(text.contains("one run says nothing about how much runs differ"), "{text}");
    let text = out(&["stats", &path(&folder, "out/small")]);
    assert!(text.contains("too few runs"), "{text}");
    let found =
        json(&["stats", &path(&folder, "out/small"), "--json", "--tolerance", "0.5", "--level", "0.9"]);
    assert_eq!((&found["window"], &found["level"]), (&50.into(), &0.9.into()));
    let reward = &found["learners"][0]["quantities"]["reward"];
    assert!(reward["mean"].is_f64() && reward["sd"].is_null() && reward["interval"].is_null(), "{reward}");
}

#[test]
fn an_experiment_is_run_even_if_nobody_reads_what_it_says() {
    let (folder, file) = small("unread", 500, 2);
    let mut child = crate::program::experiment::start(&file, &folder.join("out"), &[]);
    drop(child.stdout.take());
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let trials = bytes(&folder.join("out/small"));
    assert_eq!(trials.keys().filter(|name| name.starts_with("trials/")).count(), 10);
}

#[test]
fn wrong_use_is_refused_in_one_line() {
    let (folder, file) = small("wrong", 500, 2);
    let results = path(&folder, "out");
    assert!(refused(&["run", &path(&folder, "none.toml")]).contains("none.toml: no such file"));
    assert!(refused(&["run", &file, "--runs", "5..2"]).contains("expected A..B"));
    assert!(refused(&["run", &file, "--runs", "5..9", "--out", &results]).contains("--runs begins with 5"));
    assert!(refused(&["run", &file, &file, "--out", &results]).contains("are both called small"));
    assert!(refused(&["run", &file, "--jobs", "0"]).contains("--jobs"));
    assert!(refused(&["stats", &results]).contains("holds no results"));
    std::fs::write(folder.join("bad.toml"), "rounds = 5\nruns = 1\nrun = 2\n").unwrap();
    let said = refused(&["run", &path(&folder, "bad.toml")]);
    assert!(said.contains("bad.toml: line 3: unknown key run; known: "), "{said}");
    assert!(!folder.join("out").exists());
    std::fs::create_dir_all(folder.join("out/small/trials/x")).unwrap();
    let output = run(&["run", &file, "--out", &results]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds runs but no manifest.json"));
}
