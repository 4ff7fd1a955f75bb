//! Compiling one kernel with every configuration of an autotuner's space, without a GPU.
//!
//! A [`Space`] is a tuner's search space, read from the JSON that tuners keep. A [`TunedKernel`] is the kernel with the types
//! of its arguments, its constants and its names for tuned parameters. Together they give one [`SweepTask`] per
//! configuration: constants for the front end, options for the passes. [`sweep`] runs each distinct task once, and shares
//! work between tasks; [`cubes`] finds what the failing configurations have in common.

mod constraint;
mod kernel;
mod memo;
mod run;
mod space;

pub use constraint::{Cube, cubes};
pub use kernel::{SweepTask, TunedKernel, TunedKernelError};
pub use run::{Counts, SweepError, SweepResult, SweepSettings, TaskResult, sweep};
pub use space::{Configuration, Space, SpaceError, Types};
