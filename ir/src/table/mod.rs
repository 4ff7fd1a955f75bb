//! How operations are written: one [`Row`] an operation, read by the parser and by the printer alike.
//!
//! A row says in four short strings what the generic form leaves implicit. For `tt.load`:
//!
//! ```text
//! operands  "ptr mask? other? -> result=pointee(ptr)"
//! props     "padding:Padding? cache:CacheModifier=1 isVolatile:bool=false"
//! forms     ["%ptr [',' %mask [',' %other]] ['cacheModifier' '=' $cache] {} ':' :ptr"]
//! flags     READS
//! ```
//!
//! **Operands.** Names in the order of the generic form; `x?` is an optional and `x*` a variadic one. After `->` the
//! results, likewise. A result whose type the form does not spell carries a rule: `=x` the type of operand (or result)
//! `x`; `=i1(x)` an `i1` shaped like `x`; `=pointee(x)` what a pointer or a tensor of pointers points to; `=element(x)`
//! the element type; `='i32'` that very type; `=attr(value)` the type of an attribute. With more than one optional or variadic group the
//! generic form has `operandSegmentSizes`, unless the flag `NO_SEGMENTS` says that the counts follow from elsewhere.
//!
//! **Props.** The inherent attributes, `name:kind`, with `?` when it may be absent and `=default` (generic spelling of the value without its
//! type) when the custom form leaves it out if it has that value. Kinds: `i1 i8 i16 i32 i64 index` an integer, written as
//! its number; `bool`; `str`; `sym`; `type`; `unit`; `i32s i64s i1s` a dense array, written `[1, 2]`; `any` written
//! whole; `~d.m` the dialect attribute `#d.m<…>`, written as `<…>`; an upper-case name, an enumeration of `enums`.
//!
//! **Forms.** What stands after the operation's name, newest spelling first; the parser takes the first that fits.
//!
//! | notation | meaning |
//! | --- | --- |
//! | `'to'` `','` | that keyword or punctuation |
//! | `%x` | the operand `x`; all of them, with commas, when it is variadic |
//! | `$a` | the attribute `a`, as its kind is written |
//! | `:x` | the type of the operand, result or group `x` |
//! | `:x/ttg.memdesc` | the same, with the leading `!ttg.memdesc` left out |
//! | `fn(x,y -> z)` | a functional type over groups, `(t, t) -> t` |
//! | `{}` | the attributes that the form does not mention |
//! | `{attributes}` | the same after that keyword |
//! | `^x(y)` | the successor `x` with its operands `y` |
//! | `<r>` | the region `r`; all that are left when it is `<r*>` |
//! | `[ … ]` | a group that is there only if its first element is; a group that begins with a literal is there if any operand or attribute in it is |
//! | `@x` | nothing; inside a group, makes it be there just when the result `x` is |
//! | `( … )*` | the elements again and again, each turn with the next value of every group in them |
//! | `[ … ] \| …` | not supported: write two forms |
//!
//! What no row can say (`scf.for`, `tt.func`, …) names a piece of code instead: `forms: &["!for"]`, see `special`.
//! An operation with no row, or none of whose forms fits, keeps its text with holes for what it uses.

mod enums;
mod notation;
mod rows;

pub use enums::{Enum, EnumCase, Spelling, find_enum};
pub use notation::{Count, Element, Form, Group, Kind, Prop, Rule, Shape, Slot, compile};

use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock};

/// One operation as written in the table; see the module's notation.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Full name, `dialect.op`, in the newest spelling of the dialect.
    pub name: &'static str,
    /// Operand groups, `->`, result groups.
    pub operands: &'static str,
    /// Inherent attributes.
    pub props: &'static str,
    /// Custom forms, newest first.
    pub forms: &'static [&'static str],
    /// A union of the constants of [`flags`].
    pub flags: u16,
}

/// What an operation is allowed to do, and what surrounds it; a row holds a union of these.
pub mod flags {
    /// Reads no memory, writes none, always ends: may be deleted when unused, or computed twice.
    pub const PURE: u16 = 1;
    /// Reads memory, writes none: may be deleted when unused.
    pub const READS: u16 = 2;
    /// Ends its block.
    pub const TERMINATOR: u16 = 4;
    /// Its regions see no value from outside (MLIR's `IsolatedFromAbove`).
    pub const ISOLATED: u16 = 8;
    /// Its regions are graph regions: no order, no dominance.
    pub const GRAPH: u16 = 16;
    /// Several variadic groups, but no `operandSegmentSizes`.
    pub const NO_SEGMENTS: u16 = 32;
    /// Operands and results (of tensors) share one shape and, where they have one, one encoding.
    pub const ELEMENTWISE: u16 = 64;
    /// A symbol: it has a `sym_name` that others refer to.
    pub const SYMBOL: u16 = 128;
    /// Takes a segment-size attribute for its results, `resultSegmentSizes`.
    pub const RESULT_SEGMENTS: u16 = 256;
    /// Its operands, segments or required attributes differ between releases, so what was read in a custom form is
    /// printed in that form even where the generic one is asked for; MLIR reads mixtures.
    pub const VERSIONED: u16 = 512;
}

/// A row in the shape that parser and printer walk over.
#[derive(Debug)]
pub struct Entry {
    /// The row as written.
    pub row: &'static Row,
    /// Its strings, understood. Rows are compiled on first use.
    shape: OnceLock<Shape>,
}

impl Entry {
    /// The compiled strings.
    pub fn shape(&self) -> &Shape {
        self.shape
            .get_or_init(|| compile(self.row).unwrap_or_else(|problem| panic!("row {}: {problem}", self.row.name)))
    }

    /// Whether the row has all of these flags.
    pub fn has(&self, flags: u16) -> bool {
        self.row.flags & flags == flags
    }
}

static ENTRIES: LazyLock<FxHashMap<&'static str, Entry>> =
    LazyLock::new(|| rows::all().map(|row| (row.name, Entry { row, shape: OnceLock::new() })).collect());

/// The row of an operation, also under the dialect's name before Triton 3.3 (`triton_gpu.` for `ttg.`).
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.get(name).or_else(|| {
        let newer = match name.split_once('.')? {
            ("triton_gpu", op) => format!("ttg.{op}"),
            ("triton_nvidia_gpu", op) => format!("ttng.{op}"),
            ("amdgpu", op) => format!("amdg.{op}"),
            _ => return None,
        };
        ENTRIES.get(newer.as_str())
    })
}

/// All rows, in no particular order.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.values()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_compiles_and_stands_once() {
        let mut seen = HashSet::new();
        for row in rows::all() {
            assert!(seen.insert(row.name), "{} stands twice", row.name);
            if let Err(problem) = compile(row) {
                panic!("{}: {problem}", row.name);
            }
        }
    }
}
