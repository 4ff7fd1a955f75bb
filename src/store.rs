//! A finding on disk: one directory, from which alone it replays. `reduce` and `fuzz` write it with the same files and the
//! same content; `report`, `reduce`, `replay`, `bisect` and `corpus add` read it by its `case.toml`.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `input.mlir` | the module as it was found |
//! | `log.txt` | what the compiler said of it |
//! | `reduced.mlir` | the smallest module so far; below a line for `triton-opt` once the reduction has ended |
//! | `curve.svg`, `report.md` | how it became small, and all of it for people |
//! | `slipped/` | other bugs that the reduction met on its way, a module for each |
//! | `case.toml` | what is run over which module, and what is expected to come of it |
//!
//! Every file is written atomically, and `case.toml` last: as long as it names `input.mlir`, the reduction has not ended.

use crate::atomic;
use crate::compiler::Compile;
use crate::compiler::protocol::Passes;
use crate::corpus::{Case, Expectation, Failing};
use crate::judge::Judgement;
use crate::judge::releases::VersionResult;
use crate::reduce::{Minimised, SlippedBug};
use crate::report::{Curve, ReportSummary, markdown, runnable};
use std::io;
use std::path::{Path, PathBuf};

/// The module as it was found.
pub const INPUT: &str = "input.mlir";
/// The smallest module.
pub const REDUCED: &str = "reduced.mlir";
/// The case's file.
pub const CASE: &str = "case.toml";
/// What the compiler said.
pub const LOG: &str = "log.txt";
/// The directory of other bugs that were met.
pub const SLIPPED: &str = "slipped";

/// A file of a finding that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}", path = path.display())]
pub struct StoreError {
    /// Which file.
    pub path: PathBuf,
    /// What the system said, or why there is nothing to write.
    pub source: io::Error,
}

/// Whose finding it is.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// Where it came from, in a few words.
    pub words: &'a str,
    /// The compiler that fails, as it is asked for.
    pub triton: &'a str,
    /// What expectations call it.
    pub version: &'a str,
}

/// The directory of a finding, which is made when there is something to put into it.
#[derive(Debug, Clone)]
pub struct FindingDirectory {
    path: PathBuf,
}

impl FindingDirectory {
    /// The directory with this path.
    pub fn at(path: PathBuf) -> Self {
        FindingDirectory { path }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Stores a failure before anything else is done with it: from now on it replays.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn begin(
        &self,
        input: &str,
        origin: Origin<'_>,
        compile: &Compile,
        judgement: &Judgement,
    ) -> Result<(), StoreError> {
        self.put(INPUT, input)?;
        let lines = std::iter::once(&judgement.message).chain(&judgement.note);
        self.put(LOG, &lines.map(|line| format!("{line}\n")).collect::<String>())?;
        self.put_case(&case(INPUT, origin, compile, judgement, &[]))
    }

    /// Replaces the smallest module so far.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn best(&self, text: &str) -> Result<(), StoreError> {
        self.put(REDUCED, text)
    }

    /// Keeps another bug that a reduction met. How many are met depends on how many queries are asked ahead of their turn.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn slipped(&self, bug: &SlippedBug) -> Result<(), StoreError> {
        let signature = &bug.judgement.signature;
        let head = format!("// {}\n", signature.to_string().replace('\n', " "));
        self.put(&format!("{SLIPPED}/{}.mlir", signature.file_name()), &(head + &bug.text))
    }

    /// Stores what a reduction came to.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(
        &self,
        origin: Origin<'_>,
        minimised: &Minimised,
        versions: &[VersionResult],
    ) -> Result<(), StoreError> {
        let Minimised { compile, last, text, report, .. } = minimised;
        let curve = Curve::of(report);
        let summary = ReportSummary {
            triton: origin.triton,
            compile,
            judgement: last,
            module: text,
            operations: (report.cost.operations, report.first_cost.operations),
            minimal: report.minimal(),
            queries: (report.queries, report.invalid),
            reproduction: minimised.reproduction,
            curve: &curve,
            versions,
        };
        self.best(&runnable(text, &compile.passes))?;
        self.put("curve.svg", &curve.svg())?;
        self.put("report.md", &markdown(&summary))?;
        minimised.slipped_bugs.iter().try_for_each(|bug| self.slipped(bug))?;
        self.put_case(&case(REDUCED, origin, compile, last, versions))
    }

    /// Writes a file atomically.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let write = || {
            std::fs::create_dir_all(path.parent().unwrap_or(&self.path))?;
            atomic::write(&path, text.as_bytes()).map(drop)
        };
        write().map_err(|source| StoreError { path: path.clone(), source })
    }

    /// Writes the case's file.
    ///
    /// # Errors
    /// It cannot be written, or has an option that TOML cannot hold.
    pub fn put_case(&self, case: &Case) -> Result<(), StoreError> {
        let wrong = |error| StoreError { path: self.path.join(CASE), source: io::Error::other(error) };
        self.put(CASE, &case.to_toml().map_err(wrong)?)
    }

    /// Removes what a killed process was still writing.
    pub fn clear(&self) {
        atomic::clear(&self.path);
        atomic::clear(&self.path.join(SLIPPED));
    }
}

fn case(
    module: &str,
    origin: Origin<'_>,
    compile: &Compile,
    judgement: &Judgement,
    versions: &[VersionResult],
) -> Case {
    let (stage, passes) = match &compile.passes {
        Passes::Texts { texts } => (None, texts.clone()),
        Passes::Stage { stage, .. } => (Some(stage.clone()).filter(|stage| stage != Case::STAGE), Vec::new()),
        Passes::All => (Some(Case::ALL.to_owned()), Vec::new()),
    };
    let own = Expectation::new(origin.version, &judgement.signature, None);
    Case {
        origin: origin.words.to_owned(),
        module: module.into(),
        target: compile.target.to_string(),
        stage,
        passes,
        options: compile.options.clone(),
        failing: Some(Failing {
            triton: origin.triton.to_owned(),
            printed: judgement.message.clone(),
            signature: judgement.signature.clone(),
        }),
        expect: std::iter::once(own).chain(versions.iter().map(Expectation::of)).collect(),
    }
}
