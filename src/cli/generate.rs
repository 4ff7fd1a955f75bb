//! `tritonsmith generate`: random modules, printed.

use super::output::Output;
use super::{Ending, Error};
use clap::{Args, ValueEnum};
use serde::Serialize;
use strum::VariantArray;
use tritonsmith::compiler::Target;
use tritonsmith::generate::{GeneratorSettings, IrLevel, Pattern, from_seed};
use tritonsmith::ir::{PrintOptions, print};

/// Print random modules that Triton's front end could have written
///
/// The same seed gives the same module on every machine.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tritonsmith generate --seed 42 --pattern mask-reuse")]
pub struct Generate {
    /// The seed of the first module.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many modules, with the seeds that follow.
    #[arg(long, default_value_t = 1)]
    count: u64,
    /// Draw only from these patterns.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pattern: Vec<String>,
    /// The targets that must be able to take the module.
    #[arg(long, value_name = "KIND:ARCH", value_delimiter = ',', default_value = "cuda:80")]
    target: Vec<Target>,
    /// The versions that must be able to read it.
    #[arg(long, value_name = "VERSION", value_delimiter = ',', default_value = "3.2.0,3.9.0")]
    triton: Vec<String>,
    /// About how many operations a module may have.
    #[arg(long)]
    operations: Option<usize>,
    /// Without layouts, for a whole pipeline, or with them, for single passes.
    #[arg(long, value_enum, default_value_t = ModuleLevel::Ttir)]
    level: ModuleLevel,
    /// In generic form.
    #[arg(long)]
    generic: bool,
}

/// At which level modules are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModuleLevel {
    /// As the front end leaves them, without layouts.
    Ttir,
    /// With random layouts.
    Ttgir,
}

impl From<ModuleLevel> for IrLevel {
    fn from(level: ModuleLevel) -> IrLevel {
        match level {
            ModuleLevel::Ttir => IrLevel::Ttir,
            ModuleLevel::Ttgir => IrLevel::Ttgir,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "module")]
struct Made {
    seed: u64,
    patterns: Vec<String>,
    operations: usize,
    num_warps: u32,
    num_stages: u32,
    module: String,
}

/// Patterns by name, or an error that lists them.
pub fn patterns(names: &[String]) -> Result<Vec<Pattern>, Error> {
    let known = || Pattern::VARIANTS.iter().map(Pattern::to_string).collect::<Vec<_>>().join(", ");
    let find = |name: &String| {
        name.parse().map_err(|_| Error::Usage(format!("`{name}` is no pattern: there are {}", known())))
    };
    names.iter().map(find).collect()
}

impl Generate {
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let targets = self.target.iter().map(|target| (target.kind.as_str(), target.arch.as_str()));
        let mut settings = GeneratorSettings::for_targets(targets, self.triton.iter().map(String::as_str));
        settings.patterns = patterns(&self.pattern)?;
        settings.level = self.level.into();
        settings.operations = self.operations.unwrap_or(settings.operations);
        let options = PrintOptions { generic: self.generic, ..PrintOptions::default() };
        for seed in self.seed..self.seed.saturating_add(self.count) {
            let made = from_seed(&settings, seed);
            let module = print(&made.module, &options);
            let names: Vec<String> = made.patterns.iter().map(ToString::to_string).collect();
            output.module(&format!(
                "// seed {seed}, {} operations, --num-warps {} --num-stages {}, patterns: {}\n{module}",
                made.module.size(),
                made.warps,
                made.stages,
                names.join(" ")
            ));
            output.object(&Made {
                seed,
                patterns: names,
                operations: made.module.size(),
                num_warps: made.warps,
                num_stages: made.stages,
                module,
            });
        }
        Ok(Ending::Clean)
    }
}
