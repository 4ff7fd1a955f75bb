//! A kernel with everything needed to compile it, and its tasks.

use super::space::{Configuration, Space, Types};
use crate::compiler::Target;
use crate::compiler::kernel::{ComputedConstants, HeuristicsRequest, Kernel, KernelArgument};
use crate::compiler::protocol::Options;
use crate::compiler::worker::{Pool, Reply, WorkerError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct TunedKernel {
    /// The absolute path.
    pub file: PathBuf,
    pub function: String,
    arguments: Vec<KernelArgument>,
    /// Constants that the kernel computes from its arguments, unless they are given.
    heuristics: Vec<String>,
    /// Types of the arguments that are not constants.
    pub types: BTreeMap<String, String>,
    constants: BTreeMap<String, Value>,
    names: BTreeMap<String, Option<String>>,
    options: BTreeMap<String, Value>,
}

/// What to compile for one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SweepTask {
    /// Constants as JSON text, by argument.
    pub constants: BTreeMap<String, String>,
    /// Options of the backend as JSON text, by name.
    pub options: BTreeMap<String, String>,
}

#[derive(Debug, thiserror::Error)]
pub enum TunedKernelError {
    /// The environment is broken.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The worker cannot import the kernel.
    #[error("{0}")]
    Kernel(String),
    /// A type or a constant is given to an argument that is not there.
    #[error("{function} has no argument `{name}`; it has {known}")]
    NoArgument { function: String, name: String, known: String },
    /// A list of types is of the wrong length.
    #[error(
        "the signature has {given} types and {function} has {} arguments that are neither constants nor tuned: {}",
        .wanted.len(), .wanted.join(", ")
    )]
    Count {
        function: String,
        given: usize,
        /// The arguments that need a type.
        wanted: Vec<String>,
    },
    /// Arguments have neither a type nor a value.
    #[error(
        "{function} needs more than the configurations say: {}; give a type for each with --signature, \
         such as '*fp16:16,i32', or a value with --constant NAME=VALUE", .missing.join(", ")
    )]
    Missing { function: String, missing: Vec<String> },
}

impl TunedKernel {
    /// Applies a space to a kernel. `place` is its file and function.
    ///
    /// # Errors
    /// The space does not fit the kernel.
    pub fn new(place: (PathBuf, String), kernel: Kernel, space: &Space) -> Result<TunedKernel, TunedKernelError> {
        if let Some(error) = kernel.error {
            return Err(TunedKernelError::Kernel(error));
        }
        let (file, function) = place;
        let mut kernel = TunedKernel {
            file,
            function,
            arguments: kernel.arguments,
            heuristics: kernel.heuristics,
            types: BTreeMap::new(),
            constants: space.constants.clone(),
            names: space.names.clone(),
            options: space.options.clone(),
        };
        let tuned: Vec<String> = space.parameters().iter().filter_map(|name| kernel.argument(name)).collect();
        for name in kernel.constants.keys().chain(kernel.names.values().flatten()) {
            kernel.must_have(name)?;
        }
        let open = |argument: &&KernelArgument| {
            let known = [&tuned, &kernel.heuristics].into_iter().flatten().any(|name| *name == argument.name);
            !known && !kernel.constants.contains_key(&argument.name)
        };
        let untyped: Vec<&KernelArgument> = kernel.arguments.iter().filter(open).collect();
        let types = match &space.signature {
            Some(Types::Named(types)) => types.clone(),
            Some(Types::Listed(types)) => {
                let wanted = |argument: &&&KernelArgument| !argument.constexpr || argument.default.is_none();
                let wanted: Vec<String> = untyped.iter().filter(wanted).map(|argument| argument.name.clone()).collect();
                if wanted.len() != types.len() {
                    let function = kernel.function.clone();
                    return Err(TunedKernelError::Count { function, given: types.len(), wanted });
                }
                wanted.into_iter().zip(types.iter().cloned()).collect()
            }
            None => BTreeMap::new(),
        };
        let mut missing = Vec::new();
        let mut defaults = Vec::new();
        for argument in untyped {
            match &argument.default {
                _ if types.contains_key(&argument.name) => {}
                Some(default) => defaults.push((argument.name.clone(), default.value.clone())),
                None => missing.push(argument.name.clone()),
            }
        }
        for name in types.keys() {
            kernel.must_have(name)?;
        }
        if !missing.is_empty() {
            return Err(TunedKernelError::Missing { function: kernel.function, missing });
        }
        kernel.constants.extend(defaults);
        kernel.types = types;
        Ok(kernel)
    }

    fn must_have(&self, name: &str) -> Result<(), TunedKernelError> {
        if self.arguments.iter().any(|argument| argument.name == name) {
            return Ok(());
        }
        let known: Vec<&str> = self.arguments.iter().map(|argument| argument.name.as_str()).collect();
        Err(TunedKernelError::NoArgument {
            function: self.function.clone(),
            name: name.to_owned(),
            known: known.join(", "),
        })
    }

    /// The argument that a tuned name means, if any.
    fn argument(&self, name: &str) -> Option<String> {
        let name = match self.names.get(name) {
            Some(known) => known.as_deref()?,
            None => name,
        };
        self.arguments.iter().find(|argument| argument.name == name).map(|argument| argument.name.clone())
    }

    /// Asks for the constants that the kernel computes, and adds them to the configurations. One that depends on what only a
    /// launch knows makes several configurations of one.
    ///
    /// # Errors
    /// The environment is broken, or a constant cannot be computed; the text says which.
    pub fn complete(
        &self,
        pool: &Pool,
        target: &Target,
        configurations: Vec<Configuration>,
    ) -> Result<Vec<Configuration>, TunedKernelError> {
        if self.heuristics.iter().all(|name| self.constants.contains_key(name)) {
            return Ok(configurations);
        }
        let given = configurations.iter().map(|configuration| {
            let task = self.task(configuration);
            task.options().into_iter().chain(task.constants()).collect()
        });
        let request = HeuristicsRequest {
            file: self.file.clone(),
            function: self.function.clone(),
            target: target.clone(),
            given: given.collect(),
        };
        let computed = match pool.ask(&request)? {
            Reply::Answered(ComputedConstants { error: None, computed }) => computed,
            Reply::Answered(ComputedConstants { error: Some(error), .. }) => {
                return Err(TunedKernelError::Kernel(error));
            }
            Reply::Refused(refusal) => return Err(TunedKernelError::Kernel(refusal.message)),
            Reply::Lost(lost) => {
                let how = lost.describe();
                return Err(TunedKernelError::Kernel(format!(
                    "the heuristics of {} end the process: {how}",
                    self.function
                )));
            }
        };
        let each = configurations.into_iter().zip(computed);
        let all = each.flat_map(|(configuration, computed)| {
            computed.into_iter().map(move |computed| configuration.iter().cloned().chain(computed).collect())
        });
        Ok(all.collect())
    }

    /// The task of a configuration. A tuned name that is not an argument is an option of the backend, unless the space says
    /// that the kernel does not have it.
    pub fn task(&self, configuration: &Configuration) -> SweepTask {
        let text = |(name, value): (&String, &Value)| (name.clone(), value.to_string());
        let mut task = SweepTask {
            constants: self.constants.iter().map(text).collect(),
            options: self.options.iter().map(text).collect(),
        };
        for (name, value) in configuration {
            match (self.argument(name), self.names.get(name)) {
                (Some(argument), _) => task.constants.insert(argument, value.to_string()),
                (None, Some(None)) => None,
                (None, _) => task.options.insert(name.clone(), value.to_string()),
            };
        }
        task
    }
}

impl SweepTask {
    pub fn constants(&self) -> BTreeMap<String, Value> {
        values(&self.constants)
    }

    pub fn options(&self) -> Options {
        values(&self.options)
    }
}

fn values(texts: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    texts.iter().map(|(name, text)| (name.clone(), serde_json::from_str(text).unwrap_or(Value::Null))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::kernel::DefaultValue;

    fn kernel() -> Kernel {
        let argument = |name: &str, constexpr, default: Option<i64>| KernelArgument {
            name: name.into(),
            constexpr,
            default: default.map(|value| DefaultValue { value: value.into() }),
        };
        let arguments = vec![
            argument("x", false, None),
            argument("n", false, None),
            argument("TOPK", true, None),
            argument("BM", true, None),
            argument("EVEN", true, Some(1)),
        ];
        Kernel { error: None, arguments, configurations: Vec::new(), heuristics: Vec::new() }
    }

    fn tuned(space: &str) -> Result<TunedKernel, TunedKernelError> {
        TunedKernel::new(("/k.py".into(), "k".into()), kernel(), &Space::read(space).expect("a space"))
    }

    #[test]
    fn tuned_names_are_constants_options_or_left_out() {
        let text = r#"{"configs": [{"BLOCK_M": 64, "GROUP": 8, "num_warps": 4}], "signature": "*fp16:16,i32",
                       "constants": {"TOPK": 8}, "names": {"BLOCK_M": "BM", "GROUP": null}}"#;
        let kernel = tuned(text).expect("they fit");
        let task = kernel.task(&Space::read(text).expect("a space").configurations[0]);
        let shown = |texts: &BTreeMap<String, String>| format!("{texts:?}");
        assert_eq!(shown(&task.constants), r#"{"BM": "64", "EVEN": "1", "TOPK": "8"}"#);
        assert_eq!(shown(&task.options), r#"{"num_warps": "4"}"#);
        assert_eq!(shown(&kernel.types), r#"{"n": "i32", "x": "*fp16:16"}"#);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let error = |text: &str| tuned(text).expect_err("they do not fit").to_string();
        assert!(error(r#"[{"BM": 1}]"#).contains("needs more than the configurations say: x, n, TOPK"));
        let short = error(r#"{"configs": [{"BM": 1}], "signature": "i32", "constants": {"TOPK": 1}}"#);
        assert!(short.contains("1 types and k has 2 arguments") && short.contains("x, n"), "{short}");
        let unknown = error(r#"{"configs": [{"BM": 1}], "constants": {"TOPKK": 1}}"#);
        assert!(unknown.contains("no argument `TOPKK`; it has x, n, TOPK"), "{unknown}");
    }
}
