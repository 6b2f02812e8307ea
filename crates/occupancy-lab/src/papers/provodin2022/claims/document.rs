//! The table of docs/reproduction.md, made from full runs.

use super::tests::checked;
use super::*;

/// A table of standings and a list of the evidence, for a document.
fn markdown(claims: &[Claim]) -> String {
    let word = |standing: Standing| match standing {
        Standing::Fails => format!("**{}**", standing.word()),
        other => other.word().to_string(),
    };
    let presets = Preset::COMPARED.map(Preset::name).join(" | ");
    let (mut table, mut list) = (format!("| | claim | {presets} |\n|---|---|---|---|---|\n"), String::new());
    for (at, claim) in claims.iter().enumerate() {
        let standings: Vec<String> = claim.findings.iter().map(|finding| word(finding.standing)).collect();
        table += &format!("| {} | {} | {} |\n", at + 1, claim.text, standings.join(" | "));
        list += &format!("\n{}. **{}** Test: {}\n", at + 1, claim.text, claim.test);
        for Finding { preset, standing, whom, evidence, .. } in &claim.findings {
            let evidence = evidence.replace(" -", " −").replace("[-", "[−");
            let whom = whom.as_ref().map(|whom| format!(" ({whom})")).unwrap_or_default();
            list += &format!("   - *{preset}*, {}{whom}: {evidence}\n", word(*standing));
        }
    }
    format!(
        "{table}\n### The evidence\n\nEach number with its interval; *settled* counts rounds by which half of the runs have settled.\n{list}"
    )
}

/// With `OCCUPANCY_BLESS` set, writes the table of docs/reproduction.md again from `results/`, where
/// `occupancy run experiments/provodin2022/*.toml` has put its runs. Times differ, so that they are not compared.
#[test]
#[ignore = "needs the runs of all experiments in results/"]
fn the_table_of_the_document_is_made_from_full_runs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut chapters = Vec::new();
    for environment in PAPER_ENVIRONMENTS {
        for experiment in Preset::COMPARED.map(Preset::name).into_iter().chain(["epochs"]) {
            let folder = root.join(format!("results/{environment}-{experiment}"));
            chapters.push(Chapter::open(&folder, &crate::catalogue::Catalogue::standard()).unwrap());
        }
    }
    let table = markdown(&checked(&chapters));
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
