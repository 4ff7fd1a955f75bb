//! The rows themselves, a file a dialect.

mod amdg;
mod arith;
mod cf;
mod math;
mod mlir;
mod nvws;
mod scf;
mod tt;
mod tt_elementwise;
mod ttg;
mod ttng;

use super::Row;

/// Every row of every dialect.
pub fn all() -> impl Iterator<Item = &'static Row> {
    [
        amdg::ROWS,
        arith::ROWS,
        cf::ROWS,
        math::ROWS,
        mlir::ROWS,
        nvws::ROWS,
        scf::ROWS,
        tt::ROWS,
        tt_elementwise::ROWS,
        ttg::ROWS,
        ttng::ROWS,
    ]
    .into_iter()
    .flatten()
}
