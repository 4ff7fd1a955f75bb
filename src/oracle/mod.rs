//! Judges of modules: pure functions that ask nothing of Triton.
