//! The page: one HTML file that needs nothing else.
//!
//! Style, charts, code and data stand in the template in the places of their marks. The data are JSON in which `<` is
//! escaped, so that no text of theirs can end the element that holds them.

use super::claims::{Claim, Standing};
use crate::json::text;
use serde_json::{Value, json};
use std::io::{self, Write};

const TEMPLATE: &str = include_str!("../../assets/report.html");
const STYLE: [&str; 3] = [
    include_str!("../../assets/theme.css"),
    include_str!("../../assets/report.css"),
    include_str!("../../assets/print.css"),
];
const PLOTLY: &str = include_str!("../../assets/plotly-basic.min.js");
const CODE: [&str; 9] = [
    include_str!("../../assets/base.js"),
    include_str!("../../assets/charts.js"),
    include_str!("../../assets/grids.js"),
    include_str!("../../assets/opening.js"),
    include_str!("../../assets/numbers.js"),
    include_str!("../../assets/terms.js"),
    include_str!("../../assets/policies.js"),
    include_str!("../../assets/sources.js"),
    include_str!("../../assets/report.js"),
];

/// Writes the page of some data.
pub fn write(out: &mut dyn Write, data: &Value) -> io::Result<()> {
    let parts = [
        ("/*style*/", STYLE.join("\n")),
        ("/*plotly*/", PLOTLY.to_string()),
        ("/*data*/", text(data).replace('<', "\\u003c")),
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

/// The claims as data.
pub fn claims(claims: &[Claim]) -> Value {
    let standing = |standing| match standing {
        Standing::Holds => "holds",
        Standing::Fails => "fails",
        Standing::Depends => "depends",
        Standing::Missing => "missing",
    };
    let finding = |found: &super::claims::Finding| {
        json!({
            "preset": found.preset.name(),
            "standing": standing(found.standing),
            "evidence": found.evidence,
        })
    };
    let claim = |claim: &Claim| {
        json!({
            "text": claim.text,
            "test": claim.test,
            "findings": claim.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    };
    claims.iter().map(claim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_replaced_and_data_cannot_leave_their_element() {
        let mut page = Vec::new();
        write(&mut page, &json!({ "text": "</script><b>/*code*/" })).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("\\u003c/script>\\u003cb>/*code*/"), "escaped, and not taken for a mark");
        assert!(["/*style*/", "/*plotly*/", "/*data*/"].iter().all(|mark| !page.contains(mark)));
        assert!(page.trim_end().ends_with("</html>"));
    }

    #[test]
    fn nothing_that_is_part_of_the_page_ends_an_element_early() {
        assert!(CODE.iter().chain([&PLOTLY]).all(|code| !code.to_lowercase().contains("</script")));
        assert!(STYLE.iter().all(|style| !style.contains("</")));
    }
}
