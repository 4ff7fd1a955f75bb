//! What a reduction tells while it runs. As JSON it is what `reduce --format json` prints.

use super::candidate::{Candidate, Cost};
use super::minimise::LocatedFailure;
use super::reproduction::ReproductionRate;
use super::same_failure::SlippedBug;
use crate::compiler::Compile;
use crate::judge::Signature;
use serde::Serialize;
use tritonsmith_reducer::Progress;

/// Something that happened.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum ReductionEvent<'a> {
    /// The failing pass is known, and the module that is to be reduced.
    Located {
        /// The failure.
        signature: &'a Signature,
        /// The failing pass as pipeline text.
        pass: &'a str,
        /// Its position among all passes, from 0.
        index: usize,
        /// All of it.
        #[serde(skip)]
        located: &'a LocatedFailure,
        /// The passes that the compiler ran, as they are known now.
        #[serde(skip)]
        all: &'a Compile,
        /// What runs on each candidate.
        #[serde(skip)]
        each: &'a Compile,
    },
    /// It is known how often the failure reproduces on that module.
    Reproduced {
        /// Runs that failed.
        seen: u32,
        /// Runs.
        runs: u32,
        /// The same.
        #[serde(skip)]
        rate: ReproductionRate,
    },
    /// A step began, or a query was answered.
    Progress {
        /// The step.
        step: &'a str,
        /// Queries so far.
        queries: u64,
        /// Operations left.
        operations: usize,
        /// All of it.
        #[serde(skip)]
        progress: &'a Progress<Cost>,
    },
    /// There is a smaller module.
    Smaller {
        /// The step that made it so.
        step: &'a str,
        /// Queries so far.
        queries: u64,
        /// Operations left.
        operations: usize,
        /// The module.
        #[serde(skip)]
        best: &'a Candidate,
        /// How far the reduction is.
        #[serde(skip)]
        progress: &'a Progress<Cost>,
    },
    /// A candidate showed another bug.
    SlippedBug {
        /// The bug.
        signature: &'a Signature,
        /// With the module that shows it.
        #[serde(skip)]
        bug: &'a SlippedBug,
    },
}
