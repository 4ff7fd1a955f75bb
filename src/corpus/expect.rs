//! What a case is expected to come to, version by version, and how measurements change that.
//!
//! An expectation says for which versions it holds and what happens there: a verdict, and for a failure as much of its
//! signature as is to be held on to, or that the case cannot be tested. Of several that hold for a version the first
//! counts. [`record`] puts measurements into a list of expectations and keeps it short: equal neighbours become a range.

use super::range::{self, VersionBound, Versions};
use crate::judge::releases::VersionResult;
use crate::judge::{Accuser, Signature, Verdict};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Characters of a reason for which a case is untestable that are worth keeping in its file.
const REASON: usize = 160;

/// What some versions do with a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenExpectation", into = "WrittenExpectation")]
pub struct Expectation {
    /// For which versions it holds.
    pub triton: Versions,
    /// For which target, where it is not the case's own.
    pub target: Option<String>,
    /// What happens there.
    pub what: Expected,
}

/// What is expected to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// It runs and comes to this. Parts of the signature that are empty may be anything.
    Result(Signature),
    /// It cannot be tested there, for this reason.
    Untestable(String),
}

/// An expectation as it stands in a file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExpectation {
    triton: Versions,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(default, skip_serializing_if = "Accuser::is_compiler")]
    oracle: Accuser,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pass: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    untestable: Option<String>,
}

impl TryFrom<WrittenExpectation> for Expectation {
    type Error = String;

    fn try_from(written: WrittenExpectation) -> Result<Self, String> {
        let WrittenExpectation { triton, target, verdict, oracle, pass, message, note, untestable } = written;
        let what = match (verdict, untestable) {
            (_, Some(why)) => Expected::Untestable(why),
            (Some(verdict), None) => {
                Expected::Result(Signature { verdict, accuser: oracle, pass, message, note }.marked())
            }
            (None, None) => return Err(format!("what happens in {triton}? Write `verdict` or `untestable`")),
        };
        Ok(Expectation { triton, target, what })
    }
}

impl From<Expectation> for WrittenExpectation {
    fn from(expectation: Expectation) -> WrittenExpectation {
        let Expectation { triton, target, what } = expectation;
        let none = String::new;
        match what {
            Expected::Result(Signature { verdict, accuser: oracle, pass, message, note }) => WrittenExpectation {
                triton,
                target,
                verdict: Some(verdict),
                oracle,
                pass,
                message,
                note,
                untestable: None,
            },
            Expected::Untestable(why) => WrittenExpectation {
                triton,
                target,
                verdict: None,
                oracle: Accuser::Compiler,
                pass: none(),
                message: none(),
                note: none(),
                untestable: Some(why),
            },
        }
    }
}

impl Expectation {
    /// What was seen of one version, for the case's own target.
    pub fn of(result: &VersionResult) -> Expectation {
        Expectation { triton: Versions::one(&result.triton), target: None, what: Expected::of(result) }
    }

    /// The same from its parts: a signature, or why there is none.
    pub fn new(triton: &str, signature: &Signature, untestable: Option<&str>) -> Expectation {
        let what = match untestable {
            Some(why) => Expected::untestable(why),
            None => Expected::Result(signature.clone()),
        };
        Expectation { triton: Versions::one(triton), target: None, what }
    }
}

impl Expected {
    /// What was seen, as something to expect from now on.
    pub fn of(result: &VersionResult) -> Expected {
        match &result.untestable {
            Some(why) => Expected::untestable(why),
            None => Expected::Result(result.judgement.signature.clone()),
        }
    }

    /// Whether it says what is printed.
    fn names_message(&self) -> bool {
        self.signature().is_some_and(|signature| !signature.message.is_empty())
    }

    fn untestable(why: &str) -> Expected {
        let line = why.lines().next().unwrap_or_default();
        Expected::Untestable(line.chars().take(REASON).collect())
    }

    /// Whether something that was seen meets this. Where the pass is not known on one side, that is no difference; nor is
    /// it one for which reason a case is untestable.
    pub fn admits(&self, seen: &Expected) -> bool {
        match (self, seen) {
            (Expected::Untestable(_), Expected::Untestable(_)) => true,
            (Expected::Result(wanted), Expected::Result(seen)) => {
                let same = |wanted: &str, seen: &str| wanted.is_empty() || wanted == seen;
                wanted.verdict == seen.verdict
                    && (seen.pass.is_empty() || same(&wanted.pass, &seen.pass))
                    && (wanted.message.is_empty() || wanted.accuser.matches(&seen.accuser))
                    && same(&wanted.message, &seen.message)
                    && same(&wanted.note, &seen.note)
            }
            _ => false,
        }
    }

    /// Whether it is a failure.
    pub fn is_bug(&self) -> bool {
        self.signature().is_some_and(|signature| signature.verdict.is_bug())
    }

    /// The signature, unless it is untestable.
    pub fn signature(&self) -> Option<&Signature> {
        match self {
            Expected::Result(signature) => Some(signature),
            Expected::Untestable(_) => None,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Result(signature) => signature.fmt(f),
            Expected::Untestable(why) => write!(f, "untestable: {why}"),
        }
    }
}

/// Something that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// With which version.
    pub triton: String,
    /// For which target, where it is not the case's own.
    pub target: Option<String>,
    /// What.
    pub what: Expected,
}

/// The expectations with what was seen in them. An expectation that was met stays as it is written. What was not looked
/// at stays too; `known` names other versions that exist, so that a range that is cut in two does not lose those beside
/// the cut.
pub fn record(old: &[Expectation], seen: &[Seen], known: &[String]) -> Vec<Expectation> {
    let mut targets: Vec<&Option<String>> = Vec::new();
    for target in old.iter().map(|old| &old.target).chain(seen.iter().map(|seen| &seen.target)) {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    let mut versions: Vec<String> = old.iter().flat_map(|old| old.triton.named()).collect();
    versions.extend(seen.iter().map(|seen| seen.triton.clone()).chain(known.iter().cloned()));
    Versions::sort(&mut versions);
    let mut new: Vec<Expectation> = Vec::new();
    for target in targets {
        for package in range::packages(&versions) {
            let expected: Vec<(VersionBound, Option<Expected>)> = range::points(&package, &versions)
                .into_iter()
                .map(|point| (point.clone(), at(old, seen, target, &package, &point)))
                .collect();
            let mut kinds: Vec<&Expected> = Vec::new();
            for what in expected.iter().filter_map(|(_, what)| what.as_ref()) {
                if !kinds.contains(&what) {
                    kinds.push(what);
                }
            }
            for what in kinds {
                let points: Vec<(VersionBound, bool)> =
                    expected.iter().map(|(point, other)| (point.clone(), other.as_ref() == Some(what))).collect();
                let known = |a: &VersionBound, b: &VersionBound| {
                    let mut same = old.iter().filter(|old| old.target == *target && old.what == *what);
                    same.any(|old| old.triton.joins(&package, a, b))
                };
                let triton = Versions::of_points(&package, &points, &known);
                match new.iter_mut().find(|new| new.target == *target && new.what == *what) {
                    Some(same) => same.triton.extend(triton),
                    None if triton.is_empty() => {}
                    None => new.push(Expectation { triton, target: target.clone(), what: what.clone() }),
                }
            }
        }
    }
    new
}

/// What is expected at one point from now on.
fn at(
    old: &[Expectation],
    seen: &[Seen],
    target: &Option<String>,
    package: &str,
    point: &VersionBound,
) -> Option<Expected> {
    let before = old.iter().find(|old| old.target == *target && old.triton.has(package, point)).map(|old| &old.what);
    let now = seen.iter().find(|seen| {
        seen.target == *target
            && matches!(point, VersionBound::At(_))
            && Versions::one(&seen.triton).has(package, point)
    });
    match (before, now) {
        (Some(before), Some(now)) if before.admits(&now.what) => Some(before.clone()),
        // What another version is known for is written once, in the words that are there.
        (_, Some(now)) => {
            let known = old.iter().filter(|old| old.target == *target).map(|old| &old.what);
            let says_so = |what: &&Expected| what.is_bug() && what.names_message() && what.admits(&now.what);
            Some(known.into_iter().find(says_so).unwrap_or(&now.what).clone())
        }
        (before, None) => before.cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(verdict: Verdict, message: &str) -> Expected {
        Expected::Result(Signature::new(verdict, None, message, None))
    }

    fn ok() -> Expected {
        result(Verdict::Ok, "")
    }

    fn expect(triton: &str, what: Expected) -> Expectation {
        Expectation { triton: triton.parse().unwrap(), target: None, what }
    }

    fn seen(triton: &str, what: Expected) -> Seen {
        Seen { triton: triton.into(), target: None, what }
    }

    fn shown(expectations: &[Expectation]) -> Vec<String> {
        expectations.iter().map(|e| format!("{}: {}", e.triton, e.what)).collect()
    }

    #[test]
    fn a_verdict_alone_admits_any_message() {
        assert!(result(Verdict::Crash, "").admits(&result(Verdict::Crash, "a")));
        assert!(!result(Verdict::Crash, "a").admits(&result(Verdict::Crash, "b")));
        assert!(!result(Verdict::Crash, "").admits(&ok()));
        assert!(!ok().admits(&Expected::Untestable("x".into())));
        assert!(Expected::Untestable("x".into()).admits(&Expected::Untestable("y".into())));
    }

    #[test]
    fn equal_neighbours_become_a_range() {
        let crash = || result(Verdict::Crash, "a");
        let all = [("3.2.0", ok()), ("3.10.0", crash()), ("3.9.0", crash()), ("3.3.0", ok()), ("ascend:3.2.0", ok())];
        let all: Vec<Seen> = all.into_iter().map(|(triton, what)| seen(triton, what)).collect();
        assert_eq!(shown(&record(&[], &all, &[])), ["3.2.0 to 3.3.0, ascend:3.2.0: ok", "3.9.0 to 3.10.0: crash: a"]);
    }

    #[test]
    fn what_was_not_looked_at_stays() {
        let old = [expect("to 3.2.0", ok()), expect("from 3.3.0", result(Verdict::Crash, "a"))];
        let known = ["3.3.0", "3.3.1", "3.4.0", "3.5.0", "3.6.0"].map(str::to_owned);
        let new = record(&old, &[seen("3.4.0", ok())], &known);
        assert_eq!(shown(&new), ["to 3.2.0, 3.4.0: ok", "3.3.0 to 3.3.1, from 3.5.0: crash: a"]);
    }

    #[test]
    fn a_range_that_was_recorded_stays_one_though_only_its_ends_are_known_here() {
        let old = [expect("3.2.0 to 3.6.0", ok())];
        let new = record(&old, &[seen("3.6.0", ok()), seen("3.9.0", ok())], &[]);
        assert_eq!(shown(&new), ["3.2.0 to 3.6.0, 3.9.0: ok"]);
    }

    #[test]
    fn an_expectation_that_is_met_stays_as_it_is_written() {
        let old = [expect("any", result(Verdict::Crash, ""))];
        assert_eq!(record(&old, &[seen("3.6.0", result(Verdict::Crash, "b"))], &[]), old);
    }

    #[test]
    fn an_open_end_is_lost_with_its_last_version() {
        let old = [expect("from 3.8.0", ok())];
        let new = record(&old, &[seen("3.8.0", result(Verdict::Crash, "a"))], &[]);
        assert_eq!(shown(&new), ["3.8.0: crash: a"]);
    }
}
