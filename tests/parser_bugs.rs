//! One test for each way in which the parser or the printer was once wrong, named after it.

use tritonsmith::checks;
use tritonsmith::ir::{PrintOptions, parse, print};

fn reads_what_it_prints(text: &str) {
    if let Err(alarm) = checks::parse(text.as_bytes()) {
        panic!("{alarm}");
    }
}

#[test]
fn an_unknown_type_was_printed_and_not_read() {
    reads_what_it_prints("\"test.f\"() ({\n%1 = tt.load %p, %mask : tensor<4x!tt.ptr<i32>>\n}) : () -> ()\n");
}

#[test]
fn a_region_that_begins_with_a_generic_operation_was_taken_for_attributes() {
    reads_what_it_prints(
        "test.strange {\n\"test.func\"() ({\n^bb0(%n: i32):\n\"test.br\"()[^bb1] : () -> ()\n^bb1:\n}) : () -> ()\n}\n",
    );
}

#[test]
fn a_branch_at_top_level_led_to_a_block_of_no_region() {
    assert!(parse("cf.br ^bb1\nmodule {\n}\n").unwrap_err().message.contains("`^bb1` is never defined"));
}

#[test]
fn a_branch_without_blocks_was_printed_as_one_with_empty_blocks() {
    reads_what_it_prints("module {\ntt.func @f(%c: i1) {\n\"scf.if\"(%c) ({\n}, {\n}) : (i1) -> ()\ntt.return\n}\n}\n");
}

#[test]
fn a_visibility_that_is_no_word_was_printed_bare() {
    reads_what_it_prints(
        "module {\n\"tt.func\"() <{function_type = () -> (), sym_name = \"f\", sym_visibility = \"<private\"}> ({\n\
         tt.return\n}) : () -> ()\n}\n",
    );
}

#[test]
fn a_name_with_blanks_was_printed_without_quotes() {
    reads_what_it_prints("module {\ntt.func @\"two words\"() {\ntt.return\n}\n}\n");
    let module = parse("tt.func @\"two words\"() {\ntt.return\n}\n").unwrap();
    assert!(print(&module, &PrintOptions::generic()).contains("sym_name = \"two words\""));
}

#[test]
fn an_attribute_of_another_kind_was_printed_without_its_name() {
    reads_what_it_prints(
        "\"test.f\"() ({\n%x = \"arith.addi\"(%x, %x) <{overflowFlags = #arith.other<none>}> : (i32, i32) -> i32\n}) : () -> ()\n",
    );
}

#[test]
fn a_value_of_another_function_was_given_the_name_of_an_own_one() {
    reads_what_it_prints(
        "module {\ntt.func @f(%arg0: i32) {\ntt.return\n}\ntt.func @g(%other: f32) {\n\
         \"test.use\"(%arg0) : (i32) -> ()\ntt.return\n}\n}\n",
    );
}

#[test]
fn a_branch_without_terminator_was_printed_as_one_that_gets_it() {
    reads_what_it_prints(
        "module {\ntt.func @f(%c: i1) {\n\"scf.if\"(%c) ({\ntest.strange\n}, {\n}) : (i1) -> ()\ntt.return\n}\n}\n",
    );
}

#[test]
fn brackets_were_sought_where_none_opens() {
    let error = parse("tt.func @f() attributes \u{fffd}\u{fffd} {tt.return}\n").unwrap_err();
    assert!(error.message.contains("expected"), "{error}");
}

/// The kind of that fault: any place may hold a character of several bytes, or a bracket too many.
#[test]
fn a_strange_character_at_any_place_is_an_error_that_points_at_a_character() {
    let text = std::fs::read_to_string("corpus/running_sum_twice/input.mlir").unwrap();
    let places = (0..=text.len()).filter(|place| text.is_char_boundary(*place));
    for (place, strange) in places.zip(["\u{fffd}", "{\u{e9}", "\u{1f600}<", "\"\u{fffd}", "\u{fffd})"].iter().cycle())
    {
        let mut damaged = text.clone();
        damaged.insert_str(place, strange);
        reads_what_it_prints(&damaged);
        if let Err(error) = parse(&damaged) {
            let (start, end) = (error.span.start as usize, error.span.end as usize);
            assert!(damaged.get(start..end).is_some(), "{place} {strange}: {start}..{end}");
        }
    }
}

#[test]
fn a_second_alias_on_a_line_was_not_defined() {
    let text = "#a = #test.a<{x = 1}> #b = #test.b<{x = 2}>\n\"test.f\"() {a = #a, b = #b} : () -> ()\n";
    reads_what_it_prints(text);
    assert!(parse(text).is_ok());
}

#[test]
fn an_entry_block_without_operations_was_printed_as_if_it_had_a_label() {
    reads_what_it_prints("module {\ntt.func @g(%n: i32) {\ncf.br ^bb1\n^bb1:\n}\n}\n");
    reads_what_it_prints(
        "module {\n\"tt.func\"() <{function_type = (i32) -> (), sym_name = \"g\"}> ({\n^bb0(%n: i32):\n^bb1:\n}) : () -> ()\n}\n",
    );
}

#[test]
fn an_argument_of_a_function_without_a_definition_was_a_use_of_nothing() {
    let text = "module {\n  llvm.func internal @f(%arg0: i32, %arg1: !llvm.ptr<1>) attributes {x} {\n    llvm.store %arg0, \
                %arg1 : i32, !llvm.ptr<1>\n    llvm.return\n  }\n  gpu.module @m {\n    gpu.func @k(%a: f32) kernel {\n      \
                gpu.return\n    }\n  }\n  llvm.func @g(!llvm.ptr, i64)\n}\n";
    reads_what_it_prints(text);
    let module = parse(text).expect("it parses");
    assert!(tritonsmith::oracle::judge(&module).is_valid());
    assert_eq!(print(&module, &PrintOptions::default()), text);
    let wrong = text.replace("llvm.store %arg0", "llvm.store %b");
    assert!(!tritonsmith::oracle::judge(&parse(&wrong).expect("it parses")).is_valid());
}
