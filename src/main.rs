//! The `tritonsmith` command.
fn main() {}
