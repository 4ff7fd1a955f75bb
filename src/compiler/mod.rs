//! Compilers: released Triton wheels in worker processes, what they are asked, and what they answer.

pub mod outcome;
pub mod protocol;
mod target;
pub mod wheel;
pub mod worker;

pub use target::{Target, TargetError};
