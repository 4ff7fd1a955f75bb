//! Compilers: released Triton wheels in worker processes, what they are asked, and what they answer.

pub mod diagnostic;
pub mod ingest;
pub mod model;
pub mod outcome;
mod pass_name;
pub mod pipeline;
pub mod protocol;
mod target;
pub mod wheel;
pub mod worker;

pub use ingest::{IngestError, Ingested, ingest};
pub use pass_name::PassName;
pub use pipeline::Pipeline;
pub use target::{Target, TargetError};
