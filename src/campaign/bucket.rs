//! A bucket: every time that one bug was seen, and the directory of its finding ([`crate::store`]).
//!
//! The directory is filled under another name and then renamed, so that a bucket is there complete or not at all. It has
//! the first module that showed the bug, and `bucket.json` with the counts; the rest follows when its reduction has ended.

use crate::atomic::{self, Staging};
use crate::compiler::Compile;
use crate::judge::{Judgement, Signature};
use crate::store::{FindingDirectory, Origin};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The file of the counts.
const COUNTS: &str = "bucket.json";

/// One bug and how often it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
    /// What makes it this bug.
    pub signature: Signature,
    /// The first case that showed it.
    pub first_case: u64,
    /// The version that showed it first.
    pub triton: String,
    /// The target that it was compiled for then.
    pub target: String,
    /// How many compilations showed it.
    pub count: u64,
    /// Versions and targets that showed it, `3.6.0 cuda:80`, each once.
    pub seen_on: Vec<String>,
    /// Operations of the reduced module, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<usize>,
}

impl Bucket {
    /// The name of its directory.
    pub fn name(&self) -> String {
        self.signature.file_name()
    }

    /// Where it is stored below a campaign's directory.
    pub fn directory(&self, out: &Path) -> PathBuf {
        out.join(self.name())
    }

    /// Reads a bucket's counts; none where the directory is of no bucket.
    ///
    /// # Errors
    /// The file is there and cannot be read, or is not what was written.
    pub fn read(directory: &Path) -> io::Result<Option<Bucket>> {
        match std::fs::read_to_string(directory.join(COUNTS)) {
            Ok(text) => Ok(Some(serde_json::from_str(&text)?)),
            Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores a new bucket with its first module.
    ///
    /// # Errors
    /// The disk is full, or closed to us.
    pub fn create(
        &self,
        out: &Path,
        module: &str,
        origin: Origin<'_>,
        compile: &Compile,
        judgement: &Judgement,
    ) -> io::Result<()> {
        let directory = self.directory(out);
        if directory.exists() {
            return self.write_counts(out);
        }
        let staging = Staging::below(out)?;
        let finding = FindingDirectory::at(staging.path().to_owned());
        finding.begin(module, origin, compile, judgement).map_err(|error| error.source)?;
        std::fs::write(staging.path().join(COUNTS), self.to_json()?)?;
        staging.finish(&directory)
    }

    /// Writes the counts anew.
    ///
    /// # Errors
    /// The disk is full, or closed to us.
    pub fn write_counts(&self, out: &Path) -> io::Result<()> {
        atomic::write(&self.directory(out).join(COUNTS), self.to_json()?.as_bytes()).map(drop)
    }

    fn to_json(&self) -> io::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(io::Error::other)
    }
}

/// Removes what a killed process was still writing in a campaign's directory and its buckets.
pub(super) fn clear(out: &Path) {
    atomic::clear(out);
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|place| place.join(COUNTS).is_file()).for_each(|place| FindingDirectory::at(place).clear());
}
