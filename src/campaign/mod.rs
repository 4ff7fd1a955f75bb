//! Campaigns: random modules run through real pipelines until time or cases are used up, what fails sorted into buckets,
//! one for each bug, and each bucket reduced and stored.
//!
//! Cases are numbered, and a case is a pure function of the campaign's seed and its number. Several workers try cases at
//! once, and a thread beside them reduces buckets in the order in which they were opened; what they come to is committed in
//! order by one thread ([`run`]): so buckets, their first cases and their reduced modules do not depend on the number of
//! workers or on timing. Every committed case is a line in the journal
//! ([`journal`]); a campaign that was killed reads it and goes on behind the last whole line. Known bugs are listed in a mute
//! file ([`mute`]) with the reason; they are counted and not stored.

pub mod bucket;
mod event;
pub mod journal;
pub mod mute;
mod overview;
mod reduction;
mod run;
mod settings;
mod smith;
mod state;
mod trial;

pub use bucket::Bucket;
pub use event::CampaignEvent;
pub use mute::MuteList;
pub use overview::Overview;
pub use run::{CampaignError, CampaignProgress, CampaignSummary, PassCount, run};
pub use settings::{CampaignSettings, Work};
pub use smith::{Smith, case_seed};
pub(crate) use trial::try_module;
pub use trial::{Trial, TrialResult, TrialSource};
