//! What is reduced, and how it may be changed.
//!
//! A [`Subject`] is one candidate as data: a module, a tree, a list. A [`Step`] is one kind of edit on it, "drop an
//! operation" for instance; it lists the places where it could act as [`Site`]s and applies a chosen few of them. The
//! engine never looks inside either.

use std::fmt::Debug;

/// One candidate: what the predicate is asked about.
///
/// All four methods must be pure functions of the subject's content. The engine relies on that for its cache, for the
/// law that the number of jobs changes nothing, and for resuming.
pub trait Subject: Clone + Send + Sync {
    /// What "smaller" means, for instance a tuple of operations, operands and bytes; lower is better.
    type Cost: Ord + Clone + Debug + Send + Sync;

    /// The cost of this subject.
    fn cost(&self) -> Self::Cost;

    /// A 128-bit hash of the canonical text. Two subjects with the same key are the same question.
    fn key(&self) -> u128;

    /// The local oracle: may the predicate be asked about this subject at all? It is consulted before every question
    /// and should be much cheaper than one.
    fn valid(&self) -> bool {
        true
    }

    /// One headline number for progress and curves, such as the number of operations. It decides nothing.
    fn size(&self) -> u64 {
        0
    }
}

/// One place where a step could act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// Says where. It should be stable: while the place survives the edits made elsewhere it keeps its identifier, so
    /// that what was learned about it is not learned again. An unstable identifier costs questions, never correctness.
    pub id: u64,
    /// How much smaller the subject is expected to become, in any unit that is the same within one step. Zero counts
    /// as one. Among equals, the order in which the step lists its sites decides.
    pub gain: u32,
}

impl Site {
    /// A site with its expected gain.
    #[must_use]
    pub fn new(id: u64, gain: u32) -> Site {
        Site { id, gain }
    }
}

/// One transformation, such as "drop an operation with everything that only it uses".
pub trait Step<S> {
    /// A short unique name for people and for the journal. It must not hold a line break.
    fn name(&self) -> &str;

    /// The possible edits on `subject`. The answer must be the same whenever it is asked about the same content.
    fn sites(&self, subject: &S) -> Vec<Site>;

    /// Applies the edits at `sites`, all of them together; they are a part of what [`Step::sites`] listed for this
    /// very subject, best gain first. A site that became moot because an earlier one of the same chunk took it along
    /// may be passed over. `None` if they do not go together, or nothing would change.
    fn apply(&self, subject: &S, sites: &[Site]) -> Option<S>;

    /// Whether several sites may be applied at once. When not, each is a candidate of its own.
    fn chunkable(&self) -> bool {
        true
    }

    /// Whether the step waits until the others find nothing new: for edits that make what is left simpler and hardly ever
    /// open a way to less of it. Small questions come first that way, and the most important part of the cost falls early.
    fn late(&self) -> bool {
        false
    }

    /// The chance that one site can go, between 0 and 1, as far as it is known before anything was asked. It guides
    /// speculation alone: it decides what other jobs ask ahead of its turn, and never what comes out.
    fn promise(&self) -> f64 {
        0.5
    }

    /// Whether an edit may also be tried when it makes the subject no cheaper, in the hope that what follows does. Such
    /// an edit must be interesting on its own and is taken back unless the follow-up ends below the cost before it.
    fn allow_growth(&self) -> bool {
        false
    }
}

/// A subject with what the engine keeps asking it for.
#[derive(Debug)]
pub(crate) struct Held<S: Subject> {
    pub(crate) subject: S,
    pub(crate) cost: S::Cost,
    pub(crate) key: u128,
}

impl<S: Subject> Held<S> {
    pub(crate) fn new(subject: S) -> Held<S> {
        let (cost, key) = (subject.cost(), subject.key());
        Held { subject, cost, key }
    }
}
