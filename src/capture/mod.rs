//! Runs a user's program and keeps every compilation that fails in it as a case.
//!
//! A [`Session`] is a directory with the start-up hook (`scripts/tritonsmith_capture`) and the variables of the environment that
//! make every Python process of the program run it. The hook writes cases by itself, so that nothing is lost if this
//! process is killed. After the program, [`Session::gather`] collects the cases that processes left when they died in a
//! stage, and runs each case again in a worker with its interpreter. That gives its signature, since MLIR's output bypasses
//! Python and is not in the exception, and shows whether the failure is reproducible.

mod gather;
mod session;

pub use gather::{CacheEntry, Captured, Gathered, Rerun};
pub use session::{CaptureError, Session};
