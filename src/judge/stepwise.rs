//! Judging every module that a run left behind, whatever the compiler said of it.

use super::{Judgement, judge};
use crate::compiler::outcome::{Exit, Outcome};
use crate::{ir, oracle};

/// What our oracle says of the modules between the passes.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    /// The first module that a pass left behind and that is not valid.
    pub invalid: Option<Invalid>,
    /// The modules that our own parser cannot read: how many passes had run, and why it cannot.
    pub unreadable: Vec<(usize, ir::ParseError)>,
}

/// A module that a pass left behind and that is not valid.
#[derive(Debug, Clone)]
pub struct Invalid {
    /// How many passes had run: the last of them did it.
    pub after: usize,
    /// The module.
    pub text: String,
    /// What it means. The pass is not named here: an outcome does not know the names of passes that did not fail.
    pub judgement: Judgement,
}

/// Looks at every module that the outcome kept, the one that went in left out.
pub fn judge_each(outcome: &Outcome) -> Steps {
    let mut steps = Steps::default();
    let mut judged = None;
    for kept in outcome.modules.iter().filter(|kept| kept.after > 0) {
        // What a pass left as it was is judged already.
        if judged == Some(kept.text.as_str()) {
            continue;
        }
        let module = match ir::parse(&kept.text) {
            Ok(module) => module,
            Err(error) => {
                steps.unreadable.push((kept.after, error));
                continue;
            }
        };
        judged = Some(kept.text.as_str());
        if steps.invalid.is_none() && !oracle::judge(&module).is_valid() {
            let alone = Outcome { exit: Exit::Ok, modules: vec![kept.clone()], failing: None, ..outcome.clone() };
            let (after, text) = (kept.after, kept.text.clone());
            steps.invalid = Some(Invalid { after, text, judgement: judge(&alone) });
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::protocol::ModuleText;
    use crate::judge::Verdict;
    use std::time::Duration;

    const GOOD: &str = "module {\n}\n";
    const BAD: &str = "module {\n  tt.func @f() {\n    \"a.use\"(%0) : (f32) -> ()\n    %0 = \"a.def\"() : () -> f32\n    \
                       tt.return\n  }\n}\n";

    fn kept(texts: &[&str]) -> Outcome {
        let modules = texts.iter().enumerate().map(|(after, text)| ModuleText { after, text: (*text).to_owned() });
        Outcome {
            exit: Exit::Ok,
            stderr: String::new(),
            error: None,
            failing: None,
            modules: modules.collect(),
            time: Duration::ZERO,
            micros_each: Vec::new(),
        }
    }

    #[test]
    fn the_first_invalid_module_counts() {
        let steps = judge_each(&kept(&[GOOD, GOOD, BAD, BAD]));
        let invalid = steps.invalid.unwrap();
        assert_eq!((invalid.after, invalid.judgement.verdict), (2, Verdict::InvalidIr));
    }

    #[test]
    fn the_module_that_went_in_is_not_a_passs_fault() {
        assert!(judge_each(&kept(&[BAD, GOOD])).invalid.is_none());
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let steps = judge_each(&kept(&[GOOD, "module {"]));
        assert_eq!(steps.unreadable.len(), 1);
        assert_eq!(steps.unreadable[0].0, 1);
    }
}
