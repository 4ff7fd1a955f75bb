//! The built-in model of a compiler (`--triton model`): a small version of Triton's pipeline over our own IR.
//!
//! With it the whole tool runs without Python: quick tests, fuzz targets at full speed, and a measure of the
//! campaign itself. Each pass has its own file and is correct by default. [`Fault`]s plant bugs of the kinds that real
//! compilers have; how many of them a campaign finds, and how soon, is its mutation score.
//!
//! Our oracle verifies the module after each pass, as MLIR's verifier does. Without [`Model::verify_each`] only whoever
//! judges the outcome can see that a module is invalid.
//!
//! ```
//! use tritonsmith_model::{Model, PIPELINE, Setup};
//! let text = "module { tt.func @f(%x: tensor<64xi32>) { tt.return } }";
//! let mut module = tritonsmith_ir::parse(text)?;
//! Model::default().transform(&mut module, &PIPELINE, &Setup::default(), |_, _| {})?;
//! assert!(tritonsmith_oracle::judge(&module).is_valid());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assign;
mod canonicalize;
mod coalesce;
mod constant;
mod control;
mod cse;
mod fault;
mod layout;
mod licm;
mod locality;
mod pass;
mod remat;
mod run;

pub use fault::{Fault, FaultSet, UnknownFault};
pub use pass::{ModelPass, PIPELINE, Setup};
pub use run::{Message, PassFailure, PassFailureKind, verify};

use std::fmt;

/// The version of Triton whose language the model speaks: the newest of the operation definitions.
pub const LANGUAGE: &str = "3.9.0";

/// A compiler in the same process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub faults: FaultSet,
    /// Whether our oracle verifies the module after each pass; a violation ends the run.
    pub verify_each: bool,
}

impl Default for Model {
    fn default() -> Self {
        Model { faults: FaultSet::NONE, verify_each: true }
    }
}

impl Model {
    pub fn with_faults(faults: impl IntoIterator<Item = Fault>) -> Self {
        Model { faults: faults.into_iter().collect(), ..Model::default() }
    }
}

/// `model`, or `model:fault+fault`.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("model")?;
        for (index, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if index == 0 { ":" } else { "+" })?;
        }
        Ok(())
    }
}
