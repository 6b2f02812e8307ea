//! Reports of experiments that are odd: levels that coincide, budgets that cannot be met, one round, one run, strange
//! names, and folders of which one is damaged.

use crate::program::experiment::errors;
use crate::program::{folder, out, path, run};
use std::fs;
use std::path::{Path, PathBuf};

const LEARNERS: &str = "[[learner]]\nname = \"uniform\"\n[[learner]]\nname = \"oracle\"\n";
/// Both actions are alike, so that all levels coincide; the names are what a spreadsheet, a page or a terminal takes for
/// something else.
const STRANGE: &str = "cost <a_href=\"x\">&'\u{1b}[31m\u{9b} <= 1
state =1+1\u{1b}
  @sum\u{7f} reward 1 <a_href=\"x\">&'\u{1b}[31m\u{9b} 1 -> =1+1\u{1b}
  -up reward 1 <a_href=\"x\">&'\u{1b}[31m\u{9b} 1 -> =1+1\u{1b}
";

fn stored(folder: &Path, name: &str, text: &str) -> String {
    let (file, results) = (path(folder, &format!("{name}.toml")), path(folder, "results"));
    fs::write(&file, text).unwrap();
    out(&["run", &file, "--out", &results]);
    results
}

/// The figures of an ending.
fn figures(results: &str, ending: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(Path::new(results).join("figures")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|end| end == ending)).collect()
}

fn assert_printable(text: &str, what: &Path) {
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{}", what.display());
}

#[test]
fn experiments_of_every_odd_kind_are_reported_together() {
    let folder = folder("odd");
    let head = |rounds, runs| format!("rounds = {rounds}\nruns = {runs}\n");
    for seed in 0..8 {
        let env =
            format!("[env]\nname = \"garnet\"\nstates = 4\nactions = 2\nbranching = 2\nseed = {seed}\n");
        stored(&folder, &format!("garnet-{seed}"), &(head(40, 2) + &env + LEARNERS));
    }
    let queue = "[env]\nname = \"queue\"\nbudget = [-9, -9]\n";
    stored(&folder, "infeasible", &(head(30, 2) + queue + LEARNERS));
    let swim = "[env]\nname = \"river-swim\"\n";
    stored(&folder, "one-round", &(head(1, 3) + swim + LEARNERS));
    stored(&folder, "one-run", &(head(20, 1) + swim + LEARNERS));
    fs::write(folder.join("strange.cmdp"), STRANGE).unwrap();
    let strange = "[env]\nfile = \"strange.cmdp\"\n";
    let lagrangian = "[[learner]]\nname = \"psrl-lagrangian\"\nlabel = \"=1+1\"\neta = 0.1\n";
    let results =
        stored(&folder, "strange", &(head(20, 2) + "preset = \"published\"\n" + strange + lagrangian));
    let said = out(&["report", &results]);
    assert_printable(&said, Path::new("what is said"));
    // Three each: without an optimum there is no regret to draw, and the posterior's terms are drawn beside the regret.
    let expected = 12 * 3;
    assert_eq!(
        (figures(&results, "svg").len(), figures(&results, "png").len()),
        (expected, expected),
        "{said}"
    );
    for path in figures(&results, "svg") {
        assert_printable(&fs::read_to_string(&path).unwrap(), &path);
    }
    let page = fs::read_to_string(Path::new(&results).join("index.html")).unwrap();
    let (_, data) = page.split_once("<script id=\"data\"").unwrap();
    let data = data.split("</script>").next().unwrap();
    assert!(data.contains("a_href") && !data.chars().any(char::is_control), "the page's data are printable");
    // What spreadsheets open.
    let table = |name: &str| fs::read_to_string(Path::new(&results).join("strange").join(name)).unwrap();
    for name in ["summary.csv", "curves.csv", "policies/=1+1.csv"] {
        let text = table(name);
        assert_printable(&text, Path::new(name));
        let formula = |cell: &str| cell.starts_with(['=', '+', '@']) || cell.starts_with("-u");
        assert!(!text.split([',', '\n']).any(formula), "{name}: {text}");
    }
    assert!(
        table("policies/=1+1.csv").contains(",'=1+1\\u{1b},'@sum\\u{7f},"),
        "{}",
        table("policies/=1+1.csv")
    );
}

#[test]
fn a_damaged_folder_is_named_and_the_others_are_reported() {
    let folder = folder("odd-sibling");
    let text =
        |seed: u64| format!("rounds = 20\nruns = 2\nseed = {seed}\n[env]\nname = \"river-swim\"\n{LEARNERS}");
    let results = stored(&folder, "good", &text(1));
    stored(&folder, "bad", &text(2));
    fs::write(Path::new(&results).join("bad/trials/uniform/001.csv"), "step,reward\n").unwrap();
    let output = run(&["report", &results]);
    let error = errors(&output, 1);
    assert!(error.starts_with("error: ") && error.lines().count() == 1, "{error}");
    assert!(error.contains("results/bad") && error.contains("trials/uniform/001.csv"), "{error}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("index.html"), "{said}");
    assert!(Path::new(&results).join("figures/good-curves.png").exists());
    assert!(!Path::new(&results).join("figures/bad-curves.png").exists());
    let page = fs::read_to_string(Path::new(&results).join("index.html")).unwrap();
    assert!(page.contains("trials/uniform/001.csv"), "the page says what it lacks");
    fs::remove_dir_all(Path::new(&results).join("good")).unwrap();
    assert!(errors(&run(&["report", &results]), 1).contains("trials/uniform/001.csv"));
}

#[test]
fn figures_are_replaced_whole() {
    let folder = folder("odd-whole");
    let text = format!("rounds = 20\nruns = 2\n[env]\nname = \"river-swim\"\n{LEARNERS}");
    let results = stored(&folder, "whole", &text);
    out(&["report", &results]);
    // A reader who has the old figure open keeps it: the new one is another file in its place.
    let figure = Path::new(&results).join("figures/whole-curves.svg");
    fs::hard_link(&figure, folder.join("kept.svg")).unwrap();
    fs::write(&figure, "old").unwrap();
    out(&["report", &results]);
    assert_eq!(fs::read_to_string(folder.join("kept.svg")).unwrap(), "old");
    assert!(fs::read_to_string(&figure).unwrap().ends_with("</svg>\n"));
    let left: Vec<PathBuf> = figures(&results, "tmp");
    assert!(left.is_empty(), "{left:?}");
}
