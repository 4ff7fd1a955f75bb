//! What people read: the report of a reduced failure, an issue for Triton's maintainers, a test for their tree, a page for a
//! browser; and what the services that run tests read: JUnit's XML, GitHub's annotations.

mod annotation;
mod campaign_page;
mod curve;
pub mod difference;
mod finding;
mod issue;
mod junit;
mod lit_test;
mod markdown;
mod page;
mod python;
mod test_markdown;

pub use annotation::annotation;
pub use campaign_page::{CampaignFigures, CampaignRow, campaign_page};
pub use curve::{Curve, CurvePoint};
pub use finding::{Finding, MODULE_FILE, Release, Sighted};
pub use issue::issue;
pub use junit::{JunitCase, JunitResult, junit};
pub use lit_test::lit_test;
pub use markdown::{ReportSummary, bare, markdown, runnable};
pub use page::page;
pub use test_markdown::{TestSummary, test_markdown};
