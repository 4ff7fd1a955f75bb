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
    pub cases: &'static [EnumCase],
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

/// An enumeration by its kind.
pub(super) fn find_enum(name: &str) -> Option<&'static EnumDef> {
    ENUMS.iter().find(|e| e.name == name)
}

const I32: Spelling = Spelling::Integer("i32");
const I64: Spelling = Spelling::Integer("i64");

const ENUMS: &[EnumDef] = &[
    EnumDef {
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
    EnumDef {
        name: "CmpF",
        spelling: I64,
        cases: &[
            ("false", 0),
            ("oeq", 1),
            ("ogt", 2),
            ("oge", 3),
            ("olt", 4),
            ("ole", 5),
            ("one", 6),
            ("ord", 7),
            ("ueq", 8),
            ("ugt", 9),
            ("uge", 10),
            ("ult", 11),
            ("ule", 12),
            ("une", 13),
            ("uno", 14),
            ("true", 15),
        ],
    },
    EnumDef {
        name: "Rounding",
        spelling: I32,
        cases: &[("to_nearest_even", 0), ("downward", 1), ("upward", 2), ("toward_zero", 3), ("to_nearest_away", 4)],
    },
    EnumDef { name: "GpuDim", spelling: Spelling::Parameter("gpu<dim"), cases: &[("x", 0), ("y", 1), ("z", 2)] },
    EnumDef { name: "ProgramDim", spelling: I32, cases: &[("x", 0), ("y", 1), ("z", 2)] },
    EnumDef {
        name: "CacheModifier",
        spelling: I32,
        cases: &[("none", 1), ("ca", 2), ("cg", 3), ("wb", 4), ("cs", 5), ("wt", 6), ("cv", 7)],
    },
    EnumDef {
        name: "EvictionPolicy",
        spelling: I32,
        cases: &[("evict_normal", 1), ("evict_first", 2), ("evict_last", 3)],
    },
    EnumDef { name: "Padding", spelling: I32, cases: &[("zero", 1), ("nan", 2)] },
    EnumDef {
        name: "MemSemantic",
        spelling: I32,
        cases: &[("relaxed", 1), ("acquire", 2), ("release", 3), ("acq_rel", 4)],
    },
    EnumDef { name: "MemScope", spelling: I32, cases: &[("gpu", 1), ("cta", 2), ("sys", 3)] },
    EnumDef {
        name: "AtomicOp",
        spelling: I32,
        cases: &[
            ("and", 1),
            ("or", 2),
            ("xor", 3),
            ("add", 4),
            ("fadd", 5),
            ("max", 6),
            ("min", 7),
            ("umax", 8),
            ("umin", 9),
            ("exch", 10),
        ],
    },
    EnumDef {
        name: "DescriptorReduction",
        spelling: I32,
        cases: &[("add", 1), ("min", 2), ("max", 3), ("inc", 4), ("dec", 5), ("and", 6), ("or", 7), ("xor", 8)],
    },
    EnumDef { name: "FpRounding", spelling: I32, cases: &[("rtz", 0), ("rtne", 1)] },
    EnumDef { name: "PropagateNan", spelling: I32, cases: &[("none", 0), ("all", 0xffff)] },
    EnumDef {
        name: "InputPrecision",
        spelling: I32,
        cases: &[("tf32", 0), ("tf32x3", 1), ("ieee", 2), ("bf16x3", 3), ("bf16x6", 4)],
    },
    EnumDef {
        name: "ScaledType",
        spelling: I32,
        cases: &[("e4m3", 0), ("e5m2", 1), ("e2m3", 2), ("e3m2", 3), ("e2m1", 4), ("bf16", 5), ("fp16", 6)],
    },
    EnumDef {
        name: "PackedOp",
        spelling: I32,
        cases: &[("add", 0), ("sub", 1), ("mul", 2), ("fma", 3), ("min", 4), ("max", 5)],
    },
    EnumDef { name: "TmemWait", spelling: I32, cases: &[("load", 0), ("store", 1)] },
    EnumDef { name: "TensorMode", spelling: I32, cases: &[("tiled", 0), ("im2col", 1)] },
];
