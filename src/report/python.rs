//! A program that shows a failure with a released wheel and nothing else: maintainers copy, paste and run it.

use super::finding::MODULE_FILE;
use crate::compiler::wheel::Triton;
use crate::corpus::Examined;
use serde_json::Value;
use std::fmt::Write;

/// The program; none where the installation does not tell how a pass is added, or takes an object that no text stands for.
pub(super) fn program(examined: &Examined) -> Option<String> {
    if examined.calls.is_empty() {
        return None;
    }
    let mut calls = Vec::new();
    let mut modules = vec!["ir".to_owned()];
    for call in &examined.calls {
        let arguments = call.args.iter().map(literal).collect::<Option<Vec<_>>>()?;
        let binding = call.binding.as_deref()?;
        let module = binding.split_once('.').map_or(binding, |(module, _)| module).to_owned();
        if !modules.contains(&module) {
            modules.push(module);
        }
        let arguments: String = arguments.iter().map(|argument| format!(", {argument}")).collect();
        calls.push(format!("{binding}(manager{arguments})"));
    }
    let target = &examined.compile.target;
    let arch = match target.arch.parse::<u32>() {
        Ok(number) => number.to_string(),
        Err(_) => format!("\"{}\"", target.arch),
    };
    let needs = match &examined.spec {
        Triton::Release(release) => {
            let package = release.package;
            let also: String = package.also.iter().map(|also| format!(" {also}")).collect();
            format!("pip install {}=={} setuptools{also}; no GPU is needed", package.distribution, release.version)
        }
        Triton::Python(_) | Triton::Model(_) => format!("Triton {}; no GPU is needed", examined.triton),
    };
    let mut text = format!(
        "# {needs}.\nfrom triton._C.libtriton import {}\nfrom \
         triton.backends.compiler import GPUTarget\nfrom triton.compiler import make_backend\n\ncontext = ir.context()\n\
         ir.load_dialects(context)\nmake_backend(GPUTarget(\"{}\", {arch}, {})).load_dialects(context)\n\
         module = ir.parse_mlir_module(\"{MODULE_FILE}\", context)\nmodule.context = context\n\
         manager = ir.pass_manager(context)\nmanager.enable_debug()\n",
        modules.join(", "),
        target.kind,
        target.threads_per_warp(),
    );
    for call in calls {
        let _ = writeln!(text, "{call}");
    }
    text.push_str(
        "try:\n    manager.run(module, \"repro\")\nexcept TypeError:  # It takes no name before 3.6.0.\n    \
                   manager.run(module)\n",
    );
    Some(text)
}

/// A value as Python writes it.
fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        // What JSON escapes Python reads the same way.
        Value::String(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Option<Vec<_>>>()?.join(", ")),
        Value::Object(_) => return None,
    })
}
