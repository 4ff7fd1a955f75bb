//! `case.toml`: everything that is needed to run a case again.

use crate::compiler::Target;
use crate::compiler::protocol::{Options, Passes};
use crate::judge::{Signature, Verdict};
use crate::reduce::Compile;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A case. Paths in it are relative to the directory of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Where it came from, in a few words.
    pub origin: String,
    /// The module.
    pub module: PathBuf,
    /// What it is compiled for, `kind:arch`.
    pub target: String,
    /// The passes that are run over it, as pipeline texts; none for the backend's whole pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<String>,
    /// Options of the compiler, such as `num_warps`.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// The failure that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
    /// What each version does with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expectation>,
}

/// A failure and the version that shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failing {
    /// The version.
    pub triton: String,
    /// The message as printed.
    pub printed: String,
    /// What makes it the same bug.
    #[serde(flatten)]
    pub signature: Signature,
}

/// What a version does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The version.
    pub triton: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it cannot be tested there, where it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untestable: Option<String>,
}

/// A case that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no case.
    #[error("{path} is no case: {message}", path = path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl Case {
    /// Reads a case from its file, or from a directory's `case.toml`.
    ///
    /// # Errors
    /// There is no such file, or it is no case.
    pub fn read(path: &Path) -> Result<(Case, PathBuf), CaseError> {
        let path = if path.is_dir() { path.join("case.toml") } else { path.to_owned() };
        let text = std::fs::read_to_string(&path).map_err(|source| CaseError::File { path: path.clone(), source })?;
        let case = toml::from_str(&text)
            .map_err(|error| CaseError::Content { path: path.clone(), message: error.message().to_owned() })?;
        Ok((case, path))
    }

    /// The text of its file.
    ///
    /// # Errors
    /// An option that TOML cannot hold.
    pub fn to_toml(&self) -> Result<String, CaseError> {
        toml::to_string(self)
            .map_err(|error| CaseError::Content { path: PathBuf::from("case.toml"), message: error.to_string() })
    }

    /// What to run.
    ///
    /// # Errors
    /// Its target is none.
    pub fn compile(&self) -> Result<Compile, CaseError> {
        let target: Target = self.target.parse().map_err(|error: crate::compiler::TargetError| CaseError::Content {
            path: PathBuf::from("case.toml"),
            message: error.to_string(),
        })?;
        let passes =
            if self.passes.is_empty() { Passes::stage("ttgir") } else { Passes::Texts { texts: self.passes.clone() } };
        Ok(Compile { target, options: self.options.clone(), passes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_survives_its_file() {
        let case = Case {
            origin: "a pasted log".into(),
            module: "reduced.mlir".into(),
            target: "cuda:87".into(),
            passes: vec!["tritongpu-remove-layout-conversions{x=1}".into()],
            options: Options::from([("num_warps".into(), 4.into())]),
            failing: Some(Failing {
                triton: "3.6.0".into(),
                printed: "operand #0 does not dominate this use".into(),
                signature: Signature::new(Verdict::InvalidIr, Some("p"), "operand #0 does", Some("in a child region")),
            }),
            expect: vec![Expectation { triton: "3.9.0".into(), verdict: Verdict::Ok, untestable: None }],
        };
        assert_eq!(toml::from_str::<Case>(&case.to_toml().unwrap()).unwrap(), case);
    }
}
