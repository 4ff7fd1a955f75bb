//! Compilers: released Triton wheels in worker processes, what they are asked, and what they answer.

mod target;

pub use target::{Target, TargetError};
