//! `occupancy learners`: the learners, their options, and what the presets make of them.

use crate::args::Learners;
use crate::failure::{Result, nearest, seen, wrong};
use crate::show::ink::Ink;
use crate::{json, output, show};
use occupancy::learn::LearnerConfig;
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::papers::provodin2022::{PAPER_ENVIRONMENTS, Preset};
use serde_json::{Map, Value, json};

/// A learner as the list shows it.
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Whether it acts in episodes.
    pub is_episodic: bool,
    /// Its options.
    pub options: Vec<Choice>,
}

/// An option of a learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// The values it takes.
    pub expected: &'static str,
    /// Its values under each of the presets, in each of the paper's environments with the paper's rounds.
    pub values: [[Option<String>; 3]; 4],
}

/// Runs the command.
pub fn run(args: &Learners) -> Result<()> {
    let catalogue = Catalogue::standard();
    args.names.iter().try_for_each(|name| check_name(name, &catalogue))?;
    let is_asked = |name: &&str| args.names.is_empty() || args.names.iter().any(|asked| asked == name);
    let all = catalogue.learners().all().map(LearnerConfig::name).filter(is_asked);
    let listed = all.map(|name| listed(name, &catalogue)).collect::<occupancy::Result<Vec<Listed>>>()?;
    let ink = Ink::for_stdout();
    output::print(&match (args.json, args.names.is_empty()) {
        (true, _) => in_json(&listed),
        (false, true) => show::learners::list(&listed, ink),
        (false, false) => show::learners::describe(&listed, ink),
    })
}

fn listed(name: &str, catalogue: &Catalogue) -> occupancy::Result<Listed> {
    let learner = catalogue.learners().find(name)?;
    let value = |preset: Preset, environment: &str, name: &str| {
        let rounds = catalogue.rounds(environment);
        let filled = catalogue.learner(learner.name(), Some(&preset), environment, rounds).ok()?;
        let mut named = filled.infos().into_iter().filter(|option| option.name == name);
        named.find(|option| option.value != "own").map(|option| option.value)
    };
    let choices = learner.infos().into_iter().map(|option| Choice {
        name: option.name,
        about: option.about.trim_end_matches('.'),
        expected: option.expected,
        values: Preset::ALL
            .map(|preset| PAPER_ENVIRONMENTS.map(|environment| value(preset, environment, option.name))),
    });
    let options = choices.collect();
    Ok(Listed { name: learner.name(), about: learner.about(), is_episodic: learner.is_episodic(), options })
}

/// Refuses a name that no learner has, with the one that was probably meant.
pub fn check_name(name: &str, catalogue: &Catalogue) -> Result<()> {
    let names: Vec<&str> = catalogue.learners().all().map(LearnerConfig::name).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let near = nearest(name, names.iter().copied());
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    wrong(format!("unknown learner {}; known: {}{hint}", seen(name), names.join(", ")))
}

fn in_json(listed: &[Listed]) -> String {
    let values = |choice: &Choice| -> Map<String, Value> {
        let of_preset = |values: &[Option<String>; 3]| -> Map<String, Value> {
            let by_name = PAPER_ENVIRONMENTS.iter().zip(values);
            by_name.map(|(name, value)| (name.to_string(), json!(value))).collect()
        };
        let by_name = Preset::ALL.iter().zip(&choice.values);
        by_name.map(|(preset, values)| (preset.name().to_string(), json!(of_preset(values)))).collect()
    };
    let option = |choice: &Choice| {
        json!({
            "name": choice.name,
            "description": choice.about,
            "takes": choice.expected,
            "values": values(choice),
        })
    };
    let learner = |one: &Listed| {
        let options: Vec<Value> = one.options.iter().map(option).collect();
        let setting = if one.is_episodic { "episodes" } else { "averages" };
        json!({ "name": one.name, "description": one.about, "setting": setting, "options": options })
    };
    json::line(&listed.iter().map(learner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_their_values_by_preset_and_environment() {
        let transitions = listed("cucrl-transitions", &Catalogue::standard()).unwrap();
        let of = |name: &str| transitions.options.iter().find(|choice| choice.name == name).unwrap();
        let texts = |values: [&str; 3]| values.map(|value| Some(value.to_string()));
        let [published, paper, sound, theory] = of("h").values.clone();
        assert_eq!(published, texts(["20", "200", "1000"]));
        assert_eq!(paper, texts(["20", "1000", "1000"]));
        assert_eq!(sound, texts(["21", "59", "126"]), "⌈T^⅓⌉ of 9000, 200 000 and 2 000 000");
        assert_eq!((theory, of("coef").values[3].clone()), (sound, texts(["1", "1", "1"])));
        let eta = listed("psrl-lagrangian", &Catalogue::standard()).unwrap().options;
        let eta = eta.iter().find(|choice| choice.name == "eta").unwrap();
        assert_eq!(eta.values[2], [None, None, None]);
    }
}
