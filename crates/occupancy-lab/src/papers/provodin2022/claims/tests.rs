//! Claims about made-up results: other data, other standings.

use super::*;
use crate::analyse::{Summary, SummaryConfig};
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

/// What the claims say of experiments, all taken for the paper's own.
pub fn checked(chapters: &[Chapter]) -> Vec<Claim> {
    let summary = |chapter: &Chapter| {
        Summary::of(&chapter.results, &chapter.env.model, SummaryConfig::default()).unwrap()
    };
    let summaries: Vec<Summary> = chapters.iter().map(summary).collect();
    let judged = chapters.iter().zip(&summaries).map(|(chapter, summary)| Judged { chapter, summary });
    check(&judged.collect::<Vec<_>>())
}

/// The finding under the first preset on the claim that begins with these words.
fn found(claims: &[Claim], text: &str) -> Finding {
    let claim = claims.iter().find(|claim| claim.text.starts_with(text)).unwrap();
    claim.findings[0].clone()
}

fn standing(chapters: &[Chapter], text: &str) -> Standing {
    found(&checked(chapters), text).standing
}

#[test]
fn the_first_to_settle_is_first_until_another_is() {
    let soon: fn(u64, u64) -> [f64; 2] = |run, step| after(40, run, step, [-0.775, 0.2]);
    let late: fn(u64, u64) -> [f64; 2] = |run, step| after(200, run, step, [-0.775, 0.2]);
    let text = "On Marsrover 4x4 cucrl-optimistic";
    let story = Story::default();
    let as_claimed = [story.chapter("first", &[optimistic(soon), transitions(late)])];
    assert_eq!(standing(&as_claimed, text), Standing::Holds);
    assert_eq!(standing(&as_claimed, "On Marsrover 4x4 every"), Standing::Holds);
    assert_eq!(standing(&as_claimed, "Posterior sampling is statistically"), Standing::Fails);
    assert_eq!(standing(&as_claimed, "Posterior sampling is computationally"), Standing::Fails);
    let turned = [story.chapter("second", &[optimistic(late), transitions(soon)])];
    assert_eq!(standing(&turned, text), Standing::Fails);
    assert_eq!(standing(&turned, "Posterior sampling is statistically"), Standing::Holds);
    let evidence = found(&checked(&turned), text).evidence;
    assert!(evidence.contains("cucrl-optimistic 2") && evidence.contains("psrl-transitions"), "{evidence}");
    let never: fn(u64, u64) -> [f64; 2] = |run, step| after(0, run, step, [-0.95, 0.2]);
    let neither = [story.chapter("neither", &[optimistic(never), transitions(never)])];
    assert_eq!(standing(&neither, text), Standing::Censored);
    let evidence = found(&checked(&neither), text).evidence;
    assert!(evidence.contains("cucrl-optimistic never (0 of 12 runs have settled)"), "{evidence}");
    assert_eq!(standing(&neither, "On Marsrover 4x4 every"), Standing::Fails);
}

#[test]
fn what_holds_for_some_is_mixed_and_says_for_whom() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.775, 0.2]);
    let costly: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.75, 0.4]);
    let chapter = [Story::default().chapter("part", &[optimistic(there), transitions(costly)])];
    let mixed = found(&checked(&chapter), "On Marsrover 4x4 every");
    assert_eq!((mixed.standing, mixed.word), (Standing::Mixed, "mixed"));
    assert_eq!(mixed.whom.as_deref(), Some("yes: cucrl-optimistic; no: psrl-transitions"));
    assert!(mixed.evidence.contains("cucrl-optimistic 12 of 12 runs, mean -0.77"), "{}", mixed.evidence);
    assert!(mixed.evidence.contains("psrl-transitions 0 of 12 runs"), "{}", mixed.evidence);
    assert_eq!(standing(&chapter, "On Box the optimistic"), Standing::Untested);
    assert_eq!(standing(&chapter, "psrl-transitions converges faster"), Standing::Untested);
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
    assert_eq!(standing(&turned, "On Box both"), Standing::Mixed);
}

/// Two runs of three are safe and one is fast, so that their mean is near the optimum: a run that is near it there is not.
#[test]
fn a_mean_near_the_optimum_is_not_a_run_near_it() {
    let torn: fn(u64, u64) -> [f64; 2] =
        |run, _| if run.is_multiple_of(4) { [-0.8333, 0.8333] } else { [-0.875, 0.0] };
    let story = Story { environment: "box", ..Story::default() };
    let chapter = [story.chapter("torn", &[lagrangian(torn)])];
    let both = found(&checked(&chapter), "On Box both");
    assert_eq!(both.standing, Standing::Fails);
    assert!(both.evidence.contains("psrl-lagrangian 0 of 12 runs, mean -0.8646"), "{}", both.evidence);
}

#[test]
fn what_few_runs_say_is_undecided() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.775, 0.2]);
    let half: fn(u64, u64) -> [f64; 2] =
        |run, step| after(10, run, step, if run % 2 == 0 { [-0.775, 0.2] } else { [-0.95, 0.2] });
    let text = "On Marsrover 4x4 every";
    let few = Story { runs: 3, ..Story::default() };
    assert_eq!(standing(&[few.chapter("few", &[optimistic(there)])], text), Standing::Undecided);
    let halves = [Story::default().chapter("halves", &[optimistic(half)])];
    assert_eq!(standing(&halves, text), Standing::Undecided, "six of twelve");
}

#[test]
fn spread_and_time_of_the_posterior_samplers_are_compared() {
    let calm: fn(u64, u64) -> [f64; 2] = |run, step| after(30, run, step, [-0.775, 0.2]);
    let wild: fn(u64, u64) -> [f64; 2] = |run, step| {
        let [reward, cost] = after(90, run, step, [-0.775, 0.2]);
        [reward + 0.05 * noise(run, 0), cost]
    };
    let chapter = [Story::default().chapter("wild", &[transitions(calm), lagrangian(wild)])];
    assert_eq!(standing(&chapter, "psrl-lagrangian varies"), Standing::Holds);
    assert_eq!(standing(&chapter, "psrl-transitions costs more"), Standing::Holds);
    assert_eq!(standing(&chapter, "psrl-transitions converges faster"), Standing::Holds);
    let turned = [Story::default().chapter("calm", &[transitions(wild), lagrangian(calm)])];
    assert_eq!(standing(&turned, "psrl-lagrangian varies"), Standing::Fails);
}

#[test]
fn the_budget_is_kept_until_it_is_not() {
    let careful: fn(u64, u64) -> [f64; 2] = |run, step| after(0, run, step, [-0.8, 0.15]);
    let careless: fn(u64, u64) -> [f64; 2] =
        |run, step| after(0, run, step, [-0.8, if step < 100 { 0.3 } else { 0.15 }]);
    let conservative = |signals| MadeUp { name: "cucrl-conservative", signals, epochs: 20, planning: 0.1 };
    let text = "cucrl-conservative does not";
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
    assert_eq!(standing(&[small()], "64 states"), Standing::Untested);
    // What never happened is no number: the last round bounds it from below.
    let never: fn(u64, u64) -> [f64; 2] = |run, step| after(0, run, step, [-0.99, 0.1]);
    let censored = found(&checked(&[small(), large("never", never)]), "64 states");
    assert_eq!(censored.standing, Standing::Holds);
    assert!(censored.evidence.starts_with("psrl-transitions: more than "), "{}", censored.evidence);
    assert!(censored.evidence.contains("to never (0 of 12 runs have settled)"), "{}", censored.evidence);
    let slow: fn(u64, u64) -> [f64; 2] = |run, step| after(150, run, step, [-0.775, 0.2]);
    let late = Story::default().chapter("slow", &[transitions(slow)]);
    assert_eq!(standing(&[late, large("not", never)], "64 states"), Standing::Censored);
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
    let few = found(&checked(&with_rule("tsde", "epochs = [\"tsde\"]", 300)), text);
    assert_eq!(few.standing, Standing::Holds);
    let said = "marsrover-4x4 psrl-transitions: 300 [300, 300] epochs in 400 rounds, bound 554";
    assert_eq!(few.evidence, said);
    assert_eq!(standing(&with_rule("many", "epochs = [\"tsde\"]", 600), text), Standing::Fails);
    assert_eq!(standing(&with_rule("other", "epochs = [\"doubling\"]", 300), text), Standing::Untested);
    assert_eq!(standing(&with_rule("own", "epochs = \"doubling\"", 300), text), Standing::Untested);
}

#[test]
fn optimism_over_transitions_is_impractical_where_it_takes_long() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.938, 0.1]);
    let chapter = |test: &str, planning| {
        let slow = MadeUp { name: "cucrl-transitions", signals: there, epochs: 20, planning };
        let story = Story { environment: "marsrover-8x8", ..Story::default() };
        [story.chapter(test, &[optimistic(there), slow])]
    };
    assert_eq!(standing(&chapter("slow", 50.0), "cucrl-transitions is"), Standing::Holds);
    assert_eq!(standing(&chapter("not-slow", 0.6), "cucrl-transitions is"), Standing::Fails);
}

#[test]
fn presets_have_findings_of_their_own_and_nothing_has_none() {
    let there: fn(u64, u64) -> [f64; 2] = |run, step| after(10, run, step, [-0.8, 0.2]);
    let story = |preset| Story { preset, ..Story::default() };
    let chapters = [
        story("sound").chapter("sound", &[optimistic(there)]),
        story("published").chapter("published", &[optimistic(there)]),
    ];
    for claim in checked(&chapters) {
        let presets: Vec<&str> = claim.findings.iter().map(|finding| finding.preset.as_str()).collect();
        assert_eq!(presets, ["published", "sound"], "{}", claim.text);
    }
    assert!(checked(&[]).iter().all(|claim| claim.findings.is_empty()));
}
