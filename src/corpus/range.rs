//! Sets of versions as a case's file writes them: `3.6.0`, `3.3.0 to 3.6.0`, `to 3.2.0`, `from 3.7.0`, `any`, several
//! separated by commas. Both ends of a range belong to it. A fork's version has the fork's name before it
//! (`ascend:3.2.0`) and is only compared with versions of that fork; `any` is any version of Triton itself.

use crate::compiler::wheel::version_order;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The package that a version without a colon belongs to.
const TRITON: &str = "triton";
/// The built-in model, whose faults take the place of a number (`model:keep-later`); without faults it is just that word.
const MODEL: &str = "model";

/// A set of versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Versions {
    spans: Vec<VersionSpan>,
}

/// Versions of one package between two of them, both included; open where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
struct VersionSpan {
    package: String,
    from: Option<String>,
    to: Option<String>,
}

/// A text that is no set of versions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no set of versions: write for example `3.6.0`, `3.3.0 to 3.6.0`, `to 3.2.0`, `from 3.7.0` or `any`, \
     several of them separated by commas"
)]
pub struct VersionsError(pub String);

/// A version or the open space at either end of a package's versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum VersionBound {
    /// Older than all that are known.
    Older,
    /// A version.
    At(String),
    /// Newer than all that are known.
    Newer,
}

/// The package and the number of a version as it is written.
fn split(triton: &str) -> (&str, &str) {
    match triton.split_once(':') {
        Some(parts) => parts,
        None if triton == MODEL => (MODEL, ""),
        None => (TRITON, triton),
    }
}

/// The reverse of [`split`].
fn join(package: &str, number: &str) -> String {
    match package {
        TRITON => number.to_owned(),
        MODEL if number.is_empty() => MODEL.to_owned(),
        package => format!("{package}:{number}"),
    }
}

fn compare(a: &str, b: &str) -> Ordering {
    version_order(a).cmp(&version_order(b))
}

impl Versions {
    /// One version.
    pub fn one(triton: &str) -> Versions {
        let (package, number) = split(triton);
        let number = Some(number.to_owned());
        Versions { spans: vec![VersionSpan { package: package.to_owned(), from: number.clone(), to: number }] }
    }

    /// Sorts versions by package and number and drops what is there twice.
    pub fn sort(versions: &mut Vec<String>) {
        let key = |version: &String| {
            let (package, number) = split(version);
            (package != TRITON, package.to_owned(), version_order(number))
        };
        versions.sort_by_cached_key(key);
        versions.dedup();
    }

    /// The newest version that is named in it, an open end left out.
    pub fn newest(&self) -> Option<String> {
        let mut named = self.named();
        Versions::sort(&mut named);
        named.retain(|version| self.contains(version));
        let own = named.iter().rev().find(|version| split(version).0 == TRITON);
        own.or(named.last()).cloned()
    }

    /// Whether a version belongs to it.
    pub fn contains(&self, triton: &str) -> bool {
        let (package, number) = split(triton);
        self.spans.iter().any(|span| span.package == package && span.contains(number))
    }

    /// The versions that are named in it, as they are written.
    pub(super) fn named(&self) -> Vec<String> {
        self.spans
            .iter()
            .flat_map(|span| [&span.from, &span.to].map(|end| end.as_ref().map(|number| join(&span.package, number))))
            .flatten()
            .collect()
    }

    /// Whether a point on the line of a package's versions belongs to it.
    pub(super) fn has(&self, package: &str, point: &VersionBound) -> bool {
        self.spans.iter().any(|span| span.package == package && span.has(point))
    }

    /// Whether one of its ranges has both points.
    pub(super) fn joins(&self, package: &str, a: &VersionBound, b: &VersionBound) -> bool {
        self.spans.iter().any(|span| span.package == package && span.has(a) && span.has(b))
    }

    /// Those of some versions that are wanted, as ranges where no release lies between two of them that is not wanted or was
    /// not tried.
    pub fn among(all: &[String], wanted: &dyn Fn(&str) -> bool) -> Versions {
        let mut sorted = all.to_vec();
        Versions::sort(&mut sorted);
        let mut versions = Versions { spans: Vec::new() };
        for package in packages(&sorted) {
            let own = sorted.iter().filter(|version| split(version).0 == package);
            let points = own.map(|version| (VersionBound::At(split(version).1.to_owned()), wanted(version)));
            versions.extend(Versions::of_points(&package, &points.collect::<Vec<_>>(), &|_, _| false));
        }
        versions
    }

    /// The set that has these points, of which the open ones count only with a version beside them. Two versions become
    /// one range only where no release can lie between them untried, or where `known` says that a range held both before.
    pub(super) fn of_points(
        package: &str,
        points: &[(VersionBound, bool)],
        known: &dyn Fn(&VersionBound, &VersionBound) -> bool,
    ) -> Versions {
        let mut spans = Vec::new();
        let joined = |a: &VersionBound, b: &VersionBound| match (a, b) {
            (VersionBound::At(older), VersionBound::At(newer)) => adjacent(older, newer) || known(a, b),
            _ => true,
        };
        let runs = points.chunk_by(|a, b| a.1 && b.1 && joined(&a.0, &b.0));
        for run in runs.filter(|run| run.first().is_some_and(|(_, wanted)| *wanted)) {
            let number = |point: Option<&(VersionBound, bool)>| match point {
                Some((VersionBound::At(number), _)) => Some(number.clone()),
                _ => None,
            };
            let span = VersionSpan { package: package.to_owned(), from: number(run.first()), to: number(run.last()) };
            let whole = run.len() == points.len();
            if span.from.is_some() || span.to.is_some() || whole {
                spans.push(span);
            }
        }
        Versions { spans }
    }

    /// Both sets together.
    pub(super) fn extend(&mut self, other: Versions) {
        self.spans.extend(other.spans);
    }

    /// Whether nothing belongs to it.
    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}

/// Whether no minor release lies between two versions: `3.5.1` and `3.6.0`, not `3.2.0` and `3.6.0`.
fn adjacent(older: &str, newer: &str) -> bool {
    let minor = |number: &str| {
        let mut parts = number.split('.').map(str::parse::<u32>);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    };
    match (minor(older), minor(newer)) {
        (Some(older), Some(newer)) => older == newer || (older.0, older.1 + 1) == newer,
        _ => false,
    }
}

/// The packages of these versions, Triton's own first.
pub(super) fn packages(versions: &[String]) -> Vec<String> {
    let own = std::iter::once(TRITON);
    let mut found: Vec<String> =
        own.chain(versions.iter().map(|version| split(version).0)).map(str::to_owned).collect();
    found.dedup();
    found
}

/// The line of a package's versions, its open ends included.
pub(super) fn points(package: &str, versions: &[String]) -> Vec<VersionBound> {
    let own = versions.iter().map(|version| split(version)).filter(|(of, _)| *of == package);
    let at = own.map(|(_, number)| VersionBound::At(number.to_owned()));
    std::iter::once(VersionBound::Older).chain(at).chain([VersionBound::Newer]).collect()
}

impl VersionSpan {
    fn has(&self, point: &VersionBound) -> bool {
        match point {
            VersionBound::Older => self.from.is_none(),
            VersionBound::At(number) => self.contains(number),
            VersionBound::Newer => self.to.is_none(),
        }
    }

    fn contains(&self, number: &str) -> bool {
        self.from.as_deref().is_none_or(|from| compare(from, number).is_le())
            && self.to.as_deref().is_none_or(|to| compare(number, to).is_le())
    }
}

impl FromStr for VersionSpan {
    type Err = VersionsError;

    fn from_str(text: &str) -> Result<Self, VersionsError> {
        let wrong = || VersionsError(text.to_owned());
        let words: Vec<&str> = text.split_whitespace().collect();
        let (from, to) = match words.as_slice() {
            ["any"] => (None, None),
            ["from", from] => (Some(split(from)), None),
            ["to", to] => (None, Some(split(to))),
            [from, "to", to] => (Some(split(from)), Some(split(to))),
            [one] => (Some(split(one)), Some(split(one))),
            _ => return Err(wrong()),
        };
        let package = from.or(to).map_or(TRITON, |(package, _)| package);
        let ends = [from, to].into_iter().flatten();
        let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        if ends.clone().any(|(other, version)| other != package || package != MODEL && !number(version)) {
            return Err(wrong());
        }
        let owned = |end: Option<(&str, &str)>| end.map(|(_, number)| number.to_owned());
        let span = VersionSpan { package: package.to_owned(), from: owned(from), to: owned(to) };
        match (&span.from, &span.to) {
            (Some(from), Some(to)) if compare(from, to).is_gt() => Err(wrong()),
            _ => Ok(span),
        }
    }
}

impl FromStr for Versions {
    type Err = VersionsError;

    fn from_str(text: &str) -> Result<Self, VersionsError> {
        let spans = text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>()?;
        Ok(Versions { spans })
    }
}

impl fmt::Display for VersionSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |number: &str| join(&self.package, number);
        match (&self.from, &self.to) {
            (None, None) => f.write_str(&end("any")),
            (Some(from), None) => write!(f, "from {}", end(from)),
            (None, Some(to)) => write!(f, "to {}", end(to)),
            (Some(from), Some(to)) if from == to => f.write_str(&end(from)),
            (Some(from), Some(to)) => write!(f, "{} to {}", end(from), end(to)),
        }
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, span) in self.spans.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            span.fmt(f)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for Versions {
    type Error = VersionsError;

    fn try_from(text: String) -> Result<Self, VersionsError> {
        text.parse()
    }
}

impl From<Versions> for String {
    fn from(versions: Versions) -> String {
        versions.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        for text in [
            "3.6.0",
            "3.3.0 to 3.6.0",
            "to 3.2.0, from 3.7.0",
            "any",
            "3.2.0, ascend:3.2.0",
            "model, model:keep-later+swap-forever",
        ] {
            assert_eq!(text.parse::<Versions>().map(|versions| versions.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn both_ends_belong_to_a_range_and_versions_are_numbers() {
        let versions: Versions = "3.3.0 to 3.10.0".parse().unwrap();
        let inside = ["3.3.0", "3.9.0", "3.10.0"];
        let outside = ["3.2.0", "3.10.1", "3.3.0rc1", "ascend:3.4.0"];
        assert!(inside.iter().all(|version| versions.contains(version)));
        assert!(!outside.iter().any(|version| versions.contains(version)));
    }

    #[test]
    fn a_range_does_not_cover_releases_that_were_not_tried() {
        let all = ["3.2.0", "3.5.1", "3.6.0", "3.6.1", "3.9.0"].map(str::to_owned);
        let among = |wanted: &dyn Fn(&str) -> bool| Versions::among(&all, wanted).to_string();
        assert_eq!(among(&|_| true), "3.2.0, 3.5.1 to 3.6.1, 3.9.0");
        assert_eq!(among(&|version| version != "3.6.0"), "3.2.0, 3.5.1, 3.6.1, 3.9.0");
    }

    #[test]
    fn open_ranges_have_no_end() {
        let versions: Versions = "to 3.2.0, from 3.7.0".parse().unwrap();
        for (version, inside) in [("2.1.0", true), ("3.2.0", true), ("3.6.0", false), ("4.0.0", true)] {
            assert_eq!(versions.contains(version), inside, "{version}");
        }
    }

    #[test]
    fn what_is_no_set_of_versions_is_refused() {
        for text in ["", "3.6.0,", "x", "from", "3.6.0 3.7.0", "3.7.0 to 3.6.0", "3.2.0 to ascend:3.3.0", "> 3.6.0"] {
            assert!(text.parse::<Versions>().is_err(), "{text}");
        }
    }
}
