//! What a campaign's directory says of it once it has ended, or between two runs: read, never written.

use super::bucket::Bucket;
use super::journal::Line;
use super::run::Progress;
use crate::atomic;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The file that counts operations.
const OPERATIONS: &str = "operations.json";

/// A campaign as its books have it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// See [`super::Settings::identity`].
    pub identity: String,
    /// Its counts; operations as they were when it last ended by itself.
    pub progress: Progress,
    /// Its buckets by their directories' names.
    pub buckets: BTreeMap<String, Bucket>,
}

impl Overview {
    /// Reads the books in a campaign's directory; none where there is no journal.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn read(out: &Path) -> io::Result<Option<Overview>> {
        let Some(journal) = optional(&out.join("journal.jsonl"))? else { return Ok(None) };
        let mut overview = Overview::default();
        overview.progress.operations = operations(out)?;
        for line in journal.lines() {
            // The last line may be torn.
            let Ok(line) = serde_json::from_str(line) else { break };
            match line {
                Line::Campaign { identity } => overview.identity = identity,
                Line::Case(case) => overview.progress.count(&case),
            }
        }
        for entry in std::fs::read_dir(out)? {
            let entry = entry?;
            let Some(text) = optional(&entry.path().join("bucket.json"))? else { continue };
            if let Ok(bucket) = serde_json::from_str(&text) {
                overview.buckets.insert(entry.file_name().to_string_lossy().into_owned(), bucket);
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

fn operations(out: &Path) -> io::Result<BTreeMap<String, u64>> {
    let text = optional(&out.join(OPERATIONS))?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// A file's text; none where there is no such file.
fn optional(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => Ok(None),
        Err(error) => Err(error),
    }
}
