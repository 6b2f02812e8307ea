//! What can be wrong in a line of a model or of a map.

/// What is wrong in a line of a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What would be right.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The text ends too early.
    #[error("the text ends here, expected {expected}")]
    Ends {
        /// What would have to follow.
        expected: String,
    },
    /// A name that is not known; the known ones are listed.
    #[error("unknown {what} {name}; known: {known}")]
    Unknown {
        /// What kind of thing is named.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A thing given twice.
    #[error("{what} {name} is given twice")]
    Twice {
        /// What kind of thing is named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A declared number that the text does not keep.
    #[error("{what} says {declared}, but the text has {found}")]
    Count {
        /// Where the number is declared.
        what: &'static str,
        /// The number declared.
        declared: usize,
        /// How many there are.
        found: usize,
    },
    /// A choice that has to be made by name.
    #[error("name the {what} to use; known: {known}")]
    Choose {
        /// What has to be chosen.
        what: &'static str,
        /// The names there are.
        known: String,
    },
    /// Two states marked as the start in a format without start distributions.
    #[error(
        "states {first} and {second} are both marked init; mark one added state instead, with one action that leads \
         to them with the probabilities of the start"
    )]
    Starts {
        /// The state marked first.
        first: usize,
        /// The state marked next.
        second: usize,
    },
    /// Bytes that are not text.
    #[error("byte {position} is not UTF-8 text")]
    NotText {
        /// Position of the byte in the file, from 0.
        position: usize,
    },
    /// A character that no map has.
    #[error("column {column} has the character {character:?}; known: {known}")]
    Character {
        /// The column, from 1.
        column: usize,
        /// The character.
        character: char,
        /// The characters there are.
        known: &'static str,
    },
    /// A row of a map that is not as long as the first one.
    #[error("the row has {found} cells, expected {expected} as in the first row")]
    RowLength {
        /// Its length.
        found: usize,
        /// The first row's length.
        expected: usize,
    },
    /// A map without a cell that it needs.
    #[error("the map ends here without a {what}; mark at least one cell with {character}")]
    NoCell {
        /// What is missing.
        what: &'static str,
        /// The character that marks it.
        character: char,
    },
    /// A second box in a map.
    #[error("column {column} has a second box; the first is in line {first_line}, column {first_column}")]
    SecondBox {
        /// The column, from 1.
        column: usize,
        /// The line of the first box, from 1.
        first_line: usize,
        /// The column of the first box, from 1.
        first_column: usize,
    },
    /// A risky cell in a map with a box, where the box alone costs.
    #[error("column {column} has a risky cell, but a map with a box charges only for the box in a corner")]
    RiskyWithBox {
        /// The column, from 1.
        column: usize,
    },
}
