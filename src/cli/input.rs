//! What a person names on the command line: a file, or `-` for standard input.

use super::Error;
use std::path::{Path, PathBuf};
use tritonsmith::input;

/// The bytes of an input and what to call it.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name in messages.
    pub name: String,
    /// Its path as given.
    pub path: PathBuf,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// It cannot be read, or has no end.
pub fn read(path: &Path) -> Result<Input, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    if path == Path::new("-") {
        let bytes = input::read_from(std::io::stdin().lock()).map_err(failed)?;
        return Ok(Input { name: "<stdin>".to_owned(), path: PathBuf::from("<stdin>"), bytes });
    }
    let bytes = input::read(path).map_err(failed)?;
    Ok(Input { name: path.display().to_string(), path: path.to_owned(), bytes })
}
