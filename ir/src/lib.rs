//! MLIR text to data and back, and edits that keep modules well-formed.
//!
//! Start with [`parse`], which reads what people have (the custom form, the generic form, mixtures, aliases, locations),
//! and [`Module`], what comes out. [`print()`] writes it again. How an operation is written is part of its definition
//! ([`ods`]), which both of them read. This room knows nothing of Triton's compiler and nothing of what makes a module valid: that is
//! the job of `tritonsmith-oracle`.
//!
#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod compact;
mod edit;
mod flow;
mod ids;
mod intern;
mod layout;
mod lex;
mod module;
pub mod ods;
mod parse;
mod print;
mod rewrite;
mod shaped;
mod types;

pub use flow::FlowEdge;
pub use ids::{AttrId, AttrsId, BlockId, Name, OpId, RegionId, Span, TypeId, ValueId};
pub use intern::{Attr, BodySegment, Interners, NamedAttrs, Type};
pub use layout::{FieldValue, Layout, LayoutKind};
pub use lex::ParseError;
pub use module::{Block, Definition, Module, Operation, Region, Syntax, TemplateSegment, Use, Value};
pub use ods::{OpDef, OpKind, Trait};
pub use parse::{ParseOptions, parse, parse_with};
pub use print::{PrintOptions, print, print_with_lines};
pub use rewrite::{NamePlace, Substitution};
