//! Lists every value of a module with the operations that use it, then prints the module without what nobody needs:
//! `cargo run -p tritonsmith-ir --example uses -- module.mlir`. Without a file it takes a module of its own.

use std::error::Error;
use tritonsmith_ir::{Definition, PrintOptions, ValueId, parse, print};

const OWN: &str = "module {
  tt.func @scale(%x: f32, %n: i32) -> f32 {
    %twice = arith.addf %x, %x : f32
    %unused = arith.addi %n, %n : i32
    tt.return %twice : f32
  }
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(OWN.to_owned()), std::fs::read_to_string)?;
    let mut module = parse(&text)?;
    for (index, uses) in module.uses().iter().enumerate() {
        let value = ValueId(index as u32);
        let defined_by = match module.value(value).definition {
            Definition::Result(op, place) => format!("result {place} of {}", module.op_name(op)),
            Definition::Argument(_, place) => format!("block argument {place}"),
            Definition::Missing => "never defined".to_owned(),
        };
        let users: Vec<String> =
            uses.iter().map(|place| format!("{} (operand {})", module.op_name(place.op), place.operand)).collect();
        println!("{defined_by}: used by {}", if users.is_empty() { "nobody".to_owned() } else { users.join(", ") });
    }
    let erased = module.erase_dead();
    println!("\nwithout {erased} dead operations:\n{}", print(&module, &PrintOptions::default()));
    Ok(())
}
