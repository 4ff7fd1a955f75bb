module {
  tt.func public @transpose_permute(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %0 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %2 = tt.addptr %1, %0 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %3 = tt.load %2 : tensor<2048x!tt.ptr<f16>>
    %4 = tt.reshape %3 : tensor<2048xf16> -> tensor<4x16x32xf16>
    %5 = tt.trans %4 {order = array<i32: 2, 0, 1>} : tensor<4x16x32xf16> -> tensor<32x4x16xf16>
    %6 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %7 = tt.addptr %6, %0 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %8 = tt.reshape %5 : tensor<32x4x16xf16> -> tensor<2048xf16>
    tt.store %7, %8 : tensor<2048x!tt.ptr<f16>>
    %9 = tt.reshape %3 allow_reorder : tensor<2048xf16> -> tensor<64x32xf16>
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %12 = arith.muli %11, %cst : tensor<32x1xi32>
    %13 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %14 = tt.expand_dims %13 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %15 = tt.broadcast %12 : tensor<32x1xi32> -> tensor<32x64xi32>
    %16 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<32x64xi32>
    %17 = arith.addi %15, %16 : tensor<32x64xi32>
    %18 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %19 = tt.addptr %18, %17 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %20 = tt.trans %9 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
    tt.store %19, %20 : tensor<32x64x!tt.ptr<f16>>
    %21 = tt.addptr %arg2, %c2048_i32 : !tt.ptr<f16>, i32
    %22 = tt.splat %21 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %23 = tt.addptr %22, %0 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    tt.store %23, %3 : tensor<2048x!tt.ptr<f16>>
    tt.return
  }
}
