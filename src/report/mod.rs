//! What people read: the report of a reduced failure; and what the services that run tests read: JUnit's XML, GitHub's
//! annotations.

mod annotation;
mod curve;
mod junit;
mod markdown;
mod test_markdown;

pub use annotation::annotation;
pub use curve::{Curve, Point};
pub use junit::{JunitCase, JunitResult, junit};
pub use markdown::{Summary, markdown, runnable};
pub use test_markdown::{TestSummary, test_markdown};
