//! The command line. Each verb is one file: arguments in, an [`Ending`] out, with the work done in the library.
//!
//! What a verb has to say goes through [`output::Output`], which knows that a pipe may be closed and that `--format json`
//! keeps standard output for machines. Whatever takes longer than two seconds shows a [`meter::Meter`]. A verb that can
//! leave something useful when it is interrupted asks [`interrupt::watch`] for a flag; the others end as any program does.
//! Every way to fail is an [`Error`] whose text says what to do next.

mod bisect;
mod capture;
mod check;
mod corpus;
mod excerpt;
mod external_reducer;
mod fuzz;
mod generate;
mod input;
mod install;
mod interrupt;
mod meter;
mod output;
mod own_test;
mod reduce;
mod replay;
mod report;
mod run;
mod runs;
mod sweep;
mod table;
mod tally;
mod triton;
mod watcher;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use output::{Format, Output};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use tritonsmith::compiler::IngestError;
use tritonsmith::compiler::wheel::WheelError;
use tritonsmith::compiler::worker::WorkerError;
use tritonsmith::store::StoreError;

/// Reads, runs and shrinks the IR of Triton.
#[derive(Debug, Parser)]
#[command(name = "tritonsmith", version, max_term_width = 110, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong, 1 something was found, 2 the command cannot be carried out.\n\n\
                        Example:\n  tritonsmith run stderr.log --triton 3.6.0,3.9.0"
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// `json` gives one JSON object a line on standard output; text for people then goes to standard error.
    #[arg(long, global = true, value_enum, default_value_t)]
    format: Format,
    /// How many bytes an input may have, such as 512M or 4G.
    #[arg(long, global = true, value_name = "SIZE", value_parser = run::size, default_value = "256M")]
    max_input: u64,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Bisect(bisect::Bisect),
    Capture(capture::Capture),
    Check(check::Check),
    Run(Box<run::Run>),
    Reduce(Box<reduce::Reduce>),
    ExternalReducer(external_reducer::ExternalReducer),
    Fuzz(Box<fuzz::Fuzz>),
    Generate(generate::Generate),
    Corpus(corpus::Corpus),
    Replay(replay::Replay),
    Sweep(Box<sweep::Sweep>),
    Report(report::Report),
    Triton(triton::Manage),
}

/// What a command came to, as its exit code says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Exit code 0: nothing is wrong.
    Clean,
    /// Exit code 1: something was found.
    Finding,
    /// Exit code 2: it could not be done.
    Failed,
    /// The exit code of the program that was run.
    Program(u8),
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        ExitCode::from(match ending {
            Ending::Clean => 0,
            Ending::Finding => 1,
            Ending::Failed => 2,
            Ending::Program(code) => code,
        })
    }
}

/// As many jobs as run at a time where nobody says how many.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A parser for an argument that is the word of one of these values.
fn one_of<T, const N: usize>(values: [T; N], word: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let of_word = move |text: String| values.into_iter().find(|value| word(*value) == text);
    PossibleValuesParser::new(values.map(word))
        .map(move |word| of_word(word).expect("the parser only takes the words of these values"))
}

/// Why a command could not be carried out, in a sentence that says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("{path} cannot be read: {source}", path = .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A result cannot be saved.
    #[error("{path} cannot be written: {source}; make room, or name another place", path = .path.display())]
    Save {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Standard output cannot be written.
    #[error("the output cannot be written: {0}; make room, or send it elsewhere")]
    Write(io::Error),
    /// An input has no module.
    #[error("{path}: {source}", path = .path.display())]
    Ingest {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: IngestError,
    },
    /// An installation is not there and cannot be made.
    #[error(transparent)]
    Wheel(#[from] WheelError),
    /// An installation does not work.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The arguments do not fit together or something is missing.
    #[error("{0}")]
    Usage(String),
    /// Ctrl-C.
    #[error("interrupted: {0}")]
    Interrupted(String),
}

impl From<StoreError> for Error {
    fn from(StoreError { path, source }: StoreError) -> Error {
        Error::Save { path, source }
    }
}

/// Reads the arguments and does what they say. An error is said here, in the format that was asked for.
///
/// # Errors
/// Standard output cannot be written.
pub fn main() -> Result<Ending, Error> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too. A closed pipe is no reason to complain.
            let _ = error.print();
            return Ok(if error.use_stderr() { Ending::Failed } else { Ending::Clean });
        }
    };
    tritonsmith::input::set_limit(cli.max_input);
    let mut output = Output::new(cli.format);
    let done = match cli.verb {
        Verb::Bisect(verb) => verb.run(&mut output),
        Verb::Capture(verb) => verb.run(&mut output),
        Verb::Check(verb) => verb.run(&mut output),
        Verb::Corpus(verb) => verb.run(&mut output),
        Verb::Replay(verb) => verb.run(&mut output),
        Verb::Sweep(verb) => verb.run(&mut output),
        Verb::Report(verb) => verb.run(&mut output),
        Verb::Run(verb) => verb.run(&mut output),
        Verb::Reduce(verb) => verb.run(&mut output),
        Verb::ExternalReducer(verb) => verb.run(),
        Verb::Fuzz(verb) => verb.run(&mut output),
        Verb::Generate(verb) => verb.run(&mut output),
        Verb::Triton(verb) => verb.run(&mut output),
    };
    let ending = done.unwrap_or_else(|error| {
        output.error(&error);
        Ending::Failed
    });
    output.finish().map(|()| ending)
}

/// Says an error.
pub fn complain(error: &Error) -> Ending {
    output::say(&format!("error: {error}"));
    Ending::Failed
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_has_an_example() {
        fn verbs(command: &clap::Command, path: &str, missing: &mut Vec<String>) {
            for verb in command.get_subcommands() {
                let path = format!("{path} {}", verb.get_name());
                let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
                if !help.contains(&path) {
                    missing.push(path.clone());
                }
                verbs(verb, &path, missing);
            }
        }
        let mut missing = Vec::new();
        verbs(&Cli::command(), "tritonsmith", &mut missing);
        assert_eq!(missing, [] as [String; 0]);
    }
}
