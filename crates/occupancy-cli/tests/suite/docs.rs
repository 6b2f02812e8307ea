//! The documents tell the truth: every command in a `console` block is run, in a folder that holds `examples/`, and
//! prints what the block says. Numbers may differ by rounding, times by anything. `OCCUPANCY_BLESS=1` writes what is
//! printed into the documents.

#![cfg(unix)] // the commands are given to a shell
use std::path::{Path, PathBuf};
use std::process::Command;

/// How far a number may be from the one in the document.
const ROUNDING: f64 = 1e-9;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines of a document, with the number of the line where the `console` block that holds them begins.
fn lines_with_block(text: &str) -> Vec<(&str, Option<usize>)> {
    let (mut fence, mut console) = (false, None);
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            console = (!fence && line == "```console").then_some(at);
            fence = !fence;
            lines.push((line, None));
        } else {
            lines.push((line, console));
        }
    }
    lines
}

/// An empty folder with the examples in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("examples")).unwrap();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let from = entry.unwrap().path();
        std::fs::copy(&from, folder.join("examples").join(from.file_name().unwrap())).unwrap();
    }
    folder
}

/// What a command prints, errors included.
fn printed(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_occupancy")).parent().unwrap().to_str().unwrap();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let script = format!("{{ {command}\n}} 2>&1");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

/// The parts of a line that are compared: words, and numbers by their value.
fn parts(line: &str) -> Vec<&str> {
    let line = if line.starts_with("planned ") { line.split(" in ").next().unwrap() } else { line };
    // Some claims are about times.
    let line = if line.starts_with("Of the paper's ") { line.split(", ").next().unwrap() } else { line };
    let parts = line.split(|c: char| c.is_whitespace() || ",:[]{}()'".contains(c));
    let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if let Some(at) = parts.iter().position(|&part| part == "\"seconds\"") {
        parts.remove(at + 1);
    }
    parts
}

fn agree(found: &str, stated: &str) -> bool {
    let number = |part: &str| part.trim_start_matches(['=', '<', '>']).parse::<f64>();
    let same = |(a, b): (&&str, &&str)| match (number(a), number(b)) {
        (Ok(x), Ok(y)) => (x - y).abs() <= ROUNDING * (1.0 + y.abs()) || x == y,
        _ => a == b,
    };
    let (found, stated) = (parts(found), parts(stated));
    found.len() == stated.len() && found.iter().zip(&stated).all(same)
}

/// The lines up to the last one with text: an empty line may stand before the next command. Of the sentence about claims, some of
/// which are about times, the first line is left, however many it takes.
fn comparable(mut lines: Vec<&str>) -> Vec<&str> {
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    if let Some(first) = lines.iter().position(|line| line.starts_with("Of the paper's ")) {
        let more = lines[first..].iter().take_while(|line| !line.ends_with('.')).count();
        lines.drain(first + 1..(first + 1 + more).min(lines.len()));
    }
    lines
}

/// Runs the commands of a document; returns it with what they print, and what is not as stated.
fn run(document: &str) -> (String, Vec<String>) {
    let text = read(document);
    let folder = folder(&document.replace('/', "-"));
    let mut lines = lines_with_block(&text).into_iter().peekable();
    let (mut truth, mut wrong) = (String::new(), Vec::new());
    while let Some((line, block)) = lines.next() {
        truth.push_str(line);
        truth.push('\n');
        let Some(command) = line.strip_prefix("$ ").filter(|_| block.is_some()) else { continue };
        let mut stated = Vec::new();
        while let Some((line, _)) =
            lines.next_if(|(line, inside)| *inside == block && !line.starts_with("$ "))
        {
            stated.push(line);
        }
        let output = printed(command, &folder);
        truth.push_str(&output);
        let (found, stated) = (comparable(output.lines().collect()), comparable(stated));
        if found.len() != stated.len() || !found.iter().zip(&stated).all(|(a, b)| agree(a, b)) {
            wrong.push(format!("{document}: `{command}` prints\n{output}"));
        }
    }
    (truth, wrong)
}

fn check(document: &str) {
    let (truth, wrong) = run(document);
    if std::env::var_os("OCCUPANCY_BLESS").is_some() {
        std::fs::write(root().join(document), truth).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}\n(OCCUPANCY_BLESS=1 writes it into the document)", wrong.join("\n"));
    }
}

#[test]
fn the_readme_shows_what_its_commands_print() {
    check("README.md");
}

#[test]
fn the_guide_shows_what_its_commands_print() {
    check("docs/guide.md");
}

#[test]
fn the_readmes_picture_is_the_one_that_the_program_draws() {
    let folder = folder("picture");
    printed("occupancy solve marsrover-4x4 --svg rover.svg", &folder);
    let drawn = std::fs::read_to_string(folder.join("rover.svg")).unwrap();
    if std::env::var_os("OCCUPANCY_BLESS").is_some() {
        std::fs::write(root().join("docs/marsrover-4x4.svg"), &drawn).unwrap();
    }
    assert!(drawn == read("docs/marsrover-4x4.svg"), "OCCUPANCY_BLESS=1 draws docs/marsrover-4x4.svg again");
}

#[test]
fn the_readmes_example_is_the_one_that_the_library_tests() {
    let readme = read("README.md");
    let example = readme.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let library = read("crates/occupancy/src/lib.rs");
    let page: Vec<&str> = library.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let page: Vec<&str> = page.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    assert!(page.join("\n").contains(example), "the example of README.md is not in the library's front page");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/design.md", "docs/guide.md"];
    for document in pages.into_iter().chain(["docs/algorithms.md", "docs/reproduction.md"]) {
        let text = read(document);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let there = root().join(document).parent().unwrap().join(file).exists();
            assert!(there || link.contains("://"), "{document} links to {link}, which does not exist");
        }
    }
}
