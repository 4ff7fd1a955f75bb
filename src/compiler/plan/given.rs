//! What a module is, as far as that decides where a compile of it begins and how far it can go.

use crate::ir::{self, Module, Type};

/// A module that somebody gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenModule {
    /// Whether it is past the conversion from `tt` to `ttg`.
    pub layouts: bool,
    /// Whether its public functions can be launched: they take scalars, pointers and descriptors, and return nothing. A
    /// reduced module often takes tensors, which no stage behind `ttgir` can lower.
    pub is_kernel: bool,
}

/// A kernel without layouts, as front ends make it.
impl Default for GivenModule {
    fn default() -> GivenModule {
        GivenModule { layouts: false, is_kernel: true }
    }
}

impl GivenModule {
    /// Looks at a module's text. One that our parser does not read is taken for a kernel.
    pub fn of(text: &str) -> GivenModule {
        let is_kernel = ir::parse(text).map_or(true, |module| is_kernel(&module));
        GivenModule { layouts: has_layouts(text), is_kernel }
    }
}

/// Whether a module is past the conversion from `tt` to `ttg`.
pub fn has_layouts(text: &str) -> bool {
    ["ttg.num-warps", "triton_gpu.num-warps", "#ttg.", "#triton_gpu."].iter().any(|sign| text.contains(sign))
}

fn is_kernel(module: &Module) -> bool {
    let public = |&function: &ir::OpId| module.string(function, "sym_visibility").is_none_or(|word| word == "public");
    module.functions().into_iter().filter(public).all(|function| {
        module.function_type(function).is_none_or(|(inputs, results)| {
            let tensor =
                |ty: &ir::TypeId| matches!(module.interners.type_data(*ty), Type::Tensor { .. } | Type::MemDesc { .. });
            results.is_empty() && !inputs.iter().any(tensor)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_takes_no_tensors_and_returns_nothing() {
        let given = |signature: &str, end: &str| {
            GivenModule::of(&format!("module {{\n  tt.func public @f({signature} {{\n    tt.return{end}\n  }}\n}}\n"))
        };
        assert!(given("%p: !tt.ptr<f32>, %n: i32)", "").is_kernel);
        assert!(!given("%t: tensor<4xf32>)", "").is_kernel);
        assert!(!given("%n: i32) -> i32", " %n : i32").is_kernel);
        assert!(!given("%n: i32)", "").layouts);
    }
}
