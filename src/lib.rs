//! tritonsmith finds, shrinks and explains failures of Triton's compiler passes.

pub mod campaign;
pub mod capture;
pub mod checks;
pub mod compiler;
pub mod corpus;
pub mod generate;
pub mod ir;
pub mod judge;
pub mod oracle;
pub mod reduce;
pub mod report;
pub mod sweep;
pub mod whole;
