//! Failures of what a stage does beside its passes: Python raises them, and an assembler's own words are quoted in them.

use super::Verdict;
use crate::compiler::diagnostic::{Diagnostics, is_unsupported};
use crate::compiler::outcome::{Exit, Outcome};

/// An exception of a stage, in the words of the program that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StageError {
    /// The first thing that the program has to say, with its name.
    pub message: String,
    /// Whether the program itself crashed.
    crashed: bool,
}

/// How a backend begins to quote what an assembler printed.
const QUOTED: &str = "stderr:\n";
/// Words of an assembler for a target that it does not know, or for more than the hardware has.
const LIMITS: [&str; 5] =
    ["is not defined for option", "uses too much", "exceeds", "Unsupported .target", "Unsupported .version"];

impl StageError {
    /// The exception of an outcome that failed behind its passes, where nothing else says why.
    pub fn of(outcome: &Outcome) -> Option<StageError> {
        let failing = outcome.failing.as_ref()?;
        let error = outcome.error.as_deref()?;
        let behind = failing.is_rest_of_stage() && outcome.exit == Exit::PassFailed;
        (behind && Diagnostics::parse(&outcome.stderr).failure().is_none()).then(|| StageError::read(error))
    }

    /// Reads the text of an exception.
    pub fn read(error: &str) -> StageError {
        let crashed = error.contains("raised SIG") || error.contains("died with <Signals");
        let quoted = error.split_once(QUOTED).map_or("", |(_, quoted)| quoted);
        let message = quoted.lines().find_map(assembler_message).unwrap_or_else(|| {
            let first = error.lines().next().unwrap_or_default();
            first.split_once(": ").map_or(first, |(_, text)| text).to_owned()
        });
        StageError { message, crashed }
    }

    /// What it means.
    pub fn verdict(&self) -> Verdict {
        if self.crashed {
            Verdict::Crash
        } else if is_unsupported(&self.message) || LIMITS.iter().any(|words| self.message.contains(words)) {
            Verdict::Diagnosed
        } else {
            Verdict::PassFailure
        }
    }
}

/// `ptxas a.ptx, line 12; error   : Feature …` and `ptxas fatal   : Value …`, without file, line and blanks.
fn assembler_message(line: &str) -> Option<String> {
    let at = [" error ", " fatal ", " error:", " fatal:"].iter().filter_map(|word| line.find(word)).min()?;
    let (place, message) = line.split_at(at);
    let program = place.split([' ', ',', ';']).next().unwrap_or_default();
    let (_, message) = message.split_once(':')?;
    Some(format!("{program}: {}", message.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Verdict) {
        let error = StageError::read(text);
        let verdict = error.verdict();
        (error.message, verdict)
    }

    #[test]
    fn an_assemblers_first_error_counts_and_its_place_does_not() {
        let text = "PTXASError: PTXAS error: Internal Triton PTX codegen error\n`ptxas` stderr:\n\
                    ptxas info    : 0 bytes gmem\n\
                    ptxas /tmp/tmp7.ptx, line 30; error   : Feature '.bf16' requires .target sm_80 or higher\n\
                    ptxas fatal   : Ptx assembly aborted due to errors\n\nRepro command: ptxas -v\n";
        assert_eq!(
            read(text),
            ("ptxas: Feature '.bf16' requires .target sm_80 or higher".into(), Verdict::PassFailure)
        );
    }

    #[test]
    fn an_unknown_target_and_a_limit_are_no_bugs() {
        let quote = |line: &str| format!("PTXASError: PTXAS error: Internal\n`ptxas` stderr:\n{line}\n");
        let target = "ptxas-blackwell fatal   : Value 'sm_121a' is not defined for option 'gpu-name'";
        assert_eq!(read(&quote(target)).1, Verdict::Diagnosed);
        let limit = "ptxas error   : Entry function 'k' uses too much shared data (0x4c000 bytes, 0x38c00 max)";
        assert_eq!(read(&quote(limit)).1, Verdict::Diagnosed);
        assert_eq!(read("PTXASError: PTXAS error: `ptxas` raised SIGSEGV\n`ptxas` stderr:\n\n").1, Verdict::Crash);
    }
}
