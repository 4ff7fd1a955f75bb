//! Making modules: from other modules, and (later) from bytes.
//!
//! [`damage()`] changes a real module at random in ways that may break dominance and break nothing else. What it makes is
//! no test for Triton's passes, it is a test for the oracle: on every such module, our verdict and that of Triton's verifier
//! must agree.

mod damage;
mod graft;

pub use damage::{DamageKind, damage, damage_as};
