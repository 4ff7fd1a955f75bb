//! What the structure oracle finds, and that Triton's verifier finds it too.

use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::ir::parse;
use tritonsmith::oracle::judge;
use tritonsmith::oracle::structure::StructureViolationKind;

/// A function with that body, a scalar and a flag as arguments, and another function to call.
fn function(body: &str) -> String {
    format!(
        "module {{
  tt.func private @callee(%a: i32) -> i32 {{
    tt.return %a : i32
  }}
  tt.func public @f(%a: i32, %c: i1, %t: tensor<4xi32>) {{
{body}
  }}
}}
"
    )
}

/// Texts and what is wrong with each.
fn cases() -> Vec<(&'static str, Vec<StructureViolationKind>, String)> {
    let body = |name, kind, body: &str| (name, vec![kind], function(body));
    vec![
        ("nothing", vec![], function("    %x = tt.call @callee(%a) : (i32) -> i32\n    tt.return")),
        body(
            "a function that does not return",
            StructureViolationKind::NoTerminator,
            "    %x = arith.addi %a, %a : i32",
        ),
        body(
            "a return in the middle",
            StructureViolationKind::MisplacedTerminator,
            "    \"tt.return\"() : () -> ()\n    %x = arith.addi %a, %a : i32\n    tt.return",
        ),
        body(
            "a branch in the middle",
            StructureViolationKind::MisplacedTerminator,
            "    cf.br ^bb1\n    %x = arith.addi %a, %a : i32\n    tt.return\n  ^bb1:\n    tt.return",
        ),
        (
            "a branch to the entry",
            vec![StructureViolationKind::BranchToEntry],
            "module {\n  \"tt.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n  ^bb0:\n    cf.br ^bb1\n  \
             ^bb1:\n    cf.br ^bb0\n  }) : () -> ()\n}\n"
                .into(),
        ),
        body(
            "a loop without a body",
            StructureViolationKind::EmptyRegion,
            "    \"scf.for\"(%a, %a, %a) ({\n    }) : (i32, i32, i32) -> ()\n    tt.return",
        ),
        body(
            "a branch with two blocks",
            StructureViolationKind::SeveralBlocks,
            "    scf.if %c {\n      cf.br ^bb1\n    ^bb1:\n      scf.yield\n    }\n    tt.return",
        ),
        body(
            "a branch with too many values",
            StructureViolationKind::ValueCount,
            "    cf.br ^bb1(%a : i32)\n  ^bb1:\n    tt.return",
        ),
        body(
            "a branch with a value of another type",
            StructureViolationKind::ValueType,
            "    cf.cond_br %c, ^bb1(%c : i1), ^bb2\n  ^bb1(%p: i32):\n    tt.return\n  ^bb2:\n    tt.return",
        ),
        body(
            "a loop that gives back another type",
            StructureViolationKind::ValueType,
            "    %r = scf.for %i = %a to %a step %a iter_args(%x = %a) -> (i32)  : i32 {\n      scf.yield %c : i1\n    \
             }\n    tt.return",
        ),
        body(
            "a loop that gives nothing back",
            StructureViolationKind::ValueCount,
            "    %r = scf.for %i = %a to %a step %a iter_args(%x = %a) -> (i32)  : i32 {\n      scf.yield\n    }\n    \
             tt.return",
        ),
        body(
            "a condition with results and one branch",
            StructureViolationKind::EmptyRegion,
            "    %r = \"scf.if\"(%c) ({\n      scf.yield %a : i32\n    }, {\n    }) : (i1) -> i32\n    tt.return",
        ),
        body(
            "a loop that passes too little on",
            StructureViolationKind::ValueCount,
            "    %r = \"scf.while\"(%a) ({\n    ^bb0(%x: i32):\n      scf.condition(%c) %x : i32\n    }, {\n    \
             ^bb0(%x: i32):\n      scf.yield\n    }) : (i32) -> i32\n    tt.return",
        ),
        body("a return of a value", StructureViolationKind::ValueCount, "    tt.return %a : i32"),
        (
            "a return in a condition",
            vec![StructureViolationKind::WrongTerminator, StructureViolationKind::WrongParent],
            function("    scf.if %c {\n      tt.return\n    }\n    tt.return"),
        ),
        body(
            "a reduction that gives two values",
            StructureViolationKind::ValueCount,
            "    %r = \"tt.reduce\"(%t) <{axis = 0 : i32}> ({\n    ^bb0(%x: i32, %y: i32):\n      tt.reduce.return %x, \
             %y : i32, i32\n    }) : (tensor<4xi32>) -> i32\n    tt.return",
        ),
        body(
            "a call of nothing",
            StructureViolationKind::UnknownSymbol,
            "    tt.call @missing() : () -> ()\n    tt.return",
        ),
        body(
            "a call without its argument",
            StructureViolationKind::ValueCount,
            "    %x = tt.call @callee() : () -> i32\n    tt.return",
        ),
        (
            "two functions of one name",
            vec![StructureViolationKind::DuplicateSymbol],
            "module {\n  tt.func @f() {\n    tt.return\n  }\n  tt.func @f() {\n    tt.return\n  }\n}\n".into(),
        ),
        body(
            "an operand spelled with another type",
            StructureViolationKind::SpelledType,
            "    %x = tt.splat %c : i32 -> tensor<4xi32>\n    tt.return",
        ),
    ]
}

#[test]
fn every_fault_of_structure_is_named() {
    for (name, kinds, text) in cases() {
        let module = parse(&text).unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"));
        let report = judge(&module);
        let found: Vec<StructureViolationKind> = report.structure.iter().map(|violation| violation.kind).collect();
        // One mistake may show in two places, as when a loop's values fit neither its body nor its results.
        let mut distinct = found.clone();
        distinct.dedup();
        assert_eq!(distinct, kinds, "{name}: {report}\n{text}");
        assert_eq!(report.dominance, [], "{name}");
    }
}

#[test]
#[ignore = "needs wheels"]
fn triton_refuses_the_same_modules() {
    let cases = cases();
    let texts: Vec<String> = cases.iter().map(|(_, _, text)| text.clone()).collect();
    for version in ["3.2.0", "3.6.0", "3.9.0"] {
        let spec = version.parse().expect("a Triton");
        let installation =
            install(&spec, &AtomicBool::new(false), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        let mut worker =
            Worker::start(&installation, WorkerLimits::default()).unwrap_or_else(|error| panic!("{error}"));
        let answers = worker.verify(&texts).unwrap_or_else(|error| panic!("{error}"));
        for ((name, kinds, text), answer) in cases.iter().zip(answers) {
            assert_eq!(answer.valid, kinds.is_empty(), "{version}: {name}: {}\n{text}", answer.stderr);
        }
    }
}
