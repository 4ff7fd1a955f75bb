//! Reads the names of operations out of `ops/*.ods` and writes the enumeration [`OpKind`] with the text of each entry. What an entry
//! means is read by `src/ods` at run time; only what the compiler must know is made here.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), String> {
    let directory = Path::new(&env("CARGO_MANIFEST_DIR")?).join("ops");
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ods") && !file.ends_with("enums.ods"));
    files.sort();
    let (mut kinds, mut sources) = (String::new(), String::new());
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        for entry in entries(&text) {
            let (line, names, body) = entry.map_err(|line| format!("{name}:{line}: this belongs to no `op`"))?;
            for (op, result) in names {
                let variant = variant(&op);
                let _ = writeln!(kinds, "    /// `{op}`\n    {variant},");
                let _ = writeln!(
                    sources,
                    "    OdsSource {{ kind: OpKind::{variant}, name: {op:?}, result_name: {result:?}, file: {name:?}, \
                     line: {line}, body: {body:?} }},"
                );
            }
        }
    }
    let generated = format!(
        "/// An operation by its name; the spelling of its dialect before Triton 3.3 is the same kind.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[repr(u16)]\npub enum OpKind {{\n{kinds}    \
         /// An operation without an entry. MLIR calls it unregistered.\n    Unregistered,\n}}\n\n\
         static SOURCES: &[OdsSource] = &[\n{sources}];\n"
    );
    let out = Path::new(&env("OUT_DIR")?).join("op_kind.rs");
    std::fs::write(&out, generated).map_err(|error| format!("{}: {error}", out.display()))
}

fn env(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}"))
}

/// An entry's line, its names with what their results are called, and its fields.
type Entry = (usize, Vec<(String, Option<String>)>, String);

/// The entries of a file, or the number of a line that belongs to none.
fn entries(text: &str) -> Vec<Result<Entry, usize>> {
    let mut found: Vec<Result<Entry, usize>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let is_field = line.starts_with("  ") && line[2..].starts_with(|c: char| c.is_ascii_alphabetic());
        match (line.strip_prefix("op "), found.last_mut()) {
            _ if line.starts_with('#') || line.trim().is_empty() => {}
            (Some(names), _) => found.push(Ok((index + 1, list(names), String::new()))),
            // More names of an entry that has no field yet.
            (None, Some(Ok((_, names, body)))) if body.is_empty() && !is_field => names.extend(list(line)),
            (None, Some(Ok((_, _, body)))) if line.starts_with(' ') => {
                *body += line;
                body.push('\n');
            }
            _ => found.push(Err(index + 1)),
        }
    }
    found
}

/// `a.b as x, c.d`.
fn list(text: &str) -> Vec<(String, Option<String>)> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| match name.split_once(" as ") {
            Some((name, result)) => (name.to_owned(), Some(result.to_owned())),
            None => (name.to_owned(), None),
        })
        .collect()
}

/// `tt.reduce.return` is `TtReduceReturn`.
fn variant(name: &str) -> String {
    let words = name.split(['.', '_']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}
