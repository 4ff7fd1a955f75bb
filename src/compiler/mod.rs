//! Compilers: released Triton wheels in worker processes, what they are asked, and what they answer.

pub mod diagnostic;
pub mod ingest;
mod pass_name;
pub mod pipeline;
mod target;

pub use ingest::{IngestError, Ingested, ingest};
pub use pass_name::PassName;
pub use pipeline::Pipeline;
pub use target::{Target, TargetError};
