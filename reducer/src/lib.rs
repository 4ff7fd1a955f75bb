//! Delta debugging without a language: see the crate's README of rules in the module documentation below.
