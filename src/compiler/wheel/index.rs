//! The package index, through the user's own pip or uv, so that their configuration of mirrors, proxies and certificates
//! applies; and the order of versions.

use std::process::{Command, Stdio};

use super::{Package, WheelError, install, python};

/// The versions of a package for the preferred Python, oldest first.
pub(super) fn versions(package: Package) -> Result<Vec<String>, WheelError> {
    let interpreter = python::candidates()?.into_iter().next().ok_or(WheelError::NoPython)?;
    let mut pip = Command::new(&interpreter.path);
    pip.args(["-m", "pip"]);
    let uv = python::on_path("uv").map(|uv| {
        let mut pip = Command::new(uv);
        pip.args(["tool", "run", "pip"]);
        pip
    });
    let mut message = String::new();
    for mut way in std::iter::once(pip).chain(uv) {
        way.args(["index", "versions", "--disable-pip-version-check", "--retries", "1", package.distribution]);
        let Ok(output) = way.stdin(Stdio::null()).output() else { continue };
        let said = String::from_utf8_lossy(&output.stdout);
        if let Some(found) = said.lines().find_map(|line| line.trim().strip_prefix("Available versions:")) {
            return Ok(sorted(found));
        }
        message = install::what_failed(&format!("{said}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Err(WheelError::NoIndex { distribution: package.distribution.to_owned(), message })
}

/// The versions in a comma-separated list, oldest first.
pub(super) fn sorted(list: &str) -> Vec<String> {
    let mut found: Vec<String> =
        list.split(',').map(str::trim).filter(|word| !word.is_empty() && *word != "none").map(str::to_owned).collect();
    found.sort_by_cached_key(|version| order(version));
    found.dedup();
    found
}

/// The sort key of versions: their numbers, a release after its candidates.
pub(crate) fn order(version: &str) -> (Vec<u64>, bool, String) {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let (release, rest) = version.split_at(end);
    let release = release.split('.').filter_map(|number| number.parse().ok()).collect();
    let after = rest.is_empty() || rest.starts_with('+') || rest.starts_with(".post");
    (release, after, rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number_and_candidates_come_first() {
        assert_eq!(sorted("3.10.0, 3.9.0, 3.10.0rc1, 3.2.0, none"), ["3.2.0", "3.9.0", "3.10.0rc1", "3.10.0"]);
    }
}
