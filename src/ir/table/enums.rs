//! Enumerations: the words that the custom form writes and the values that the generic form holds.
//!
//! MLIR stores most of them as integers (`predicate = 2 : i64` for `slt`); an unknown word makes the form not fit, so the
//! operation keeps its text, and an unknown number keeps the generic form.

/// How an enumeration stands in the generic form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As an integer of that type: `2 : i64`.
    Integer(&'static str),
    /// As a dialect attribute around the word: `#d.m<word>`.
    Attribute(&'static str),
}

/// A word and its number.
pub type EnumCase = (&'static str, i64);

/// One enumeration.
#[derive(Debug)]
pub struct Enum {
    /// The kind's name in a row's props.
    pub name: &'static str,
    /// How the generic form writes it.
    pub spelling: Spelling,
    /// Its words; with several words for a number, the first is the one that is printed.
    pub cases: &'static [EnumCase],
}

impl Enum {
    /// The number of a word.
    pub fn number(&self, word: &str) -> Option<i64> {
        self.cases.iter().find(|case| case.0 == word).map(|case| case.1)
    }

    /// The word of a number.
    pub fn word(&self, number: i64) -> Option<&'static str> {
        self.cases.iter().find(|case| case.1 == number).map(|case| case.0)
    }
}

/// An enumeration by its kind.
pub fn find_enum(name: &str) -> Option<&'static Enum> {
    ENUMS.iter().find(|e| e.name == name)
}

const I32: Spelling = Spelling::Integer("i32");
const I64: Spelling = Spelling::Integer("i64");

const ENUMS: &[Enum] = &[
    Enum {
        name: "CmpI",
        spelling: I64,
        cases: &[
            ("eq", 0),
            ("ne", 1),
            ("slt", 2),
            ("sle", 3),
            ("sgt", 4),
            ("sge", 5),
            ("ult", 6),
            ("ule", 7),
            ("ugt", 8),
            ("uge", 9),
        ],
    },
    Enum { name: "ProgramDim", spelling: I32, cases: &[("x", 0), ("y", 1), ("z", 2)] },
    Enum {
        name: "CacheModifier",
        spelling: I32,
        cases: &[("none", 1), ("ca", 2), ("cg", 3), ("wb", 4), ("cs", 5), ("wt", 6), ("cv", 7)],
    },
    Enum {
        name: "EvictionPolicy",
        spelling: I32,
        cases: &[("evict_normal", 1), ("evict_first", 2), ("evict_last", 3)],
    },
    Enum { name: "Padding", spelling: I32, cases: &[("PAD_ZERO", 1), ("PAD_NAN", 2)] },
];
