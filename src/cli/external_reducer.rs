//! `tritonsmith external-reducer`: a reducer of MLIR for shrinkray, which runs the test.

use super::{Ending, Error};
use clap::Args;
use std::io::BufReader;
use tritonsmith::reduce::serve;

/// Reduce MLIR inside of shrinkray
///
/// Speaks shrinkray's protocol for external reducers on standard input and output. shrinkray starts it, sends it the module
/// and answers its queries with its own test.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  shrinkray --reduce-with \"tritonsmith external-reducer\" ./interesting.sh input.mlir"
)]
pub struct ExternalReducer {
    /// Queries in flight at once.
    #[arg(long, value_name = "N", env = "SHRINKRAY_REDUCER_PARALLELISM", default_value_t = 1)]
    jobs: usize,
}

impl ExternalReducer {
    /// Serves until the input is closed.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn run(&self) -> Result<Ending, Error> {
        serve(BufReader::new(std::io::stdin()), std::io::stdout(), self.jobs.max(1)).map_err(Error::Write)?;
        Ok(Ending::Clean)
    }
}
