//! Cases on disk: a module, what to run over it, and what is expected of each version of Triton.

mod case;
mod elsewhere;
mod versions;

pub use case::{Case, CaseError, Expectation, Failing};
pub use elsewhere::OtherVersion;
pub use versions::{VersionResult, other_versions, try_on};
