//! Making a failing module small: the transformations of Triton IR that the engine in `reducer/` chooses from, and the
//! question that it asks about each candidate.

mod candidate;
mod differential;
mod external;
mod flaky;
mod journal;
mod minimise;
mod naming;
mod passes;
mod question;
mod script;
mod server;
mod shrink;
pub mod steps;

pub use candidate::{Candidate, Cost};
pub use differential::{Differential, Reference};
pub use external::serve;
pub use flaky::Sightings;
pub use journal::{Journal, JournalError, Remembering};
pub use minimise::{Job, Level, Located, MinimiseError, Minimised, Watch, minimise};
pub use question::{Aside, SameFailure};
pub use script::{Script, TestCommand, TestError};
pub use server::Server;
pub use shrink::{Effort, Shrunk, shrink};
