//! Running somebody's program with every compile that fails in it kept as a case.
//!
//! A [`Session`] is a directory with the start-up hook (`scripts/tritonsmith_capture`) and the variables of the environment that
//! make every Python process of the program run it. The hook writes cases by itself, so that nothing is lost when this
//! process is ended. What is left to do when the program has ended is [`Session::gather`]: processes that died in a stage
//! left that stage's case behind, and each case is run again in a worker with the interpreter that it came from. That gives
//! its signature, since what MLIR prints goes past Python and is not in the exception; and it tells failures that come again
//! from those that do not.

mod gather;
mod session;

pub use gather::{CacheEntry, Captured, Gathered, Rerun};
pub use session::{CaptureError, Session};
