//! The passes that a command names: a line `triton-opt …` above a module, a `// RUN:` line of a test, the
//! `Program arguments:` of a stack dump.

/// Options of `triton-opt` itself, with a dash at the end for all that begin so; every other option is a pass.
const GENERAL: [&str; 28] = [
    "allow-unregistered-dialect",
    "color",
    "debug",
    "debug-",
    "disable-",
    "dump-",
    "emit-bytecode",
    "emit-bytecode-",
    "help",
    "help-",
    "irdl-file",
    "list-passes",
    "load-",
    "log-",
    "mlir-",
    "no-implicit-module",
    "o",
    "pass-statistics",
    "print-",
    "profile-actions-to",
    "remarks-",
    "run-reproducer",
    "show-dialects",
    "split-input-file",
    "time-",
    "verify-diagnostics",
    "verify-each",
    "version",
];

/// A command that names passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    /// The line of the input on which it begins.
    pub line: u32,
    /// Its passes as pipeline text.
    pub pipeline: String,
}

/// The commands among these lines, in order. A backslash at the end of a line joins the next one to it.
pub(super) fn commands(lines: &[(u32, &str)]) -> Vec<Command> {
    let mut found = Vec::new();
    let mut lines = lines.iter();
    while let Some((line, text)) = lines.next() {
        // Most lines are something else.
        if !text.contains("-opt") {
            continue;
        }
        let mut command = bare(text).to_owned();
        while let Some(open) = command.strip_suffix('\\') {
            let Some((_, next)) = lines.next() else { break };
            command = format!("{open} {}", bare(next));
        }
        found.extend(passes(&command).map(|pipeline| Command { line: *line, pipeline }));
    }
    found
}

/// A line without comment signs, prompts and what introduces a command.
fn bare(line: &str) -> &str {
    let mut text = line.trim();
    if let Some((_, arguments)) = text.split_once("Program arguments:") {
        return arguments.trim();
    }
    for sign in ["//", "#", "$", ">", "RUN:", "`"] {
        text = text.strip_prefix(sign).unwrap_or(text).trim_start();
    }
    text.trim_end_matches('`').trim_end()
}

/// The passes of one command as pipeline text; nothing if it is none, or names none.
fn passes(command: &str) -> Option<String> {
    let words = shlex::split(command)?;
    let mut words = words.iter().skip_while(|word| *word == "not" || *word == "env" || word.contains('=')).peekable();
    let program = words.next()?.rsplit(['/', '\\', '%']).next()?;
    if program.trim_end_matches(".exe").strip_suffix("-opt").is_none_or(str::is_empty) {
        return None;
    }
    let mut passes = Vec::new();
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "|" | "||" | "&&" | ";") || word.starts_with(['>', '<']) || word.contains("2>") {
            break;
        }
        let Some(option) = word.strip_prefix('-') else { continue };
        let option = option.strip_prefix('-').unwrap_or(option);
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        if name == "pass-pipeline" {
            return Some(
                value.map_or_else(|| words.next().cloned(), |value| Some(value.to_owned()))?.trim().to_owned(),
            );
        }
        let general = |known: &str| name == known || known.ends_with('-') && name.starts_with(known);
        if name.is_empty() || GENERAL.into_iter().any(general) {
            continue;
        }
        passes.push(value.map_or_else(|| name.to_owned(), |options| format!("{name}{{{options}}}")));
    }
    (!passes.is_empty()).then(|| format!("builtin.module({})", passes.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipelines(text: &str) -> Vec<String> {
        let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
        commands(&lines).into_iter().map(|command| format!("{}: {}", command.line, command.pipeline)).collect()
    }

    #[test]
    fn passes_are_read_from_every_kind_of_command() {
        for (text, pipeline) in [
            (
                "// RUN: triton-opt %s -split-input-file --cse -tritongpu-pipeline=num-stages=3 | FileCheck %s",
                "cse,tritongpu-pipeline{num-stages=3}",
            ),
            (
                "// RUN: not triton-opt %s -convert-triton-to-tritongpu='target=cuda:80 num-warps=2' 2>&1 | FileCheck --x %s",
                "convert-triton-to-tritongpu{target=cuda:80 num-warps=2}",
            ),
            ("$ ./build/bin/triton-opt a.mlir --canonicalize -o b.mlir", "canonicalize"),
            (
                "0.\tProgram arguments: /home/me/bin/triton-opt ./a.mlir --a-pass=arch=gfx942 -mlir-print-ir-after-all",
                "a-pass{arch=gfx942}",
            ),
            ("// triton-opt a.mlir --pass-pipeline='builtin.module(tt.func(a{x=1}),cse)'", "tt.func(a{x=1}),cse"),
            ("triton-opt a.mlir --pass-pipeline \"builtin.module(cse)\" --verify-each=false", "cse"),
        ] {
            assert_eq!(pipelines(text), [format!("1: builtin.module({pipeline})")], "{text}");
        }
    }

    #[test]
    fn a_command_goes_on_behind_a_backslash() {
        let text = "x\n// RUN: triton-opt %s -cse \\\n// RUN:   -canonicalize \\\n// RUN: | FileCheck %s\n";
        assert_eq!(pipelines(text), ["2: builtin.module(cse,canonicalize)"]);
    }

    #[test]
    fn what_only_speaks_of_a_command_is_none() {
        for text in [
            "The triton-opt tool has -cse",
            "triton-opt a.mlir -split-input-file",
            "-opt --cse",
            "foo-opt 'unclosed --cse",
            "python a.py --use-opt",
            "",
        ] {
            assert!(pipelines(text).is_empty(), "{text}");
        }
    }
}
