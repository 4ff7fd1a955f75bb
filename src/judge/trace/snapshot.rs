//! A module between two steps: its text, and what our parser makes of it.

use crate::compiler::protocol::ModuleForm;
use crate::ir::{self, Module, ParseError};
use std::sync::{Arc, OnceLock};

/// A module as a compiler printed it, or the LLVM IR, the assembly or the object file that a stage made. Copies share the text and the module, which is parsed when somebody first asks.
#[derive(Debug, Clone)]
pub struct Snapshot(Arc<PrintedModule>);

#[derive(Debug)]
struct PrintedModule {
    form: ModuleForm,
    text: String,
    module: OnceLock<Result<Module, ParseError>>,
}

impl Snapshot {
    /// A module with this text.
    pub fn new(text: impl Into<String>) -> Snapshot {
        Snapshot::in_form(ModuleForm::Mlir, text)
    }

    /// What a step left in this form.
    pub fn in_form(form: ModuleForm, text: impl Into<String>) -> Snapshot {
        Snapshot(Arc::new(PrintedModule { form, text: text.into(), module: OnceLock::new() }))
    }

    /// Whether both are one and the same.
    pub fn is(&self, other: &Snapshot) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What it is.
    pub fn form(&self) -> ModuleForm {
        self.0.form
    }

    /// The module; nothing where it is no MLIR any more.
    ///
    /// # Errors
    /// Our parser does not read the text: MLIR of a kind that it does not know.
    pub fn module(&self) -> Option<Result<&Module, &ParseError>> {
        (self.0.form == ModuleForm::Mlir).then(|| self.0.module.get_or_init(|| ir::parse(&self.0.text)).as_ref())
    }
}
