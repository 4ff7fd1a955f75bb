// needs 3.6.0
// until 3.7.1
// targets cuda:100
module {
  tt.func public @descriptor_gather(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %cst = arith.constant dense<2.000000e+00> : tensor<32x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<1x64xf16>>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<1x64xf16>>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<32x64xf16>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %6 = tt.addptr %5, %4 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %7 = tt.load %6 : tensor<32x!tt.ptr<i32>>
    %8 = tt.descriptor_gather %1[%7, %c0_i32] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
    %9 = arith.mulf %8, %cst : tensor<32x64xf16>
    tt.descriptor_scatter %2[%7, %c0_i32], %9 : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
    tt.descriptor_reduce add, %3[%c0_i32, %c0_i32], %8 : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
    tt.return
  }
}
