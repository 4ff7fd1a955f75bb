//! Making a failing module small: the transformations of Triton IR that the engine in `reducer/` chooses from, and the
//! question that it asks about each candidate.

mod candidate;
pub mod steps;

pub use candidate::{Candidate, Cost};
