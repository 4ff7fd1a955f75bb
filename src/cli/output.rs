//! What a verb says, and where: standard error has what is for people, standard output has what is asked for.
//!
//! A reader may go away (`tritonsmith … | head`): from then on nothing is written to standard output, and the command
//! ends with the exit code that it would have had. Any other failure to write is an error.

use super::Error;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// What standard output is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Tables and modules.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Both streams of a command.
#[derive(Debug)]
pub struct Output {
    format: Format,
    gone: bool,
    failure: Option<io::Error>,
}

/// A line on standard error. Nothing can be done where that fails.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether colours are welcome on standard error.
pub fn colours() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Output {
    pub fn new(format: Format) -> Self {
        Output { format, gone: false, failure: None }
    }

    /// A line for people, on standard error.
    pub fn say(&mut self, text: &str) {
        say(text);
    }

    /// A line that begins with `note: `.
    pub fn note(&mut self, text: &str) {
        say(&format!("note: {text}"));
    }

    /// A line that begins with `warning: `.
    pub fn warn(&mut self, text: &str) {
        say(&format!("warning: {text}"));
    }

    /// An error, in both formats.
    pub fn error(&mut self, error: &Error) {
        #[derive(Serialize)]
        #[serde(tag = "event", rename = "error")]
        struct Failed {
            message: String,
        }
        say(&format!("error: {error}"));
        self.object(&Failed { message: error.to_string() });
    }

    /// A result that a person reads: standard output, unless that is kept for JSON.
    pub fn text(&mut self, text: &str) {
        match self.format {
            Format::Text => self.write(text.as_bytes()),
            Format::Json => say(text.trim_end_matches('\n')),
        }
    }

    /// Text that was asked for as such, like a module. In JSON it is part of an object instead.
    pub fn module(&mut self, text: &str) {
        if self.format == Format::Text {
            self.write(text.as_bytes());
        }
    }

    /// A line of JSON, where that is the format.
    pub fn object(&mut self, object: &impl Serialize) {
        if self.format == Format::Json {
            match serde_json::to_vec(object) {
                Ok(mut line) => {
                    line.push(b'\n');
                    self.write(&line);
                }
                Err(error) => self.failure = Some(error.into()),
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.gone {
            return;
        }
        if let Err(error) = io::stdout().lock().write_all(bytes) {
            self.stop(error);
        }
    }

    fn stop(&mut self, error: io::Error) {
        self.gone = true;
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.failure = Some(error);
        }
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// Standard output could not be written, for another reason than that nobody reads it.
    pub fn finish(mut self) -> Result<(), Error> {
        if !self.gone
            && let Err(error) = io::stdout().lock().flush()
        {
            self.stop(error);
        }
        self.failure.map_or(Ok(()), |error| Err(Error::Write(error)))
    }
}
