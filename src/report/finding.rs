//! What every report of one failure is made of, and the sentences that all of them share.

use crate::compiler::NestedPass;
use crate::compiler::protocol::Passes;
use crate::compiler::wheel::Triton;
use crate::corpus::{After, Examined, Expectation, Expected};
use crate::ir;
use crate::judge::releases::VersionResult;
use crate::judge::{Signature, SignatureMatch, Verdict};
use regex::Regex;
use std::fmt::Write;
use std::sync::LazyLock;

/// The name of the file that has the module, as commands in a report call it.
pub const MODULE_FILE: &str = "repro.mlir";

/// Characters of a title.
const TITLE: usize = 80;

/// The place of a diagnostic, as new and as old versions print it.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"input\.mlir"?:(\d+):\d+\)?: (?:error|note): (.*)"#).expect("a pattern"));

/// What some versions do with a failing module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The versions.
    pub triton: String,
    /// What they do, in a line.
    pub result: String,
    /// Whether they fail: nothing is said where they cannot be tested, or refuse the module.
    pub fails: Option<bool>,
    /// The word for that.
    pub word: &'static str,
    /// What was run, where that is known.
    pub ran: Option<String>,
}

/// How often and where a campaign has seen it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighted {
    /// The first case that showed it.
    pub first_case: u64,
    /// Sightings.
    pub count: u64,
    /// Versions and targets.
    pub seen_on: Vec<String>,
}

/// One failure, with all that is known of it.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its name: that of its directory.
    pub name: String,
    /// Where it came from.
    pub origin: String,
    /// What the failing version does with it.
    pub examined: Examined,
    /// What the others do, oldest first.
    pub releases: Vec<Release>,
    /// The source of the kernel that it was compiled from.
    pub kernel: Option<String>,
    /// How it became small, as an SVG picture.
    pub curve: Option<String>,
    /// What a campaign has seen of it.
    pub sighted: Option<Sighted>,
}

impl Release {
    /// What is expected of some versions; `bug` is what the report is about.
    pub fn expected(expectation: &Expectation, bug: &Signature) -> Release {
        Release { triton: expectation.triton.to_string(), ran: None, ..Release::what(&expectation.what, bug) }
    }

    /// What was seen of a version just now.
    pub fn seen(result: &VersionResult, bug: &Signature) -> Release {
        let ran = (result.untestable.is_none()).then(|| result.ran.clone());
        Release { triton: result.triton.clone(), ran, ..Release::what(&Expected::of(result), bug) }
    }

    fn what(what: &Expected, bug: &Signature) -> Release {
        let (fails, word) = match what.signature() {
            None => (None, "not testable"),
            Some(signature) if signature.matches(bug, SignatureMatch::Kind) => (Some(true), "fails"),
            Some(signature) if signature.verdict.is_bug() => (Some(true), "fails otherwise"),
            Some(signature) if signature.verdict == Verdict::Ok => (Some(false), "good"),
            Some(_) => (None, "refuses it"),
        };
        Release { triton: String::new(), result: what.to_string(), fails, word, ran: None }
    }
}

impl Finding {
    /// The failing pass by its command-line name.
    pub fn pass(&self) -> String {
        let named = self.examined.judgement.pass.clone();
        named.unwrap_or_else(|| self.examined.culprit.action.name().to_owned())
    }

    /// The first line of the message.
    pub fn message(&self) -> &str {
        self.examined.judgement.message.lines().next().unwrap_or_default()
    }

    /// The title of an issue: in a list of issues no more than 80 characters of it can be read.
    pub fn title(&self) -> String {
        let titles = [
            format!("`{}` {}: {}", self.pass(), self.what(), self.message()),
            format!("`{}`: {}", self.pass(), self.message()),
        ];
        if let Some(title) = titles.iter().find(|title| title.chars().count() <= TITLE) {
            return title.clone();
        }
        let [_, title] = titles;
        let end = title.char_indices().nth(TITLE - 1).map_or(title.len(), |(at, _)| at);
        let cut = title.get(..end).unwrap_or(&title);
        // Between words, where one ends near.
        let cut = cut.rfind(' ').filter(|&at| at > end / 2).map_or(cut, |at| &cut[..at]);
        format!("{}…", cut.trim_end_matches([' ', ',', ':', '(', '\'']))
    }

    /// What the pass does wrong.
    pub fn what(&self) -> &'static str {
        match self.examined.judgement.verdict {
            Verdict::InvalidIr => "leaves invalid IR behind",
            Verdict::Hang => "does not end",
            Verdict::Slow => "takes long",
            Verdict::PassFailure => "fails",
            Verdict::Diagnosed => "refuses the module",
            _ => "crashes",
        }
    }

    /// The message with its note as MLIR writes it, or the line that an assertion printed.
    pub fn printed(&self) -> String {
        let judgement = &self.examined.judgement;
        let message = judgement.message.trim_end();
        let assertion = format!("Assertion `{message}' failed");
        if let Some(line) = self.examined.told.lines().find(|line| line.contains(&assertion)) {
            return line.trim().to_owned();
        }
        let by_mlir = matches!(judgement.verdict, Verdict::InvalidIr | Verdict::PassFailure | Verdict::Diagnosed);
        let error = if by_mlir { "error: " } else { "" };
        match &judgement.note {
            Some(note) => format!("{error}{message}\nnote: {note}"),
            None => format!("{error}{message}"),
        }
    }

    /// All that the compiler printed beside modules, under the name that the module has in a report; nothing where the
    /// message says as much.
    pub fn told(&self) -> Option<String> {
        let told = self.examined.told.replace("input.mlir", MODULE_FILE);
        (told.lines().count() > 1 && told.trim() != self.printed()).then_some(told)
    }

    /// The lines of the module, from 0, that the compiler's messages point at; what they say of the run as a whole is about
    /// the module's head and says nothing.
    pub fn pointed_at(&self) -> Vec<usize> {
        let whole =
            ["Failures have been detected", "A failure has been detected", "A signal was caught", "Pipeline failed"];
        let said = |message: &str| !whole.iter().any(|whole| message.starts_with(whole));
        let places = self.examined.told.lines().filter_map(|line| PLACE.captures(line));
        let lines = places.filter(|found| found.get(2).is_some_and(|message| said(message.as_str())));
        lines.filter_map(|found| found.get(1)?.as_str().parse::<usize>().ok()?.checked_sub(1)).collect()
    }

    /// Where it came from, without the directories of the machine that it was reduced on.
    pub fn source(&self) -> String {
        let origin = self.origin.trim().trim_end_matches('.');
        match origin.strip_prefix("reduced from ") {
            Some(path) => format!("reduced from {}", path.rsplit('/').next().unwrap_or(path)),
            None => origin.to_owned(),
        }
    }

    /// What the pass should have done.
    pub fn expected(&self) -> String {
        let own = match self.examined.judgement.verdict {
            Verdict::InvalidIr if self.examined.judgement.message.contains("dominate") => {
                "The module verifies before the pass, so it must verify after it: every use dominated by its definition."
            }
            Verdict::InvalidIr => "The module verifies before the pass, so it must verify after it.",
            Verdict::Hang => "The module verifies, so the pass must come to an end.",
            _ => {
                "The module verifies, so the pass must run to its end, or refuse the module with a diagnostic that says \
                 what is not supported."
            }
        };
        let good: Vec<&str> =
            self.releases.iter().filter(|r| r.fails == Some(false)).map(|r| r.triton.as_str()).collect();
        match good.is_empty() {
            true => own.to_owned(),
            false => format!("{own} It does with {}.", good.join(", ")),
        }
    }

    /// What there is in place of the module after the pass, if there is none.
    pub fn nothing_after(&self) -> Option<&'static str> {
        match self.examined.after {
            After::Left(_) => None,
            After::Crashed => Some("The pass crashes: there is no module after it."),
            After::Hung => Some("The pass does not end: there is no module after it."),
            After::Unknown => Some("The module after the pass could not be had."),
        }
    }

    /// Operations of the module that is to be run.
    pub fn operations(&self) -> Option<usize> {
        ir::parse(&self.examined.module).ok().map(|module| module.size())
    }

    /// The command line of Triton's own tool, for a file of that name.
    pub fn triton_opt(&self, file: &str) -> String {
        let flags: Vec<String> = self.examined.passes.iter().map(flag).collect();
        format!("triton-opt {file} {}", flags.join(" "))
    }

    /// The same for this program.
    pub fn tritonsmith(&self) -> String {
        let compile = &self.examined.compile;
        let triton = match &self.examined.spec {
            Triton::Release(release) => release.to_string(),
            Triton::Model(_) => self.examined.spec.to_string(),
            // Where the reader has it nobody knows.
            Triton::Python(_) => "python3".to_owned(),
        };
        let mut command = format!("tritonsmith run {MODULE_FILE} --triton {triton} --target {}", compile.target);
        for (name, value) in &compile.options {
            let _ = match name.as_str() {
                "num_warps" => write!(command, " --num-warps {value}"),
                "num_stages" => write!(command, " --num-stages {value}"),
                _ => write!(command, " --option {name}={value}"),
            };
        }
        if matches!(compile.passes, Passes::Texts { .. }) {
            let passes: Vec<String> = self.examined.passes.iter().map(ToString::to_string).collect();
            let _ = write!(command, " --passes '{}'", passes.join(","));
        }
        command
    }

    /// A program for the wheel's own Python; none where the installation does not tell how passes are added.
    pub fn python(&self) -> Option<String> {
        super::python::program(&self.examined)
    }

    /// What it runs in: Triton, Python, machine, target.
    pub fn environment(&self) -> [(&'static str, String); 2] {
        let examined = &self.examined;
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let system = match &examined.python {
            Some(python) => format!("Python {python} on {os} {arch}"),
            None => format!("{os} {arch}"),
        };
        let triton = match &examined.spec {
            Triton::Release(release) => {
                format!("{}, `{}` as released on PyPI, with {system}", release.version, release.package.distribution)
            }
            Triton::Python(_) => format!("{}, a build of its own, with {system}", examined.triton),
            Triton::Model(_) => format!("the built-in model `{}`, on {system}", examined.triton),
        };
        [("Triton", triton), ("GPU", format!("none: it fails while it compiles for `{}`", examined.compile.target))]
    }
}

/// A pass as a flag of `triton-opt`: `tritongpu-pipeline{num-stages=2}` is `-tritongpu-pipeline="num-stages=2"`. The tool
/// nests a pass that runs on functions by itself.
pub fn flag(nested: &NestedPass) -> String {
    let options: Vec<String> = nested.pass.options.iter().map(ToString::to_string).collect();
    match options.is_empty() {
        true => format!("-{}", nested.name()),
        false => format!("-{}=\"{}\"", nested.name(), options.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_becomes_a_flag() {
        let flag = |text: &str| flag(&NestedPass::named(text)[0]);
        assert_eq!(flag("cse"), "-cse");
        assert_eq!(
            flag("tritongpu-pipeline{num-stages=2  dump=false}"),
            "-tritongpu-pipeline=\"num-stages=2 dump=false\""
        );
        assert_eq!(flag("tt.func(tritonamdgpu-prepare-if-combining)"), "-tritonamdgpu-prepare-if-combining");
        assert_eq!(flag("any(canonicalize{  max-iterations=10 })"), "-canonicalize=\"max-iterations=10\"");
        assert_eq!(flag("x{}"), "-x");
    }
}
