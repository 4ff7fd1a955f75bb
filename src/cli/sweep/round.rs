//! What one sweep of a kernel shows: its configurations, those that fail in groups with what they share, and a case of each
//! group.

use super::Sweep;
use crate::cli::Error;
use crate::cli::output::Output;
use crate::cli::table::{Table, cut};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tritonsmith::atomic::Staging;
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::compiler::{Compile, Target};
use tritonsmith::corpus::Case;
use tritonsmith::input;
use tritonsmith::judge::{Signature, Verdict};
use tritonsmith::store::{FindingDirectory, LOG, Origin};
use tritonsmith::sweep::{Configuration, Cube, Space, SweepResult, TaskResult, TunedKernel, cubes};

/// So many reasons are printed for one failure.
const REASONS: usize = 6;

/// One configuration, for machines and for the results' file.
#[derive(Serialize)]
#[serde(tag = "event", rename = "configuration")]
struct Object<'a> {
    triton: &'a str,
    target: String,
    configuration: Map<String, Value>,
    verdict: Option<&'a str>,
    stage: Option<&'a str>,
    pass: Option<&'a str>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "group")]
struct GroupObject<'a> {
    triton: &'a str,
    target: String,
    signature: &'a Signature,
    configurations: usize,
    constraint: Vec<String>,
    case: Option<&'a Path>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "summary")]
struct Summary<'a> {
    triton: &'a str,
    target: String,
    configurations: usize,
    tried: usize,
    failing: usize,
    tasks: usize,
    modules: usize,
    runs: usize,
    seconds: f64,
}

/// A place where everything is tried.
pub(super) struct Place<'a> {
    pub version: String,
    pub target: &'a Target,
    pub directory: PathBuf,
}

/// The configurations with one failure.
struct Group<'a> {
    tried: &'a Arc<TaskResult>,
    members: Vec<usize>,
}

/// What came of one version and target.
pub(super) struct Round<'a> {
    pub sweep: &'a Sweep,
    pub space: &'a Space,
    pub subject: &'a TunedKernel,
    pub place: &'a Place<'a>,
    pub swept: &'a SweepResult,
}

impl Round<'_> {
    /// Shows everything and says whether anything fails.
    pub fn tell(&self, time: Duration, lines: &mut Vec<u8>, output: &mut Output) -> Result<bool, Error> {
        let Place { version, target, .. } = self.place;
        let pairs = || self.space.configurations.iter().zip(&self.swept.results);
        for (configuration, result) in pairs() {
            let judgement = result.as_ref().map(|tried| &tried.judgement);
            let object = Object {
                triton: version,
                target: target.to_string(),
                configuration: configuration.iter().cloned().collect(),
                verdict: judgement.map(|judgement| judgement.verdict.word()),
                stage: result.as_ref().map(|tried| tried.stage),
                pass: judgement.and_then(|judgement| judgement.pass.as_deref()),
                message: judgement.map(|judgement| judgement.message.as_str()).filter(|text| !text.is_empty()),
            };
            output.object(&object);
            if let Ok(line) = serde_json::to_vec(&object) {
                lines.extend(line);
                lines.push(b'\n');
            }
        }
        let tried = self.swept.results.iter().flatten().count();
        let groups = self.groups();
        let failing: usize = groups.iter().map(|group| group.members.len()).sum();
        let mut table = Table::new(&["failing", "verdict", "where", "message"], &[0]);
        for group in &groups {
            let judgement = &group.tried.judgement;
            let place = judgement.pass.clone().unwrap_or_else(|| group.tried.stage.to_owned());
            let note = judgement.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let message = cut(&format!("{}{note}", judgement.message), 90);
            table.row(vec![group.members.len().to_string(), judgement.verdict.to_string(), place, message]);
        }
        let all = self.space.configurations.len();
        let counts = self.swept.counts;
        let head = format!("triton {version} for {target}: {failing} of {all} configurations do not compile");
        output.text(&format!("{head}\n"));
        if !groups.is_empty() {
            output.text(&table.render());
        }
        for group in &groups {
            self.tell_group(group, output)?;
        }
        if tried < all {
            output.warn(&format!("{} configurations were not tried", all - tried));
        }
        if let Some(why) = &self.swept.not_run {
            output.note(&format!("no configuration was tried to the end: {why}"));
        }
        output.say(&format!(
            "{} different tasks, {} different modules, {} runs of stages or parts of them, {:.1} s",
            counts.tasks,
            counts.modules,
            counts.runs,
            time.as_secs_f64()
        ));
        output.object(&Summary {
            triton: version,
            target: target.to_string(),
            configurations: all,
            tried,
            failing,
            tasks: counts.tasks,
            modules: counts.modules,
            runs: counts.runs,
            seconds: time.as_secs_f64(),
        });
        Ok(failing > 0)
    }

    /// Failing configurations by signature, the largest group first.
    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: BTreeMap<(&Signature, &str), Group<'_>> = BTreeMap::new();
        for (at, tried) in self.swept.results.iter().enumerate() {
            let Some(tried) = tried.as_ref().filter(|tried| tried.judgement.verdict != Verdict::Ok) else { continue };
            let key = (&tried.judgement.signature, tried.stage);
            groups.entry(key).or_insert_with(|| Group { tried, members: Vec::new() }).members.push(at);
        }
        let mut groups: Vec<Group<'_>> = groups.into_values().collect();
        groups.sort_by_key(|group| (!group.tried.judgement.verdict.is_bug(), usize::MAX - group.members.len()));
        groups
    }

    fn tell_group(&self, group: &Group<'_>, output: &mut Output) -> Result<(), Error> {
        let judgement = &group.tried.judgement;
        let reasons = self.reasons(group);
        let shown: Vec<String> = reasons.iter().map(|cube| format!("{cube} ({})", cube.count)).collect();
        output.text(&format!("\n{}\n", cut(&judgement.signature.to_string(), 160)));
        for line in shown.iter().take(REASONS) {
            output.text(&format!("  all with {line}\n"));
        }
        if shown.len() > REASONS {
            output.text(&format!("  and {} more combinations of values\n", shown.len() - REASONS));
        }
        let case = match judgement.verdict.is_bug() && !group.tried.module.is_empty() {
            true => Some(self.keep(group)?),
            false => None,
        };
        if let Some(case) = &case {
            output.text(&format!("  tritonsmith reduce {}\n", case.display()));
        }
        output.object(&GroupObject {
            triton: &self.place.version,
            target: self.place.target.to_string(),
            signature: &judgement.signature,
            configurations: group.members.len(),
            constraint: reasons.iter().map(ToString::to_string).collect(),
            case: case.as_deref(),
        });
        Ok(())
    }

    fn reasons(&self, group: &Group<'_>) -> Vec<Cube> {
        let (mut configurations, mut fails) = (Vec::new(), Vec::new());
        for (at, configuration) in self.space.configurations.iter().enumerate() {
            if self.swept.results.get(at).is_some_and(Option::is_some) {
                configurations.push(configuration);
                fails.push(group.members.binary_search(&at).is_ok());
            }
        }
        cubes(&self.space.parameters(), &configurations, &fails)
    }

    /// Writes a group's first configuration as a case, and gives its directory.
    fn keep(&self, group: &Group<'_>) -> Result<PathBuf, Error> {
        let Place { version, target, directory } = self.place;
        let tried = group.tried;
        let judgement = &tried.judgement;
        let members = group.members.iter().filter_map(|at| self.space.configurations.get(*at));
        let members: Vec<&Configuration> = members.collect();
        let first = words(members.first().expect("a group has a member"));
        let more = match members.len() {
            1 => String::new(),
            count => format!("; {} more configurations fail so", count - 1),
        };
        let (function, file) = (&self.subject.function, self.sweep.kernel.0.display());
        let words = format!("{function} of {file}, compiled with {first}{more}.");
        let origin = Origin { words: &words, triton: version, version };
        let passes = match tried.stage {
            Case::STAGE => Passes::stage(Case::STAGE),
            _ => Passes::Texts { texts: tried.passes.clone() },
        };
        let compile = Compile { target: (*target).clone(), options: tried.options.clone(), passes };
        let lists: Vec<String> =
            members.iter().map(|entry| Value::Object(entry.iter().cloned().collect()).to_string()).collect();
        let path = directory.join(judgement.signature.file_name());
        std::fs::create_dir_all(directory).map_err(|source| Error::Save { path: directory.clone(), source })?;
        let failed = |source| Error::Save { path: path.clone(), source };
        let staging = Staging::below(directory).map_err(failed)?;
        let finding = FindingDirectory::at(staging.path().to_owned());
        finding.begin(&tried.module, origin, &compile, judgement)?;
        finding.put(LOG, &tried.log)?;
        finding.put("configs.json", &format!("[\n{}\n]\n", lists.join(",\n")))?;
        let source = input::read_to_string(&self.subject.file)
            .map_err(|source| Error::Read { path: self.subject.file.clone(), source })?;
        finding.put("kernel.py", &source)?;
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(failed)?;
        }
        staging.finish(&path).map_err(failed)?;
        Ok(path)
    }
}

fn words(configuration: &Configuration) -> String {
    configuration.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
