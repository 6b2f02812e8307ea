//! Experiment files: what they mean, and that every mistake is refused with its file, line, key and what would be right.
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::papers::provodin2022::Preset;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of its own for each call.
fn folder() -> PathBuf {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("occupancy-files-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn read(text: &str) -> occupancy_lab::Result<Vec<Experiment>> {
    let folder = folder();
    std::fs::write(folder.join("trip.toml"), text).unwrap();
    let found = Experiment::read(folder.join("trip.toml"), &Catalogue::standard());
    std::fs::remove_dir_all(&folder).unwrap();
    found
}

fn one(text: &str) -> Experiment {
    let mut found = read(text).unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// What is said about a text, without the folder.
fn refused(text: &str) -> String {
    let error = read(text).unwrap_err().to_string();
    error.split_once("trip.toml: ").unwrap_or_else(|| panic!("no file in {error}")).1.to_string()
}

const WHOLE: &str = "\
rounds = 9_000
runs = 10
preset = \"published\"
[env]
name = \"marsrover-4x4\"
[[learner]]
name = \"cucrl-optimistic\"
";

fn options(experiment: &Experiment, place: usize) -> Vec<(String, String)> {
    let options = experiment.learners[place].config.infos();
    options.into_iter().map(|info| (info.name.to_string(), info.value)).collect()
}

#[test]
fn a_file_says_little_and_the_preset_the_rest() {
    let found = one(WHOLE);
    assert_eq!((found.name.as_str(), found.rounds, found.runs, found.seed), ("trip", 9000, 10, 0));
    assert_eq!((found.windows.as_slice(), found.preset), (&[1000][..], Some("published")));
    let published = Preset::Published.learner("cucrl-optimistic", "marsrover-4x4", 9000).unwrap();
    assert_eq!(*found.learners[0].config, *published);
    let slip = ("env.slip".to_string(), "0".to_string());
    assert!(found.environment.settings().contains(&slip));
    assert!(found.environment.settings().contains(&("env.bump_cost".to_string(), "false".to_string())));
}

#[test]
fn what_is_given_wins_over_the_preset() {
    let text = WHOLE.replace("4x4\"\n", "4x4\"\nslip = 0.25\nbudget = inf\n");
    let found =
        one(&format!("{text}coef = 3\nclip = true\nunvisited_reward = -0.5\nunvisited_cost = \"best\"\n"));
    let built = found.build().unwrap();
    assert_eq!((built.model.budgets(), built.name.as_str()), (&[f64::INFINITY][..], "marsrover-4x4"));
    for (key, value) in
        [("coef", "3"), ("clip", "true"), ("unvisited_reward", "-0.5"), ("unvisited_cost", "best")]
    {
        assert!(options(&found, 0).contains(&(key.to_string(), value.to_string())), "{key}");
    }
    assert!(found.environment.settings().contains(&("env.slip".to_string(), "0.25".to_string())));
}

#[test]
fn a_list_is_one_learner_each_in_every_combination() {
    let found = one(&format!("{WHOLE}coef = [0.01, 0.5]\noff_support = [\"pinned\", \"first\"]\n"));
    let labels: Vec<&str> = found.learners.iter().map(|learner| learner.label.as_str()).collect();
    let expected = [
        "cucrl-optimistic+coef=0.01+off_support=pinned",
        "cucrl-optimistic+coef=0.01+off_support=first",
        "cucrl-optimistic+coef=0.5+off_support=pinned",
        "cucrl-optimistic+coef=0.5+off_support=first",
    ];
    assert_eq!(labels, expected);
    assert!(options(&found, 3).contains(&("coef".to_string(), "0.5".to_string())));
}

#[test]
fn a_list_in_the_environment_is_one_experiment_each_but_lists_of_budgets_are_lists() {
    let text = WHOLE.replace("marsrover-4x4\"", "box\"\nstates = [\"all\", \"reachable\"]");
    let found = read(&text).unwrap();
    let names: Vec<&str> = found.iter().map(|experiment| experiment.name.as_str()).collect();
    assert_eq!(names, ["trip+states=all", "trip+states=reachable"]);
    assert_eq!(found[0].build().unwrap().model.states(), 121);
    assert_ne!(found[0].hash(), found[1].hash());
    let queue = WHOLE.replace("marsrover-4x4\"", "queue\"\nbudget = [1, 0.5]");
    assert_eq!(one(&format!("{queue}coef = 1\n")).build().unwrap().model.budgets(), [1.0, 0.5]);
    let both = queue.replace("[1, 0.5]", "[[1, 0.5], [2, 2]]");
    assert_eq!(read(&format!("{both}coef = 1\n")).unwrap().len(), 2);
}

#[test]
fn every_mistake_is_refused_with_its_line_and_what_would_be_right() {
    let with = |from: &str, to: &str| refused(&WHOLE.replace(from, to));
    let whole = "a whole number from 1 to 1000000000000";
    assert_eq!(with("9_000", "\"9000\""), format!("line 1: rounds is the text \"9000\", expected {whole}"));
    assert_eq!(with("9_000", "0"), format!("line 1: rounds is 0, expected {whole}"));
    assert_eq!(with("9_000", "-3"), format!("line 1: rounds is -3, expected {whole}"));
    assert_eq!(with("9_000", "9e3"), format!("line 1: rounds is 9e3, expected {whole}"));
    assert_eq!(with("runs = 10\n", ""), "line 1: runs is missing: how often each learner is run");
    let keys = "name, title, description, rounds, episodes, criterion, runs, seed, windows, values, preset, env, learner";
    assert_eq!(with("runs", "\nrounbs = 1\nruns"), format!("line 3: unknown key rounbs; known: {keys}"));
    let presets = "expected published, paper, sound, theory";
    assert_eq!(with("published", "best"), format!("line 3: preset is the text \"best\", {presets}"));
    assert_eq!(
        with("[env]\nname = \"marsrover-4x4\"\n", ""),
        "line 1: [env] is missing: the environment, by name or file"
    );
    assert!(
        with("marsrover-4x4", "maze").starts_with("line 5: unknown environment maze; known: marsrover-4x4,")
    );
    assert!(
        with("cucrl-optimistic", "ucrl")
            .starts_with("line 7: unknown learner ucrl; known: psrl-transitions,")
    );
    assert_eq!(
        with("4x4\"\n", "4x4\"\nslp = 0.1\n"),
        "line 6: unknown key slp in [env]; known: name, horizon, slip, budget, bump_cost"
    );
    let slip = "expected a number from 0 to 1";
    assert_eq!(with("4x4\"\n", "4x4\"\nslip = 1.5\n"), format!("line 6: slip is 1.5, {slip}"));
    assert_eq!(
        with("4x4\"\n", "4x4\"\nslip = \"0.1\"\n"),
        format!("line 6: slip is the text \"0.1\", {slip}")
    );
    assert_eq!(with("4x4\"\n", "4x4\"\nslip = [0.1, 2]\n"), format!("line 6: slip is 2, {slip}"));
    assert_eq!(with("4x4\"\n", "4x4\"\nbump_cost = 1\n"), "line 6: bump_cost is 1, expected true or false");
    assert!(
        with("4x4\"\n", "4x4\"\nslip = []\n").contains("line 6: slip is an empty list, expected a number")
    );
    let learner = |more: &str| refused(&format!("{WHOLE}{more}\n"));
    assert_eq!(learner("coef = true"), "line 8: coef is true, expected a number from 0 to 1e6");
    assert_eq!(learner("coef = [0.1, -1]"), "line 8: coef is -1, expected a number from 0 to 1e6");
    assert_eq!(
        learner("unvisited_reward = \"0.5\""),
        "line 8: unvisited_reward is the text \"0.5\", expected a number, or best"
    );
    assert_eq!(learner("clip = \"true\""), "line 8: clip is the text \"true\", expected true or false");
    assert!(
        learner("eta = 1")
            .starts_with("line 8: cucrl-optimistic has no option eta; its options: name, label,")
    );
    assert!(
        learner("label = \"a/b\"")
            .starts_with("line 8: label is the text \"a/b\", expected a name of letters")
    );
    assert_eq!(
        learner("[[learner]]\nname = \"cucrl-optimistic\""),
        "line 8: two learners are called cucrl-optimistic; give one of them a label of its own"
    );
    assert!(learner("coef = [1, 1]").contains("two learners are called cucrl-optimistic+coef=1;"));
    assert!(
        learner("coef = 1\ncoef = 2").starts_with("line 9: duplicate key"),
        "{}",
        learner("coef = 1\ncoef = 2")
    );
    assert!(with("runs = 10", "runs = ").starts_with("line 2: "), "{}", with("runs = 10", "runs = "));
    assert!(
        with("[[learner]]", "[learner]")
            .contains("learner is a table, expected tables, each written as [[learner]]")
    );
}

#[test]
fn what_the_preset_does_not_have_is_asked_for() {
    let text = WHOLE.replace("marsrover-4x4", "river-swim");
    assert_eq!(
        refused(&text),
        "line 6: cucrl-optimistic needs a value of coef here (The bonus or radius is multiplied by this.): a number from 0 to 1e6"
    );
    assert_eq!(one(&format!("{text}coef = 0.5\n")).windows, [900]);
}

#[test]
fn windows_that_would_fill_the_disk_are_refused() {
    let text = WHOLE.replace("9_000", "100_000_000").replace("runs", "windows = [7]\nruns");
    assert_eq!(
        refused(&text),
        "line 2: windows with the greatest common divisor 7 make 14285714 recorded steps, at most 200000 are \
         supported; choose windows that are multiples of 500"
    );
    assert_eq!(one(&text.replace("[7]", "[500, 1000]")).grid().steps().len(), 200_008);
    let over = WHOLE.replace("runs", "windows = [9001]\nruns");
    assert_eq!(refused(&over), "line 2: windows is 9001, expected a whole number from 1 to 9000");
}

#[test]
fn files_are_found_beside_the_experiment_and_known_by_their_content() {
    let folder = folder();
    std::fs::create_dir_all(folder.join("maps")).unwrap();
    std::fs::write(folder.join("maps/way.map"), "SPG").unwrap();
    let text = WHOLE.replace("name = \"marsrover-4x4\"", "file = \"maps/way.map\"\nslip = 0.1\nbudget = 0.5");
    std::fs::write(folder.join("trip.toml"), format!("{text}coef = 1\n")).unwrap();
    let read = || Experiment::read(folder.join("trip.toml"), &Catalogue::standard()).unwrap().remove(0);
    let first = read();
    assert_eq!((first.build().unwrap().model.states(), first.environment.name.as_str()), (3, "way"));
    std::fs::write(folder.join("maps/way.map"), "SPPG").unwrap();
    assert_ne!(read().hash(), first.hash());
    std::fs::remove_file(folder.join("maps/way.map")).unwrap();
    let error = Experiment::read(folder.join("trip.toml"), &Catalogue::standard()).unwrap_err().to_string();
    assert!(error.contains("trip.toml: line 5: ") && error.contains("way.map: "), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_hash_is_about_what_the_results_depend_on() {
    let hash = |text: &str| one(text).hash();
    let same = [
        WHOLE.replace("runs = 10", "runs = 500"),
        WHOLE.replace("rounds", "# a remark\nname = \"other\"\nrounds"),
        WHOLE.replace("[env]", "seed = 0\nwindows = 1000\n[env]"),
        format!("{WHOLE}coef = 1e-2\n"),
    ];
    for text in same {
        assert_eq!(hash(&text), hash(WHOLE), "{text}");
    }
    let other = [
        WHOLE.replace("9_000", "9_001"),
        WHOLE.replace("[env]", "seed = 1\n[env]"),
        WHOLE.replace("[env]", "windows = [1000, 500]\n[env]"),
        WHOLE.replace("published", "paper"),
        format!("{WHOLE}coef = 0.02\n"),
        format!("{WHOLE}label = \"mine\"\n"),
        format!("{WHOLE}[[learner]]\nname = \"uniform\"\n"),
    ];
    for text in other {
        assert_ne!(hash(&text), hash(WHOLE), "{text}");
    }
    // When the hash of a fixed file changes, folders of results are no longer recognised. This one is what `sha256sum` says
    // of the lines `key = value` of its settings, written by hand.
    assert_eq!(hash(WHOLE), "be812f58e18503051da4290801bdb9c4514fead18929dbcc3fa6983e61898fae");
}

#[test]
fn the_experiments_of_the_project_can_be_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut found = 0;
    for folder in [root.clone(), root.join("provodin2022")] {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.extension().is_some_and(|ending| ending == "toml") {
                let experiments = Experiment::read(&entry, &Catalogue::standard())
                    .unwrap_or_else(|error| panic!("{error}"));
                experiments.iter().for_each(|experiment| assert!(experiment.build().is_ok()));
                found += 1;
            }
        }
    }
    assert!(found >= 11, "{found}");
}

/// A value of TOML, of any type.
fn value() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        any::<i64>().prop_map(|x| x.to_string()),
        any::<f64>().prop_map(|x| format!("{x:e}").replace("NaN", "nan")),
        any::<bool>().prop_map(|x| x.to_string()),
        "[a-z0-9.:-]{0,12}".prop_map(|x| format!("\"{x}\"")),
        Just("1979-05-27".to_string()),
        Just("{ a = 1 }".to_string()),
    ];
    let list = prop::collection::vec(scalar.clone(), 0..4).prop_map(|list| format!("[{}]", list.join(", ")));
    prop_oneof![3 => scalar, 1 => list]
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "name",
        "rounds",
        "runs",
        "seed",
        "windows",
        "preset",
        "slip",
        "budget",
        "states",
        "coef",
        "h",
        "eta",
        "epochs",
        "prior",
        "label",
        "unvisited_reward",
        "mixed",
        "file",
        "costs",
        "clip",
    ])
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_its_file(text in "\\PC{0,200}") {
        if let Err(error) = read(&text) {
            prop_assert!(error.to_string().contains("trip.toml: line "), "{}", error);
        }
    }

    /// Known keys with values of all types, anywhere.
    #[test]
    fn any_value_of_any_key_is_read_or_refused_with_its_line(
        top in prop::collection::vec((key(), value()), 0..3),
        env in prop::collection::vec((key(), value()), 0..3),
        learner in prop::collection::vec((key(), value()), 0..3),
    ) {
        let lines = |entries: &[(&str, String)]| {
            entries.iter().map(|(key, value)| format!("{key} = {value}\n")).collect::<String>()
        };
        let text = format!(
            "rounds = 50\n{}[env]\nname = \"box\"\n{}[[learner]]\nname = \"cucrl-conservative\"\n{}",
            lines(&top), lines(&env), lines(&learner)
        );
        match read(&text) {
            Ok(experiments) => {
                prop_assert!(!experiments.is_empty());
                for experiment in experiments {
                    prop_assert!(experiment.rounds >= 1 && !experiment.learners.is_empty());
                    prop_assert_eq!(experiment.hash().len(), 64);
                }
            }
            Err(error) => {
                let said = error.to_string();
                prop_assert!(said.contains("trip.toml: line ") && !said.contains('\n'), "{}", said);
            }
        }
    }

    /// Sweeps have as many learners as combinations, all of different names and settings.
    #[test]
    fn sweeps_are_complete(coefs in prop::collection::btree_set(1u32..1000, 1..5), rules in 1usize..4) {
        let rules = ["\"pinned\"", "\"uniform\"", "\"first\""][..rules].join(", ");
        let coefs: Vec<String> = coefs.iter().map(|x| format!("{}", f64::from(*x) / 64.0)).collect();
        let found = one(&format!("{WHOLE}coef = [{}]\noff_support = [{rules}]\n", coefs.join(", ")));
        prop_assert_eq!(found.learners.len(), coefs.len() * rules.split(',').count());
        for (i, learner) in found.learners.iter().enumerate() {
            prop_assert!(found.learners[..i].iter().all(|other| other.label != learner.label));
            prop_assert!(found.learners[..i].iter().all(|other| *other.config != *learner.config));
        }
    }
}

#[test]
fn a_control_character_is_written_out_in_messages() {
    let said = refused(&format!("\"a\\nb\" = 1\n{WHOLE}"));
    assert!(said.starts_with("line 1: unknown key a\\nb; known: name,"), "{said}");
    let said = refused(&WHOLE.replace("marsrover-4x4", "mars\\nrover"));
    assert!(said.starts_with("line 5: unknown environment mars\\nrover; known: "), "{said}");
}

#[test]
fn sweeps_without_measure_are_refused() {
    let values =
        |count: usize| (1..=count).map(|n| format!("{}", n as f64 / 4096.0)).collect::<Vec<_>>().join(", ");
    let sweep = format!("{WHOLE}coef = [{}]\ndelta = [0.1, 0.2]\nclip = [true, false]\n", values(2501));
    assert_eq!(refused(&sweep), "line 6: more than 10000 combinations of values are not supported");
    let slips = WHOLE.replace("4x4\"\n", &format!("4x4\"\nslip = [{}]\n", values(101)));
    let said = refused(&format!("{slips}coef = [{}]\n", values(100)));
    assert_eq!(said, "line 7: more than 10000 learners in all experiments are not supported");
}

#[test]
fn a_value_that_a_list_has_twice_is_refused() {
    let said = refused(&WHOLE.replace("4x4\"\n", "4x4\"\nslip = [0.1, 0.1]\n"));
    assert_eq!(said, "line 4: two experiments are called trip+slip=0.1; a list has every value once");
}

#[test]
fn names_too_long_for_files_are_refused() {
    let label = "x".repeat(150);
    let swept = "coef = [0.015625, 0.5]\ndelta = [0.1, 0.2]\noff_support = [\"uniform\", \"first\"]\n";
    let learner = format!("{WHOLE}label = \"{label}\"\n{swept}");
    let names: Vec<usize> = one(&learner).learners.iter().map(|learner| learner.label.len()).collect();
    assert_eq!(names.iter().max(), Some(&(150 + "+coef=0.015625+delta=0.1+off_support=uniform".len())));
    let said = refused(&format!("{learner}unvisited_kernel = [\"self-loop\", \"fresh\"]\n"));
    let name = format!("{label}+coef=0.015625+delta=0.1+off_support=uniform+unvisited_kernel=self-loop");
    let expected =
        format!("line 6: a sweep makes the name {name}, of 221 characters; at most 220 can name files");
    assert_eq!(said, expected);
}
