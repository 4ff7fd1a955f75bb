//! A bucket: all sightings of one bug, with one directory on disk from which alone it replays.
//!
//! `input.mlir` and `log.txt` are written first, in a temporary directory that is then renamed, so that a bucket is there
//! as a whole or not at all. `reduced.mlir`, `report.md` and `case.toml` follow when the reduction has ended.

use crate::corpus::{Case, Failing};
use crate::identity::Identity;
use crate::judge::Signature;
use crate::whole::{self, Growing};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// One bug and how often it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
    /// What makes it this bug.
    pub signature: Signature,
    /// The first case that showed it.
    pub first_case: u64,
    /// The version that showed it first.
    pub triton: String,
    /// The target of that sighting.
    pub target: String,
    /// Sightings.
    pub count: u64,
    /// Versions and targets that showed it, `3.6.0 cuda:80`, each once.
    pub seen_on: Vec<String>,
    /// Operations of the reduced module, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<usize>,
}

impl Bucket {
    /// The name of its directory: verdict and pass to read, and a hash of the whole signature.
    pub fn name(signature: &Signature) -> String {
        let parts = [signature.verdict.word(), &signature.pass, &signature.message, &signature.note];
        let pass = if signature.pass.is_empty() { "unknown-pass" } else { &signature.pass };
        let pass: String = pass.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("{}-{pass}-{}", signature.verdict, Identity::of(parts).short())
    }

    /// Where it is stored below a campaign's directory.
    pub fn directory(&self, out: &Path) -> PathBuf {
        out.join(Bucket::name(&self.signature))
    }

    /// Whether its reduction has ended.
    pub fn is_reduced(&self, out: &Path) -> bool {
        self.directory(out).join("case.toml").exists()
    }

    /// How many operations the reduced module has.
    pub fn reduced_operations(&self, out: &Path) -> Option<usize> {
        let text = std::fs::read_to_string(self.directory(out).join("reduced.mlir")).ok()?;
        Some(crate::ir::parse(&text).ok()?.size())
    }

    /// Stores a new bucket with its first module and what the compiler printed.
    ///
    /// # Errors
    /// The disk is full, or closed to us.
    pub fn create(&self, out: &Path, module: &str, log: &str) -> io::Result<()> {
        let directory = self.directory(out);
        if directory.exists() {
            return self.write_counts(out);
        }
        let growing = Growing::below(out)?;
        std::fs::write(growing.path().join("input.mlir"), module)?;
        std::fs::write(growing.path().join("log.txt"), log)?;
        std::fs::write(growing.path().join("bucket.json"), self.to_json()?)?;
        growing.finish(&directory)
    }

    /// Writes the counts anew.
    ///
    /// # Errors
    /// The disk is full, or closed to us.
    pub fn write_counts(&self, out: &Path) -> io::Result<()> {
        whole::write(&self.directory(out).join("bucket.json"), self.to_json()?.as_bytes()).map(drop)
    }

    /// The case of a bucket whose reduction has not ended: its first module with the whole pipeline.
    ///
    /// # Errors
    /// It is no bucket, or a file of it cannot be read.
    pub fn case(directory: &Path) -> io::Result<Case> {
        let read = |name: &str| std::fs::read_to_string(directory.join(name));
        let bucket: Bucket = serde_json::from_str(&read("bucket.json")?)?;
        let printed = read("log.txt")?.lines().next().unwrap_or_default().to_owned();
        Ok(Case {
            origin: format!("case {} of a campaign", bucket.first_case),
            module: "input.mlir".into(),
            target: bucket.target,
            passes: Vec::new(),
            options: serde_json::from_str(&read("options.json")?)?,
            failing: Some(Failing { triton: bucket.triton, printed, signature: bucket.signature }),
            expect: Vec::new(),
        })
    }

    fn to_json(&self) -> io::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(io::Error::other)
    }
}

/// Removes what a killed process has left growing in a campaign's directory, its buckets and the slipped bugs beside them.
pub(super) fn clear(out: &Path) {
    let below = |place: &Path| std::fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path());
    whole::clear(out);
    for bucket in below(out).filter(|place| place.join("bucket.json").is_file()) {
        whole::clear(&bucket);
        below(&bucket.join("asides")).for_each(|bug| whole::clear(&bug));
    }
}
