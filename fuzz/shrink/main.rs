//! Makes a model that fails smaller: `shrink planners|optimism FILE` decodes an input of a fuzz target and tries simpler
//! models as long as they fail in the same way.

mod draft;

use arbitrary::{Arbitrary, Unstructured};
use draft::Draft;
use occupancy_fuzz::{Believed, Tiny, check_optimism, check_planners};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, file] = &arguments[..] else { panic!("usage: shrink planners|optimism FILE") };
    let bytes = std::fs::read(file).expect("the file can be read");
    let mut bytes = Unstructured::new(&bytes);
    let mut draft = match target.as_str() {
        "planners" => Draft::of(&Tiny::arbitrary(&mut bytes).expect("enough bytes"), None),
        "optimism" => {
            let believed = Believed::arbitrary(&mut bytes).expect("enough bytes");
            Draft::of(&believed.tiny, Some(&believed.radii))
        }
        _ => panic!("no such target: {target}"),
    };
    std::panic::set_hook(Box::new(|_| {}));
    let kind = |problem: &str| problem.chars().filter(|c| c.is_alphabetic() || *c == ' ').collect::<String>();
    let wanted = kind(&problem(&draft).expect("the file fails"));
    while let Some(simpler) = draft
        .simpler()
        .into_iter()
        .find(|simpler| problem(simpler).is_some_and(|found| kind(&found) == wanted))
    {
        draft = simpler;
    }
    println!("{}\n{draft}", problem(&draft).unwrap_or_default());
}

/// What is wrong with the answers on a model; nothing where it is no model.
fn problem(draft: &Draft) -> Option<String> {
    let tiny = draft.tiny()?;
    let checked = catch_unwind(AssertUnwindSafe(|| match draft.radii() {
        None => check_planners(&tiny),
        Some(radii) => check_optimism(&Believed { tiny, radii }),
    }));
    match checked {
        Ok(found) => found.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Some(
                text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
                    .unwrap_or_default(),
            )
        }
    }
}
