//! What a worker is asked about a kernel in Python (`scripts/tritonsmith_worker/kernels.py`): which arguments it has, and
//! which module Triton's front end makes of it. Both run the user's file in the worker; a file that cannot be imported or
//! compiled is an answer with an error in it, and one that ends the process is a lost question like any other.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Target;
use super::protocol::{Options, Question, wire_target};

/// Which arguments does a kernel have?
#[derive(Debug, Clone, Serialize)]
pub struct AskKernel {
    /// The file, with its whole path.
    pub file: PathBuf,
    /// The function in it.
    pub function: String,
}

/// A kernel's arguments.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kernel {
    /// Why it cannot be used; then the rest is empty.
    pub error: Option<String>,
    /// In order.
    pub arguments: Vec<Argument>,
    /// The configurations of its own `@triton.autotune`, flat: `{"BLOCK": 64, "num_warps": 4}`.
    pub configurations: Vec<BTreeMap<String, serde_json::Value>>,
}

/// One argument of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Whether it is annotated as `tl.constexpr`.
    pub constexpr: bool,
    /// Its default.
    pub default: Option<DefaultValue>,
}

/// The default of an argument, which may be `None` in Python and `null` here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DefaultValue {
    /// The value.
    pub value: serde_json::Value,
}

impl Question for AskKernel {
    const WORD: &'static str = "kernel";
    type Answer = Kernel;
}

/// Which module does the front end make of a kernel?
#[derive(Debug, Clone, Serialize)]
pub struct AskFront {
    /// The file, with its whole path.
    pub file: PathBuf,
    /// The function in it.
    pub function: String,
    /// For which target: the front end asks the backend what its types are.
    #[serde(serialize_with = "wire_target")]
    pub target: Target,
    /// With which options.
    pub options: Options,
    /// The types of the arguments that are no constants: `*bf16:16`, `i32`.
    pub types: BTreeMap<String, String>,
    /// The values of the others.
    pub constants: BTreeMap<String, serde_json::Value>,
}

/// What the front end made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Front {
    /// The module as it is before the first pass.
    pub text: Option<String>,
    /// Or the error in a line.
    pub error: Option<String>,
    /// And all of its text.
    pub whole: Option<String>,
}

impl Question for AskFront {
    const WORD: &'static str = "front";
    type Answer = Front;
}
