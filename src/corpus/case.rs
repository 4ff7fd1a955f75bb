//! `case.toml`: everything that is needed to run a case again, and what is expected to come of it.
//!
//! A case is a directory: this file, the module that it names, and whatever else helps a reader (the kernel's source, the
//! log that a user pasted). [`find`] gives all cases below a directory. A file is written by people as well as by this
//! program: [`LocatedCase::rewrite`] changes its expectations and leaves everything else as it stands, comments included.

use super::expect::{Expectation, Expected};
use crate::compiler::protocol::{Options, Passes};
use crate::compiler::wheel::Triton;
use crate::compiler::{Compile, Target, TargetError};
use crate::input;
use crate::judge::Signature;
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
    /// The stage of the backend that is run over it where no passes are named, or [`Case::ALL`]; [`Case::STAGE`] where it is
    /// not named either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// The passes that are run over it, as pipeline texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<String>,
    /// Options of the compiler, such as `num_warps`.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// The failure that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
    /// What the versions do with it. Where several hold for one version, the first counts.
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
    /// The stage that a case goes through unless it says otherwise.
    pub const STAGE: &str = "ttgir";
    /// The word for all stages of the backend.
    pub const ALL: &str = "all";

    /// Reads a case from its file, or from a directory's `case.toml`.
    ///
    /// # Errors
    /// There is no such file, or it is no case.
    pub fn read(path: &Path) -> Result<(Case, PathBuf), CaseError> {
        let path = if path.is_dir() { path.join("case.toml") } else { path.to_owned() };
        let text = input::read_to_string(&path).map_err(|source| CaseError::File { path: path.clone(), source })?;
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
        let target: Target = self.target.parse().map_err(|error: TargetError| CaseError::Content {
            path: PathBuf::from("case.toml"),
            message: error.to_string(),
        })?;
        let passes = match self.passes.as_slice() {
            [] if self.stage.as_deref() == Some(Case::ALL) => Passes::All,
            [] => Passes::stage(self.stage.as_deref().unwrap_or(Case::STAGE)),
            texts => Passes::Texts { texts: texts.to_vec() },
        };
        Ok(Compile { target, options: self.options.clone(), passes })
    }

    /// The built-in model with its faults, where it is that what fails.
    pub fn model(&self) -> Option<Triton> {
        let spec = self.failing.as_ref()?.triton.parse().ok()?;
        matches!(spec, Triton::Model(_)).then_some(spec)
    }

    /// The targets that it is compiled for: its own, and those that expectations name.
    ///
    /// # Errors
    /// One of them is none.
    pub fn targets(&self) -> Result<Vec<Target>, TargetError> {
        let mut targets: Vec<Target> = Vec::new();
        let named = self.expect.iter().filter_map(|expectation| expectation.target.as_ref());
        for text in std::iter::once(&self.target).chain(named) {
            let target = text.parse()?;
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        Ok(targets)
    }

    /// A target as an expectation names it: not at all where it is the case's own.
    pub fn own_or(&self, target: &Target) -> Option<String> {
        (self.target.parse::<Target>().as_ref() != Ok(target)).then(|| target.to_string())
    }

    /// What is expected of a version for a target, and the expectation's place in the list.
    pub fn expectation(&self, triton: &str, target: &Target) -> Option<(usize, &Expected)> {
        let target = self.own_or(target);
        let fits = |expectation: &Expectation| expectation.target == target && expectation.triton.contains(triton);
        let place = self.expect.iter().position(fits)?;
        Some((place, &self.expect.get(place)?.what))
    }

    /// The failure that it is about: the one that it names, or the first that is expected of its own target.
    pub fn signature(&self) -> Option<&Signature> {
        let named = self.failing.as_ref().map(|failing| &failing.signature);
        named.or_else(|| {
            let own = self.expect.iter().filter(|expectation| expectation.target.is_none());
            own.filter(|expectation| expectation.what.is_bug()).find_map(|expectation| expectation.what.signature())
        })
    }
}

/// A case with its place on disk.
#[derive(Debug, Clone)]
pub struct LocatedCase {
    /// The case.
    pub case: Case,
    /// Its file.
    pub path: PathBuf,
    /// The text of its file.
    pub text: String,
    /// The text of its module.
    pub module: String,
}

impl LocatedCase {
    /// Reads a case with its module.
    ///
    /// # Errors
    /// There is no such file, it is no case, or its module cannot be read.
    pub fn read(path: &Path) -> Result<LocatedCase, CaseError> {
        let read = |path: &Path| {
            input::read_to_string(path).map_err(|source| CaseError::File { path: path.to_owned(), source })
        };
        let (case, path) = Case::read(path)?;
        let text = read(&path)?;
        let module = read(&path.parent().unwrap_or(Path::new(".")).join(&case.module))?;
        Ok(LocatedCase { case, path, text, module })
    }

    /// Its name: that of its directory.
    pub fn name(&self) -> String {
        let directory = self.path.parent().and_then(Path::file_name);
        directory.map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// The line, from 1, on which an expectation begins; the first line where that cannot be told.
    pub fn line_of(&self, expectation: Option<usize>) -> usize {
        let heads = self.text.lines().enumerate().filter(|(_, line)| line.trim() == "[[expect]]");
        expectation.and_then(|place| heads.map(|(line, _)| line + 1).nth(place)).unwrap_or(1)
    }

    /// The text of its file with other expectations. Everything else stays as it is written, and so does an expectation
    /// of which only the versions change.
    ///
    /// # Errors
    /// The file is no TOML, or an expectation cannot be written.
    pub fn rewrite(&self, expectations: &[Expectation]) -> Result<String, CaseError> {
        let wrong = |message: String| CaseError::Content { path: self.path.clone(), message };
        let mut document: toml_edit::DocumentMut =
            self.text.parse().map_err(|error: toml_edit::TomlError| wrong(error.message().to_owned()))?;
        let old = document.get("expect").and_then(|item| item.as_array_of_tables()).cloned().unwrap_or_default();
        let mut tables = toml_edit::ArrayOfTables::new();
        // Tables are printed by position: those of the file have theirs, and these come behind all of them.
        let behind = isize::try_from(self.text.len()).unwrap_or(isize::MAX / 2);
        for (place, expectation) in expectations.iter().enumerate() {
            let like = |old: &Expectation| old.what == expectation.what && old.target == expectation.target;
            let kept = self.case.expect.iter().position(like).and_then(|index| old.get(index)).cloned();
            let mut table = match kept {
                Some(mut table) => {
                    table.insert("triton", toml_edit::value(expectation.triton.to_string()));
                    table
                }
                None => {
                    let text = toml::to_string(expectation).map_err(|error| wrong(error.to_string()))?;
                    let parsed: toml_edit::DocumentMut =
                        text.parse().map_err(|error: toml_edit::TomlError| wrong(error.message().to_owned()))?;
                    let mut table = parsed.as_table().clone();
                    table.decor_mut().set_prefix("\n");
                    table
                }
            };
            table.set_position(Some(behind.saturating_add(place as isize)));
            tables.push(table);
        }
        document.insert("expect", toml_edit::Item::ArrayOfTables(tables));
        Ok(document.to_string())
    }
}

/// All cases at or below a directory, by path.
///
/// # Errors
/// A directory or a case that cannot be read.
pub fn find(root: &Path) -> Result<Vec<LocatedCase>, CaseError> {
    if root.is_file() {
        return Ok(vec![LocatedCase::read(root)?]);
    }
    let mut directories = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(directory) = directories.pop() {
        let failed = |source| CaseError::File { path: directory.clone(), source };
        for entry in std::fs::read_dir(&directory).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.file_name().is_some_and(|name| name == "case.toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| LocatedCase::read(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Verdict;

    fn case() -> Case {
        Case {
            origin: "a pasted log".into(),
            module: "reduced.mlir".into(),
            target: "cuda:87".into(),
            stage: None,
            passes: vec!["tritongpu-remove-layout-conversions{x=1}".into()],
            options: Options::from([("num_warps".into(), 4.into())]),
            failing: Some(Failing {
                triton: "3.6.0".into(),
                printed: "operand #0 does not dominate this use".into(),
                signature: Signature::new(Verdict::InvalidIr, Some("p"), "operand #0 does", Some("in a child region")),
            }),
            expect: vec![
                Expectation::new("3.9.0", &Signature::new(Verdict::Ok, None, "", None), None),
                Expectation::new("3.2.0", &Signature::new(Verdict::RejectedInput, None, "", None), Some("no layouts")),
            ],
        }
    }

    #[test]
    fn a_case_survives_its_file() {
        assert_eq!(toml::from_str::<Case>(&case().to_toml().unwrap()).unwrap(), case());
    }

    #[test]
    fn expectations_change_and_comments_stay() {
        let text = "# Why this is here.\norigin = 'x' # by hand\nmodule = 'm.mlir'\ntarget = 'cuda:87'\n\n\
                    # As it should be.\n[[expect]]\ntriton = 'to 3.2.0'\nverdict = 'ok'\n\n\
                    [[expect]]\ntriton = 'from 3.3.0'\nverdict = 'crash'\n";
        let case: Case = toml::from_str(text).unwrap();
        let located = LocatedCase { case, path: "case.toml".into(), text: text.into(), module: String::new() };
        assert_eq!([located.line_of(None), located.line_of(Some(1))], [1, 11]);
        let mut new = located.case.expect.clone();
        new[0].triton = "any".parse().unwrap();
        let hang = Signature::new(Verdict::Hang, None, "", None);
        new[1] = Expectation::new("3.9.0", &hang, None);
        let rewritten = located.rewrite(&new).unwrap();
        assert_eq!(
            rewritten,
            "# Why this is here.\norigin = 'x' # by hand\nmodule = 'm.mlir'\ntarget = 'cuda:87'\n\n\
             # As it should be.\n[[expect]]\ntriton = \"any\"\nverdict = 'ok'\n\n\
             [[expect]]\ntriton = \"3.9.0\"\nverdict = \"hang\"\n"
        );
    }

    #[test]
    fn the_first_expectation_that_fits_counts() {
        let text = "origin = 'x'\nmodule = 'm'\ntarget = 'cuda:87'\n[[expect]]\ntriton = '3.6.0'\nverdict = 'crash'\n\
                    [[expect]]\ntriton = 'any'\nverdict = 'ok'\n[[expect]]\ntriton = 'any'\ntarget = 'cuda:90'\n\
                    untestable = 'no'\n";
        let case: Case = toml::from_str(text).unwrap();
        let place = |triton, target: &str| case.expectation(triton, &target.parse().unwrap()).map(|(place, _)| place);
        assert_eq!(
            [place("3.6.0", "cuda:87"), place("3.7.0", "cuda:87"), place("3.6.0", "cuda:90")],
            [Some(0), Some(1), Some(2)]
        );
        assert_eq!(place("3.6.0", "cuda:80"), None);
        assert_eq!(case.targets().unwrap().len(), 2);
    }

    #[test]
    fn an_expectation_says_what_happens() {
        let text = "origin = 'x'\nmodule = 'm'\ntarget = 'cuda:87'\n[[expect]]\ntriton = 'any'\n";
        assert!(toml::from_str::<Case>(text).unwrap_err().message().contains("untestable"));
    }
}
