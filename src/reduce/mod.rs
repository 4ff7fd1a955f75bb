//! Making a failing module small: the transformations of Triton IR that the engine in `reducer/` chooses from, and the
//! question that it asks about each candidate.

mod candidate;
mod locate;
mod minimise;
mod question;
pub mod steps;

pub use candidate::{Candidate, Cost};
pub use locate::{Located, Search, locate, texts};
pub use minimise::{Job, Level, MinimiseError, Minimised, Watch, minimise};
pub use question::{Aside, Compile, SameFailure};
