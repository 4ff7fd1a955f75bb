//! CONTRIBUTING.md lists every environment variable of ours, and none that is gone.

use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below these directories, without what a build or a fuzzer leaves.
fn sources(root: &Path) -> Vec<PathBuf> {
    let directories =
        [".ci", ".cargo", "benches", "fuzz", "ir", "model", "oracle", "reducer", "scripts", "src", "tests"];
    let mut open: Vec<PathBuf> = directories.iter().map(|name| root.join(name)).collect();
    let left_behind =
        ["artifacts", "corpus", "coverage", "findings", "target"].map(|name| root.join("fuzz").join(name));
    let mut files = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display())) {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true if left_behind.contains(&path) => {}
                true => open.push(path),
                false => files.push(path),
            }
        }
    }
    files
}

#[test]
fn every_environment_variable_is_described_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let variable = Regex::new("TRITONSMITH_[A-Z_]+").expect("a regular expression");
    let mut used = BTreeSet::new();
    for path in sources(root) {
        let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = String::from_utf8_lossy(&text).into_owned();
        used.extend(variable.find_iter(&text).map(|found| found.as_str().to_owned()));
    }
    let guide = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    let row = Regex::new(r"(?m)^\| `(TRITONSMITH_[A-Z_]+)` \|").expect("a regular expression");
    let described: BTreeSet<String> = row.captures_iter(&guide).map(|found| found[1].to_owned()).collect();
    assert_eq!(described, used, "left: the table of CONTRIBUTING.md, right: what the sources read");
}
