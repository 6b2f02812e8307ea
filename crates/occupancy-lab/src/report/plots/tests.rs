//! Pictures of a small experiment, compared with stored ones as text.

use super::*;
use crate::figure::compare_with_golden;
use crate::papers::provodin2022::PAPER_ENVIRONMENTS;
use crate::report::fixture::{MadeUp, OwnsAll, Story};
use crate::terms::{TermRow, Terms};
use occupancy::arithmetic::elementary::exp;

/// A small number that looks like chance.
fn noise(run: u64, step: u64) -> f64 {
    ((run * 37 + step * 17) % 11) as f64 / 100.0 - 0.05
}

fn learners() -> [MadeUp; 3] {
    let quick = |run, step| {
        let gone = exp(-(step as f64) / 8.0);
        [-0.775 - 0.225 * gone + noise(run, step), 0.2 + 0.4 * gone]
    };
    let slow = |run, step| {
        let gone = exp(-(step as f64) / 25.0);
        [-0.775 - 0.225 * gone + 3.0 * noise(run, step), 0.2 - 0.15 * gone + noise(step, run)]
    };
    let stuck = |run, step| [-0.875 + noise(run, step), 0.02 * (1.0 + noise(run, step))];
    [
        MadeUp { name: "psrl-transitions", signals: slow, epochs: 90, planning: 0.25 },
        MadeUp { name: "cucrl-optimistic", signals: quick, epochs: 40, planning: 0.031 },
        MadeUp { name: "cucrl-conservative", signals: stuck, epochs: 11, planning: 0.004 },
    ]
}

fn chapter(test: &str) -> Chapter {
    Story { rounds: 60, window: 6, runs: 4, ..Story::default() }.chapter(test, &learners())
}

fn golden(picture: &str, name: &str) {
    compare_with_golden(picture, &format!("{}/tests/golden/{name}.svg", env!("CARGO_MANIFEST_DIR")));
}

#[test]
fn rewards_and_costs_are_the_golden_picture() {
    let chapter = chapter("curves");
    golden(&curves::draw(&chapter, &chapter.present()), "curves");
}

#[test]
fn regret_is_the_golden_picture() {
    let chapter = chapter("regret");
    golden(&regret::draw(&chapter, &chapter.present()).unwrap(), "regret");
}

#[test]
fn effort_is_the_golden_picture() {
    let chapter = chapter("effort");
    golden(&effort::draw(&chapter, &chapter.present()), "effort");
}

/// Drawn models promise too much at first (terms 1 and 3), and prices that come late cost more and more (term 2).
#[test]
fn terms_are_the_golden_picture() {
    let chapter = chapter("terms");
    let row = |epoch: u64, scale: f64| {
        let (step, early) = (6 * epoch, scale * (1.0 - exp(-(epoch as f64) / 3.0)));
        let (posterior_cmdp, posterior_mdp) = (-4.0 * early, 7.0 * early);
        let (relaxation, remainder) = (0.3 * scale * epoch as f64, 0.1 * scale);
        let sum = posterior_cmdp + relaxation + posterior_mdp + remainder;
        let sums =
            TermRow { sum, posterior_cmdp, relaxation, posterior_mdp, remainder, ..TermRow::default() };
        TermRow { epoch, step, ..sums }
    };
    let terms = |quantity: &str, scale| Terms {
        quantity: quantity.into(),
        rows: (1..=10).map(|epoch| row(epoch, scale)).collect(),
    };
    let both = Some(vec![terms("regret", 1.0), terms("violation_0", -0.5)]);
    let explained = crate::report::page::terms::Explained { label: "psrl-lagrangian".into(), terms: both };
    golden(&super::terms::draw(&chapter, &explained).unwrap(), "terms");
}

#[test]
fn two_environments_stand_side_by_side() {
    let story = |environment| Story { environment, rounds: 60, window: 6, runs: 3, ..Story::default() };
    let chapters =
        [story("box").chapter("box", &learners()), story("marsrover-4x4").chapter("rover", &learners()[..2])];
    let folder = chapters[0].results.folder.join("figures");
    let files = draw_overviews(&chapters, &OwnsAll, &folder).unwrap();
    assert_eq!(files.len(), 2);
    golden(&std::fs::read_to_string(folder.join("published-overview.svg")).unwrap(), "overview");
}

#[test]
fn a_chapter_has_three_figures_in_two_formats() {
    let chapter = chapter("files");
    let files = draw(&chapter, &chapter.results.folder.join("figures")).unwrap();
    let names: Vec<String> =
        files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    let expected =
        ["curves", "regret", "effort"].map(|what| ["svg", "png"].map(|e| format!("story-{what}.{e}")));
    assert_eq!(names, expected.concat());
    for png in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "png")) {
        assert_eq!(std::fs::read(png).unwrap()[..4], *b"\x89PNG");
    }
}

/// The budget lies at the cost of the safe policy, so that lines of both are the same, also in the figure for print.
#[test]
fn levels_that_coincide_can_be_drawn() {
    let mut chapter = chapter("coincide");
    let levels = &mut chapter.results.manifest.baseline;
    levels.safe = Some(levels.fast.clone());
    levels.optimal = Some(levels.fast.clone());
    let files = draw(&chapter, &chapter.results.folder.join("figures")).unwrap();
    assert_eq!(files.len(), 6);
    let picture = std::fs::read_to_string(&files[0]).unwrap();
    let dashed: Vec<&str> = picture.lines().filter(|line| line.contains("stroke-dasharray")).collect();
    assert!(
        dashed.iter().enumerate().any(|(at, line)| dashed[..at].contains(line)),
        "two lines in one place"
    );
    assert!(dashed.iter().all(|line| line.matches("stroke-dasharray").count() == 1));
}

#[test]
fn one_run_of_one_learner_can_be_drawn() {
    let story = Story { rounds: 30, window: 3, runs: 1, ..Story::default() };
    let chapter = story.chapter("one", &learners()[..1]);
    let runs = chapter.present();
    for picture in [curves::draw(&chapter, &runs), regret::draw(&chapter, &runs).unwrap()] {
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
    std::fs::remove_dir_all(chapter.results.folder.join("trials")).unwrap();
    let chapter = Chapter::open(&chapter.results.folder, &crate::catalogue::Catalogue::standard()).unwrap();
    assert_eq!(draw(&chapter, &chapter.results.folder).unwrap(), Vec::<PathBuf>::new());
}

/// Draws docs/published.svg again from `results/`, where `occupancy run experiments/provodin2022/*-published.toml` has put
/// its runs.
#[test]
#[ignore = "needs the runs of the published experiments in results/"]
fn the_front_pages_figure_is_drawn_from_full_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let open = |name: &str| {
        Chapter::open(
            &root.join(format!("results/{name}-published")),
            &crate::catalogue::Catalogue::standard(),
        )
        .unwrap()
    };
    let chapters = PAPER_ENVIRONMENTS.map(open);
    let folder = root.join("results/figures");
    draw_overviews(&chapters, &OwnsAll, &folder).unwrap();
    chapters.iter().for_each(|chapter| _ = draw(chapter, &folder).unwrap());
    let drawn = std::fs::read_to_string(folder.join("published-overview.svg")).unwrap();
    compare_with_golden(&drawn, &root.join("docs/published.svg").display().to_string());
}
