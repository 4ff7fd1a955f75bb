//! `tritonsmith report`: what others read of a finding, and a page over many of them.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::Limits;
use super::{Ending, Error, install};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tritonsmith::campaign::{Bucket, Overview};
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::worker::WorkerLimits;
use tritonsmith::compiler::{Compiler, Limited};
use tritonsmith::corpus::{Case, ExamineError, Examined, LocatedCase, Versions, examine};
use tritonsmith::input;
use tritonsmith::judge::SignatureMatch;
use tritonsmith::judge::releases::{VersionError, try_on};
use tritonsmith::report::{
    CampaignFigures, CampaignRow, Finding, MODULE_FILE, Release, Sighted, bare, campaign_page, issue, lit_test, page,
};
use tritonsmith::store::CASE;

/// The page's file.
const PAGE: &str = "report.html";

/// Write an issue, a lit test and a page for a finding
///
/// Takes a directory that `reduce` or `fuzz` wrote, or one of the corpus, and runs it once more on the version that fails.
/// Writes `issue.md`, in the order of Triton's form for bugs; `NAME.mlir`, a test for Triton's own tree, and `repro.mlir`,
/// its module alone; `report.html`, which shows the module before and after the failing pass. A directory of several
/// findings gets all of that for each, and a `report.html` of its own over all. Exit code 1 where one cannot be reported.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith report stderr.reduced\n  \
                        tritonsmith report findings/ --out pages\n  \
                        tritonsmith report corpus/running_sum_twice --versions 3.2.0,3.6.0,3.9.0 --out report")]
pub struct Report {
    /// A finding, a case, or a directory of several.
    #[arg(value_name = "DIR")]
    from: PathBuf,
    /// The version that fails; the one that the case names, or the newest that it says is bad, where none is given.
    #[arg(long, value_name = "TRITON")]
    triton: Option<Triton>,
    /// Run these versions now; what the case has recorded is told where none is given.
    #[arg(long, value_name = "TRITON", value_delimiter = ',')]
    versions: Vec<Triton>,
    /// The source of the kernel that it was compiled from, to be told in the issue; `kernel.py` beside the case where it is
    /// there.
    #[arg(long, value_name = "FILE")]
    kernel: Option<PathBuf>,
    /// Where the files go; the directory itself where nothing is said.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// Compilers that are started already: several findings are mostly of few versions.
#[derive(Default)]
struct Started {
    all: Vec<(Triton, Box<dyn Compiler>)>,
}

impl Started {
    fn of(&mut self, spec: &Triton, limits: WorkerLimits) -> Result<&dyn Compiler, Error> {
        if let Some(place) = self.all.iter().position(|(own, _)| own == spec) {
            return Ok(self.all[place].1.as_ref());
        }
        let compiler = install::compiler(spec)?.start(limits, 1)?;
        self.all.push((spec.clone(), compiler));
        Ok(self.all[self.all.len() - 1].1.as_ref())
    }
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "reported")]
struct Reported<'a> {
    finding: &'a str,
    title: String,
    triton: &'a str,
    pass: String,
    verdict: &'a str,
    files: Vec<String>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "overview")]
struct OverviewObject<'a> {
    file: &'a Path,
    findings: usize,
    reported: usize,
}

impl Report {
    /// Writes the reports.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let from = match self.from.file_name() {
            Some(name) if name == "case.toml" => self.from.parent().unwrap_or(Path::new(".")),
            _ => &self.from,
        };
        let out = self.out.as_deref().unwrap_or(from);
        if is_finding(from) {
            self.write(&self.one(from, None, &mut Started::default())?, out, None, output)?;
            return Ok(Ending::Clean);
        }
        self.many(from, &findings(from)?, out, output)
    }

    /// A page for each finding, and one over all.
    fn many(&self, from: &Path, places: &[PathBuf], out: &Path, output: &mut Output) -> Result<Ending, Error> {
        let overview = Overview::read(from).map_err(|source| Error::Read { path: from.to_owned(), source })?;
        if places.is_empty() && overview.is_none() {
            let from = from.display();
            return Err(Error::Usage(format!(
                "{from} has no finding: give a directory that `reduce` or `fuzz` wrote, or one with a case.toml"
            )));
        }
        for problem in overview.iter().flat_map(|overview| &overview.problems) {
            output.warn(problem);
        }
        let mut meter = Meter::new("reporting", Unit::Count);
        let (mut entries, mut started) = (Vec::new(), Started::default());
        for (done, place) in places.iter().enumerate() {
            let name = name(place);
            meter.update(&name, done as u64, Some(places.len() as u64));
            let bucket = overview.as_ref().and_then(|overview| overview.buckets.get(&name));
            let mut entry = CampaignRow {
                bug: bucket.map_or_else(|| name.clone(), |bucket| bucket.signature.to_string()),
                page: None,
                problem: None,
                first_case: bucket.map(|bucket| bucket.first_case),
                count: bucket.map(|bucket| bucket.count),
                operations: bucket.and_then(|bucket| bucket.operations),
                seen_on: bucket.map(|bucket| bucket.seen_on.clone()).unwrap_or_default(),
                name,
            };
            match self.one(place, bucket, &mut started) {
                Ok(made) => {
                    let finding = &made.0;
                    let below = place.strip_prefix(from).unwrap_or(place);
                    let up = "../".repeat(below.components().count());
                    self.write(&made, &out.join(below), Some(&format!("{up}{PAGE}")), output)?;
                    entry.bug = finding.examined.judgement.signature.to_string();
                    entry.page = Some(address(&below.join(PAGE)));
                    entry.operations = finding.operations().or(entry.operations);
                    if entry.seen_on.is_empty() {
                        entry.seen_on =
                            vec![format!("{} {}", finding.examined.triton, finding.examined.compile.target)];
                    }
                }
                Err(error @ (Error::Usage(_) | Error::Read { .. })) => {
                    output.warn(&format!("{}: {error}", entry.name));
                    entry.problem = Some(error.to_string());
                }
                Err(error) => return Err(error),
            }
            entries.push(entry);
        }
        drop(meter);
        entries.sort_by_key(|entry| (entry.first_case.is_none(), entry.first_case));
        let file = out.join(PAGE);
        save(&file, &campaign_page(&name(from), &entries, overview.as_ref().map(figures).as_ref()))?;
        let reported = entries.iter().filter(|entry| entry.page.is_some()).count();
        output.text(&format!("{}: {reported} of {} findings\n", file.display(), entries.len()));
        output.object(&OverviewObject { file: &file, findings: entries.len(), reported });
        Ok(if reported == entries.len() { Ending::Clean } else { Ending::Finding })
    }

    /// All that is known of one finding, and the file of its module.
    fn one(&self, place: &Path, bucket: Option<&Bucket>, started: &mut Started) -> Result<(Finding, PathBuf), Error> {
        let (case, module) = read(place)?;
        let spec = self.failing(&case)?;
        let compile = case.compile()?;
        let limits = self.limits.worker();
        let time = case.signature().map_or(limits.time, |signature| signature.patience(limits.time));
        let limited = Limited { compiler: started.of(&spec, limits)?, time };
        let examined = examine(&spec, &limited, &compile, &module).map_err(|error| match error {
            ExamineError::Version(VersionError::Worker(error)) => Error::Worker(error),
            error => Error::Usage(error.to_string()),
        })?;
        // A report of another bug than the case's costs its reader more than none.
        let own = &examined.judgement.signature;
        if let Some(known) = case.signature().filter(|known| !known.matches(own, SignatureMatch::Exact)) {
            return Err(Error::Usage(format!(
                "triton {} fails with this module in another way than the case says, so there is no report\n  \
                 the case: {known}\n  seen:     {own}\n  name the version that fails as the case says with --triton",
                examined.triton
            )));
        }
        let beside = |name: &str| optional(&place.join(name));
        let bucket = match bucket {
            Some(bucket) => Some(bucket.clone()),
            None => Bucket::read(place).map_err(|source| Error::Read { path: place.join("bucket.json"), source })?,
        };
        let finding = Finding {
            name: name(place),
            origin: case.origin.clone(),
            releases: self.releases(&case, &examined)?,
            examined,
            kernel: self.kernel()?.map_or_else(|| beside("kernel.py"), |kernel| Ok(Some(kernel)))?,
            curve: beside("curve.svg")?,
            sighted: bucket.map(|bucket| Sighted {
                first_case: bucket.first_case,
                count: bucket.count,
                seen_on: bucket.seen_on,
            }),
        };
        Ok((finding, case.module))
    }

    fn kernel(&self) -> Result<Option<String>, Error> {
        let read =
            |path: &PathBuf| input::read_to_string(path).map_err(|source| Error::Read { path: path.clone(), source });
        self.kernel.as_ref().map(read).transpose()
    }

    /// The version that fails.
    fn failing(&self, case: &Case) -> Result<Triton, Error> {
        if let Some(spec) = &self.triton {
            return Ok(spec.clone());
        }
        let named = case.failing.as_ref().map(|failing| failing.triton.clone());
        let known = || {
            let bugs = case.expect.iter().filter(|expect| expect.target.is_none() && expect.what.is_bug());
            bugs.filter_map(|expect| expect.triton.newest()).next_back()
        };
        let version = named.or_else(known).ok_or_else(|| {
            Error::Usage("the case names no version that fails: name one with --triton 3.6.0".to_owned())
        })?;
        version.parse().map_err(|error| Error::Usage(format!("{error}; name the version with --triton")))
    }

    /// What the releases do: what the case has recorded, or what those named do now.
    fn releases(&self, case: &Case, examined: &Examined) -> Result<Vec<Release>, Error> {
        let bug = &examined.judgement.signature;
        if self.versions.is_empty() {
            let own = case.expect.iter().filter(|expectation| expectation.target.is_none());
            let mut own: Vec<_> = own.collect();
            let mut order: Vec<String> = own.iter().filter_map(|expectation| expectation.triton.newest()).collect();
            Versions::sort(&mut order);
            own.sort_by_key(|expectation| {
                order.iter().position(|name| Some(name) == expectation.triton.newest().as_ref())
            });
            return Ok(own.into_iter().map(|expected| Release::expected(expected, bug)).collect());
        }
        let mut meter = Meter::new("trying versions", Unit::Count);
        let each = self.versions.iter().zip(0..).map(|(spec, done)| {
            let compiler = install::compiler(spec)?;
            meter.update(&spec.to_string(), done, Some(self.versions.len() as u64));
            Ok(Release::seen(&try_on(&compiler, &examined.compile, &examined.module)?, bug))
        });
        each.collect()
    }

    fn write(
        &self,
        (finding, module): &(Finding, PathBuf),
        out: &Path,
        overview: Option<&str>,
        output: &mut Output,
    ) -> Result<(), Error> {
        let test = test_file(&finding.name, module);
        let text = format!("{}\n", finding.examined.module.trim_end());
        let files = [
            ("issue.md", issue(finding)),
            (MODULE_FILE, text),
            (test.as_str(), lit_test(finding)),
            (PAGE, page(finding, overview)),
        ];
        let mut written = Vec::new();
        for (name, text) in files {
            let path = out.join(name);
            save(&path, &text)?;
            written.push(path.display().to_string());
        }
        output.text(&format!("{}\n", finding.title()));
        for path in &written {
            output.text(&format!("  {path}\n"));
        }
        output.object(&Reported {
            finding: &finding.name,
            title: finding.title(),
            triton: &finding.examined.triton,
            pass: finding.pass(),
            verdict: finding.examined.judgement.verdict.word(),
            files: written,
        });
        Ok(())
    }
}

/// What a page shows of a campaign.
fn figures(overview: &Overview) -> CampaignFigures {
    let Overview { identity, progress, .. } = overview;
    let passes = progress.passes.iter().map(|(name, count)| (name.clone(), (count.ran, count.changed)));
    CampaignFigures {
        identity: identity.clone(),
        cases: progress.cases,
        ok: progress.ok,
        verdicts: progress.verdicts.clone(),
        elapsed: progress.elapsed,
        operations: progress.operations.clone(),
        passes: passes.collect(),
    }
}

/// A case with its module.
fn read(place: &Path) -> Result<(Case, String), Error> {
    let located = LocatedCase::read(place)?;
    let module = bare(&located.module).to_owned();
    Ok((located.case, module))
}

/// A text that need not be there.
fn optional(path: &Path) -> Result<Option<String>, Error> {
    match input::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

fn is_finding(place: &Path) -> bool {
    [CASE, "bucket.json"].iter().any(|name| place.join(name).is_file())
}

/// The findings below a directory, by path. What a reduction met on the way lies below its finding and is none by itself.
fn findings(from: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut directories = vec![from.to_owned()];
    while let Some(directory) = directories.pop() {
        let failed = |source| Error::Read { path: directory.clone(), source };
        for entry in std::fs::read_dir(&directory).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if is_finding(&path) {
                found.push(path);
            } else if path.is_dir() {
                directories.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The name of a directory, of the working directory too.
fn name(place: &Path) -> String {
    let whole = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    whole.file_name().map_or_else(|| "finding".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The lit test's file: it takes no other module's place.
fn test_file(name: &str, module: &Path) -> String {
    let file = format!("{name}.mlir");
    let taken = ["input.mlir", "reduced.mlir", MODULE_FILE].contains(&file.as_str()) || module == Path::new(&file);
    if taken { format!("{name}_test.mlir") } else { file }
}

/// A path as an address relative to a page.
fn address(path: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(byte);
    let encode = |byte: u8| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.to_string_lossy().bytes().map(encode).collect()
}

fn save(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |source| Error::Save { path: path.to_owned(), source };
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_takes_no_modules_place() {
        assert_eq!(test_file("mask_reuse", Path::new("reduced.mlir")), "mask_reuse.mlir");
        assert_eq!(test_file("reduced", Path::new("reduced.mlir")), "reduced_test.mlir");
        assert_eq!(test_file("x", Path::new("x.mlir")), "x_test.mlir");
    }

    #[test]
    fn an_address_has_no_character_with_a_meaning() {
        assert_eq!(address(Path::new("a b/100%#1/report.html")), "a%20b/100%25%231/report.html");
    }
}
