//! The directory that a reduction leaves behind. `reduced.mlir` is there from the moment the failure is known, is replaced
//! whole whenever there is a smaller module, and so is valid whenever the program ends.

use super::Error;
use std::fs;
use std::path::{Path, PathBuf};
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::corpus::{Case, Expectation, Failing};
use tritonsmith::ir;
use tritonsmith::judge::releases::VersionResult;
use tritonsmith::reduce::{Aside, Minimised};
use tritonsmith::report::{Curve, Summary, markdown, runnable};
use tritonsmith::whole;

/// A directory for results; it is made when there is something to put into it.
#[derive(Debug)]
pub struct Results {
    place: PathBuf,
    asides: usize,
    /// Whether `reduced.mlir` is of this run.
    begun: bool,
}

impl Results {
    /// The directory with this path.
    pub fn at(place: PathBuf) -> Self {
        Results { place, asides: 0, begun: false }
    }

    /// Whether nothing was put into it.
    pub fn is_empty(&self) -> bool {
        !self.begun
    }

    /// Its path.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The smallest module so far.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn best(&mut self, text: &str) -> Result<(), Error> {
        self.put("reduced.mlir", text)?;
        self.begun = true;
        Ok(())
    }

    /// Another failure that was met on the way.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn aside(&mut self, number: usize, aside: &Aside) -> Result<(), Error> {
        self.asides = number;
        let head = format!("// {}\n", aside.judgement.signature.to_string().replace('\n', " "));
        self.put(&format!("other-{number}.mlir"), &(head + &aside.text))
    }

    /// All that is known in the end.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn write(
        &mut self,
        origin: &str,
        triton: &str,
        minimised: &Minimised,
        versions: &[VersionResult],
    ) -> Result<(), Error> {
        let report = &minimised.report;
        let operations = |text: &str| ir::parse(text).map_or(0, |module| module.size());
        let curve = Curve::of(report);
        let summary = Summary {
            triton,
            compile: &minimised.question,
            judgement: &minimised.last,
            module: &minimised.text,
            operations: (operations(&minimised.text), report.first_cost.operations),
            minimal: report.minimal(),
            questions: (report.questions, report.invalid),
            sightings: minimised.sightings,
            curve: &curve,
            versions,
        };
        self.best(&runnable(&minimised.text, &minimised.question.passes))?;
        self.put("curve.svg", &curve.svg())?;
        self.put("report.md", &markdown(&summary))?;
        let case = case(origin, triton, minimised, versions);
        let text = case.to_toml().map_err(|error| Error::Usage(error.to_string()))?;
        self.put("case.toml", &text)
    }

    /// What is in it, for people.
    pub fn describe(&self) -> String {
        let place = self.place.display();
        let others = match self.asides {
            0 => String::new(),
            1 => " and other-1.mlir, another bug that was met".to_owned(),
            count => format!(" and other-1.mlir to other-{count}.mlir, other bugs that were met"),
        };
        format!("{place}/reduced.mlir, report.md, curve.svg, case.toml{others}")
    }

    /// Writes a file such that it is there whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.place.join(name);
        let failed = |source| Error::Save { path: path.clone(), source };
        fs::create_dir_all(&self.place).map_err(failed)?;
        whole::write(&path, text.as_bytes()).map(drop).map_err(failed)
    }
}

fn case(origin: &str, triton: &str, minimised: &Minimised, versions: &[VersionResult]) -> Case {
    let passes = match &minimised.question.passes {
        Passes::Texts { texts } => texts.clone(),
        Passes::Stage { .. } => Vec::new(),
    };
    let own = Expectation::new(triton, &minimised.last.signature, None);
    let others = versions.iter().map(Expectation::of);
    let failing = Failing {
        triton: triton.to_owned(),
        printed: minimised.last.message.clone(),
        signature: minimised.last.signature.clone(),
    };
    Case {
        origin: format!("reduced from {origin}"),
        module: PathBuf::from("reduced.mlir"),
        target: minimised.question.target.to_string(),
        passes,
        options: minimised.question.options.clone(),
        failing: Some(failing),
        expect: std::iter::once(own).chain(others).collect(),
    }
}
