//! Ctrl-C. The first one asks a verb to stop and to leave what it has; a second one ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on Ctrl-C and the termination signal set the flag that this gives.
pub fn watch() -> Arc<AtomicBool> {
    // A second handler cannot be set and need not be: the flag is the same.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
        super::output::say("\nstopping; press Ctrl-C again to leave at once");
    });
    INTERRUPTED.clone()
}
