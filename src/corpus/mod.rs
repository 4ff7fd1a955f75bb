//! Cases on disk: a module, what to run over it, and what is expected of each version of Triton.
//!
//! [`Case`] is a case's file, [`replay`] runs many of them on several versions and says what is no longer as expected,
//! [`bisect`] says which releases are to blame, [`inline`] reads modules that carry the errors of our own
//! oracles beside the lines that deserve them.

pub mod bisect;
mod case;
mod examine;
mod expect;
pub mod inline;
mod range;
pub mod replay;

pub use case::{Case, CaseError, Failing, LocatedCase, find};
pub use examine::{After, ExamineError, Examined, examine};
pub use expect::{Expectation, Expected, Seen, record};
pub use range::{Versions, VersionsError};
