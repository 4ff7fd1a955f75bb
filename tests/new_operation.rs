//! What ARCHITECTURE.md says of adding an operation is true: its entry there is the one in `ir/ops/test.ods`, and with that
//! entry alone the operation is read, printed, checked and erased when nothing uses it. That it shrinks is a test of
//! `src/reduce/steps`.

use tritonsmith::ir::{self, OpKind, PrintOptions, Trait};
use tritonsmith::oracle;
use tritonsmith::oracle::structure::StructureViolationKind;

const MODULE: &str = "\
module {
  tt.func @f(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
    %0 = test.lerp %a to %b by %a : tensor<64xf32>
    %1 = test.lerp %0 to %b by %a : tensor<64xf32>
    tt.return %0 : tensor<64xf32>
  }
}
";

#[test]
fn the_entry_of_the_worked_example_is_the_one_that_is_read() {
    let page = include_str!("../ARCHITECTURE.md");
    let shown = page.split("```text\nop test.lerp").nth(1).and_then(|rest| rest.split("```").next());
    let entry = include_str!("../ir/ops/test.ods").split("op test.lerp").nth(1);
    assert_eq!(shown, entry);
}

#[test]
fn it_is_read_and_printed_in_both_forms() {
    let module = ir::parse(MODULE).expect("a module");
    assert_eq!(ir::print(&module, &PrintOptions::default()), MODULE);
    let generic = ir::print(&module, &PrintOptions { generic: true, ..PrintOptions::default() });
    assert!(
        generic
            .contains("\"test.lerp\"(%a, %b, %a) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>"),
        "{generic}"
    );
    assert_eq!(ir::print(&ir::parse(&generic).expect("a module"), &PrintOptions::default()), MODULE);
}

#[test]
fn its_types_are_checked() {
    let wrong = "\"test.lerp\"(%a, %b, %c) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf16>) -> tensor<64xf32>";
    let text = format!(
        "module {{\n  tt.func @f(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf16>) {{\n    %0 = {wrong}\n    tt.return\n  }}\n}}\n"
    );
    let report = oracle::judge(&ir::parse(&text).expect("a module"));
    assert_eq!(
        report.structure.iter().map(|violation| violation.kind).collect::<Vec<_>>(),
        [StructureViolationKind::TypeRelation]
    );
    assert!(oracle::judge(&ir::parse(MODULE).expect("a module")).is_valid());
}

#[test]
fn it_is_erased_where_nothing_uses_it() {
    let mut module = ir::parse(MODULE).expect("a module");
    assert!(OpKind::TestLerp.has(Trait::Pure));
    assert_eq!(module.erase_dead(), 1);
    assert!(!ir::print(&module, &PrintOptions::default()).contains("%1"));
}
