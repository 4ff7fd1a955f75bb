//! `tritonsmith replay`: all cases below a directory again, on several versions, and what is no longer as expected.
//!
//! Modules that carry their expected errors inline are checked on the way; they need no Triton.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::Limits;
use super::table::{Table, cut};
use super::{Ending, Error, install, interrupt, processors};
use clap::Args;
use serde::Serialize;
use similar::TextDiff;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use tritonsmith::compiler::wheel::{Cache, Triton};
use tritonsmith::compiler::{CompilerSpec, Target};
use tritonsmith::corpus::replay::{Change, ReplaySettings, Replayed, replay, updated};
use tritonsmith::corpus::{CaseError, Expected, LocatedCase, Versions, find, inline};
use tritonsmith::input;
use tritonsmith::report::{JunitCase, JunitResult, annotation, junit};

/// Run the cases of a corpus again and compare with what is expected of each version
///
/// Takes directories and `case.toml` files. Tells changes both ways: newly failing, newly fixed, another failure. Modules
/// with `// expected-error:` comments are checked too, without Triton. Exit code 1 where an expectation is not met.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith replay corpus/ --triton 3.2.0,3.6.0,3.9.0 --junit results.xml\n  \
                        tritonsmith replay corpus/x/case.toml --triton 3.9.0 --update")]
pub struct Replay {
    /// Directories that hold cases, or cases.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Versions, or paths of Python interpreters that have Triton; all installed releases where none is given.
    #[arg(long, value_name = "TRITON", value_delimiter = ',')]
    triton: Vec<Triton>,
    /// Only these targets.
    #[arg(long, value_name = "KIND:ARCH", value_delimiter = ',')]
    target: Vec<Target>,
    /// Write results as JUnit XML to this file.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print GitHub annotations for what is not as expected.
    #[arg(long)]
    github: bool,
    /// Show what would change in the cases' expectations, and change it.
    #[arg(long)]
    update: bool,
    /// How many workers run at a time.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    limits: Limits,
}

/// One result, for machines.
#[derive(Serialize)]
#[serde(tag = "event", rename = "replayed")]
struct ReplayObject<'a> {
    case: &'a Path,
    triton: &'a str,
    target: String,
    change: Change,
    expected: Option<String>,
    seen: Option<String>,
    ran: Option<&'a str>,
    error: Option<&'a str>,
    milliseconds: u128,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "inline")]
struct InlineObject<'a> {
    file: &'a Path,
    met: bool,
    differences: Vec<String>,
}

/// A module with inline expectations, and how it differs from them.
struct CheckedCase {
    path: PathBuf,
    differences: Vec<String>,
}

impl Replay {
    /// Replays everything.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let started = Instant::now();
        let mut cases = Vec::new();
        let mut modules = Vec::new();
        for path in &self.paths {
            cases.extend(find(path)?);
            modules.extend(inline::find(path)?);
        }
        let checked = self.inline(&modules, output)?;
        if cases.is_empty() && checked.is_empty() {
            return Err(Error::Usage("there is no case there: `tritonsmith corpus add` makes one".to_owned()));
        }
        let (mut known, mut compilers) = (Vec::new(), Vec::new());
        if !cases.is_empty() {
            known = installed()?;
            compilers = self.compilers(&cases, &known)?;
        }
        let cancel = interrupt::watch();
        let settings = ReplaySettings {
            compilers: &compilers,
            targets: &self.target,
            limits: self.limits.worker(),
            jobs: self.jobs.unwrap_or_else(processors),
            cancel: &cancel,
        };
        let mut meter = Meter::new("replaying", Unit::Count);
        let (mut done, mut total) = (0, 0);
        let results = replay(&cases, &settings, &mut |replayed, all| {
            (done, total) = (done + 1, all);
            let name = cases[replayed.case].name();
            meter.update(&format!("last {name} on {}", replayed.triton), done, Some(all as u64));
        })?;
        drop(meter);
        if cancel.load(Ordering::Relaxed) && results.len() < total {
            return Err(Error::Interrupted(format!("{} of {total} runs were done", results.len())));
        }
        output.text(&table(&cases, &results));
        for replayed in &results {
            self.object(&cases, replayed, output);
        }
        for row in results.chunk_by(|a, b| a.case == b.case && a.target == b.target) {
            self.tell(&cases, row, output);
        }
        if let Some(path) = &self.junit {
            let xml = junit("tritonsmith replay", &self.junit_cases(&cases, &results, &checked));
            std::fs::write(path, xml).map_err(|source| Error::Save { path: path.clone(), source })?;
        }
        let updated = if self.update { self.update(&cases, &results, &known, output)? } else { false };
        let wrong = checked.iter().filter(|checked| !checked.differences.is_empty()).count();
        summary(&cases, &results, &checked, started, output);
        let broken = results.iter().any(|replayed| replayed.change == Change::NotRun);
        let alarm = results.iter().any(|replayed| replayed.change.is_alarm()) && !updated;
        Ok(match (broken, alarm || wrong > 0) {
            (true, _) => Ending::Failed,
            (false, true) => Ending::Finding,
            (false, false) => Ending::Clean,
        })
    }

    /// What is named; else the model where all cases are of it, and else the releases that are installed.
    fn compilers(&self, cases: &[LocatedCase], known: &[String]) -> Result<Vec<CompilerSpec>, Error> {
        let own = known.iter().filter(|version| !version.contains(':'));
        let specs: Vec<Triton> = match self.triton.as_slice() {
            [] if cases.iter().all(|located| located.case.model().is_some()) => {
                let models: BTreeSet<Triton> = cases.iter().filter_map(|located| located.case.model()).collect();
                models.into_iter().collect()
            }
            [] => own.filter_map(|version| version.parse().ok()).collect(),
            named => named.to_vec(),
        };
        if specs.is_empty() {
            return Err(Error::Usage("no release is installed: name some with --triton 3.6.0,3.9.0".to_owned()));
        }
        specs.iter().map(install::compiler).collect()
    }

    /// Checks the modules that need no compiler.
    fn inline(&self, modules: &[PathBuf], output: &mut Output) -> Result<Vec<CheckedCase>, Error> {
        let mut all = Vec::new();
        for path in modules {
            let text = input::read_to_string(path).map_err(|source| Error::Read { path: path.clone(), source })?;
            let mut differences = inline::differences(&text);
            if self.update && !differences.is_empty() {
                let new = inline::rewrite(&text);
                output.text(&diff(path, &text, &new));
                std::fs::write(path, new).map_err(|source| Error::Save { path: path.clone(), source })?;
                differences.clear();
            }
            for difference in &differences {
                output.say(&format!("{}: {difference}", path.display()));
                if self.github {
                    let line = difference.line;
                    let file = path.display().to_string();
                    output.text(&(annotation(&file, line, "inline expectation", &difference.to_string()) + "\n"));
                }
            }
            let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
            output.object(&InlineObject { file: path, met: differences.is_empty(), differences: differences.clone() });
            all.push(CheckedCase { path: path.clone(), differences });
        }
        Ok(all)
    }

    fn object(&self, cases: &[LocatedCase], replayed: &Replayed, output: &mut Output) {
        let Some(located) = cases.get(replayed.case) else { return };
        output.object(&ReplayObject {
            case: &located.path,
            triton: &replayed.triton,
            target: replayed.target.to_string(),
            change: replayed.change,
            expected: replayed.expected.as_ref().map(|(_, expected)| expected.to_string()),
            seen: replayed.seen().map(|seen| seen.to_string()),
            ran: replayed.result.as_ref().ok().map(|result| result.ran.as_str()),
            error: replayed.result.as_ref().err().map(String::as_str),
            milliseconds: replayed.time.as_millis(),
        });
    }

    /// Says what is not as expected of a case and target; versions with the same to say together.
    fn tell(&self, cases: &[LocatedCase], row: &[Replayed], output: &mut Output) {
        let mut told: Vec<(&Replayed, String)> = Vec::new();
        for replayed in row.iter().filter(|replayed| replayed.change.is_alarm()) {
            let details = details(replayed);
            if told.iter().any(|(other, said)| other.change == replayed.change && *said == details) {
                continue;
            }
            told.push((replayed, details));
        }
        for (replayed, said) in told {
            let Some(located) = cases.get(replayed.case) else { continue };
            let same = |other: &Replayed| other.change == replayed.change && details(other) == said;
            let title = title(located, replayed, &versions(row, &same).to_string());
            output.say(&format!("{title}\n{said}"));
            if self.github {
                let line = located.line_of(replayed.expected.as_ref().map(|(place, _)| *place));
                output.text(&(annotation(&located.path.display().to_string(), line, &title, &said) + "\n"));
            }
        }
    }

    /// Shows and makes the changes to the cases' files. True if all that was not as expected is now.
    fn update(
        &self,
        cases: &[LocatedCase],
        results: &[Replayed],
        known: &[String],
        output: &mut Output,
    ) -> Result<bool, Error> {
        for (place, located) in cases.iter().enumerate() {
            let changed = results.iter().any(|replayed| replayed.case == place && replayed.change != Change::Met);
            let expectations = updated(place, located, results, known);
            if !changed || expectations == located.case.expect {
                continue;
            }
            let new = located.rewrite(&expectations)?;
            output.text(&diff(&located.path, &located.text, &new));
            std::fs::write(&located.path, new).map_err(|source| Error::Save { path: located.path.clone(), source })?;
        }
        Ok(results.iter().all(|replayed| replayed.change != Change::NotRun))
    }

    fn junit_cases(&self, cases: &[LocatedCase], results: &[Replayed], checked: &[CheckedCase]) -> Vec<JunitCase> {
        let mut all: Vec<JunitCase> = Vec::new();
        for replayed in results {
            let Some(located) = cases.get(replayed.case) else { continue };
            let result = match (&replayed.result, replayed.change, replayed.seen()) {
                (Err(why), ..) => JunitResult::Error(why.clone()),
                (_, change, _) if change.is_alarm() => JunitResult::Failed {
                    kind: change.to_string(),
                    message: title(located, replayed, &replayed.triton),
                    text: details(replayed),
                },
                (_, _, Some(Expected::Untestable(why))) => JunitResult::Skipped(why),
                _ => JunitResult::Passed,
            };
            all.push(JunitCase {
                suite: format!("triton {}", replayed.triton),
                class: located.name(),
                name: format!("{} for {}", located.name(), replayed.target),
                file: located.path.display().to_string(),
                time: replayed.time,
                result,
            });
        }
        all.sort_by(|a, b| a.suite.cmp(&b.suite));
        all.extend(checked.iter().map(|checked| JunitCase {
            suite: "inline".to_owned(),
            class: "inline".to_owned(),
            name: checked.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            file: checked.path.display().to_string(),
            time: std::time::Duration::ZERO,
            result: match checked.differences.first() {
                None => JunitResult::Passed,
                Some(first) => JunitResult::Failed {
                    kind: "inline expectation".to_owned(),
                    message: first.clone(),
                    text: checked.differences.join("\n"),
                },
            },
        }));
        all
    }
}

/// The releases that are installed: those that a range of versions is known to go over.
///
/// # Errors
/// The cache cannot be read.
pub fn installed() -> Result<Vec<String>, Error> {
    let installed = Cache::of_user()?.installed()?;
    Ok(installed.iter().map(|entry| entry.release.to_string()).collect())
}

fn title(located: &LocatedCase, replayed: &Replayed, versions: &str) -> String {
    format!("{}: {} on {versions} for {}", replayed.change, located.name(), replayed.target)
}

fn details(replayed: &Replayed) -> String {
    let expected =
        replayed.expected.as_ref().map_or("nothing recorded".to_owned(), |(_, expected)| expected.to_string());
    match &replayed.result {
        Err(why) => format!("  {why}"),
        Ok(result) => format!("  expected: {expected}\n  seen:     {} (ran {})", Expected::of(result), result.ran),
    }
}

/// One line for each case and target: which versions came to what, with a star where that is not as expected.
fn table(cases: &[LocatedCase], results: &[Replayed]) -> String {
    let mut table = Table::new(&["case", "target", "result"], &[]);
    for row in results.chunk_by(|a, b| a.case == b.case && a.target == b.target) {
        let Some(first) = row.first() else { continue };
        let name = cases[first.case].name();
        let mut words: Vec<String> = Vec::new();
        row.iter().map(word).for_each(|word| {
            if !words.contains(&word) {
                words.push(word);
            }
        });
        let parts = words.iter().map(|own| format!("{own} {}", versions(row, &|replayed| word(replayed) == *own)));
        table.row(vec![cut(&name, 40), first.target.to_string(), parts.collect::<Vec<_>>().join("; ")]);
    }
    if results.is_empty() { String::new() } else { table.render() }
}

fn word(replayed: &Replayed) -> String {
    let word = match replayed.seen() {
        None => "not run",
        Some(Expected::Untestable(_)) => "untestable",
        Some(Expected::Result(signature)) => signature.verdict.word(),
    };
    if replayed.change.is_alarm() { format!("*{word}") } else { word.to_owned() }
}

/// The versions of those results that are wanted, neighbours as a range.
fn versions(row: &[Replayed], wanted: &dyn Fn(&Replayed) -> bool) -> Versions {
    let all: Vec<String> = row.iter().map(|replayed| replayed.triton.clone()).collect();
    Versions::among(&all, &|version| row.iter().any(|replayed| replayed.triton == version && wanted(replayed)))
}

fn summary(
    cases: &[LocatedCase],
    results: &[Replayed],
    checked: &[CheckedCase],
    started: Instant,
    output: &mut Output,
) {
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "summary")]
    struct ReplaySummary {
        cases: usize,
        runs: usize,
        alarms: usize,
        inline: usize,
        inline_wrong: usize,
        milliseconds: u128,
    }
    let mut changes: Vec<Change> = results.iter().map(|replayed| replayed.change).collect();
    changes.sort_unstable();
    let counts = changes.chunk_by(|a, b| a == b).filter_map(|same| Some(format!("{} {}", same.len(), same.first()?)));
    let mut parts = Vec::new();
    if !results.is_empty() {
        parts.push(format!(
            "{} runs of {} cases: {}",
            results.len(),
            cases.len(),
            counts.collect::<Vec<_>>().join(", ")
        ));
    }
    let wrong = checked.iter().filter(|checked| !checked.differences.is_empty()).count();
    if !checked.is_empty() {
        let right = checked.len() - wrong;
        parts.push(format!("{right} of {} modules have the errors written in them", checked.len()));
    }
    output.say(&format!("{} ({:.1} s)", parts.join("; "), started.elapsed().as_secs_f64()));
    output.object(&ReplaySummary {
        cases: cases.len(),
        runs: results.len(),
        alarms: results.iter().filter(|replayed| replayed.change.is_alarm()).count(),
        inline: checked.len(),
        inline_wrong: wrong,
        milliseconds: started.elapsed().as_millis(),
    });
}

/// What changes in a file.
fn diff(path: &Path, old: &str, new: &str) -> String {
    let name = path.display().to_string();
    TextDiff::from_lines(old, new).unified_diff().context_radius(2).header(&name, &name).to_string()
}

impl From<CaseError> for Error {
    fn from(error: CaseError) -> Error {
        Error::Usage(error.to_string())
    }
}
