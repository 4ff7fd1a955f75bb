//! Requests to a worker about a kernel in Python (`scripts/tritonsmith_worker/kernels.py`): its arguments, and the module
//! that Triton's front end makes of it. Both run the user's file in the worker. A file that cannot be imported or compiled
//! gives an answer with an error; one that ends the process loses the request like any other.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Target;
use super::protocol::{Options, WorkerRequest, wire_target};

/// Asks for the arguments of a kernel.
#[derive(Debug, Clone, Serialize)]
pub struct KernelRequest {
    /// The absolute path.
    pub file: PathBuf,
    pub function: String,
    /// What a file is told that asks for the GPU.
    #[serde(serialize_with = "wire_target")]
    pub target: Target,
}

/// The answer to [`KernelRequest`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kernel {
    /// Why it cannot be used; then the rest is empty.
    pub error: Option<String>,
    pub arguments: Vec<KernelArgument>,
    /// The configurations of its own `@triton.autotune`, flat: `{"BLOCK": 64, "num_warps": 4}`.
    pub configurations: Vec<BTreeMap<String, serde_json::Value>>,
    /// The constants that its `@triton.heuristics` computes from the other arguments.
    pub heuristics: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelArgument {
    pub name: String,
    /// Whether it is annotated as `tl.constexpr`.
    pub constexpr: bool,
    pub default: Option<DefaultValue>,
}

/// The default of an argument; Python's `None` is JSON's `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DefaultValue {
    pub value: serde_json::Value,
}

impl WorkerRequest for KernelRequest {
    const WORD: &'static str = "kernel";
    type Answer = Kernel;
}

/// Asks for the constants that a kernel computes by itself.
#[derive(Debug, Clone, Serialize)]
pub struct HeuristicsRequest {
    /// The absolute path.
    pub file: PathBuf,
    pub function: String,
    /// As in [`KernelRequest`].
    #[serde(serialize_with = "wire_target")]
    pub target: Target,
    /// Sets of known constants and options; arguments that are not among them have no value before a launch.
    pub given: Vec<BTreeMap<String, serde_json::Value>>,
}

/// The answer to [`HeuristicsRequest`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ComputedConstants {
    /// Why they cannot be computed.
    pub error: Option<String>,
    /// For each set what may be computed from it: several where it depends on what only a launch knows.
    pub computed: Vec<Vec<BTreeMap<String, serde_json::Value>>>,
}

impl WorkerRequest for HeuristicsRequest {
    const WORD: &'static str = "heuristics";
    type Answer = ComputedConstants;
}

/// Asks for the module that the front end makes of a kernel.
#[derive(Debug, Clone, Serialize)]
pub struct FrontEndRequest {
    /// The absolute path.
    pub file: PathBuf,
    pub function: String,
    /// The front end asks this target's backend for its types.
    #[serde(serialize_with = "wire_target")]
    pub target: Target,
    pub options: Options,
    /// Types of the arguments that are not constants: `*bf16:16`, `i32`.
    pub types: BTreeMap<String, String>,
    /// Values of the others.
    pub constants: BTreeMap<String, serde_json::Value>,
}

/// The answer to [`FrontEndRequest`]: `text`, or `error` and `whole`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrontEndResult {
    /// The module before the first pass.
    pub text: Option<String>,
    /// The error in one line.
    pub error: Option<String>,
    /// The whole text of the error.
    pub whole: Option<String>,
}

impl WorkerRequest for FrontEndRequest {
    const WORD: &'static str = "front";
    type Answer = FrontEndResult;
}
