//! The mute list: bugs that are known, so that a campaign counts them and goes on.

use crate::judge::Signature;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A file of known bugs.
///
/// ```toml
/// [[mute]]
/// reason = "reported upstream, fixed in 3.7.0"
/// verdict = "invalid-ir"
/// pass = "tritongpu-remove-layout-conversions"
/// message = "does not dominate this use"
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MuteList {
    /// The bugs.
    #[serde(default)]
    pub mute: Vec<Mute>,
}

/// A known bug: what is given must be found in a signature.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mute {
    /// Why it is muted, for people.
    pub reason: String,
    /// The verdict's word.
    #[serde(default)]
    pub verdict: Option<String>,
    /// The pass's whole name.
    #[serde(default)]
    pub pass: Option<String>,
    /// A part of the message or the note.
    #[serde(default)]
    pub message: Option<String>,
}

/// A mute file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MuteError {
    /// There is no such file, or it is closed to us.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no mute list.
    #[error("{path} is no mute list: {message}", path = path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl MuteList {
    /// Reads a mute file.
    ///
    /// # Errors
    /// There is no such file, it is no mute list, or an entry would mute everything.
    pub fn read(path: &Path) -> Result<MuteList, MuteError> {
        let text =
            crate::input::read_to_string(path).map_err(|source| MuteError::File { path: path.to_owned(), source })?;
        let content = |message: String| MuteError::Content { path: path.to_owned(), message };
        let list: MuteList = toml::from_str(&text).map_err(|error| content(error.to_string()))?;
        match list.mute.iter().find(|mute| mute.verdict.is_none() && mute.pass.is_none() && mute.message.is_none()) {
            Some(mute) => {
                Err(content(format!("`{}` would mute everything: give verdict, pass or message", mute.reason)))
            }
            None => Ok(list),
        }
    }

    /// Why a signature is muted, if it is.
    pub fn reason(&self, signature: &Signature) -> Option<&str> {
        self.mute.iter().find(|mute| mute.covers(signature)).map(|mute| mute.reason.as_str())
    }
}

impl Mute {
    fn covers(&self, signature: &Signature) -> bool {
        let verdict = self.verdict.as_deref().is_none_or(|verdict| verdict == signature.verdict.word());
        let pass = self.pass.as_deref().is_none_or(|pass| pass == signature.pass);
        let said = |part: &str| signature.message.contains(part) || signature.note.contains(part);
        verdict && pass && self.message.as_deref().is_none_or(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Verdict;

    #[test]
    fn an_entry_covers_what_has_all_its_parts() {
        let list: MuteList =
            toml::from_str("[[mute]]\nreason = 'known'\npass = 'p'\nmessage = 'not dominate'\n").unwrap();
        let signature = |pass, message| Signature::new(Verdict::InvalidIr, Some(pass), message, None);
        assert_eq!(list.reason(&signature("p", "operand #0 does not dominate this use")), Some("known"));
        assert_eq!(list.reason(&signature("q", "operand #0 does not dominate this use")), None);
        assert_eq!(list.reason(&signature("p", "another")), None);
    }
}
