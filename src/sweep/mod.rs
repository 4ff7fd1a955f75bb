//! Compiling one kernel with every configuration of an autotuner's space, without a GPU.
//!
//! A [`Space`] is what a tuner would try, read from the JSON that tuners keep. A [`Subject`] is the kernel with what it
//! needs besides: the types of its arguments, constants, and what a tuned name is called in it. Together they give one
//! [`Task`] per configuration: constants for the front end, options for the passes. [`sweep`] does each task once and each
//! piece of work that tasks have in common once, and [`cubes`] says what the failing ones have in common.

mod constraint;
mod memo;
mod run;
mod space;
mod subject;

pub use constraint::{Cube, cubes};
pub use run::{Counts, Settings, SweepError, Swept, Tried, sweep};
pub use space::{Configuration, Space, SpaceError, Types};
pub use subject::{Subject, SubjectError, Task};
