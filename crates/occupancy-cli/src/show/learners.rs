//! The learners in words: a list, or a table of options and presets for each, then what the options mean.

use super::ink::{Ink, Paint};
use super::table::{Align, table};
use super::wrap::wrapped;
use crate::args::Preset;
use crate::learners::{Choice, Listed};
use clap::ValueEnum;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::papers::provodin2022::PAPER_ENVIRONMENTS;

/// Characters of a line.
const LINE: usize = 80;
/// The column in which meanings begin.
const MEANINGS: usize = 22;

/// The learners, a line each: those of averages, then those of episodes.
pub fn list(listed: &[Listed], ink: Ink) -> String {
    let part = |title: &str, episodic: bool| {
        let of_part = listed.iter().filter(|learner| learner.is_episodic == episodic);
        let lines: String = of_part.map(|learner| beside(learner.name, learner.about)).collect();
        format!("{}\n{lines}\n", ink.paint(Paint::Bold, title))
    };
    let hint = "occupancy learners NAME… shows options, docs/algorithms.md each learner exactly.";
    part("long-run averages (also in models of stages)", false)
        + &part("episodes (with --horizon)", true)
        + &format!("{}\n", ink.paint(Paint::Dim, hint))
}

/// Learners with their options.
pub fn describe(listed: &[Listed], ink: Ink) -> String {
    let mut text = String::new();
    for learner in listed {
        text += &format!("{}\n", ink.paint(Paint::Bold, learner.name));
        text += &indented(learner.about, 2);
        text += &if learner.options.is_empty() { "  no options\n".into() } else { options(learner, ink) };
        text.push('\n');
    }
    text + &reading(ink) + "\n" + &meanings(listed, ink) + "\n" + &presets(ink)
}

/// The table of a learner's options.
fn options(learner: &Listed, ink: Ink) -> String {
    // The paper has nothing to say of other learners than its own: there its two presets are what a learner has by default.
    let is_papers = learner
        .options
        .iter()
        .any(|choice| choice.values[0] != choice.values[3] && choice.values[0] != choice.values[2]);
    let shown: &[usize] = if is_papers { &[0, 1, 2, 3] } else { &[2, 3] };
    let presets = Preset::value_variants();
    let head = shown.iter().map(|&at| presets[at].chosen().name().to_string());
    let mut rows = vec![std::iter::once("option".to_string()).chain(head).collect::<Vec<String>>()];
    for choice in &learner.options {
        let values = shown.iter().map(|&at| value(&choice.values[at]));
        rows.push(std::iter::once(choice.name.to_string()).chain(values).collect());
    }
    let lines = table(&vec![Align::Left; shown.len() + 1], &rows);
    let mut text = String::new();
    for (i, line) in lines.lines().enumerate() {
        let line = if i == 0 { ink.paint(Paint::Dim, line) } else { line.to_string() };
        text += &format!("  {line}\n");
    }
    text
}

/// One value, or three where the environments differ.
fn value(values: &[Option<String>; 3]) -> String {
    let texts = values.each_ref().map(|value| value.as_deref().map_or("–".to_string(), shortened));
    if texts.iter().all(|text| *text == texts[0]) { texts[0].clone() } else { texts.join("/") }
}

/// Digits that go on and on are cut off, and tiny numbers have an exponent.
fn shortened(value: &str) -> String {
    match (value.find('.'), value.parse::<f64>()) {
        (_, Ok(number)) if number != 0.0 && number.abs() < 1e-4 => format!("{number:e}"),
        (Some(point), _) if value.len() > point + 10 => format!("{}…", &value[..point + 4]),
        _ => value.to_string(),
    }
}

/// How to read the tables.
fn reading(ink: Ink) -> String {
    let rounds = PAPER_ENVIRONMENTS.map(|name| Catalogue::standard().rounds(name).to_string()).join("/");
    let text = format!(
        "Three values are those of {}, for {rounds} rounds. In other environments `published` and `paper` have \
         no values of h, coef and eta: they are given by --set. – has no value and needs none.",
        PAPER_ENVIRONMENTS.join("/")
    );
    wrapped(&text, LINE).into_iter().map(|line| ink.paint(Paint::Dim, &line) + "\n").collect()
}

/// What every option means, and the values it takes.
fn meanings(listed: &[Listed], ink: Ink) -> String {
    let mut known: Vec<&Choice> = Vec::new();
    for choice in listed.iter().flat_map(|learner| &learner.options) {
        if known.iter().all(|before| before.name != choice.name) {
            known.push(choice);
        }
    }
    let mut text = format!("{}\n", ink.paint(Paint::Bold, "options (--set OPTION=VALUE)"));
    for choice in known {
        text += &beside(choice.name, &lowercase(choice.about));
        text += &beside("", &format!("takes {}", choice.expected));
    }
    text
}

/// What the presets are, and what they make of the environments.
fn presets(ink: Ink) -> String {
    let mut text = format!("{}\n", ink.paint(Paint::Bold, "presets (--preset NAME)"));
    for preset in Preset::value_variants() {
        let about = preset.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
        text += &beside(preset.chosen().name(), &lowercase(&about.unwrap_or_default()));
        for name in PAPER_ENVIRONMENTS {
            let options = preset.chosen().environment(name);
            let options: Vec<String> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
            text += &beside("", &format!("{name}: {}", options.join(", ")));
        }
    }
    text
}

/// A name, and beside it what there is to say.
fn beside(name: &str, words: &str) -> String {
    let lines = wrapped(words, LINE - MEANINGS);
    let line = |(i, line): (usize, &String)| {
        let name = if i == 0 { name } else { "" };
        format!("  {name:<width$}{line}\n", width = MEANINGS - 2)
    };
    lines.iter().enumerate().map(line).collect()
}

fn indented(words: &str, by: usize) -> String {
    wrapped(words, LINE - by).into_iter().map(|line| format!("{:by$}{line}\n", "")).collect()
}

/// A sentence as a part of another one.
fn lowercase(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
