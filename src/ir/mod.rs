//! MLIR text to data and back.

pub mod table;
