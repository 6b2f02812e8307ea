//! The report's page: its code runs against the data of real runs, in a JavaScript engine with a stub of a browser.
//!
//! `tests/browser/run` opens the page in a real one; this test needs none, and is in every check.

use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::experiment::Experiment;
use occupancy_lab::papers::provodin2022::Provodin2022;
use occupancy_lab::report::{self, Chapter, Claim, Judged, Paper, PaperWords, ReportOptions};
use occupancy_lab::{RunOptions, run};
use rquickjs::{CatchResultExt, Context, Ctx, Runtime};
use std::path::{Path, PathBuf};

const DOM: &str = include_str!("../page/dom.js");

/// Two presets of one environment, a box, a sweep, and an environment that is no grid.
const EXPERIMENTS: [(&str, &str); 5] = [
    (
        "rover-published",
        "preset = \"published\"\n[env]\nname = \"marsrover-4x4\"\n[[learner]]\nname = \"psrl-lagrangian\"\n[[learner]]\nname = \"cucrl-optimistic\"\n",
    ),
    (
        "rover-sound",
        "preset = \"sound\"\n[env]\nname = \"marsrover-4x4\"\n[[learner]]\nname = \"psrl-transitions\"\n",
    ),
    (
        "box-published",
        "preset = \"published\"\n[env]\nname = \"box\"\n[[learner]]\nname = \"psrl-transitions\"\n",
    ),
    (
        "sweep",
        "preset = \"published\"\n[env]\nname = \"box\"\n[[learner]]\nname = \"cucrl-optimistic\"\ncoef = [0.01, 0.5]\n",
    ),
    ("swim", "[env]\nname = \"river-swim\"\n[[learner]]\nname = \"uniform\"\n"),
];

/// The paper, as if it owned the small experiments of this test.
struct OwnsAll;

impl Paper for OwnsAll {
    fn owns(&self, chapter: &Chapter) -> bool {
        chapter.preset().is_some()
    }
    fn words(&self) -> PaperWords {
        Provodin2022.words()
    }
    fn environments(&self) -> &[&str] {
        Provodin2022.environments()
    }
    fn presets(&self) -> &[&str] {
        Provodin2022.presets()
    }
    fn commands(&self, chapters: &[&Chapter]) -> Vec<String> {
        Provodin2022.commands(chapters)
    }
    fn findings(&self, judged: &[Judged]) -> Vec<String> {
        Provodin2022.findings(judged)
    }
    fn claims(&self, judged: &[Judged]) -> Vec<Claim> {
        Provodin2022.claims(judged)
    }
}

/// Runs the experiments and writes their page.
fn made_page(test: &str, paper: &dyn Paper) -> (PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("occupancy-page-{test}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let catalogue = Catalogue::standard();
    for (name, text) in EXPERIMENTS {
        let text = format!("rounds = 300\nruns = 2\nwindows = 30\n{text}");
        for experiment in Experiment::from_text(&text, format!("{name}.toml"), &catalogue).unwrap() {
            let done = run(&experiment, &folder.join(&experiment.name), &RunOptions::default(), &mut ());
            assert!(done.unwrap().statistics.is_some(), "{name}");
        }
    }
    let options = ReportOptions { paper, ..ReportOptions::new(&catalogue) };
    let written = report::write(&folder, &options).unwrap();
    assert!(written.left_out.is_empty() && written.sentences.len() > 1, "{written:?}");
    let html = std::fs::read_to_string(&written.page).unwrap();
    (folder, html)
}

/// The contents of the page's scripts: Plotly, the data, and the code.
fn scripts(html: &str) -> [&str; 3] {
    let mut found = html.split("<script").skip(1).map(|rest| {
        let (_, inside) = rest.split_once('>').unwrap();
        inside.split_once("</script>").unwrap().0
    });
    let three = [(); 3].map(|()| found.next().unwrap());
    assert!(found.next().is_none(), "three scripts");
    three
}

/// The elements of the template that have an id, as JSON.
fn elements(html: &str) -> String {
    let body = html.split("<body>").nth(1).unwrap().split("<noscript>").next().unwrap();
    let tags = body.split('<').filter_map(|tag| tag.split_once(" id=\""));
    let element = |(name, rest): (&str, &str)| {
        let (name, id) = (name.split(' ').next().unwrap(), rest.split('"').next().unwrap());
        serde_json::json!({ "name": name, "id": id, "body": name == "section" })
    };
    serde_json::Value::from(tags.map(element).collect::<Vec<_>>()).to_string()
}

fn evaluate(context: &Ctx, code: &str, what: &str) -> String {
    let found: Result<rquickjs::Coerced<String>, _> = context.eval(code).catch(context);
    found.map(|text| text.0).unwrap_or_else(|error| panic!("{what}: {error}"))
}

fn with_engine(work: impl FnOnce(&Ctx)) {
    let context = Context::full(&Runtime::new().unwrap()).unwrap();
    context.with(|context| work(&context));
}

#[test]
fn the_pages_code_runs_on_real_data_and_survives_every_button() {
    let text = used_page("code", &OwnsAll);
    assert!(
        text.contains("The paper's claims, checked") && text.contains("Of the paper's 14 claims"),
        "{text}"
    );
    assert!(text.contains("There is no chance in the environments"), "{text}");
}

#[test]
fn a_page_of_ones_own_experiments_names_no_paper() {
    let text = used_page("own", &Provodin2022);
    let foreign = ["Provodin", "Marsrover", "paper", "not fitted, "];
    assert!(foreign.iter().all(|word| !text.contains(word)), "{text}");
    for word in
        ["5 experiments in", "rover-published: ", "near the optimum", "state", "time", "action", "swim"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("No policies are"), "{text}");
}

/// Makes the page, uses it as a reader would, and says what is on it.
fn used_page(test: &str, paper: &dyn Paper) -> String {
    let (folder, html) = made_page(test, paper);
    let [plotly, data, code] = scripts(&html);
    let mut text = String::new();
    with_engine(|context| {
        context.globals().set("source", plotly).unwrap();
        evaluate(context, "new Function(source); 0", "plotly");
        evaluate(context, DOM, "the stub");
        evaluate(context, &format!("template({}); 0", elements(&html)), "the template");
        context.globals().set("source", data).unwrap();
        let holder = "const holder = new Element('script'); holder.setAttribute('id', 'data'); \
                      holder.textContent = source; root.append(holder); 0";
        evaluate(context, holder, "the data");
        evaluate(context, code, "the page's code");
        evaluate(context, "use(); 0", "a reader");
        text = check(&evaluate(context, "report()", "the result"));
    });
    std::fs::remove_dir_all(folder).unwrap();
    text
}

/// Every section that is shown has something in it, and nothing that is no word; all that is shown.
fn check(report: &str) -> String {
    let mut all = String::new();
    let report: serde_json::Value = serde_json::from_str(report).unwrap();
    for section in report["sections"].as_array().unwrap() {
        let (id, text) = (section[0].as_str().unwrap(), section[2].as_str().unwrap());
        let is_hidden = section[1].as_bool().unwrap();
        // The stub has no element inside another: what belongs to the figure stands beside it.
        // Titles of sections are there before the code runs, and what is missing is hidden until something is.
        let may_be_empty =
            is_hidden || ["theme", "figure", "missing"].contains(&id) || id.ends_with("-title");
        assert!(may_be_empty || text.len() > 8, "{id} is empty");
        let strange = ["undefined", "NaN", "[object"];
        assert!(id == "data" || strange.iter().all(|word| !text.contains(word)), "{id}: {text}");
        if !is_hidden && id != "data" && id != "provenance" {
            all += text;
            all.push('\n');
        }
    }
    assert!(report["charts"].as_u64().unwrap() > 10, "{}", report["charts"]);
    all
}

/// What the page says of a paper comes with its data.
#[test]
fn the_pages_own_words_name_no_paper() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for entry in std::fs::read_dir(assets).unwrap().map(|entry| entry.unwrap().path()) {
        let is_own = entry.extension().is_some_and(|ending| ending == "js" || ending == "html");
        if is_own && !entry.to_string_lossy().contains("plotly") {
            let text = std::fs::read_to_string(&entry).unwrap().to_lowercase();
            for word in ["provodin", "marsrover", "the paper's claims", "reproduce", "psrl", "cucrl"] {
                assert!(!text.contains(word), "{}: {word}", entry.display());
            }
        }
    }
}

/// A fault in a file must be found, or the test above says nothing.
#[test]
fn a_fault_is_found() {
    with_engine(|context| {
        let wrong: Result<(), _> = context.eval("const data = {; 1").catch(context);
        assert!(wrong.is_err());
        evaluate(context, DOM, "the stub");
        let missing: Result<(), _> =
            context.eval("document.getElementById('absent').append(1)").catch(context);
        assert!(missing.is_err());
    });
}

#[test]
fn every_file_of_the_page_is_a_script_by_itself() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut found = 0;
    for entry in std::fs::read_dir(assets).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|ending| ending == "js") {
            with_engine(|context| {
                context.globals().set("source", std::fs::read_to_string(&entry).unwrap()).unwrap();
                evaluate(context, "new Function(source); 0", &entry.display().to_string());
            });
            found += 1;
        }
    }
    assert!(found >= 10, "{found}");
}
