//! Claims about made-up results: other data, other standings.

use super::*;
use crate::report::fixture::{MadeUp, Story};

/// A small number that looks like chance, between −1 and 1.
fn noise(run: u64, step: u64) -> f64 {
    let mixed = (run * 1_000_003 + step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as f64 / f64::from(1u32 << 23) - 1.0
}

/// Reward and cost of a run that is idle up to a round, and then has these with some noise.
fn after(begin: u64, run: u64, step: u64, [reward, cost]: [f64; 2]) -> [f64; 2] {
    if step < begin {
        [-1.0, 0.0]
    } else {
        [reward + 0.01 * noise(run, step), cost + 0.01 * noise(step, run)]
    }
}

fn optimistic(signals: fn(u64, u64) -> [f64; 2]) -> MadeUp {
    MadeUp { name: "cucrl-optimistic", signals, epochs: 40, planning: 0.5 }
}

fn transitions(signals: fn(u64, u64) -> [f64; 2]) -> MadeUp {
    MadeUp { name: "psrl-transitions", signals, epochs: 90, planning: 2.0 }
}

fn lagrangian(signals: fn(u64, u64) -> [f64; 2]) -> MadeUp {
    MadeUp { name: "psrl-lagrangian", signals, epochs: 90, planning: 1.0 }
}

/// The finding under the first preset on the claim that begins with these words.
fn found(claims: &[Claim], text: &str) -> Finding {
    let claim = claims.iter().find(|claim| claim.text.starts_with(text)).unwrap();
    claim.findings[0].clone()
}

fn standing(chapters: &[Chapter], text: &str) -> Standing {
    found(&check(chapters).unwrap(), text).standing
}

#[test]
fn the_first_to_settle_is_first_until_another_is() {
    let soon: fn(u64, u64) -> [f64; 2] = |run, step| after(40, run, step, [-0.775, 0.2]);
    let late: fn(u64, u64) -> [f64; 2] = |run, step| after(200, run, step, [-0.775, 0.2]);
    let text = "On Marsrover 4x4 CUCRLOptimistic";
    let story = Story::default();
    let as_claimed = [story.chapter("first", &[optimistic(soon), transitions(late)])];
    assert_eq!(standing(&as_claimed, text), Standing::Holds);
    assert_eq!(standing(&as_claimed, "On Marsrover 4x4 every"), Standing::Holds);
    assert_eq!(standing(&as_claimed, "Posterior sampling is statistically"), Standing::Fails);
    assert_eq!(standing(&as_claimed, "Posterior sampling is computationally"), Standing::Fails);
    let turned = [story.chapter("second", &[optimistic(late), transitions(soon)])];
    assert_eq!(standing(&turned, text), Standing::Fails);
    assert_eq!(standing(&turned, "Posterior sampling is statistically"), Standing::Holds);
    let evidence = found(&check(&turned).unwrap(), text).evidence;
    assert!(evidence.contains("cucrl-optimistic 2") && evidence.contains("psrl-transitions"), "{evidence}");
    let never: fn(u64, u64) -> [f64; 2] = |run, step| after(0, run, step, [-0.95, 0.2]);
    let neither = [story.chapter("neither", &[optimistic(never), transitions(never)])];
    assert_eq!(standing(&neither, text), Standing::Depends);
    assert_eq!(standing(&neither, "On Marsrover 4x4 every"), Standing::Fails);
}

#[test]
fn convergence_in_part_depends() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.775, 0.2]);
    let costly: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.75, 0.4]);
    let chapter = [Story::default().chapter("part", &[optimistic(there), transitions(costly)])];
    assert_eq!(standing(&chapter, "On Marsrover 4x4 every"), Standing::Depends);
    assert_eq!(standing(&chapter, "On Box the optimistic"), Standing::Missing);
    assert_eq!(standing(&chapter, "PSRLTransitions converges faster"), Standing::Missing);
}

#[test]
fn box_is_stuck_at_the_safe_level_or_is_not() {
    let safe: fn(u64, u64) -> [f64; 2] = |run, step| after(30, run, step, [-0.875, 0.0]);
    let best: fn(u64, u64) -> [f64; 2] = |run, step| after(30, run, step, [-0.865, 0.2]);
    let story = Story { environment: "box", ..Story::default() };
    let as_claimed = [story.chapter("stuck", &[optimistic(safe), transitions(best), lagrangian(best)])];
    assert_eq!(standing(&as_claimed, "On Box the optimistic"), Standing::Holds);
    assert_eq!(standing(&as_claimed, "On Box both"), Standing::Holds);
    let turned = [story.chapter("free", &[optimistic(best), transitions(safe), lagrangian(best)])];
    assert_eq!(standing(&turned, "On Box the optimistic"), Standing::Fails);
    assert_eq!(standing(&turned, "On Box both"), Standing::Depends);
}

#[test]
fn spread_and_time_of_the_posterior_samplers_are_compared() {
    let calm: fn(u64, u64) -> [f64; 2] = |run, step| after(30, run, step, [-0.775, 0.2]);
    let wild: fn(u64, u64) -> [f64; 2] = |run, step| {
        let [reward, cost] = after(90, run, step, [-0.775, 0.2]);
        [reward + 0.05 * noise(run, 0), cost]
    };
    let chapter = [Story::default().chapter("wild", &[transitions(calm), lagrangian(wild)])];
    assert_eq!(standing(&chapter, "PSRLLagrangian varies"), Standing::Holds);
    assert_eq!(standing(&chapter, "PSRLTransitions costs more"), Standing::Holds);
    assert_eq!(standing(&chapter, "PSRLTransitions converges faster"), Standing::Holds);
    let turned = [Story::default().chapter("calm", &[transitions(wild), lagrangian(calm)])];
    assert_eq!(standing(&turned, "PSRLLagrangian varies"), Standing::Fails);
}

#[test]
fn the_budget_is_kept_until_it_is_not() {
    let careful: fn(u64, u64) -> [f64; 2] = |run, step| after(0, run, step, [-0.8, 0.15]);
    let careless: fn(u64, u64) -> [f64; 2] =
        |run, step| after(0, run, step, [-0.8, if step < 100 { 0.3 } else { 0.15 }]);
    let conservative = |signals| MadeUp { name: "cucrl-conservative", signals, epochs: 20, planning: 0.1 };
    let text = "CUCRLConservative does not";
    let chapter = |test: &str, signals| [Story::default().chapter(test, &[conservative(signals)])];
    assert_eq!(standing(&chapter("careful", careful), text), Standing::Holds);
    assert_eq!(standing(&chapter("careless", careless), text), Standing::Fails);
}

#[test]
fn more_states_are_slower_where_they_are() {
    let soon: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.775, 0.2]);
    let late: fn(u64, u64) -> [f64; 2] = |run, step| after(250, run, step, [-0.938, 0.1]);
    let not_late: fn(u64, u64) -> [f64; 2] = |run, step| after(12, run, step, [-0.938, 0.1]);
    let small = || Story::default().chapter("small", &[transitions(soon)]);
    let large = |test: &str, signals| {
        Story { environment: "marsrover-8x8", ..Story::default() }.chapter(test, &[transitions(signals)])
    };
    assert_eq!(standing(&[small(), large("late", late)], "64 states"), Standing::Holds);
    assert_eq!(standing(&[small(), large("early", not_late)], "64 states"), Standing::Fails);
    assert_eq!(standing(&[small()], "64 states"), Standing::Missing);
}

#[test]
fn the_bound_on_epochs_is_a_claim_about_one_rule() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.775, 0.2]);
    let text = "Posterior samplers plan at most";
    let with_rule = |test: &str, options, epochs| {
        let learner = MadeUp { epochs, ..transitions(there) };
        [Story { options, ..Story::default() }.chapter(test, &[learner])]
    };
    // √(2 · 64 · 400 · ln 400) = 553.9
    assert_eq!(standing(&with_rule("tsde", "epochs = \"tsde\"", 300), text), Standing::Holds);
    assert_eq!(standing(&with_rule("many", "epochs = \"tsde\"", 600), text), Standing::Fails);
    let other = check(&with_rule("doubling", "epochs = \"doubling\"", 300)).unwrap();
    let other = found(&other, text);
    assert_eq!(other.standing, Standing::Depends);
    assert!(
        other.evidence.contains("300 [300, 300] epochs by the rule doubling, bound 554"),
        "{}",
        other.evidence
    );
}

#[test]
fn optimism_over_transitions_is_impractical_where_it_takes_long() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.938, 0.1]);
    let chapter = |test: &str, planning| {
        let slow = MadeUp { name: "cucrl-transitions", signals: there, epochs: 20, planning };
        let story = Story { environment: "marsrover-8x8", ..Story::default() };
        [story.chapter(test, &[optimistic(there), slow])]
    };
    assert_eq!(standing(&chapter("slow", 50.0), "CUCRLTransitions is"), Standing::Holds);
    assert_eq!(standing(&chapter("not-slow", 0.6), "CUCRLTransitions is"), Standing::Fails);
}

#[test]
fn presets_have_findings_of_their_own_and_nothing_has_none() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.8, 0.2]);
    let story = |preset| Story { preset, ..Story::default() };
    let chapters = [
        story("sound").chapter("sound", &[optimistic(there)]),
        story("published").chapter("published", &[optimistic(there)]),
    ];
    for claim in check(&chapters).unwrap() {
        let presets: Vec<&str> = claim.findings.iter().map(|finding| finding.preset.as_str()).collect();
        assert_eq!(presets, ["published", "sound"], "{}", claim.text);
    }
    assert!(check(&[]).unwrap().iter().all(|claim| claim.findings.is_empty()));
}

/// A table of standings and a list of the evidence, for a document.
fn markdown(claims: &[Claim]) -> String {
    let word = |standing| match standing {
        Standing::Holds => "holds",
        Standing::Fails => "**does not hold**",
        Standing::Depends => "depends",
        Standing::Missing => "not run",
    };
    let presets = Preset::ALL.map(Preset::name).join(" | ");
    let (mut table, mut list) = (format!("| | claim | {presets} |\n|---|---|---|---|---|\n"), String::new());
    for (at, claim) in claims.iter().enumerate() {
        let standings: Vec<&str> = claim.findings.iter().map(|finding| word(finding.standing)).collect();
        table += &format!("| {} | {} | {} |\n", at + 1, claim.text, standings.join(" | "));
        list += &format!("\n{}. **{}** Test: {}\n", at + 1, claim.text, claim.test);
        for Finding { preset, standing, evidence } in &claim.findings {
            let evidence = evidence.replace(" -", " −").replace("[-", "[−");
            list += &format!("   - *{preset}*, {}: {evidence}\n", word(*standing));
        }
    }
    format!("{table}\n### The evidence\n\nEach number with its interval; *settled* counts rounds.\n{list}")
}

/// With `OCCUPANCY_BLESS` set, writes the table of docs/reproduction.md again from `results/`, where
/// `occupancy run experiments/provodin2022/*.toml` has put its runs. Times differ, so that they are not compared.
#[test]
#[ignore = "needs the runs of all experiments in results/"]
fn the_table_of_the_document_is_made_from_full_runs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut chapters = Vec::new();
    for environment in PAPER_ENVIRONMENTS {
        for preset in Preset::ALL {
            let folder = root.join(format!("results/{environment}-{}", preset.name()));
            chapters.push(Chapter::open(&folder, &crate::catalogue::Catalogue::standard()).unwrap());
        }
    }
    let table = markdown(&check(&chapters).unwrap());
    println!("{table}");
    let (document, mark) = (root.join("docs/reproduction.md"), "<!-- the table of claims -->\n");
    let text = std::fs::read_to_string(&document).unwrap();
    let parts: Vec<&str> = text.split(mark).collect();
    let [before, stated, after] = parts[..] else { panic!("two marks around the table") };
    if std::env::var_os("OCCUPANCY_BLESS").is_some() {
        std::fs::write(&document, format!("{before}{mark}\n{table}\n{mark}{after}")).unwrap();
        return;
    }
    let standings = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with('|')).map(String::from).collect()
    };
    assert_eq!(standings(&table), standings(stated));
}
