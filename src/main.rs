//! The `tritonsmith` command: see [`cli`] for what it understands.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::main() {
        Ok(ending) => ending.into(),
        Err(error) => cli::complain(&error).into(),
    }
}
