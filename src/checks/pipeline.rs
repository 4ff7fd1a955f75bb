//! Compiles generated modules with a real compiler; new bugs are alarms.

use super::{Alarm, CheckResult};
use crate::campaign::{Bucket, MuteList, Trial, mute::MuteError, try_module};
use crate::compiler::protocol::Passes;
use crate::compiler::wheel::{Triton, TritonError, WheelError};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::compiler::{Compile, Compiler, CompilerSpec, Target, TargetError};
use crate::generate::{GeneratorSettings, generate};
use crate::judge::{Signature, Verdict};
use crate::store::Origin;
use arbitrary::Unstructured;
use std::env::{VarError, var};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// A compiler, a target, and the known bugs: those of the mute list, and those with a directory among the findings.
#[derive(Debug)]
pub struct CompilerCheck {
    compiler: Box<dyn Compiler>,
    name: String,
    target: Target,
    settings: GeneratorSettings,
    mute: MuteList,
    findings: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum CompilerCheckError {
    /// `TRITONSMITH_TRITON` names no Triton.
    #[error(transparent)]
    Triton(#[from] TritonError),
    /// `TRITONSMITH_TARGET` is no target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A variable that is not Unicode.
    #[error("{0}: {1}")]
    Variable(&'static str, VarError),
    #[error(transparent)]
    Install(#[from] WheelError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error(transparent)]
    Mute(#[from] MuteError),
    #[error("{path}: {source}", path = path.display())]
    Findings { path: PathBuf, source: io::Error },
}

impl CompilerCheck {
    /// Reads the environment: `TRITONSMITH_TRITON` (3.6.0), `TRITONSMITH_TARGET` (`cuda:80`), `TRITONSMITH_FINDINGS`
    /// (`findings`), `TRITONSMITH_MUTE` (no file).
    ///
    /// # Errors
    /// See [`CompilerCheckError`].
    pub fn from_environment() -> Result<CompilerCheck, CompilerCheckError> {
        let triton: Triton = variable("TRITONSMITH_TRITON")?.as_deref().unwrap_or("3.6.0").parse()?;
        let target: Target = variable("TRITONSMITH_TARGET")?.as_deref().unwrap_or("cuda:80").parse()?;
        let findings = variable("TRITONSMITH_FINDINGS")?.unwrap_or_else(|| "findings".to_owned());
        let mute = variable("TRITONSMITH_MUTE")?.map(|path| MuteList::read(path.as_ref())).transpose()?;
        let spec = CompilerSpec::find(&triton, &AtomicBool::new(false), &mut |_| {})?;
        CompilerCheck::new(&spec, target, mute.unwrap_or_default(), findings.into())
    }

    ///
    /// # Errors
    /// The compiler does not start, or the directory of findings cannot be created.
    pub fn new(
        spec: &CompilerSpec,
        target: Target,
        mute: MuteList,
        findings: PathBuf,
    ) -> Result<CompilerCheck, CompilerCheckError> {
        std::fs::create_dir_all(&findings)
            .map_err(|source| CompilerCheckError::Findings { path: findings.clone(), source })?;
        let version = spec.version();
        let settings =
            GeneratorSettings::for_targets([(target.kind.as_str(), target.arch.as_str())], [version.as_str()]);
        let compiler = spec.start(WorkerLimits::default(), 1)?;
        Ok(CompilerCheck { compiler, name: spec.to_string(), target, settings, mute, findings })
    }

    /// Compiles the module that the bytes generate. A bug is an alarm unless there is a finding of it; the finding is stored
    /// first.
    ///
    /// # Errors
    /// A new bug, or an error of the compiler's environment.
    pub fn check(&self, bytes: &[u8]) -> CheckResult {
        let trial = Trial::from(generate(&self.settings, &mut Unstructured::new(bytes)));
        let (target, options) = (self.target.clone(), trial.options);
        let compile = Compile { target, options, passes: Passes::stage("ttgir") };
        let judgement = try_module(self.compiler.as_ref(), &compile, &trial.module)
            .map_err(|error| Alarm::new(format!("{}: {error}", self.name), &trial.module))?;
        if judgement.verdict == Verdict::RejectedInput {
            return Err(Alarm::new(format!("{} rejects the module: {}", self.name, judgement.message), &trial.module));
        }
        if !judgement.verdict.is_bug() || self.is_known(&judgement.signature) {
            return Ok(());
        }
        let signature = judgement.signature.clone();
        let what = format!("new with {} for {}: {signature}", self.name, self.target);
        let bucket = Bucket {
            signature,
            first_case: 0,
            triton: self.name.clone(),
            target: self.target.to_string(),
            count: 1,
            seen_on: vec![format!("{} {}", self.name, self.target)],
            operations: None,
        };
        let (words, version) = ("a fuzz target", self.compiler.version());
        let origin = Origin { words, triton: &self.name, version: &version };
        match bucket.create(&self.findings, &trial.module, origin, &compile, &judgement) {
            Ok(()) => Err(Alarm::new(what, trial.module)),
            Err(error) => Err(Alarm::new(format!("{what}; it cannot be stored: {error}"), trial.module)),
        }
    }

    fn is_known(&self, signature: &Signature) -> bool {
        self.mute.reason(signature).is_some() || self.findings.join(signature.file_name()).exists()
    }
}

fn variable(name: &'static str) -> Result<Option<String>, CompilerCheckError> {
    match var(name) {
        Ok(value) => Ok(Some(value)),
        Err(VarError::NotPresent) => Ok(None),
        Err(error) => Err(CompilerCheckError::Variable(name, error)),
    }
}
