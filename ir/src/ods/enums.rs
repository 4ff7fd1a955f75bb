//! Enumerations: the words that the custom form writes and the values that the generic form holds.
//!
//! MLIR stores most of them as integers (`predicate = 2 : i64` for `slt`); an unknown word makes the form not fit, so the
//! operation keeps its text, and an unknown number keeps the generic form.

use std::sync::LazyLock;

/// How an enumeration stands in the generic form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As an integer of that type: `2 : i64`.
    Integer(&'static str),
    /// As a dialect attribute in its long spelling, of which this is the part before the word: `gpu<dim` for
    /// `#gpu<dim x>`.
    Parameter(&'static str),
}

/// A word and its number.
pub type EnumCase = (&'static str, i64);

/// One enumeration.
#[derive(Debug)]
pub struct EnumDef {
    /// Its name; in an entry, with `Attr` behind it.
    pub name: &'static str,
    /// How the generic form writes it.
    pub spelling: Spelling,
    /// Its words; with several words for a number, the first is the one that is printed.
    pub cases: Vec<EnumCase>,
}

impl EnumDef {
    /// The number of a word.
    pub fn number(&self, word: &str) -> Option<i64> {
        self.cases.iter().find(|case| case.0 == word).map(|case| case.1)
    }

    /// The word of a number.
    pub fn word(&self, number: i64) -> Option<&'static str> {
        self.cases.iter().find(|case| case.1 == number).map(|case| case.0)
    }
}

/// An enumeration by its name.
pub(super) fn find_enum(name: &str) -> Option<&'static EnumDef> {
    static ENUMS: LazyLock<Vec<EnumDef>> =
        LazyLock::new(|| include_str!("../../ops/enums.ods").lines().filter_map(read).collect());
    ENUMS.iter().find(|e| e.name == name)
}

/// A line of the file; none for a comment.
fn read(line: &'static str) -> Option<EnumDef> {
    let mut words = line.split_whitespace();
    let name = words.next().filter(|name| *name != "#")?;
    let spelling = words.next()?;
    let spelling = if spelling.contains('<') { Spelling::Parameter(spelling) } else { Spelling::Integer(spelling) };
    let mut next = 0;
    let case = |word: &'static str| {
        let (word, number) = word.split_once('=').map_or((word, None), |(word, number)| (word, number.parse().ok()));
        let number = number.unwrap_or(next);
        next = number + 1;
        (word, number)
    };
    Some(EnumDef { name, spelling, cases: words.map(case).collect() })
}
