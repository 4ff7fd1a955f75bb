//! tritonsmith finds, shrinks and explains failures of Triton's compiler passes.

pub mod atomic;
pub mod campaign;
pub mod capture;
pub mod checks;
pub mod compiler;
pub mod corpus;
pub mod generate;
pub mod identity;
pub mod input;
pub mod judge;
pub mod reduce;
pub mod report;
pub mod store;
pub mod sweep;

pub use tritonsmith_ir as ir;
pub use tritonsmith_oracle as oracle;
