//! Writes to the terminal, where a closed pipe is no error, and looks at the files that are to be written.

use crate::busy;
use crate::failure::{Failure, Result, wrong};
use crate::show::ink::Ink;
use occupancy::error::{system, visible};
use occupancy_lab::report::plots::png;
use occupancy_lab::staged::{self, Staged};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Prints a text for people to stdout. Colours go through where there are any, other control characters written out: a
/// file's name may hold what would move the cursor.
pub fn print(text: &str) -> Result<()> {
    print_with(|out| out.write_all(tame(text, Ink::for_stdout()).as_bytes()))
}

/// Prints to stdout what `write` writes, piece by piece.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => wrong(format!("cannot write to the output: {}", system(&error))),
    }
}

/// The same of what may be long, which is shown on stderr unless it is seen on stdout.
pub fn print_watched(name: &str, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    busy::writing(name, !io::stdout().is_terminal(), write, |write| print_with(|out| write(out)))
}

/// Writes a file beside its place, and shows how far it has come.
pub fn stage(path: &Path, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<Staged> {
    let name = path.display().to_string();
    busy::writing(&name, true, write, |write| Ok(staged::stage(path, |out| write(out))?))
}

/// Says something on stderr; where nobody listens, there is nobody to tell.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", short(&visible(text)));
}

/// Prints `error: …` to stderr, in one line whatever names it tells; if that is closed too, there is nobody left to tell.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "error: {}", short(&visible(text)));
}

/// A text line by line without control characters, except for those that paint it.
fn tame(text: &str, ink: Ink) -> String {
    let mut tamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(char::is_control) {
        tamed.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = ink.code(rest).unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
        let (control, after) = rest.split_at(length);
        match control {
            "\n" => tamed.push('\n'),
            _ if ink.code(rest).is_some() => tamed.push_str(control),
            _ => tamed.push_str(&visible(control)),
        }
        rest = after;
    }
    tamed + rest
}

/// The longest word of an error that is told in full; a file's name may have 255 characters, others any number.
const WORD: usize = 120;
/// The longest error that is told in full: a dozen lines of a terminal.
const LINE: usize = 1000;

/// A line in which words that are too long are shortened, and so is the line.
fn short(line: &str) -> String {
    let words = line.split_inclusive([' ', '/']).map(|word| middle_left_out(word, WORD));
    middle_left_out(&words.collect::<String>(), LINE)
}

/// The beginning and the end of a text of more than `most` characters.
fn middle_left_out(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_string();
    }
    let (first, last) = (most * 2 / 3, most / 3);
    let start: String = text.chars().take(first).collect();
    let end: String = text.chars().skip(count - last).collect();
    format!("{start}…{end}")
}

/// A picture as the ending of its file asks for it: PNG, or otherwise SVG as it is.
pub fn picture(path: &Path, svg: String) -> Result<Vec<u8>> {
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_png { Ok(png(&svg)?) } else { Ok(svg.into_bytes()) }
}

/// Whether a path stands for the output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses, before any work is done, files that cannot be written or that would replace each other or the source.
pub fn check_targets<'a>(source: &str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    let place = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut taken = Vec::new();
    for path in paths.into_iter().filter(|path| !is_stdout(path)) {
        let refuse = |why: String| wrong(format!("cannot write {}: {why}", path.display()));
        if path.is_dir() {
            return refuse("it is a folder".into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return refuse(format!("there is no folder {}", folder.display()));
        }
        if path.is_file() && place(path) == place(Path::new(source)) {
            return refuse("the model is read from it".into());
        }
        // Several things may be thrown away into one place.
        if taken.contains(&place(path)) && (path.is_file() || !path.exists()) {
            return refuse("it is named twice".into());
        }
        taken.push(place(path));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out_and_lines_stay_lines() {
        assert_eq!(tame("a\u{1b}[31mb\r\n\u{9b}c\n", Ink::default()), "a\\u{1b}[31mb\\r\n\\u{9b}c\n");
        assert_eq!(tame("", Ink::default()), "");
        let (painted, ink) = ("\u{1b}[31mx\u{1b}[0m", Ink::always());
        assert_eq!(tame(painted, ink), painted);
        assert_eq!(tame("\u{1b}[2J\u{1b}]0;x\u{7}", ink), "\\u{1b}[2J\\u{1b}]0;x\\u{7}");
    }

    #[test]
    fn long_names_in_errors_are_shortened_and_others_are_not() {
        let name = "x".repeat(10_000);
        let told = short(&format!("there is no state {name} in a.cmdp"));
        assert_eq!(told.chars().count(), 18 + WORD + 1 + 9);
        assert!(told.starts_with("there is no state xxx") && told.ends_with("xxx in a.cmdp"), "{told}");
        assert_eq!(short(&"many words ".repeat(1000)).chars().count(), LINE);
        let line = "results/a: line 3: expected a number, found `x`";
        assert_eq!(short(line), line);
    }
}
