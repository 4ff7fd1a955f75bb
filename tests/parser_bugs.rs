//! One test for each way in which the parser or the printer was once wrong, named after it.

use tritonsmith::checks;

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
