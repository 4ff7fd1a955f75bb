// needs 3.6.0
// until 3.7.1
// targets cuda:100
module {
  tt.func public @matmul_warp_specialized(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c148_i32 = arith.constant 148 : i32
    %c128_i32 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<128x128xf16>>
    %5 = arith.addi %arg4, %c127_i32 : i32
    %6 = arith.divsi %5, %c128_i32 : i32
    %7 = arith.addi %arg3, %c127_i32 : i32
    %8 = arith.divsi %7, %c128_i32 : i32
    %9 = arith.muli %8, %6 : i32
    %10 = tt.get_program_id x : i32
    scf.for %arg6 = %10 to %9 step %c148_i32  : i32 {
      %11 = arith.divsi %arg6, %6 : i32
      %12 = arith.muli %11, %c128_i32 : i32
      %13 = arith.remsi %arg6, %6 : i32
      %14 = arith.muli %13, %c128_i32 : i32
      %15 = scf.for %arg7 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg8 = %cst) -> (tensor<128x128xf32>)  : i32 {
        %17 = tt.descriptor_load %1[%12, %arg7] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
        %18 = tt.descriptor_load %2[%14, %arg7] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
        %19 = tt.trans %18 {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
        %20 = tt.dot %17, %19, %arg8, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
        scf.yield %20 : tensor<128x128xf32>
      }
      %16 = arith.truncf %15 : tensor<128x128xf32> to tensor<128x128xf16>
      tt.descriptor_store %4[%12, %14], %16 : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
    } {tt.flatten, tt.warp_specialize}
    tt.return
  }
}
