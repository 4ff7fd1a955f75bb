//! What people read: the report of a reduced failure.

mod markdown;

pub use markdown::{Summary, markdown};
