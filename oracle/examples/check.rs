//! Prints what is wrong with a module, with the line of each violation, and exits with 1 if anything is:
//! `cargo run -p tritonsmith-oracle --example check -- module.mlir`. Without a file it takes a module of its own.

use std::error::Error;
use std::process::ExitCode;
use tritonsmith_ir::{Span, parse};
use tritonsmith_oracle::judge;

const OWN: &str = "module {
  tt.func @late(%x: f32) -> f32 {
    %sum = arith.addf %product, %x : f32
    %product = arith.mulf %x, %x : f32
    tt.return %sum : f32
  }
}
";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(OWN.to_owned()), std::fs::read_to_string)?;
    let module = parse(&text)?;
    let report = judge(&module);
    let line = |span: Span| text.bytes().take(span.start as usize).filter(|&byte| byte == b'\n').count() + 1;
    for violation in &report.dominance {
        println!("line {}: {violation}", line(violation.span(&module)));
    }
    for violation in &report.structure {
        println!("line {}: {violation}", line(module.op(violation.op).span));
    }
    Ok(if report.is_valid() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
