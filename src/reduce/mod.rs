//! Making a failing module small: the steps that transform Triton IR, from which the engine in `reducer/` chooses, and the
//! interestingness tests that it runs on each candidate.

mod candidate;
mod differential;
mod event;
mod external;
mod journal;
mod minimise;
mod naming;
mod passes;
mod reproduction;
mod same_failure;
mod script;
mod server;
mod shrink;
pub mod steps;

pub use candidate::{Candidate, Cost};
pub use differential::{Differential, ReferenceCompiler};
pub use event::ReductionEvent;
pub use external::serve;
pub use journal::{JournalError, ReductionJournal, Remembering};
pub use minimise::{Level, LocatedFailure, MinimiseError, Minimised, ReductionJob, minimise};
pub use reproduction::ReproductionRate;
pub use same_failure::{SameFailure, SlippedBug};
pub use script::{Script, TestCommand, TestError};
pub use server::Server;
pub use shrink::{Effort, Shrunk, shrink};
