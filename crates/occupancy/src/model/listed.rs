//! A list of names in one text: a string of its own for each of ten million names would take 48 bytes a name and more.

/// Names one after the other, each with its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    text: String,
    ends: Vec<usize>,
}

impl Listed {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a name.
    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    /// The name in a place.
    pub fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(start..end)
    }

    /// All names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|place| self.get(place).unwrap_or_default())
    }

    /// Gives back what was reserved and not used.
    pub fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

impl<T: AsRef<str>> FromIterator<T> for Listed {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Listed {
        let mut listed = Listed::default();
        names.into_iter().for_each(|name| listed.push(name.as_ref()));
        listed.shrink_to_fit();
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_one_by_one_and_an_empty_one_too() {
        let names: Listed = ["a", "", "\u{e9}t\u{e9}", "b"].into_iter().collect();
        assert_eq!(names.iter().collect::<Vec<_>>(), ["a", "", "\u{e9}t\u{e9}", "b"]);
        assert_eq!((names.len(), names.get(4), Listed::default().get(0)), (4, None, None));
    }
}
