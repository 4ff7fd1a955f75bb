#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod chunk;
mod coordinate;
mod edit;
mod engine;
mod error;
mod limit;
mod observer;
mod options;
mod pairs;
mod predict;
mod query;
mod report;
mod search;
mod speculate;
mod test_case;
mod workers;

pub use edit::AcceptedEdit;
pub use engine::reduce;
pub use error::Error;
pub use observer::{Observer, Progress};
pub use options::SearchOptions;
pub use query::{Answer, InterestingnessTest, Query};
pub use report::{Improvement, Minimality, SearchReport, Stop};
pub use test_case::{Site, Step, TestCase};
