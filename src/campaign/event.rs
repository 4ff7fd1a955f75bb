//! What a campaign tells while it runs.

use super::Bucket;
use super::run::CampaignProgress;

/// Something that happened.
#[derive(Debug, Clone, Copy)]
pub enum CampaignEvent<'a> {
    /// Only the stage `ttir` is run, because a compiler has no `ttgir`; `why` is what it says of it.
    Narrowed {
        /// The compiler's own words.
        why: &'a str,
    },
    /// A case was committed.
    Committed {
        /// All counts.
        progress: &'a CampaignProgress,
        /// All buckets, in the order in which they were opened.
        buckets: &'a [Bucket],
    },
    /// A new bug was met and stored.
    Found {
        /// Its bucket.
        bucket: &'a Bucket,
    },
    /// The reduction of a bucket has ended, and its result is stored.
    Reduced {
        /// The bucket.
        bucket: &'a Bucket,
    },
    /// A bucket is not reduced, and why.
    NotReduced {
        /// The bucket.
        bucket: &'a Bucket,
        /// Why.
        problem: &'a str,
    },
    /// Something else could not be done, which does not stop the campaign.
    Problem {
        /// What, in a sentence.
        problem: &'a str,
    },
    /// The campaign ends before these buckets are reduced; the next start reduces them.
    Unreduced {
        /// The buckets.
        buckets: &'a [&'a Bucket],
    },
}
