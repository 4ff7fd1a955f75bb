//! Who is to blame: [`passes`] finds the first pass after which a module is wrong, [`releases`] the releases that are bad.

pub mod passes;
pub mod releases;
