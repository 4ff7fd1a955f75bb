// needs 3.3.0
module {
  tt.func public @gather_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x32xi32>
    %cst_0 = arith.constant dense<32> : tensor<64x1xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = arith.muli %1, %cst_0 : tensor<64x1xi32>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %5 = tt.broadcast %2 : tensor<64x1xi32> -> tensor<64x32xi32>
    %6 = tt.broadcast %4 : tensor<1x32xi32> -> tensor<64x32xi32>
    %7 = arith.addi %5, %6 : tensor<64x32xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %10 = tt.load %9 : tensor<64x32x!tt.ptr<f32>>
    %11 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x32x!tt.ptr<i32>>
    %12 = tt.addptr %11, %7 : tensor<64x32x!tt.ptr<i32>>, tensor<64x32xi32>
    %13 = tt.load %12 : tensor<64x32x!tt.ptr<i32>>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %15 = tt.addptr %14, %7 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %16 = tt.gather %10[%13] {axis = 0 : i32} : (tensor<64x32xf32>, tensor<64x32xi32>) -> tensor<64x32xf32>
    %17 = arith.remsi %13, %cst : tensor<64x32xi32>
    %18 = tt.gather %10[%17] {axis = 1 : i32} : (tensor<64x32xf32>, tensor<64x32xi32>) -> tensor<64x32xf32>
    %19 = arith.addf %16, %18 : tensor<64x32xf32>
    tt.store %15, %19 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
