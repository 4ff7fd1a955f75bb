//! The rows themselves, a file a dialect.

mod arith;
mod cf;
mod scf;
mod tt;

use super::Row;

/// Every row of every dialect.
pub fn all() -> impl Iterator<Item = &'static Row> {
    [arith::ROWS, cf::ROWS, scf::ROWS, tt::ROWS].into_iter().flatten()
}
