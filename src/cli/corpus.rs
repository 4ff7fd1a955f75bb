//! `tritonsmith corpus`: putting cases into a corpus.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::{CompileOptions, Limits, module_of, target};
use super::{Ending, Error, input, install, interrupt, processors};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use tritonsmith::atomic::Staging;
use tritonsmith::compiler::plan::has_layouts;
use tritonsmith::compiler::wheel::{Cache, Triton};
use tritonsmith::compiler::{CompilerSpec, Target};
use tritonsmith::corpus::replay::{ReplaySettings, replay, updated};
use tritonsmith::corpus::{Case, Expectation, LocatedCase, find};
use tritonsmith::report::bare;

/// Add cases to a corpus
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Example:\n  tritonsmith corpus add stderr.log --name mask_reuse")]
pub struct Corpus {
    #[command(subcommand)]
    action: CorpusCommand,
}

#[derive(Debug, Subcommand)]
enum CorpusCommand {
    Add(Add),
}

/// Make a case from a finding or a log, with what each version does with it
///
/// Takes a directory that holds a `case.toml` (a finding, a reduction), a `.mlir` file or a pasted log. Runs it on the
/// versions named and writes what they do as the case's expectations.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith corpus add stderr.log --name mask_reuse\n  \
                        tritonsmith corpus add findings/crash-x --name x --triton 3.6.0,3.9.0")]
pub struct Add {
    /// A finding's directory, a log, or a module.
    #[arg(value_name = "DIR|LOG")]
    from: PathBuf,
    /// The case's name, which is that of its directory.
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: String,
    /// The corpus.
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    out: PathBuf,
    /// Versions to run it on; all installed releases where none is given.
    #[arg(long, value_name = "TRITON", value_delimiter = ',')]
    triton: Vec<Triton>,
    /// What to compile for, where the input does not say.
    #[arg(long, value_name = "KIND:ARCH")]
    target: Option<Target>,
    /// Where it came from, in a few words.
    #[arg(long, value_name = "WORDS")]
    origin: Option<String>,
    #[command(flatten)]
    options: CompileOptions,
    #[command(flatten)]
    limits: Limits,
}

/// What a case is made of.
struct CaseParts {
    case: Case,
    /// Files beside it, by name.
    files: Vec<(PathBuf, Vec<u8>)>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "added")]
struct Added<'a> {
    case: &'a Path,
    expect: Vec<String>,
}

fn name(text: &str) -> Result<String, String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if text.is_empty() || text.starts_with('.') || !text.chars().all(fine) {
        return Err(format!("`{text}` is no name of a case: use letters, digits, `_`, `-` and `.`"));
    }
    Ok(text.to_owned())
}

impl Corpus {
    /// Does what is asked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        match &self.action {
            CorpusCommand::Add(add) => add.run(output),
        }
    }
}

impl Add {
    fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let place = self.out.join(&self.name);
        if place.exists() {
            let place = place.display();
            return Err(Error::Usage(format!("{place} is there already: give another --name, or remove it")));
        }
        let parts = if self.from.is_dir() { self.finding()? } else { self.log(output)? };
        let compilers = self.compilers(&parts.case)?;
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| Error::Save { path, source }
        };
        std::fs::create_dir_all(&self.out).map_err(failed(&self.out))?;
        let staging = Staging::below(&self.out).map_err(failed(&self.out))?;
        for (name, bytes) in &parts.files {
            let path = staging.path().join(name);
            std::fs::write(&path, bytes).map_err(failed(&path))?;
        }
        let file = staging.path().join("case.toml");
        std::fs::write(&file, parts.case.to_toml()?).map_err(failed(&file))?;
        let cases = find(&file)?;
        let Some(located) = cases.first() else { return Err(Error::Usage("no case was made".to_owned())) };
        let new = self.measure(&cases, located, &compilers)?;
        std::fs::write(&file, located.rewrite(&new)?).map_err(failed(&file))?;
        staging.finish(&place).map_err(failed(&place))?;
        let expect: Vec<String> = new.iter().map(|new| format!("{}: {}", new.triton, new.what)).collect();
        output.text(&format!("{}\n", place.join("case.toml").display()));
        expect.iter().for_each(|line| output.say(&format!("  {line}")));
        output.object(&Added { case: &place.join("case.toml"), expect });
        Ok(Ending::Clean)
    }

    fn measure(
        &self,
        cases: &[LocatedCase],
        located: &LocatedCase,
        compilers: &[CompilerSpec],
    ) -> Result<Vec<Expectation>, Error> {
        let cancel = interrupt::watch();
        let settings = ReplaySettings {
            compilers,
            targets: &[],
            limits: self.limits.worker(),
            jobs: processors(),
            cancel: &cancel,
        };
        let mut meter = Meter::new("trying versions", Unit::Count);
        let mut done = 0;
        let results = replay(cases, &settings, &mut |replayed, all| {
            done += 1;
            meter.update(&format!("last {}", replayed.triton), done, Some(all as u64));
        })?;
        if cancel.load(Ordering::Relaxed) {
            return Err(Error::Interrupted("no case was added".to_owned()));
        }
        if let Some(broken) = results.iter().find_map(|replayed| replayed.result.as_ref().err()) {
            return Err(Error::Usage(broken.clone()));
        }
        Ok(updated(0, located, &results, &super::replay::installed()?))
    }

    fn compilers(&self, case: &Case) -> Result<Vec<CompilerSpec>, Error> {
        let specs = match (self.triton.as_slice(), case.model()) {
            ([], Some(model)) => return Ok(vec![install::compiler(&model)?]),
            ([], None) => Cache::of_user()?.installed()?.into_iter().map(|entry| entry.release),
            (named, _) => return named.iter().map(install::compiler).collect(),
        };
        let own = specs.filter(|release| release.package.word == "triton").map(Triton::Release);
        let found: Vec<CompilerSpec> = own.map(|spec| install::compiler(&spec)).collect::<Result<_, _>>()?;
        if found.is_empty() {
            return Err(Error::Usage("no release is installed: name some with --triton 3.6.0,3.9.0".to_owned()));
        }
        Ok(found)
    }

    /// A directory that is a case already: the case, its module, and the texts beside it that tell where it came from.
    fn finding(&self) -> Result<CaseParts, Error> {
        let located = LocatedCase::read(&self.from)?;
        let read = |path: &Path| {
            tritonsmith::input::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
        };
        let mut case = located.case.clone();
        if let Some(origin) = &self.origin {
            case.origin = origin.clone();
        }
        case.module = PathBuf::from("input.mlir");
        let mut files = vec![(case.module.clone(), bare(&located.module).as_bytes().to_vec())];
        for beside in ["kernel.py", "stderr.log", "log.txt"] {
            let path = self.from.join(beside);
            if path.is_file() {
                files.push((PathBuf::from(beside), read(&path)?));
            }
        }
        Ok(CaseParts { case, files })
    }

    fn log(&self, output: &mut Output) -> Result<CaseParts, Error> {
        let input = input::read(&self.from)?;
        let found = module_of(&input, None, output)?;
        let target = target(self.target.as_ref(), &found)?;
        let module = found.chosen().text.clone();
        // A module without layouts is run through each version's own pipeline; one with layouts through the passes that the
        // log names.
        let passes = match &found.pipeline {
            Some(pipeline) if has_layouts(&module) => pipeline.passes().iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        let plain = module.as_bytes() == input.bytes;
        let what = if plain { "a module" } else { "a log" };
        let case = Case {
            origin: self.origin.clone().unwrap_or_else(|| format!("{what}, {}", input.name)),
            module: PathBuf::from("input.mlir"),
            target: target.to_string(),
            stage: None,
            passes,
            options: self.options.complete(&found, output),
            failing: None,
            expect: Vec::new(),
        };
        let mut files = vec![(case.module.clone(), module.into_bytes())];
        if !plain {
            files.push((PathBuf::from("stderr.log"), input.bytes));
        }
        Ok(CaseParts { case, files })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_part_of_a_path() {
        assert!(["mask_reuse", "x-1.2"].into_iter().all(|text| name(text).is_ok()));
        assert!(["", "..", "a/b", ".x", "a b"].into_iter().all(|text| name(text).is_err()));
    }
}
