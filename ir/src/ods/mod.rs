//! Operations, each defined once: one entry of a file in `ops/`, in the notation of MLIR's operation definitions (ODS).
//!
//! An entry gives one or several operations of the same definition, `as` what their results are called in print (a word, or
//! the operand whose name they take), and then its fields:
//!
//! ```text
//! op tt.load as loaded
//!   traits     MemRead, TypesMatchWith<ptr, result, pointee>, AttrSizedOperandSegments
//!   arguments  PtrLike:$ptr, Optional<AnyType>:$mask, DefaultValuedAttr<CacheModifierAttr, 1>:$cache
//!   results    AnyType:$result
//!   assembly   $ptr (`,` $mask^)? (`cacheModifier` `=` $cache^)? attr-dict `:` type($ptr)
//! ```
//!
//! | field | what it holds |
//! | --- | --- |
//! | `traits` | MLIR's traits and interfaces ([`Trait`], [`TypeTrait`]), `ParentOneOf<[…]>`, `HasParent<…>` |
//! | `arguments` | operands and inherent attributes in the order of the generic form; [`Constraint`], [`AttrKind`] |
//! | `results` | results |
//! | `regions` | `AnyRegion`, `SizedRegion<1>`, `MinSizedRegion<1>`, `MaxSizedRegion<1>`, `VariadicRegion<…>`; with a second parameter the terminator that its blocks end with |
//! | `successors` | blocks that control may go to |
//! | `edges` | which values control forwards ([`Edge`]): `$initArgs -> $region[1:]`, `$region -> results`; of a terminator, `$args -> parent` |
//! | `shape` | how the shapes of operands and results depend on each other where no trait says it ([`ShapeRule`]) |
//! | `assembly` | the declarative assembly format, newest first; the parser takes the first that fits |
//!
//! The assembly format is ODS's own: literals in backquotes, `$name`, `type($name)`, `qualified(…)`, `functional-type(…)`,
//! `attr-dict`, `attr-dict-with-keyword`, optional groups `(…)?` with an anchor `^`, and `custom<…>`. As in ODS,
//! `type($x)` leaves out the dialect's name where the constraint on `$x` is one type class (`MemDescType`), and
//! `qualified(type($x))` does not. `hasCustomAssemblyFormat` means that code reads and writes the operation. An entry
//! without an assembly format is always in generic form; an operation without an entry keeps its text.
//!
//! `ops/enums.ods` lists the enumerations ([`EnumDef`]), a line each.
//!
//! To add an operation, add its entry. [`OpKind`] gets a variant, and wherever code matches on kinds exhaustively, the
//! compiler says what is missing.

mod assembly;
mod enums;
mod fields;

pub use assembly::{Assembly, Directive};
pub use enums::{EnumCase, EnumDef, Spelling};

use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock};
use strum::EnumString;

include!(concat!(env!("OUT_DIR"), "/op_kind.rs"));

/// An entry as it was written, for one of its operations.
struct OdsSource {
    kind: OpKind,
    name: &'static str,
    result_name: Option<&'static str>,
    file: &'static str,
    line: u32,
    body: &'static str,
}

/// What is true of every operation of a kind.
#[derive(Debug)]
pub struct OpDef {
    /// Which.
    pub kind: OpKind,
    /// Full name, `dialect.op`, in the newest spelling of the dialect.
    pub name: &'static str,
    /// Traits without parameters.
    traits: u64,
    /// Traits that relate types.
    pub types: Vec<TypeTrait>,
    /// The operations that it must be directly inside of (MLIR's `HasParent` and `ParentOneOf`); empty for any.
    pub parents: Vec<&'static str>,
    /// Operands in the order of the generic form.
    pub operands: Vec<ValueDef>,
    /// Results.
    pub results: Vec<ValueDef>,
    /// Inherent attributes.
    pub attributes: Vec<AttrDef>,
    /// Regions.
    pub regions: Vec<RegionDef>,
    /// The names of successors.
    pub successors: Vec<&'static str>,
    /// Where control forwards values.
    pub edges: Vec<Edge>,
    /// How shapes depend on each other.
    pub shape: ShapeRule,
    /// Assembly formats, newest first.
    pub assemblies: Vec<Assembly>,
}

/// Traits and interfaces of MLIR and Triton that have no parameters. Names are theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[repr(u8)]
pub enum Trait {
    /// No memory effect, always ends: may be deleted when unused, computed twice, moved.
    Pure,
    /// Reads memory, writes none: may be deleted when unused.
    MemRead,
    /// Has the effects of what is in its regions and no others.
    RecursiveMemoryEffects,
    /// Ends its block.
    Terminator,
    /// A terminator that leaves the function.
    ReturnLike,
    /// Its regions see no value from outside.
    IsolatedFromAbove,
    /// Its regions are graph regions: no order, no dominance.
    HasOnlyGraphRegion,
    /// It has a `sym_name` that others refer to.
    Symbol,
    /// It holds symbols.
    SymbolTable,
    /// A function.
    FunctionOpInterface,
    /// A call of a function.
    CallOpInterface,
    /// A loop.
    LoopLikeOpInterface,
    /// A conversion between types: operand and result go their own ways.
    CastOpInterface,
    /// Scalars, or tensors element by element; implies the two that follow.
    Elementwise,
    /// Operands and results that have a shape have one shape.
    SameOperandsAndResultShape,
    /// Operands and results that have a layout have one layout.
    SameOperandsAndResultEncoding,
    /// It has the attribute `operandSegmentSizes`.
    AttrSizedOperandSegments,
    /// It has the attribute `resultSegmentSizes`.
    AttrSizedResultSegments,
    /// Several variadic operands of one length, without an attribute that says it.
    SameVariadicOperandSize,
    /// Its operands, segments or required attributes differ between releases of Triton, so what was read in an assembly
    /// format is printed in it even where the generic form is asked for; MLIR reads mixtures. (Not a trait of MLIR.)
    Versioned,
}

/// Traits that relate the types of operands and results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeTrait {
    /// All operands and results have one type.
    SameOperandsAndResultType,
    /// All operands have one type.
    SameTypeOperands,
    /// All operands and results have one element type.
    SameOperandsAndResultElementType,
    /// These have one type.
    AllTypesMatch(Vec<&'static str>),
    /// These have one element type; a pointer's is what it points to.
    AllElementTypesMatch(Vec<&'static str>),
    /// The type of the second follows from that of the first.
    TypesMatchWith(&'static str, &'static str, Transform),
}

/// How one type follows from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
pub enum Transform {
    /// `i1` in the same shape and layout.
    I1SameShape,
    /// What a pointer, or each pointer of a tensor, points to.
    Pointee,
    /// The element type.
    ElementType,
}

/// How many values an operand or result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// What type an operand or result may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// Nothing is said, so nothing may be assumed.
    AnyType,
    /// Any type, and any element type where it has one.
    AnyElement,
    /// An integer of any width, or a tensor of them.
    IntLike,
    /// A float of any width, or a tensor of them.
    FloatLike,
    /// A pointer, or a tensor of them.
    PtrLike,
    /// One type class, whose name `type($x)` leaves out: `ttg.memdesc`.
    Class(&'static str),
    /// This very type.
    Exactly(&'static str),
}

/// An operand or a result.
#[derive(Debug)]
pub struct ValueDef {
    /// Its name.
    pub name: &'static str,
    /// How many values it is.
    pub arity: Arity,
    /// Which types it may have.
    pub constraint: Constraint,
    /// For a result, where its type comes from when the assembly format leaves it out.
    pub infer: Option<TypeRule>,
}

/// Where a result's type comes from. Indices are into operands, results or attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeRule {
    /// The type of the first value of that operand or result.
    Same(Slot),
    /// A type made from that one.
    From(Slot, Transform),
    /// This type.
    Exactly(&'static str),
    /// The type of that inherent attribute.
    Attribute(usize),
}

/// An operand or a result, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The operand with that index.
    Operand(usize),
    /// The result with that index.
    Result(usize),
}

/// An inherent attribute.
#[derive(Debug)]
pub struct AttrDef {
    /// Its name in the generic form.
    pub name: &'static str,
    /// What it holds and how an assembly format writes it.
    pub kind: AttrKind,
    /// Whether it may be absent, with nothing implied.
    pub optional: bool,
    /// The value that an assembly format leaves out, in the generic spelling.
    pub default: Option<&'static str>,
}

/// Kinds of inherent attributes, as ODS names them.
#[derive(Debug, Clone, Copy)]
pub enum AttrKind {
    /// `I32Attr` and its kin: an integer of that type, written as its number.
    Integer(&'static str),
    /// `BoolAttr`.
    Bool,
    /// `StrAttr`.
    String,
    /// `FlatSymbolRefAttr`: `@name`.
    Symbol,
    /// `SymbolNameAttr`: a string, written as `@name`.
    SymbolName,
    /// `TypeAttr`.
    Type,
    /// `UnitAttr`: present or absent.
    Unit,
    /// `DenseI32ArrayAttr` and its kin: `[1, 2]`.
    DenseArray(&'static str),
    /// `AnyAttr`: written whole.
    Any,
    /// `DialectAttr<d.m>`: `#d.m<…>`, written as `<…>`.
    Dialect(&'static str),
    /// An enumeration: one word.
    Enum(&'static EnumDef),
}

/// How many blocks a region may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionSize {
    /// Any number.
    Any,
    /// Exactly one.
    One,
    /// At least one.
    AtLeastOne,
    /// At most one.
    AtMostOne,
}

/// A region.
#[derive(Debug)]
pub struct RegionDef {
    /// Its name.
    pub name: &'static str,
    /// How many blocks it may have.
    pub size: RegionSize,
    /// What its blocks end with, where that is one operation.
    pub terminator: Option<&'static str>,
    /// Whether it is all the regions that are left.
    pub variadic: bool,
}

/// Values that control forwards, as `RegionBranchOpInterface` and `BranchOpInterface` have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Where they come from.
    pub from: EdgeSource,
    /// Where they go.
    pub to: EdgeTarget,
}

/// Where control comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeSource {
    /// The operation itself, with no value.
    Nothing,
    /// The operation itself, with that operand.
    Operand(usize),
    /// The terminators of that region, with what they forward.
    Region(usize),
}

/// Where control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeTarget {
    /// Arguments of that region's entry block.
    Region(usize, ArgumentPart),
    /// The arguments of that successor.
    Successor(usize),
    /// The operation's results.
    Results,
    /// Wherever the operation around forwards what this terminator gives.
    Parent,
}

/// Which arguments of a region's entry block an edge reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentPart {
    /// All of them.
    All,
    /// The first: a loop's induction variable.
    First,
    /// All but the first.
    AllButFirst,
}

/// How the shapes of operands and results depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
pub enum ShapeRule {
    /// Nothing is known.
    Unknown,
    /// They do not depend on each other.
    Any,
    /// They are the same.
    Same,
    /// The result has a dimension of size 1 more, at `axis`.
    Expand,
    /// The results have one dimension less, that at `axis`.
    Reduce,
    /// Dimensions of size 1 become larger.
    Broadcast,
    /// Dimensions are permuted by `order`.
    Transpose,
    /// A last dimension of size 2 counts two operands, or two results.
    Join,
    /// The operands one behind the other.
    Cat,
    /// The same number of elements.
    Reshape,
    /// A product of matrices.
    Dot,
    /// A product of matrices with scales.
    DotScaled,
    /// The shape of the indices; all but `axis` as in the source.
    Gather,
    /// The mask has the shape of the source; the result has as many elements as there are bins.
    Histogram,
    /// The last dimensions of what a descriptor describes.
    Window,
    /// Rows of what a descriptor describes, one for each offset.
    Rows,
    /// One of several buffers: without the first dimension.
    Index,
}

impl OpKind {
    /// The definition; none for an operation without an entry.
    pub fn def(self) -> Option<&'static OpDef> {
        static DEFS: [OnceLock<OpDef>; SOURCES.len()] = [const { OnceLock::new() }; SOURCES.len()];
        let index = self as usize;
        let source = SOURCES.get(index)?;
        Some(DEFS[index].get_or_init(|| {
            fields::read(source).unwrap_or_else(|problem| panic!("{}:{}: {problem}", source.file, source.line))
        }))
    }

    /// The kind of a name, also under the dialect's name before Triton 3.3 (`triton_gpu.` for `ttg.`).
    pub fn of(name: &str) -> OpKind {
        static KINDS: LazyLock<FxHashMap<&'static str, OpKind>> =
            LazyLock::new(|| SOURCES.iter().map(|source| (source.name, source.kind)).collect());
        let newer = |name: &str| {
            let (dialect, op) = name.split_once('.')?;
            let (_, newer) = RENAMED_DIALECTS.iter().find(|(older, _)| *older == dialect)?;
            KINDS.get(format!("{newer}.{op}").as_str())
        };
        KINDS.get(name).or_else(|| newer(name)).copied().unwrap_or(OpKind::Unregistered)
    }

    /// Every kind that has an entry.
    pub fn all() -> impl Iterator<Item = OpKind> {
        SOURCES.iter().map(|source| source.kind)
    }

    /// Its full name in the newest spelling of its dialect; `<unregistered>` for an operation without an entry.
    pub fn name(self) -> &'static str {
        SOURCES.get(self as usize).map_or("<unregistered>", |source| source.name)
    }

    /// What its results are called in print, where its entry says so: a word, or `$` and the operand whose name they take.
    pub fn result_name(self) -> Option<&'static str> {
        SOURCES.get(self as usize)?.result_name
    }

    /// The dialect that it belongs to.
    pub fn dialect(self) -> &'static str {
        self.name().split_once('.').map_or("", |(dialect, _)| dialect)
    }

    /// Whether its definition has a trait; never for an operation without an entry.
    pub fn has(self, of: Trait) -> bool {
        self.def().is_some_and(|def| def.has(of))
    }
}

/// Dialects that were renamed, the older name first.
const RENAMED_DIALECTS: [(&str, &str); 3] = [("triton_gpu", "ttg"), ("triton_nvidia_gpu", "ttng"), ("amdgpu", "amdg")];

impl OpDef {
    /// Whether it has a trait.
    pub fn has(&self, of: Trait) -> bool {
        self.traits & 1 << of as u8 != 0
    }

    /// The index of an operand or result by name.
    pub fn slot(&self, name: &str) -> Option<Slot> {
        let find = |values: &[ValueDef]| values.iter().position(|value| value.name == name);
        find(&self.operands).map(Slot::Operand).or_else(|| find(&self.results).map(Slot::Result))
    }

    /// The definition of an operand or result.
    pub fn value(&self, slot: Slot) -> &ValueDef {
        match slot {
            Slot::Operand(index) => &self.operands[index],
            Slot::Result(index) => &self.results[index],
        }
    }

    /// The definition of a region by its number; a variadic one is all that are left.
    pub fn region(&self, index: usize) -> Option<&RegionDef> {
        self.regions.get(index).or_else(|| self.regions.last().filter(|region| region.variadic))
    }

    /// How many values an operand is, for those that may be none or several.
    pub fn flexible_operands(&self) -> usize {
        self.operands.iter().filter(|operand| operand.arity != Arity::One).count()
    }

    /// The operand that a terminator forwards to where control goes next, where the entry says which.
    pub fn forwarded(&self) -> Option<usize> {
        self.edges.iter().find_map(|edge| match (edge.from, edge.to) {
            (EdgeSource::Operand(index), EdgeTarget::Parent) => Some(index),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_entry_is_read_and_every_operation_has_one_entry() {
        let mut seen = HashSet::new();
        for source in SOURCES {
            let def = source.kind.def().expect("an entry");
            assert!(seen.insert(def.name), "{}:{}: {} has an entry already", source.file, source.line, def.name);
            assert_eq!(OpKind::of(def.name), def.kind);
        }
    }

    #[test]
    fn names_in_an_entry_are_names_of_operations_and_what_a_region_ends_with_is_a_terminator() {
        for def in OpKind::all().filter_map(OpKind::def) {
            for region in &def.regions {
                if let Some(terminator) = region.terminator {
                    assert!(OpKind::of(terminator).has(Trait::Terminator), "{}: {terminator}", def.name);
                    let parents = &OpKind::of(terminator).def().expect("an entry").parents;
                    assert!(parents.contains(&def.name), "{terminator} must be allowed in {}", def.name);
                }
            }
        }
    }

    #[test]
    fn dialects_have_older_names() {
        assert_eq!(OpKind::of("triton_gpu.convert_layout"), OpKind::TtgConvertLayout);
        assert_eq!(OpKind::of("triton_gpu.no_such"), OpKind::Unregistered);
    }
}
