//! What is reduced, and how it may be changed.
//!
//! A [`TestCase`] is one candidate as data: a module, a tree, a list. A [`Step`] is one kind of edit on it, "drop an
//! operation" for instance: it lists the places where it could act as [`Site`]s and applies a chosen few of them. C-Reduce
//! calls the two a transformation and its instances. The engine never looks inside either.

use std::fmt::Debug;

/// What is made smaller, and each candidate on the way.
///
/// All three methods must be pure functions of the content. The engine relies on that for its cache and for the promise
/// that the number of jobs changes nothing.
pub trait TestCase: Clone + Send + Sync {
    /// What "smaller" means, for instance a tuple of operations, operands and bytes; lower is better.
    type Cost: Ord + Clone + Debug + Send + Sync;

    /// The cost of this test case.
    fn cost(&self) -> Self::Cost;

    /// A 128-bit hash of the canonical text. Two test cases with the same key count as equal, so use a good hash.
    fn key(&self) -> u128;

    /// The local validity check: may the interestingness test run on this at all? It is called before every query and
    /// should be much cheaper than one.
    fn valid(&self) -> bool {
        true
    }
}

/// One place where a step could act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// Identifies the place. It should be stable: as long as the place survives edits made elsewhere it keeps its
    /// identifier, so that what was learned about it is not learned again. An unstable identifier costs queries, never
    /// correctness.
    pub id: u64,
    /// How much smaller the test case is expected to become, in any unit that is the same within one step. Zero counts
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
pub trait Step<T> {
    /// A short name for people and for journals. It must not hold a line break.
    fn name(&self) -> &str;

    /// The possible edits on `case`. The result must be the same for the same content.
    fn sites(&self, case: &T) -> Vec<Site>;

    /// Applies the edits at `sites`, all of them together; they are a part of what [`Step::sites`] listed for this
    /// very test case, best gain first. A site that became moot because an earlier one of the same chunk took it along
    /// may be skipped. `None` if they do not go together, or nothing would change.
    fn apply(&self, case: &T, sites: &[Site]) -> Option<T>;

    /// Whether several sites may be applied at once. If not, each is a candidate of its own.
    fn chunkable(&self) -> bool {
        true
    }

    /// Whether the step waits until the others find nothing new: for edits that simplify what is left and hardly ever
    /// allow other steps to remove more. The most important part of the cost falls early that way.
    fn late(&self) -> bool {
        false
    }

    /// The probability that one site can go, as far as it is known before the first query. It guides speculation alone:
    /// it decides what other jobs ask ahead of their turn, and never the result.
    fn prior(&self) -> f64 {
        0.5
    }
}

/// A test case with what the engine keeps asking it for.
#[derive(Debug)]
pub(crate) struct Measured<T: TestCase> {
    pub(crate) case: T,
    pub(crate) cost: T::Cost,
    pub(crate) key: u128,
}

impl<T: TestCase> Measured<T> {
    pub(crate) fn new(case: T) -> Measured<T> {
        let (cost, key) = (case.cost(), case.key());
        Measured { case, cost, key }
    }
}
