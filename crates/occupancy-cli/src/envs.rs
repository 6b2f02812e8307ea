//! `occupancy envs`: the environments that come with the program.

use crate::args::Envs;
use crate::failure::Result;
use crate::show::ink::{Ink, Paint};
use crate::show::table::{Align, table};
use crate::source::Listed;
use crate::{json, output, source};
use occupancy::model::{Bound, Cmdp};
use occupancy_lab::number::number;
use serde_json::{Map, Value, json};

/// Runs the command.
pub fn run(args: &Envs) -> Result<()> {
    let mut found = Vec::new();
    for listed in source::environments() {
        let env = source::default_environment(&listed.name)?;
        found.push((listed, env.episodes.map_or(env.model, |episodes| episodes.model)));
    }
    let text = if args.json { in_json(&found) } else { in_words(&found, Ink::for_stdout()) };
    output::print(&text)
}

/// The number of actions of the state that has most.
fn most_actions(model: &Cmdp) -> usize {
    (0..model.states()).map(|state| model.pairs_of(state).len()).max().unwrap_or(0)
}

/// A budget; one that has to be reached says so.
fn shown(bound: Bound) -> String {
    match bound {
        Bound::AtMost(budget) => number(budget),
        Bound::AtLeast(least) => format!("≥ {}", number(least)),
    }
}

fn in_words(found: &[(Listed, Cmdp)], ink: Ink) -> String {
    use Align::{Left, Right};
    let mut rows =
        vec![["name", "states", "pairs", "actions", "costs", "budgets"].map(String::from).to_vec()];
    for (listed, model) in found {
        let budgets: Vec<String> = (0..model.costs()).map(|i| shown(model.bound(i))).collect();
        let sizes =
            [model.states(), model.pairs(), most_actions(model), model.costs()].map(|n| n.to_string());
        let mut row = vec![listed.name.clone()];
        row.extend(sizes);
        row.push(budgets.join(", "));
        rows.push(row);
    }
    let lines = table(&[Left, Right, Right, Right, Right, Left], &rows);
    let mut lines = lines.lines();
    let mut text = format!("{}\n", ink.paint(Paint::Bold, lines.next().unwrap_or_default()));
    for ((listed, _), line) in found.iter().zip(lines) {
        text.push_str(&format!("{line}\n    {}\n", listed.description));
        if !listed.options.is_empty() {
            let options: Vec<String> =
                listed.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
            text.push_str(&format!(
                "    {}\n",
                ink.paint(Paint::Dim, &format!("options: {}", options.join(", ")))
            ));
        }
    }
    text
}

fn in_json(found: &[(Listed, Cmdp)]) -> String {
    let entry = |(listed, model): &(Listed, Cmdp)| {
        let options: Map<String, Value> =
            listed.options.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
        json!({
            "name": listed.name,
            "description": listed.description,
            "states": model.states(),
            "pairs": model.pairs(),
            "actions": most_actions(model),
            "costs": model.costs(),
            "cost_names": (0..model.costs()).map(|i| model.names().cost(i)).collect::<Vec<_>>(),
            "budgets": (0..model.costs()).map(|i| model.bound(i).value()).collect::<Vec<_>>(),
            "options": options,
        })
    };
    json::line(&found.iter().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn listed() -> Vec<(Listed, Cmdp)> {
        let options = vec![("slip".to_string(), "0".to_string())];
        let listed =
            Listed { name: "marsrover-4x4".into(), description: "a small gridworld".into(), options };
        vec![(listed, fixture::rover().model)]
    }

    #[test]
    fn the_list_says_sizes_budgets_and_options() {
        let expected = "\
name           states  pairs  actions  costs  budgets
marsrover-4x4      16     64        4      1  0.2
    a small gridworld
    options: slip=0
";
        assert_eq!(in_words(&listed(), Ink::default()), expected);
    }

    #[test]
    fn the_list_in_json_has_the_same_content() {
        let value: Value = serde_json::from_str(&in_json(&listed())).unwrap();
        assert_eq!((&value[0]["pairs"], &value[0]["options"]["slip"]), (&json!(64), &json!("0")));
    }
}
