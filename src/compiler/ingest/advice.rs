//! What to do with a log that has no module: it depends on what failed.

use std::sync::LazyLock;

use regex::Regex;

use crate::compiler::diagnostic::{DiagnosticKind, Diagnostics};

const CAPTURE: &str =
    "`tritonsmith capture -- python your_program.py` runs the program again and keeps the module of every compile";

/// What failed by the words of the log, and what to do about it; the first that fits.
pub(super) fn of(around: &[(u32, &str)], diagnostics: &Diagnostics) -> String {
    let text = |wanted: &str| around.iter().map(|(_, line)| *line).find(|line| line.contains(wanted));
    // A terminal may have broken the sentence.
    let joined = || around.iter().map(|(_, line)| *line).collect::<String>();
    let advice = around.iter().find_map(|(_, line)| resources(line)).or_else(|| resources(&joined())).or_else(|| {
        let frame = |part: &str| text(part).is_some();
        if text("JSONDecodeError").is_some() && frame("triton") && (frame("metadata") || frame("compiler.py")) {
            return Some(broken_cache(around));
        }
        if let Some(line) = text("ptxas").filter(|_| text("PTXAS").is_some() || text("ptxas fatal").is_some()) {
            let said = text("fatal   :").or_else(|| text("error   :")).unwrap_or(line).trim();
            return Some(ptxas(said));
        }
        if let Some(line) = text("Triton Error [") {
            let said = line.split_once("Triton Error [").map_or(line, |(_, said)| said);
            return Some(format!(
                "The kernel compiled, and its launch failed ([{said}): there is no module to reduce. Run it alone with \
                 CUDA_LAUNCH_BLOCKING=1 or under compute-sanitizer; if the kernel is right, {CAPTURE}"
            ));
        }
        let refused = ["CompilationError", "UnsupportedLanguageConstruct", "CompileTimeAssertionFailure"];
        if refused.iter().any(|name| text(&format!("triton.compiler.errors.{name}")).is_some()) {
            return Some(
                "Triton's front end refused the kernel before there was a module: the line above the `^` is what it does not \
                 take. Change the kernel; nothing here can be reduced"
                    .to_owned(),
            );
        }
        None
    });
    advice.unwrap_or_else(|| {
        if diagnostics.entries.is_empty() {
            return "Give a .mlir file, or all that the failing program wrote to stderr".to_owned();
        }
        format!(
            "Paste all of stderr: Triton 3.3 and later print the module before the traceback; with older versions, or where \
             it is missing, run again with MLIR_ENABLE_DUMP=1 and TRITON_ALWAYS_COMPILE=1, or {CAPTURE}"
        )
    })
}

/// `out of resource: shared memory, Required: 73728, Hardware limit: 65536`.
fn resources(line: &str) -> Option<String> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"out of resource: ([\w ]+), Required: (\d+), Hardware limit: (\d+)").expect("a pattern")
    });
    let found = PATTERN.captures(line)?;
    let (resource, required, limit) = (found.get(1)?.as_str(), found.get(2)?.as_str(), found.get(3)?.as_str());
    let lower = match resource {
        "shared memory" => "num_stages, or the block sizes",
        "tensor memory" => "the block sizes",
        "threads" => "num_warps",
        _ => "num_warps, num_stages or the block sizes",
    };
    Some(format!(
        "The configuration needs more {resource} than the GPU has, {required} of {limit}: no bug of the compiler, and nothing \
         to reduce. Lower {lower}; `tritonsmith sweep` says which configurations fit"
    ))
}

fn broken_cache(around: &[(u32, &str)]) -> String {
    let named = around.iter().find_map(|(_, line)| {
        line.split(['\'', '"', ' ']).find(|word| word.contains("/cache/") && word.ends_with(".json"))
    });
    let which = match named {
        Some(path) => format!("delete {path}"),
        None => "`find ${TRITON_CACHE_DIR:-~/.triton/cache} -name '*.json' -size -2c` lists it; delete the directory that it is in"
            .to_owned(),
    };
    format!(
        "A file of Triton's cache is empty or broken, as an interrupted run leaves it, and no compile took place: {which}, \
         and run again"
    )
}

fn ptxas(said: &str) -> String {
    let what = if said.contains("gpu-name") {
        "This ptxas does not know the GPU: take a newer Triton, or name a newer ptxas with TRITON_PTXAS_PATH"
    } else {
        "ptxas refused what Triton generated"
    };
    format!("{what} ({said}). The log has no module; {CAPTURE}")
}

/// The last exception of a traceback.
pub(super) fn exception(diagnostics: &Diagnostics) -> Option<&str> {
    let exceptions = diagnostics.entries.iter().filter(|entry| entry.kind == DiagnosticKind::PythonException);
    exceptions.map(|entry| entry.message.as_str()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_has_its_own_advice() {
        for (log, parts) in [
            (
                "OutOfResources: out of resource: shared memory, Required: 7, Hardware limit: 6. Reducing",
                vec!["7 of 6", "num_stages"],
            ),
            (
                "x: out of resource: threads, Required: 2048, Hardware limit: 1024.",
                vec!["more threads", "Lower num_warps"],
            ),
            (
                "  File \"a/triton/compiler/compiler.py\", line 2\njson.decoder.JSONDecodeError: x",
                vec!["cache", "-size -2c"],
            ),
            (
                "  File \"a/triton/compiler/compiler.py\", line 2\n  open('/r/cache/AB/k.json')\njson.decoder.JSONDecodeError: x",
                vec!["delete /r/cache/AB/k.json"],
            ),
            (
                "PTXASError: PTXAS error\nptxas fatal   : Value 'sm_999' is not defined for option 'gpu-name'",
                vec!["TRITON_PTXAS_PATH", "sm_999", "capture"],
            ),
            (
                "PTXASError: PTXAS error\nptxas x.ptx, line 3; error   : Arguments mismatch",
                vec!["ptxas refused", "Arguments mismatch"],
            ),
            (
                "RuntimeError: Triton Error [CUDA]: an illegal memory access was encountered",
                vec!["its launch failed", "illegal memory access", "capture"],
            ),
            ("triton.compiler.errors.CompilationError: at 3:4:", vec!["front end refused"]),
            ("hello", vec![".mlir file"]),
        ] {
            let lines: Vec<(u32, &str)> = (1..).zip(log.lines()).collect();
            let advice = of(&lines, &Diagnostics::read(&lines));
            assert!(parts.iter().all(|part| advice.contains(part)), "{log}: {advice}");
        }
    }
}
