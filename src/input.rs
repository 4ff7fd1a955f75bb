//! Reading what a user names, a bounded number of bytes of it: `/dev/zero` and a pipe that is never closed have no end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are read of one input unless [`set_limit`] says otherwise.
pub const LIMIT: u64 = 256 << 20;

static BYTES: AtomicU64 = AtomicU64::new(LIMIT);

/// Sets how many bytes an input may have, for the whole process.
pub fn set_limit(bytes: u64) {
    BYTES.store(bytes, Ordering::Relaxed);
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, or has more bytes than the limit.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?)
}

/// Reads a file that is text.
///
/// # Errors
/// As for [`read`], or it is not in UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Reads from anything, such as standard input, up to its end.
///
/// # Errors
/// As for [`read`].
pub fn read_from(reader: impl Read) -> io::Result<Vec<u8>> {
    let limit = BYTES.load(Ordering::Relaxed);
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("it has more than {limit} bytes; --max-input raises the limit");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
