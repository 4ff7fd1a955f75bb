//! What a campaign's directory says of it once it has ended, or between two runs: read, never written.

use super::bucket::Bucket;
use super::journal::JournalLine;
use super::run::CampaignProgress;
use crate::atomic;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The file that counts operations.
const OPERATIONS: &str = "operations.json";

/// A campaign as its directory has it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// See [`super::CampaignSettings::identity`].
    pub identity: String,
    /// Its counts; operations as they were when it last ended by itself.
    pub progress: CampaignProgress,
    /// Its buckets by their directories' names.
    pub buckets: BTreeMap<String, Bucket>,
    /// Files that are not what was written, each in a sentence.
    pub problems: Vec<String>,
}

impl Overview {
    /// Reads a campaign's directory; none where there is no journal.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn read(out: &Path) -> io::Result<Option<Overview>> {
        let Some(journal) = optional(&out.join("journal.jsonl"))? else { return Ok(None) };
        let mut overview = Overview::default();
        if let Some(text) = optional(&out.join(OPERATIONS))? {
            match serde_json::from_str(&text) {
                Ok(operations) => overview.progress.operations = operations,
                Err(error) => overview.problems.push(format!("{OPERATIONS} cannot be read: {error}")),
            }
        }
        for (number, line) in journal.lines().enumerate() {
            match serde_json::from_str(line) {
                Ok(JournalLine::Campaign { identity }) => overview.identity = identity,
                Ok(JournalLine::Case(case)) => overview.progress.count(&case),
                Err(error) => {
                    // A campaign that is killed, or at work, may leave half a line at the end.
                    if !journal.ends_with(line) {
                        overview.problems.push(format!("journal.jsonl, line {}: {error}", number + 1));
                    }
                    break;
                }
            }
        }
        for entry in std::fs::read_dir(out)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            match Bucket::read(&entry.path()) {
                Ok(Some(bucket)) => drop(overview.buckets.insert(name, bucket)),
                Ok(None) => {}
                Err(error) => overview.problems.push(format!("the counts of {name} cannot be read: {error}")),
            }
        }
        Ok(Some(overview))
    }
}

/// Writes how many of each operation were made.
pub(super) fn write_operations(out: &Path, made: &BTreeMap<String, u64>) -> io::Result<()> {
    let text = serde_json::to_string_pretty(made).map_err(io::Error::other)?;
    atomic::write(&out.join(OPERATIONS), (text + "\n").as_bytes()).map(drop)
}

/// A file's text; none where there is no such file.
fn optional(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => Ok(None),
        Err(error) => Err(error),
    }
}
