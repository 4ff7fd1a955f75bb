//! Why a reduction could not begin. Once it has begun it always ends with a report.

/// Nothing was reduced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// [`crate::TestCase::valid`] rejects the first test case, so that the interestingness test may not run on it.
    #[error("the test case to reduce is not valid to begin with")]
    Invalid,
    /// The first test case does not show what is looked for.
    #[error("the test case to reduce is not interesting (after {queries} queries)")]
    NotInteresting {
        /// How often the test ran.
        queries: u64,
    },
    /// The interestingness test could not run on the first test case.
    #[error("the interestingness test could not run: {0}")]
    Test(String),
    /// The budget was spent, or the run cancelled, before the first test case was known to be interesting.
    #[error("stopped before the first test case was known to be interesting")]
    Stopped,
}
