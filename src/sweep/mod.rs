//! Compiling one kernel with every configuration of an autotuner's space, without a GPU.
//!
//! A [`Space`] is what a tuner would try, read from the JSON that tuners keep. A [`TunedKernel`] is the kernel with what it
//! needs besides: the types of its arguments, constants, and what a tuned name is called in it. Together they give one
//! [`SweepTask`] per configuration: constants for the front end, options for the passes. [`sweep`] does each task once and each
//! piece of work that tasks have in common once, and [`cubes`] says what the failing ones have in common.

mod constraint;
mod kernel;
mod memo;
mod run;
mod space;

pub use constraint::{Cube, cubes};
pub use kernel::{SweepTask, TunedKernel, TunedKernelError};
pub use run::{Counts, SweepError, SweepResult, SweepSettings, TaskResult, sweep};
pub use space::{Configuration, Space, SpaceError, Types};
