//! Models as tables, packed, from the standard input and with rounded numbers: what goes in and what comes out.

use crate::program::{TWO_ROOMS, TWO_ROOMS_TEXT, folder, json, out, path, refused, run, run_on};
use serde_json::Value;

/// The two rooms as a table.
const TABLE: &str = "# budget risk <= 0.5
state, action, next, probability, reward, risk
a, stay, a, 1, 1, 1
a, leave, b, 1, 0, 0
b, back, a, 1, 0, 0
";

/// The two rooms packed by `gzip -n`.
const PACKED: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 53, 140, 75, 10, 132, 64, 12, 68, 247, 125, 138, 130, 217, 6, 113, 22,
    238, 244, 48, 137, 6, 105, 90, 84, 218, 248, 153, 219, 79, 108, 17, 106, 241, 120, 84, 213, 7, 178, 15,
    163, 26, 114, 220, 18, 218, 14, 117, 213, 132, 205, 216, 148, 192, 189, 197, 101, 38, 204, 122, 25, 97,
    205, 139, 176, 196, 41, 218, 143, 144, 245, 228, 60, 80, 89, 5, 38, 248, 194, 173, 195, 247, 201, 237,
    38, 229, 195, 95, 164, 152, 218, 19, 28, 133, 251, 244, 22, 139, 251, 3, 0, 43, 62, 93, 129, 0, 0, 0,
];

fn answer(output: &std::process::Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_table_is_solved_as_its_text_is() {
    let folder = folder("tables/solve");
    let (table, text) = (path(&folder, "rooms.csv"), path(&folder, "rooms.cmdp"));
    std::fs::write(&table, TABLE).unwrap();
    std::fs::write(&text, TWO_ROOMS_TEXT).unwrap();
    let (of_table, of_text) = (json(&["solve", &table, "--json"]), json(&["solve", &text, "--json"]));
    assert_eq!((&of_table["gain"], &of_table["model_hash"]), (&of_text["gain"], &of_text["model_hash"]));
    assert_eq!(of_table["cost_names"][0], "risk");
    let free = json(&["solve", &table, "--cost", "risk=inf", "--json"]);
    assert!((free["gain"].as_f64().unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn what_is_exported_as_a_table_is_the_same_model() {
    let folder = folder("tables/export");
    let table = path(&folder, "queue.csv");
    out(&["export", "queue", "--csv", &table]);
    let (there, back) = (json(&["solve", "queue", "--json"]), json(&["solve", &table, "--json"]));
    assert_eq!((&there["model_hash"], &there["budgets"]), (&back["model_hash"], &back["budgets"]));
    let lower = out(&["export", "river-swim", "--cost", "effort>=0.2", "--csv", "-"]);
    assert!(
        lower.starts_with(
            "# budget effort >= 0.2\n# start 0 1\nstate,action,next,probability,reward,effort\n"
        )
    );
    let read = answer(&run_on(lower.as_bytes(), &["solve", "-", "--json"]));
    assert_eq!((&read["directions"][0], &read["budgets"][0]), (&">=".into(), &0.2.into()));
}

#[test]
fn the_standard_input_is_read_whatever_its_format_is() {
    let map = "S P G\n0 0 0\n";
    let drn = ["--reward", "pay", "--cost", "risk=0.5"];
    for (input, args, name) in [
        (TABLE, &[][..], "standard input"),
        (TWO_ROOMS_TEXT, &[], "standard input"),
        (TWO_ROOMS, &drn, "standard input"),
        (map, &["--budget", "0.2"], "standard input"),
        (TABLE, &["--format", "csv"], "standard input"),
    ] {
        let found = answer(&run_on(input.as_bytes(), &[&["solve", "-", "--json"], args].concat()));
        assert_eq!((&found["source"], &found["verdict"]), (&name.into(), &"optimal".into()), "{input}");
    }
    let wrong = run_on(TABLE.as_bytes(), &["solve", "-", "--format", "drn"]);
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(said.starts_with("error: standard input: line 1: unknown section `#`"), "{said}");
    assert_eq!(
        refused(&["solve", "box", "--format", "csv"]),
        "--format does not apply to box: it is an environment"
    );
    let learnt = run_on(TABLE.as_bytes(), &["learn", "-", "psrl-transitions", "--rounds", "50", "--json"]);
    assert_eq!(answer(&learnt)["rounds"], 50);
}

#[test]
fn a_format_that_the_name_does_not_say_can_be_given() {
    let folder = folder("tables/format");
    let nameless = path(&folder, "rooms");
    std::fs::write(&nameless, TABLE).unwrap();
    assert!(refused(&["solve", &nameless]).contains("the file's name does not say what it is"));
    assert_eq!(json(&["solve", &nameless, "--format", "csv", "--json"])["verdict"], "optimal");
}

#[test]
fn the_policy_goes_to_the_output_if_it_is_asked_to() {
    let output = run_on(TABLE.as_bytes(), &["solve", "-", "--policy", "-"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        (text.lines().next(), text.lines().count()),
        (Some("policy,weight,state,action,probability,occupancy"), 4)
    );
    assert!(output.stderr.is_empty());
    let output = run(&["solve", "river-swim", "--cost", "effort<=-1", "--policy", "-"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "no policy meets the budgets: this is the one that comes closest\n");
    let both = "--json and --policy - both write to stdout: give one of them a file";
    assert_eq!(refused(&["solve", "box", "--json", "--policy", "-"]), both);
}

#[test]
fn packed_files_of_every_format_are_read() {
    let folder = folder("tables/gzip");
    for name in ["rooms.csv.gz", "rooms.csv"] {
        let file = path(&folder, name);
        std::fs::write(&file, PACKED).unwrap();
        assert_eq!(json(&["solve", &file, "--json"])["verdict"], "optimal", "{name}");
    }
    let cut = path(&folder, "cut.csv.gz");
    std::fs::write(&cut, &PACKED[..40]).unwrap();
    assert!(refused(&["solve", &cut]).starts_with(&format!("{cut}: the gzip data are damaged or cut off (")));
    assert_eq!(answer(&run_on(PACKED, &["solve", "-", "--json"]))["verdict"], "optimal");
}

#[test]
fn rows_that_are_off_by_rounding_need_a_word_in_every_format() {
    let folder = folder("tables/normalise");
    let help = "expected 1 within 1e-9; --normalise divides rows that are off by rounding by their sums";
    let files = [
        ("m.cmdp", TWO_ROOMS_TEXT.replace("-> b", "-> b 0.333, a 0.666"), 5, &[][..]),
        (
            "m.csv",
            TABLE.replace("leave, b, 1, 0, 0", "leave, b, 0.333, 0, 0\na, leave, a, 0.666, 0, 0"),
            4,
            &[],
        ),
        (
            "m.drn",
            TWO_ROOMS.replace("1 : 1\n", "1 : 0.333\n\t\t0 : 0.666\n"),
            14,
            &["--reward", "pay", "--cost", "risk=0.5"],
        ),
    ];
    for (name, text, line, args) in files {
        let file = path(&folder, name);
        std::fs::write(&file, text).unwrap();
        let said = refused(&[&["solve", &file], args].concat());
        assert!(
            said.starts_with(&format!("{file}: line {line}: transition row (state ")) && said.ends_with(help),
            "{said}"
        );
        let output = run(&[&["solve", &file, "--normalise", "--json", "--witness"], args].concat());
        let proof = path(&folder, "answer.json");
        std::fs::write(&proof, &output.stdout).unwrap();
        assert_eq!(answer(&output)["normalise"], true);
        assert!(out(&["verify", &file, &proof]).contains("proved"));
    }
    assert_eq!(
        refused(&["solve", "box", "--normalise"]),
        "--normalise does not apply to box: it is about rows of a model file"
    );
}

#[test]
fn a_lower_bound_of_a_model_is_shown_and_kept_and_can_be_changed() {
    let folder = folder("tables/lower");
    let file = path(&folder, "rooms.cmdp");
    std::fs::write(&file, TWO_ROOMS_TEXT.replace("risk <= 0.5", "risk >= 0.25")).unwrap();
    let found = json(&["solve", &file, "--json"]);
    assert_eq!((&found["directions"][0], &found["budgets"][0]), (&">=".into(), &0.25.into()));
    let other = json(&["solve", &file, "--budget", "0.75", "--json"]);
    assert_eq!((&other["directions"][0], &other["budgets"][0]), (&">=".into(), &0.75.into()));
    let turned = json(&["solve", &file, "--cost", "risk<=0.5", "--json"]);
    assert_eq!(
        (&turned["directions"][0], &turned["gain"]),
        (&"<=".into(), &json(&["solve", &file, "--cost", "risk<=0.5", "--json"])["gain"])
    );
    let answer = path(&folder, "answer.json");
    std::fs::write(&answer, out(&["solve", &file, "--json", "--witness"])).unwrap();
    assert!(out(&["verify", &file, &answer]).contains("their `risk` is at least"));
    assert!(out(&["export", &file, "--cmdp", "-"]).starts_with("cost risk >= 0.25\n"));
}
