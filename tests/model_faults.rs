//! Each fault of the model by the smallest module that shows it: the pass alone breaks it with the fault, and leaves it
//! valid without.

use tritonsmith::compiler::model::{Fault, Model, ModelPass, PIPELINE, PassFailureKind, Setup};
use tritonsmith::ir::{self, Module, OpKind, PrintOptions};

/// A kernel with a scalar, a flag and a pointer, around these operations.
fn kernel(body: &str) -> Module {
    let text = format!(
        "#b = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}}>\n\
         #c = #ttg.blocked<{{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}}>\n\
         module {{\ntt.func @kernel(%n: i32, %flag: i1, %p: !tt.ptr<f32>) {{\n{body}\ntt.return\n}}\n}}\n"
    );
    ir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What the pass of a fault says to a module.
fn run(fault: Fault, mut module: Module) -> (PassFailureKind, String) {
    let before = module.clone();
    let pass = [fault.pass()];
    if let Err(broken) = Model::default().transform(&mut module, &pass, &Setup::default(), |_, _| {}) {
        panic!("{fault}: without the fault: {broken}\n{}", ir::print(&before, &PrintOptions::default()));
    }
    module = before;
    match Model::with_faults([fault]).transform(&mut module, &pass, &Setup::default(), |_, _| {}) {
        Err(broken) => (broken.kind, broken.message),
        Ok(()) => panic!("{fault} was not seen\n{}", ir::print(&module, &PrintOptions::default())),
    }
}

/// The pass breaks the module in that way.
fn breaks(fault: Fault, body: &str, how: PassFailureKind, message: &str) {
    let (actually, said) = run(fault, kernel(body));
    assert_eq!(actually, how, "{fault}: {said}");
    assert!(said.contains(message), "{fault}: {said}");
}

#[test]
fn dead_code_ignores_regions() {
    let body = "%x = arith.addi %n, %n : i32\nscf.if %flag {\n\"test.use\"(%x) : (i32) -> ()\n}";
    breaks(Fault::DeadCodeIgnoresRegions, body, PassFailureKind::Invalid, "never defined");
}

#[test]
fn dead_argument_keeps_yield() {
    let body = "%r = scf.for %i = %n to %n step %n iter_args(%a = %n) -> (i32) : i32 {\n\
                \"test.use\"(%i) : (i32) -> ()\nscf.yield %a : i32\n}\n\
                \"test.use\"(%r) : (i32) -> ()";
    breaks(Fault::DeadArgumentKeepsYield, body, PassFailureKind::Invalid, "1 values where 0 are taken");
}

#[test]
fn select_without_hoisting() {
    let body = "%r = scf.if %flag -> (i32) {\n%x = arith.addi %n, %n : i32\nscf.yield %x : i32\n} else {\n\
                scf.yield %n : i32\n}\n\"test.use\"(%r) : (i32) -> ()";
    breaks(Fault::SelectWithoutHoisting, body, PassFailureKind::Invalid, "never defined");
}

#[test]
fn swap_forever() {
    let body = "%c = arith.constant 3 : i32\n%x = arith.addi %n, %c : i32\n\"test.use\"(%x) : (i32) -> ()";
    let (how, _) = run(Fault::SwapForever, kernel(body));
    assert!(matches!(how, PassFailureKind::Endless { .. }), "{how}");
}

#[test]
fn reuse_across_regions() {
    let body = "scf.if %flag {\n%x = arith.addi %n, %n : i32\n\"test.use\"(%x) : (i32) -> ()\n}\n\
                %y = arith.addi %n, %n : i32\n\"test.use\"(%y) : (i32) -> ()";
    breaks(Fault::ReuseAcrossRegions, body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn reuse_across_blocks() {
    let body = "cf.cond_br %flag, ^a, ^b\n^a:\n%x = arith.addi %n, %n : i32\n\"test.use\"(%x) : (i32) -> ()\ncf.br ^b\n\
                ^b:\n%y = arith.addi %n, %n : i32\n\"test.use\"(%y) : (i32) -> ()";
    breaks(Fault::ReuseAcrossBlocks, body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn keep_later() {
    let body = "%x = arith.addi %n, %n : i32\n\"test.use\"(%x) : (i32) -> ()\n%y = arith.addi %n, %n : i32\n\
                \"test.use\"(%y) : (i32) -> ()";
    breaks(Fault::KeepLater, body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn hoist_dependent() {
    let body = "scf.for %i = %n to %n step %n : i32 {\n%x = arith.muli %n, %i : i32\n\"test.use\"(%x) : (i32) -> ()\n}";
    breaks(Fault::HoistDependent, body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn hoist_induction_variable() {
    let body = "scf.for %i = %n to %n step %n : i32 {\n%x = arith.muli %i, %n : i32\n\"test.use\"(%x) : (i32) -> ()\n}";
    breaks(Fault::HoistInductionVariable, body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn hoist_in_reverse() {
    let body = "scf.for %i = %n to %n step %n : i32 {\n%x = arith.muli %n, %n : i32\n%y = arith.addi %x, %n : i32\n\
                \"test.use\"(%y) : (i32) -> ()\n}";
    breaks(Fault::HoistInReverse, body, PassFailureKind::Invalid, "does not dominate");
}

/// A load of a tile and the sum of its rows.
const REDUCTION: &str = "%c = arith.constant dense<1.0> : tensor<16x32xf32>\n\
    %r = \"tt.reduce\"(%c) <{axis = 1 : i32}> ({\n^bb0(%a: f32, %b: f32):\n%s = arith.addf %a, %b : f32\n\
    tt.reduce.return %s : f32\n}) : (tensor<16x32xf32>) -> tensor<16xf32>\n\"test.use\"(%r) : (tensor<16xf32>) -> ()";

#[test]
fn conversion_before_reduction() {
    breaks(Fault::ConversionBeforeReduction, REDUCTION, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn signature_without_layouts() {
    let text = "module {\ntt.func private @f(%x: tensor<16xi32>) -> tensor<16xi32> {\n\
                tt.return %x : tensor<16xi32>\n}\n}\n";
    let (how, said) = run(Fault::SignatureWithoutLayouts, ir::parse(text).unwrap());
    assert_eq!(how, PassFailureKind::Invalid);
    assert!(said.contains("another type than its place"), "{said}");
}

#[test]
fn yielded_unconverted() {
    let body = "%q = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>\n\
                %o = arith.constant dense<1.0> : tensor<1024xf32, #b>\n\
                %r = scf.if %flag -> (tensor<1024xf32, #b>) {\n%x = tt.load %q : tensor<1024x!tt.ptr<f32>, #b>\n\
                scf.yield %x : tensor<1024xf32, #b>\n} else {\nscf.yield %o : tensor<1024xf32, #b>\n}\n\
                \"test.use\"(%r) : (tensor<1024xf32, #b>) -> ()";
    breaks(Fault::YieldedUnconverted, body, PassFailureKind::Invalid, "another type than its place");
}

#[test]
fn reuse_from_child() {
    let body = "%x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>\nscf.if %flag {\n\
                %y = ttg.convert_layout %x : tensor<64xi32, #b> -> tensor<64xi32, #c>\n\
                \"test.use\"(%y) : (tensor<64xi32, #c>) -> ()\n}\n\
                %z = ttg.convert_layout %x : tensor<64xi32, #b> -> tensor<64xi32, #c>\n\
                \"test.use\"(%z) : (tensor<64xi32, #c>) -> ()";
    breaks(Fault::ReuseFromChild, body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn slice_through_carried() {
    let body = "%x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>\n\
                %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (tensor<64xi32, #b>) : i32 {\n\
                %y = ttg.convert_layout %a : tensor<64xi32, #b> -> tensor<64xi32, #c>\n\
                \"test.use\"(%y) : (tensor<64xi32, #c>) -> ()\n\
                %z = arith.addi %a, %x : tensor<64xi32, #b>\nscf.yield %z : tensor<64xi32, #b>\n}";
    let (how, _) = run(Fault::SliceThroughCarried, kernel(body));
    assert!(matches!(how, PassFailureKind::Endless { .. }), "{how}");
}

#[test]
fn erase_shared_slice() {
    let body = "%x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>\n\
                %y = ttg.convert_layout %x : tensor<64xi32, #b> -> tensor<64xi32, #c>\n\
                \"test.use\"(%x, %y) : (tensor<64xi32, #b>, tensor<64xi32, #c>) -> ()";
    breaks(Fault::EraseSharedSlice, body, PassFailureKind::Crashed, "operation destroyed but still has uses");
}

/// A loop that sums up what it reduces; `scale` and `update` say how, `reads` is what else the body does, `after` what
/// follows the loop.
fn running_sum(update: &str, reads: &str, after: &str) -> String {
    format!(
        "%zero = arith.constant 0.0 : f32\n%tile = arith.constant dense<1.0> : tensor<64xf32>\n\
         %factor = arith.constant 0.5 : f32\n\
         %r = scf.for %i = %n to %n step %n iter_args(%acc = %zero) -> (f32) : i32 {{\n\
         %sum = \"tt.reduce\"(%tile) <{{axis = 0 : i32}}> ({{\n^bb0(%a: f32, %b: f32):\n%s = arith.addf %a, %b : f32\n\
         tt.reduce.return %s : f32\n}}) : (tensor<64xf32>) -> f32\n{update}\n{reads}\nscf.yield %next : f32\n}}\n\
         \"test.use\"(%r) : (f32) -> ()\n{after}"
    )
}

const PLAIN: &str = "%next = arith.addf %acc, %sum : f32";

#[test]
fn update_at_reduction() {
    let late = "%late = math.exp %factor : f32\n%old = arith.mulf %acc, %late : f32\n\
                %next = arith.addf %old, %sum : f32";
    breaks(Fault::UpdateAtReduction, &running_sum(late, "", ""), PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn accumulator_read() {
    let body = running_sum(PLAIN, "\"test.use\"(%acc) : (f32) -> ()", "");
    breaks(Fault::AccumulatorRead, &body, PassFailureKind::Invalid, "does not dominate");
}

#[test]
fn accumulator_used_twice() {
    let body = running_sum(PLAIN, "", "\"test.use\"(%r) : (f32) -> ()");
    breaks(
        Fault::AccumulatorUsedTwice,
        &body,
        PassFailureKind::Crashed,
        "Assertion `loop.getResult(index).hasOneUse()' failed",
    );
}

#[test]
fn a_carried_sum_is_reduced_once_after_the_loop() {
    let mut module = kernel(&running_sum(PLAIN, "", ""));
    let pass = [ModelPass::OptimizeThreadLocality, ModelPass::Canonicalize];
    Model::default().transform(&mut module, &pass, &Setup::default(), |_, _| {}).unwrap();
    let text = ir::print(&module, &PrintOptions::default());
    let (inside, after) = text.split_once("scf.yield").unwrap();
    assert!(!inside.contains("tt.reduce") && after.contains("tt.reduce"), "{text}");
    assert!(inside.contains("arith.addf") && inside.contains("-> (tensor<64xf32>)"), "{text}");
}

#[test]
fn conversions_of_cheap_values_go() {
    let text = std::fs::read_to_string("corpus/grouped_gemm_mask_reuse/input.mlir").unwrap();
    let mut module = ir::parse(&text).unwrap();
    let count =
        |module: &Module| module.walk().into_iter().filter(|&op| module.kind(op) == OpKind::TtgConvertLayout).count();
    let mut most = 0;
    Model::default()
        .transform(&mut module, &PIPELINE, &Setup::default(), |_, module| most = most.max(count(module)))
        .unwrap();
    assert!(count(&module) * 3 < most * 2, "{} of {most} are left", count(&module));
}
