//! How values are told in messages.

/// A text with its control characters written out, so that it is one line and moves no cursor.
pub fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// What the system said, in words without its numbers.
pub fn system(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_string(),
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        ErrorKind::IsADirectory => "it is a folder".to_string(),
        _ => {
            let text = error.to_string();
            let words = text.split(" (os error ").next().unwrap_or(&text);
            let mut letters = words.chars();
            letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
        }
    }
}

/// A number in few characters, whatever its size.
pub(super) fn short(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// A number of bytes for people.
pub(super) fn size(bytes: u64) -> String {
    let units = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) if bytes < 10 * unit => format!("{:.1} {name}", bytes as f64 / unit as f64),
        Some((unit, name)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} bytes"),
    }
}

/// A value as it was given, or that it is empty.
pub(super) fn or_empty(value: &str) -> &str {
    if value.is_empty() { "empty" } else { value }
}

/// The options there are.
pub(super) fn options(known: &[String]) -> String {
    if known.is_empty() { "it has none".into() } else { format!("its options: {}", known.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn numbers_of_every_size_are_told_shortly() {
        let told = [1e200, -1e-300, 0.25, -3.0, 0.0, f64::NAN, f64::INFINITY].map(short);
        assert_eq!(told, ["1e200", "-1e-300", "0.25", "-3", "0", "NaN", "inf"]);
    }

    #[test]
    fn sizes_are_told_in_two_or_three_digits() {
        let told = [12, 1500, 25_000_000, 3_200_000_000, 400_000_000_000].map(size);
        assert_eq!(told, ["12 bytes", "1.5 kB", "25 MB", "3.2 GB", "400 GB"]);
    }

    #[test]
    fn an_empty_value_is_called_empty() {
        let error = Error::Option { option: "slip", value: String::new(), expected: "a number from 0 to 1" };
        assert_eq!(error.to_string(), "slip is empty, expected a number from 0 to 1");
    }
}
