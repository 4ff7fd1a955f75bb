//! A module between two steps: its text, and what our parser makes of it.

use crate::ir::{self, Module, ParseError};
use std::sync::{Arc, OnceLock};

/// A module as a compiler printed it. Copies share the text and the module, which is parsed when somebody first asks.
#[derive(Debug, Clone)]
pub struct Snapshot(Arc<PrintedModule>);

#[derive(Debug)]
struct PrintedModule {
    text: String,
    module: OnceLock<Result<Module, ParseError>>,
}

impl Snapshot {
    /// A snapshot with this text.
    pub fn new(text: impl Into<String>) -> Snapshot {
        Snapshot(Arc::new(PrintedModule { text: text.into(), module: OnceLock::new() }))
    }

    /// Whether both are one and the same.
    pub fn is(&self, other: &Snapshot) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The module.
    ///
    /// # Errors
    /// Our parser does not read the text: it is no MLIR, or MLIR of a kind that it does not know.
    pub fn module(&self) -> Result<&Module, &ParseError> {
        self.0.module.get_or_init(|| ir::parse(&self.0.text)).as_ref()
    }
}
