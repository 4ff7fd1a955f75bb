//! MLIR text to data and back, and edits that keep modules well-formed.
//!
//! Start with [`parse`], which reads what people have (the custom form, the generic form, mixtures, aliases, locations),
//! and [`Module`], what comes out. [`print()`] writes it again. How an operation is written is one row of [`table`], which
//! both of them read. This room knows nothing of Triton's compiler and nothing of what makes a module valid: that is
//! the job of `tritonsmith-oracle`.
//!
#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod compact;
mod edit;
mod ids;
mod intern;
mod layout;
mod lex;
mod module;
mod parse;
mod print;
mod rewrite;
mod shaped;
pub mod table;
mod types;

pub use ids::{AttrId, AttrsId, BlockId, Name, OpId, RegionId, Span, TypeId, ValueId};
pub use intern::{Attr, Interners, NamedAttrs, Piece, Type};
pub use lex::ParseError;
pub use module::{Block, Definition, Hole, Module, Operation, Region, Syntax, Use, Value};
pub use parse::{ParseOptions, parse, parse_with};
pub use print::{PrintOptions, print, print_with_lines};
pub use rewrite::{NamePlace, Substitution};
