//! The paper's experiments and their page: self-contained, complete, made from the stored runs alone, and honest about
//! what is missing. What a browser shows is tested by `tests/browser/run`.

use crate::program::{folder, out, path, refused};
use serde_json::Value;
use std::fs;
use std::path::Path;

const EXPERIMENT: &str = "rounds = 400\nruns = 3\nwindows = [50]\npreset = \"published\"\n[env]\nname = \"marsrover-4x4\"\n\
                          [[learner]]\nname = \"psrl-transitions\"\n[[learner]]\nname = \"cucrl-optimistic\"\n";
const SWEEP: &str = "rounds = 300\nruns = 2\nwindows = [50]\npreset = \"published\"\n[env]\nname = \"box\"\n\
                     states = [\"reachable\", \"all\"]\n[[learner]]\nname = \"cucrl-optimistic\"\ncoef = [0.01, 0.5]\n";

/// Runs experiments into a folder; their names are the texts' file names.
fn run(folder: &Path, files: &[(&str, &str)]) -> String {
    let results = path(folder, "results");
    for (name, text) in files {
        let file = path(folder, &format!("{name}.toml"));
        fs::write(&file, text).unwrap();
        out(&["run", &file, "--out", &results]);
    }
    results
}

fn page(results: &str) -> String {
    fs::read_to_string(Path::new(results).join("index.html")).unwrap()
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script id=\"data\" type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_needs_nothing_but_itself_and_has_all_its_sections() {
    let folder = folder("page");
    let results = run(&folder, &[("rover", EXPERIMENT), ("box-sweep", SWEEP)]);
    let said = out(&["report", &results]);
    assert!(said.contains("rover: ") && said.trim_end().ends_with("index.html"), "{said}");
    let page = page(&results);
    assert!(page.len() < 10_000_000, "{}", page.len());
    for section in
        ["figure", "claims", "environments", "ends", "regret", "terms", "effort", "policies", "presets"]
    {
        assert!(page.contains(&format!("<section id=\"{section}\"")), "{section}");
    }
    let (head, _) = page.split_once("<script>").unwrap();
    assert!(!head.contains("@import") && !head.contains("url("), "no file is loaded by the style");
    for tag in ["<link", "<script", "<img", "<iframe"] {
        let tags = page.match_indices(tag).map(|(at, _)| page[at..].split('>').next().unwrap());
        let own: Vec<&str> = tags.filter(|tag| tag.contains("src=\"") || tag.contains("href=\"")).collect();
        assert!(own.iter().all(|tag| tag.contains("href=\"data:,\"")), "{own:?}");
    }
    let data = data(&page);
    assert_eq!(data["chapters"].as_array().unwrap().len(), 1);
    assert_eq!(data["ablation"].as_array().unwrap().len(), 2, "a sweep is no comparison");
    assert_eq!(data["ablation"][0]["rows"][1]["options"]["coef"], "0.5");
    assert_eq!(data["missing"].as_array().unwrap().len(), 0);
}

#[test]
fn curves_levels_and_policies_are_those_of_the_runs() {
    let folder = folder("page-data");
    let results = run(&folder, &[("rover", EXPERIMENT)]);
    out(&["report", &results]);
    let chapter = data(&page(&results))["chapters"][0].clone();
    assert_eq!(chapter["levels"]["optimal"]["reward"], -0.775);
    let learner = &chapter["learners"][1];
    assert_eq!((learner["label"].as_str(), learner["runs"].as_u64()), (Some("cucrl-optimistic"), Some(3)));
    let curve = &learner["curves"]["reward"];
    let column = |name: &str| curve[name].as_array().unwrap().clone();
    assert!(column("x").len() <= 400 && column("x").len() == column("q95").len());
    // The last point from the files themselves.
    let last = |run: u64, step: &str| {
        let file = Path::new(&results).join(format!("rover/trials/cucrl-optimistic/{run:03}.csv"));
        let text = fs::read_to_string(file).unwrap();
        let row = text.lines().find(|line| line.starts_with(step)).unwrap();
        row.split(',').nth(1).unwrap().parse::<f64>().unwrap()
    };
    let by_hand = (0..3).map(|run| (last(run, "400,") - last(run, "350,")) / 50.0).sum::<f64>() / 3.0;
    assert!((column("mean").last().unwrap().as_f64().unwrap() - by_hand).abs() < 1e-5);
    let policies = chapter["grid"]["policies"]["psrl-transitions"].as_array().unwrap().clone();
    assert!(policies.len() > 3 && policies[0]["policy"][0]["moves"].as_array().unwrap().len() == 16);
}

#[test]
fn what_regret_is_made_of_is_shown_where_it_is_stored_and_missed_where_it_is_not() {
    let folder = folder("page-terms");
    let lagrangian = EXPERIMENT.replace("psrl-transitions", "psrl-lagrangian");
    let results = run(&folder, &[("rover", &lagrangian)]);
    // Without the check that nothing is said: results of the first programs are read with a note.
    let terms = || {
        assert!(crate::program::run(&["report", &results]).status.success());
        data(&page(&results))["chapters"][0]["terms"].clone()
    };
    let found = terms();
    assert_eq!(found.as_array().unwrap().len(), 1, "one learner shows its draws");
    let regret = &found[0]["sums"][0];
    let last = |name: &str| regret[name].as_array().unwrap().last().unwrap().as_f64().unwrap();
    let parts = ["posterior_cmdp", "relaxation", "posterior_mdp", "remainder"].map(last);
    assert!((parts.iter().sum::<f64>() - last("sum")).abs() < 0.02 && last("x") == 400.0, "{regret}");
    let said = found[0]["said"].as_str().unwrap();
    assert!(
        said.starts_with(&format!("In the {} epochs of run 0, psrl-lagrangian has a regret", last("epoch")))
    );
    let figure = Path::new(&results).join("figures/rover-terms.svg");
    assert!(figure.exists());
    // Results from before there were terms; the same command adds them.
    fs::remove_dir_all(Path::new(&results).join("rover/terms")).unwrap();
    let receipt = Path::new(&results).join("rover/timings/psrl-lagrangian/000.csv");
    let text = fs::read_to_string(&receipt).unwrap();
    let first = text.lines().map(|line| line.split(',').take(5).collect::<Vec<_>>().join(",") + "\n");
    fs::write(&receipt, first.collect::<String>()).unwrap();
    fs::remove_file(figure).unwrap();
    assert!(terms()[0]["sums"].is_null());
    assert!(!Path::new(&results).join("figures/rover-terms.svg").exists());
    run(&folder, &[("rover", &lagrangian)]);
    assert_eq!(terms(), found);
}

#[test]
fn the_same_runs_give_the_same_page_and_others_another() {
    let folder = folder("page-pure");
    let results = run(&folder, &[("rover", EXPERIMENT)]);
    let again = |results: &str| {
        out(&["report", results]);
        page(results)
    };
    let (first, second) = (again(&results), again(&results));
    assert!(first == second);
    fs::remove_file(Path::new(&results).join("rover/trials/psrl-transitions/002.csv")).unwrap();
    assert!(first != again(&results));
}

#[test]
fn an_unfinished_folder_says_what_is_missing() {
    let folder = folder("page-unfinished");
    let results = run(&folder, &[("rover", EXPERIMENT)]);
    for run in 0..3 {
        let file = format!("rover/trials/cucrl-optimistic/{run:03}.csv");
        fs::remove_file(Path::new(&results).join(file)).unwrap();
    }
    fs::remove_file(Path::new(&results).join("rover/trials/psrl-transitions/001.csv")).unwrap();
    let said = out(&["report", &results]);
    let missing =
        "rover is not finished: psrl-transitions has 2 of 3 runs, cucrl-optimistic has 0 of 3 runs.";
    assert!(said.contains(missing), "{said}");
    let data = data(&page(&results));
    assert_eq!(data["missing"][0], missing);
    assert_eq!(data["chapters"][0]["learners"][1]["ends"]["most"], "nowhere");
}

#[test]
fn reproduce_runs_reports_and_does_nothing_twice() {
    let folder = folder("reproduce");
    let results = path(&folder, "paper");
    let args = ["reproduce", "--quick", "--only", "marsrover-4x4", "--out", &results];
    let said = out(&args);
    assert!(said.contains("marsrover-4x4-published: 5 learners × 10 runs × 9000 rounds\n"), "{said}");
    assert!(said.contains("cucrl-optimistic") && said.trim_end().ends_with("index.html"), "{said}");
    let data = data(&page(&results));
    assert_eq!(
        (data["chapters"][0]["runs"].as_u64(), data["chapters"][0]["fileRuns"].as_u64()),
        (Some(10), Some(100))
    );
    assert!(data["missing"][0].as_str().unwrap().contains("intervals are wide: marsrover-4x4 10 of 100"));
    assert!(
        data["missing"][1].as_str().unwrap().contains("lacks marsrover-8x8 and box"),
        "{}",
        data["missing"]
    );
    assert_eq!(data["title"], "Posterior sampling for constrained reinforcement learning, run again");
    assert_eq!(data["claims"].as_array().unwrap().len(), 14);
    let findings = data["findings"].as_array().unwrap();
    let no_chance =
        "There is no chance in the environments: under published, 0 of 64 pairs of Marsrover 4x4 have";
    assert!(findings[0].as_str().unwrap().starts_with(no_chance), "{findings:?}");
    assert!(
        findings.last().unwrap().as_str().unwrap().contains("in Marsrover 4x4 cucrl-optimistic (by round 1")
    );
    assert!(out(&args).contains("rounds, all stored already\n"));
}

/// The page without what it brings along: the part that is about these experiments.
fn own_words(page: &str) -> String {
    let (head, rest) = page.split_once("<script>").unwrap();
    let (_, rest) = rest.split_once("</script>").unwrap();
    head.split_once("</style>").unwrap().1.to_string() + rest
}

#[test]
fn an_experiment_of_ones_own_is_reported_as_itself() {
    let folder = folder("page-own");
    let text = "title = \"Swimming <upstream>\"\ndescription = \"Whether effort pays.\"\nrounds = 300\nruns = 5\nwindows = [50]\n\
                [env]\nname = \"river-swim\"\n[[learner]]\nname = \"oracle\"\n[[learner]]\nname = \"uniform\"\n";
    let results = run(&folder, &[("swim", text)]);
    let said = out(&["report", &results]);
    assert!(said.starts_with("Swimming <upstream>: "), "{said}");
    let page = page(&results);
    assert!(page.contains("<title>Swimming &lt;upstream&gt;</title>"));
    for word in ["Provodin", "Marsrover", "the paper", "The paper", "Posterior sampling for"] {
        assert!(!own_words(&page).contains(word), "{word}");
    }
    let data = data(&page);
    assert_eq!(
        (&data["title"], &data["description"]),
        (&"Swimming <upstream>".into(), &"Whether effort pays.".into())
    );
    assert!(data["paper"].is_null() && data["claims"].as_array().unwrap().is_empty(), "no paper");
    let policies = &data["chapters"][0]["tables"];
    let row = &policies["optimal"][0];
    assert!(row["share"].as_f64().unwrap() > 10.0 && row["actions"][0][0].is_string(), "{row}");
    assert_eq!(
        policies["policies"]["oracle"][0]["policy"].as_array().unwrap().len(),
        6,
        "a row for each state"
    );
    // Words for readers are no settings.
    let plain = run(&self::folder("page-plain"), &[("swim", &text[text.find("rounds").unwrap()..])]);
    let hash = |results: &str| {
        let text = fs::read_to_string(Path::new(results).join("swim/manifest.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["hash"].clone()
    };
    assert_eq!(hash(&results), hash(&plain));
    let wrong = path(&folder, "wrong.toml");
    fs::write(&wrong, format!("title = 3\n{}", &text[text.find("rounds").unwrap()..])).unwrap();
    assert!(refused(&["run", &wrong]).contains("wrong.toml: line 1: title is 3, expected a line of text"));
}

/// Whatever the unit of the reward and however slack the budget: an oracle is near the optimum, and nobody falls short of what
/// all policies earn.
#[test]
fn the_optimum_is_near_itself_in_every_unit() {
    let folder = folder("page-near");
    let model = |cost: &str| {
        format!(
            "cost heat <= {cost}\nstate cool\n  rest reward 100 -> cool\n  work reward 102 heat 1 -> cool 0.5, warm 0.5\n\
             state warm\n  rest reward 100 -> cool\n  work reward 103 heat 1 -> warm 0.5, cool 0.5\n"
        )
    };
    fs::write(folder.join("slack.cmdp"), model("7")).unwrap();
    fs::write(folder.join("tight.cmdp"), model("0.25")).unwrap();
    let text = |name: &str| {
        format!(
            "rounds = 4000\nruns = 5\nwindows = [2000]\n[env]\nfile = \"{name}.cmdp\"\n[[learner]]\nname = \"oracle\"\n\
                 [[learner]]\nname = \"uniform\"\n"
        )
    };
    let results = run(&folder, &[("slack", &text("slack")), ("tight", &text("tight"))]);
    out(&["report", &results]);
    let data = data(&page(&results));
    for chapter in data["chapters"].as_array().unwrap() {
        let [oracle, uniform] = [0, 1].map(|at| &chapter["learners"][at]["ends"]);
        assert_eq!((&oracle["near"], &oracle["most"]), (&5.into(), &"near".into()), "{chapter}");
        assert_eq!(uniform["near"], 0, "a quarter of the range is far from a uniform policy");
    }
}

/// One number for one quantity, whoever shows it.
#[test]
fn card_table_and_stats_have_the_same_numbers() {
    let folder = folder("page-same");
    let results = run(&folder, &[("rover", &EXPERIMENT.replace("runs = 3", "runs = 6"))]);
    let mut near = Vec::new();
    for tolerance in ["0", "1"] {
        out(&["report", &results, "--tolerance", tolerance]);
        let chapter = data(&page(&results))["chapters"][0].clone();
        let stats = out(&["stats", &path(Path::new(&results), "rover"), "--json", "--tolerance", tolerance]);
        let stats: Value = serde_json::from_str(&stats).unwrap();
        for at in 0..2 {
            let (shown, stated) = (&chapter["learners"][at], &stats["learners"][at]);
            assert_eq!(shown["ends"]["near"], stated["ends"]["near"]);
            assert_eq!(shown["settled"]["half"].as_f64(), stated["settled"]["half_by"].as_f64());
            let ends = |of: &Value, low: &Value, high: &Value| [of, low, high].map(|x| x.as_f64().unwrap());
            let reward = &shown["end"]["reward"];
            let interval = &stated["quantities"]["reward"]["interval"];
            let page = ends(&reward["mean"], &reward["low"], &reward["high"]);
            let table = ends(&stated["quantities"]["reward"]["mean"], &interval[0], &interval[1]);
            assert!(page.iter().zip(table).all(|(a, b)| (a - b).abs() < 1e-9), "{page:?} {table:?}");
            assert!(page[1] >= -1.0 && page[2] <= 0.0, "rewards are between -1 and 0: {page:?}");
        }
        near.push(
            [0, 1].map(|at| stats["learners"][at]["ends"]["near"].as_u64().unwrap()).iter().sum::<u64>(),
        );
    }
    assert!(near[0] < near[1], "more runs are near if more counts as near: {near:?}");
    assert!(refused(&["report", &results, "--tolerance", "2"]).contains("a share from 0 to 1"));
}

#[test]
fn what_cannot_be_reported_or_reproduced_is_refused() {
    let folder = folder("no-page");
    assert!(refused(&["report", &path(&folder, "nowhere")]).contains("there is no folder"));
    assert!(refused(&["report", folder.to_str().unwrap()]).contains("holds no results"));
    let only =
        ["reproduce", "--preset", "sound", "--only", "box-ablation", "--out", folder.to_str().unwrap()];
    assert!(refused(&only).contains("belong to --preset published"));
    assert!(refused(&["reproduce", "--only", "queue"]).contains("marsrover-4x4"));
}
