//! Cases on disk: a module, what to run over it, and what is expected of each version of Triton.

mod case;
mod versions;

pub use case::{Case, CaseError, Expectation, Failing};
pub use versions::{VersionResult, other_versions, try_on};
