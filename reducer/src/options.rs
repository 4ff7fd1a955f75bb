//! How a reduction is run: threads, budget, time limits, repetitions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Options of one reduction. Every field has a usable default.
///
/// Of these, `jobs` alone has no influence on the result.
#[derive(Debug, Clone)]
pub struct SearchOptions {
    /// Queries in flight at once; 0 counts as 1.
    pub jobs: usize,
    /// Stop before this many queries are exceeded. Counted are the queries that a single job would have made; those
    /// made ahead of their turn and never needed are reported separately. The check of the first test case counts.
    pub max_queries: Option<u64>,
    /// Stop when this much time has passed. The answer in flight is not waited for, but its test has to return.
    pub max_time: Option<Duration>,
    /// Stop soon after somebody sets this.
    pub cancel: Arc<AtomicBool>,
    /// The time limit of a query is this many times the median time of the interesting answers so far…
    pub limit_factor: u32,
    /// …but never less than this…
    pub limit_min: Duration,
    /// …nor more than this, which is also the limit of the first query.
    pub limit_max: Duration,
    /// How often the test runs on a candidate before it counts as uninteresting: more than once for failures that
    /// reproduce only sometimes. 0 counts as 1.
    pub attempts: u32,
    /// When no single edit helps any more, try every pair of edits too. The queries grow with the square of the sites.
    pub pairs: bool,
    /// Once finished, start again this many times from the first test case in another order, and keep the cheapest
    /// result.
    pub restarts: u32,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            jobs: 1,
            max_queries: None,
            max_time: None,
            cancel: Arc::new(AtomicBool::new(false)),
            limit_factor: 10,
            limit_min: Duration::from_secs(1),
            limit_max: Duration::from_secs(60),
            attempts: 1,
            pairs: false,
            restarts: 0,
        }
    }
}
