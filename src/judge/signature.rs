//! What makes two failures the same bug.

use super::Verdict;
use crate::compiler::diagnostic::normalise;
use crate::identity::Identity;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Verdict, pass and message, without what differs between two sightings of one bug: names of values, numbers, paths,
/// lines, shapes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Signature {
    /// What kind of failure it is.
    pub verdict: Verdict,
    /// The failing pass by its command-line name; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pass: String,
    /// The message, normalised.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Its first note, normalised: for a dominance failure, which region the operand is defined in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// How much of a signature two failures must share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// Everything.
    #[default]
    Exact,
    /// Verdict and pass.
    Kind,
    /// Any bug will do.
    Any,
}

/// After how long a run counts as one that does not end, where that is what is expected.
const HANG_AFTER: Duration = Duration::from_secs(10);

impl Signature {
    /// A signature; message and note are normalised here.
    pub fn new(verdict: Verdict, pass: Option<&str>, message: &str, note: Option<&str>) -> Self {
        Signature {
            verdict,
            pass: pass.unwrap_or_default().to_owned(),
            message: normalise(message),
            note: note.map(normalise).unwrap_or_default(),
        }
    }

    /// What a file or directory about it is called: verdict and pass to read, and a hash of all of it.
    pub fn file_name(&self) -> String {
        let parts = [self.verdict.word(), &self.pass, &self.message, &self.note];
        let pass = if self.pass.is_empty() { "unknown-pass" } else { &self.pass };
        let pass: String = pass.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("{}-{pass}-{}", self.verdict, Identity::of(parts).short())
    }

    /// How long a run is waited for in which this failure is expected: where that is a pass that does not end, no longer
    /// than it takes to see it. A pass over a module of ordinary size takes milliseconds.
    pub fn patience(&self, limit: Duration) -> Duration {
        if self.verdict == Verdict::Hang { limit.min(HANG_AFTER) } else { limit }
    }

    /// Whether two failures are the same, as far as `keep` asks. A pass that one of them does not know is no difference.
    pub fn matches(&self, other: &Signature, keep: Keep) -> bool {
        let pass = self.pass == other.pass || self.pass.is_empty() || other.pass.is_empty();
        match keep {
            Keep::Exact => {
                self.verdict == other.verdict && pass && self.message == other.message && self.note == other.note
            }
            Keep::Kind => self.verdict == other.verdict && pass,
            Keep::Any => self.verdict.is_bug() && other.verdict.is_bug(),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        if !self.pass.is_empty() {
            write!(f, " in {}", self.pass)?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        if !self.note.is_empty() {
            write!(f, " ({})", self.note)?;
        }
        Ok(())
    }
}
