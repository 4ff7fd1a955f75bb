//! Delta debugging for anything that can be described by edits.
//!
//! You have something large that is *interesting*: a program that crashes a compiler, say. You want something small
//! that still is. This crate decides what to try, in which order, in which chunks, asks your predicate from several
//! threads, remembers the answers, and stops at a fixpoint or when a budget is spent. It knows no language and does no
//! I/O. You bring three things:
//!
//! - a [`Subject`]: the thing itself, with a cost that says what smaller means, a key to recognise it by, and a local
//!   oracle that keeps nonsense away from the predicate;
//! - [`Step`]s, from the largest to the smallest: each lists the [`Site`]s where it could act, and acts on a few of them;
//! - a [`Predicate`], which answers [`Answer::Interesting`] or not.
//!
//! ```
//! use tritonsmith_reducer::{Options, Site, Step, Subject, reduce};
//!
//! /// A sentence, as words. Shorter is better.
//! #[derive(Clone)]
//! struct Words(Vec<&'static str>);
//!
//! impl Subject for Words {
//!     type Cost = usize;
//!     fn cost(&self) -> usize {
//!         self.0.len()
//!     }
//!     fn key(&self) -> u128 {
//!         // FNV-1a over the text; use a real 128-bit hash for large subjects.
//!         self.0.join(" ").bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash: u128, byte| {
//!             (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
//!         })
//!     }
//! }
//!
//! /// Drops words. The word is the site, so that it keeps its identifier when others go.
//! struct DropWords;
//!
//! impl Step<Words> for DropWords {
//!     fn name(&self) -> &str {
//!         "drop words"
//!     }
//!     fn sites(&self, subject: &Words) -> Vec<Site> {
//!         subject.0.iter().map(|word| Site::new(word.as_ptr() as u64, 1)).collect()
//!     }
//!     fn apply(&self, subject: &Words, sites: &[Site]) -> Option<Words> {
//!         let goes = |word: &&str| sites.iter().any(|site| site.id == word.as_ptr() as u64);
//!         Some(Words(subject.0.iter().copied().filter(|word| !goes(word)).collect()))
//!     }
//! }
//!
//! let text = "the kernel fails whenever a mask is used twice in one loop";
//! let subject = Words(text.split(' ').collect());
//! let predicate = |subject: &Words| subject.0.contains(&"mask") && subject.0.contains(&"twice");
//! let options = Options { jobs: 2, ..Options::default() };
//! let report = reduce(subject, &[&DropWords], &predicate, &options, &mut ())?;
//! assert_eq!(report.subject.0, ["mask", "twice"]);
//! assert!(report.minimal());
//! # Ok::<(), tritonsmith_reducer::Error>(())
//! ```
//!
//! # The order of things
//!
//! `search.rs` holds the course, which is sequential: passes over the steps, leaving out sites that failed alone
//! before; then steps that may grow the subject for a while ([`Step::allow_growth`]); then a sweep that tries every site
//! alone and so proves 1-minimality ([`Minimality`]); then, if [`Options::pairs`] says so, every pair of edits.
//! `chunk.rs` decides how many sites of a step go at once. A candidate is asked about only if it is cheaper than
//! what is held, its own oracle accepts it, and its key is not known yet.
//!
//! # The law of jobs
//!
//! For any number of [`Options::jobs`] and any timing, the accepted edits, the result and the counts are the same.
//! The search is a value that learns only the fates of its candidates, one after the other; a copy of it runs ahead and
//! bets on them (`plan.rs`), and workers answer the foreseen candidates before their turn (`run.rs`). A lost bet throws
//! the foresight away. Two successes found side by side become one only by the way of a candidate that has both.
//! Only [`Report::asked`] and times differ. The law ends where the predicate's answers depend on more than
//! the subject: a flaky failure, or a time limit that a slower machine exceeds.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod cache;
mod chunk;
mod engine;
mod error;
mod forecast;
mod journal;
mod limit;
mod observer;
mod options;
mod pairs;
mod plan;
mod predicate;
mod report;
mod run;
mod search;
mod subject;
mod tally;
mod workers;

pub use engine::reduce;
pub use error::Error;
pub use journal::{BadDecision, Decision};
pub use observer::{Asked, Observer, Progress};
pub use options::{Attempts, Options, attempts_for};
pub use predicate::{Answer, Predicate, Question, Verdict};
pub use report::{Improvement, Minimality, Report, StepStatistics, Stop};
pub use subject::{Site, Step, Subject};
