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
#[serde(from = "WrittenSignature")]
pub struct Signature {
    /// What kind of failure it is.
    pub verdict: Verdict,
    /// Who says so.
    #[serde(rename = "oracle", skip_serializing_if = "Accuser::is_compiler")]
    pub accuser: Accuser,
    /// The failing pass by its command-line name; empty where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pass: String,
    /// The message, normalised.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Its first note, normalised: for a dominance failure, which region the operand is defined in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Who says that something is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Accuser {
    /// The compiler itself: it failed.
    #[default]
    Compiler,
    /// One of our oracles, by its name, where the compiler is content.
    Oracle(String),
}

/// The name of the compiler among those who accuse.
const COMPILER: &str = "compiler";
/// What stood before an oracle's message when the message alone told who accuses; the oracle's name was not written.
const ACCEPTED: &str = "accepted, but ";

impl Accuser {
    /// Whether it is the compiler.
    pub fn is_compiler(&self) -> bool {
        *self == Accuser::Compiler
    }

    /// `compiler`, or the oracle's name.
    pub fn name(&self) -> &str {
        match self {
            Accuser::Compiler => COMPILER,
            Accuser::Oracle(name) => name,
        }
    }

    /// Whether two may be the same. An oracle that one of them does not name is no difference.
    pub fn matches(&self, other: &Accuser) -> bool {
        match (self, other) {
            (Accuser::Oracle(own), Accuser::Oracle(other)) => own == other || own.is_empty() || other.is_empty(),
            _ => self == other,
        }
    }
}

impl From<String> for Accuser {
    fn from(name: String) -> Accuser {
        if name == COMPILER { Accuser::Compiler } else { Accuser::Oracle(name) }
    }
}

impl From<Accuser> for String {
    fn from(accuser: Accuser) -> String {
        accuser.name().to_owned()
    }
}

/// A signature as it stands in a file.
#[derive(Deserialize)]
struct WrittenSignature {
    verdict: Verdict,
    #[serde(default)]
    oracle: Accuser,
    #[serde(default)]
    pass: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    note: String,
}

impl From<WrittenSignature> for Signature {
    fn from(written: WrittenSignature) -> Signature {
        let WrittenSignature { verdict, oracle, pass, message, note } = written;
        Signature { verdict, accuser: oracle, pass, message, note }.marked()
    }
}

/// How much of a signature two failures must share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignatureMatch {
    /// Everything.
    #[default]
    Exact,
    /// Verdict and pass.
    Kind,
    /// Any bug will do.
    Any,
}

impl SignatureMatch {
    /// All of them, the strictest first.
    pub const ALL: [SignatureMatch; 3] = [SignatureMatch::Exact, SignatureMatch::Kind, SignatureMatch::Any];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            SignatureMatch::Exact => "exact",
            SignatureMatch::Kind => "kind",
            SignatureMatch::Any => "any",
        }
    }
}

impl fmt::Display for SignatureMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// After how long a run counts as one that does not end, where that is what is expected.
const HANG_AFTER: Duration = Duration::from_secs(10);
/// The same in processor time of one pass.
const HANG_PASS_MS: u64 = 1000;

impl Signature {
    /// A signature; message and note are normalised here.
    pub fn new(verdict: Verdict, pass: Option<&str>, message: &str, note: Option<&str>) -> Self {
        Signature {
            verdict,
            accuser: Accuser::Compiler,
            pass: pass.unwrap_or_default().to_owned(),
            message: normalise(message),
            note: note.map(normalise).unwrap_or_default(),
        }
    }

    /// The same as an oracle says it.
    pub fn by(self, oracle: &str) -> Self {
        Signature { accuser: Accuser::Oracle(oracle.to_owned()), ..self }
    }

    /// Reads the mark that older files have in the message for what an oracle says.
    pub fn marked(self) -> Self {
        match self.message.strip_prefix(ACCEPTED) {
            Some(rest) if self.accuser.is_compiler() => {
                Signature { message: rest.to_owned(), accuser: Accuser::Oracle(String::new()), ..self }
            }
            _ => self,
        }
    }

    /// The message with that mark.
    fn told(&self) -> String {
        let accepted = if self.accuser.is_compiler() { "" } else { ACCEPTED };
        format!("{accepted}{}", self.message)
    }

    /// What a file or directory about it is called: verdict and pass to read, and a hash of all of it.
    pub fn file_name(&self) -> String {
        let message = self.told();
        let parts = [self.verdict.word(), &self.pass, &message, &self.note];
        let pass = if self.pass.is_empty() { "unknown-pass" } else { &self.pass };
        let pass: String = pass.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("{}-{pass}-{}", self.verdict, Identity::of(parts).short())
    }

    /// How long a run is waited for in which this failure is expected: where that is a pass that does not end, no longer
    /// than it takes to see it. A pass over a module of ordinary size takes milliseconds.
    pub fn patience(&self, limit: Duration) -> Duration {
        if self.verdict == Verdict::Hang { limit.min(HANG_AFTER) } else { limit }
    }

    /// The milliseconds of processor time after which a pass counts as one that does not end, where that is what is expected
    /// of it: the machine's load is no part of that.
    pub fn pass_ms(&self) -> Option<u64> {
        (self.verdict == Verdict::Hang).then_some(HANG_PASS_MS)
    }

    /// Whether two failures are the same, as far as `keep` asks. A pass that one of them does not know is no difference, nor
    /// is the function of a crash, which older files do not have.
    pub fn matches(&self, other: &Signature, keep: SignatureMatch) -> bool {
        let is_crash = self.verdict == Verdict::Crash && (self.note.is_empty() || other.note.is_empty());
        let pass = self.pass == other.pass || self.pass.is_empty() || other.pass.is_empty();
        match keep {
            SignatureMatch::Exact => {
                self.verdict == other.verdict
                    && pass
                    && self.accuser.matches(&other.accuser)
                    && self.message == other.message
                    && (is_crash || self.note == other.note)
            }
            SignatureMatch::Kind => self.verdict == other.verdict && pass,
            SignatureMatch::Any => self.verdict.is_bug() && other.verdict.is_bug(),
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
            write!(f, ": {}", self.told())?;
        }
        if !self.note.is_empty() {
            write!(f, " ({})", self.note)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oracle_that_accuses_is_a_field_and_older_files_are_read() {
        let own = Signature::new(Verdict::InvalidIr, Some("cse"), "operand #0 is never defined", None).by("dominance");
        let text = toml::to_string(&own).unwrap();
        assert!(text.contains("oracle = \"dominance\"") && !text.contains("accepted"), "{text}");
        assert_eq!(toml::from_str::<Signature>(&text).unwrap(), own);
        assert_eq!(own.to_string(), "invalid-ir in cse: accepted, but operand #_ is never defined");
        let old = "verdict = 'invalid-ir'\npass = 'cse'\nmessage = 'accepted, but operand #_ is never defined'\n";
        let old: Signature = toml::from_str(old).unwrap();
        assert_eq!(old.accuser, Accuser::Oracle(String::new()));
        assert!(old.matches(&own, SignatureMatch::Exact));
        let compiler = Signature { accuser: Accuser::Compiler, ..own.clone() };
        assert!(!compiler.matches(&own, SignatureMatch::Exact) && compiler.matches(&own, SignatureMatch::Kind));
    }
}
