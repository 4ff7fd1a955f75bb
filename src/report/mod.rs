//! What people read: the report of a reduced failure.

mod markdown;
mod test_markdown;

pub use markdown::{Summary, markdown};
pub use test_markdown::{TestSummary, test_markdown};
