//! The page: one HTML file that needs nothing else.
//!
//! Style, charts, code and data stand in the template in the places of their marks. The data are the JSON of a [`Page`] in
//! which `<` is escaped, so that no text of theirs can end the element that holds them.

pub mod ablation;
pub mod chapter;
pub mod curves;
pub mod effort;
pub mod grid;
pub mod numbers;
pub mod policies;
mod snapshots;
pub mod terms;

use super::paper::{Claim, PaperWords};
use ablation::Sweep;
use chapter::ChapterData;
use numbers::Keyed;
use serde::Serialize;
use std::io::{self, Write};

const TEMPLATE: &str = include_str!("../../../assets/report.html");
const STYLE: [&str; 3] = [
    include_str!("../../../assets/theme.css"),
    include_str!("../../../assets/report.css"),
    include_str!("../../../assets/print.css"),
];
const PLOTLY: &str = include_str!("../../../assets/plotly-basic.min.js");
const CODE: [&str; 9] = [
    include_str!("../../../assets/base.js"),
    include_str!("../../../assets/charts.js"),
    include_str!("../../../assets/grids.js"),
    include_str!("../../../assets/opening.js"),
    include_str!("../../../assets/numbers.js"),
    include_str!("../../../assets/terms.js"),
    include_str!("../../../assets/policies.js"),
    include_str!("../../../assets/sources.js"),
    include_str!("../../../assets/report.js"),
];

/// Everything that the page shows.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// The version of the program that made it.
    pub version: String,
    /// The revision that the program was built from.
    pub revision: String,
    /// The title.
    pub title: String,
    /// The description of what there is only one of.
    pub description: Option<String>,
    /// The words of the paper some of whose experiments are here.
    pub paper: Option<PaperWords>,
    /// The groups of experiments that a reader chooses from, and what each of them is.
    pub groups: Keyed<String>,
    /// The commands that repeat it.
    pub commands: Vec<String>,
    /// The share of the range between the levels that is near the optimum.
    pub tolerance: f64,
    /// What the experiments of the paper came to, in a few sentences.
    pub findings: Vec<String>,
    /// How its claims stand, in sentences.
    pub verdict: Vec<String>,
    /// What is missing, in sentences.
    pub missing: Vec<String>,
    /// The colours of learners.
    pub colours: Keyed<String>,
    /// The comparisons of learners.
    pub chapters: Vec<ChapterData>,
    /// The claims of a paper.
    pub claims: Vec<Claim>,
    /// The sweeps over options of learners.
    pub ablation: Vec<Sweep>,
    /// The files of the figures, from the page.
    pub figures: Vec<String>,
}

/// Writes the page of some data.
pub fn write(out: &mut dyn Write, title: &str, data: &impl Serialize) -> io::Result<()> {
    let parts = [
        ("/*title*/", escaped(title)),
        ("/*style*/", STYLE.join("\n")),
        ("/*plotly*/", PLOTLY.to_string()),
        ("/*data*/", without_controls(&serde_json::to_string(data)?).replace('<', "\\u003c")),
        ("/*code*/", CODE.join("\n")),
    ];
    let mut rest = TEMPLATE;
    for (mark, text) in &parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(text.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// A text that stands between two tags.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// JSON without any control character: its own rules ask only for those below a space to be written out.
pub fn without_controls(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() { text += &format!("\\u{:04x}", c as u32) } else { text.push(c) }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_replaced_and_data_cannot_leave_their_element() {
        let mut page = Vec::new();
        write(&mut page, "a <b> & /*data*/", &["</script><b>/*code*/"]).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("\\u003c/script>\\u003cb>/*code*/"), "escaped, and not taken for a mark");
        assert!(page.contains("<title>a &lt;b&gt; &amp; /*data*/</title>"));
        assert!(["/*style*/", "/*plotly*/", "json\">/*data*/"].iter().all(|mark| !page.contains(mark)));
        assert!(page.trim_end().ends_with("</html>"));
    }

    #[test]
    fn nothing_that_is_part_of_the_page_ends_an_element_early() {
        assert!(CODE.iter().chain([&PLOTLY]).all(|code| !code.to_lowercase().contains("</script")));
        assert!(STYLE.iter().all(|style| !style.contains("</")));
    }
}
