//! tritonsmith finds, shrinks and explains failures of Triton's compiler passes.

pub mod campaign;
pub mod capture;
pub mod checks;
pub mod compiler;
pub mod corpus;
pub mod generate;
pub mod identity;
pub mod judge;
pub mod reduce;
pub mod report;
pub mod sweep;
pub mod whole;

pub use tritonsmith_ir as ir;
pub use tritonsmith_oracle as oracle;
