module {
  tt.func public @prefix_sums(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<32x1xi32>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %2 = arith.muli %1, %cst : tensor<32x1xi32>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %5 = tt.broadcast %2 : tensor<32x1xi32> -> tensor<32x64xi32>
    %6 = tt.broadcast %4 : tensor<1x64xi32> -> tensor<32x64xi32>
    %7 = arith.addi %5, %6 : tensor<32x64xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %10 = tt.load %9 : tensor<32x64x!tt.ptr<f32>>
    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %12 = tt.addptr %11, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %13 = "tt.scan"(%10) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %20 = arith.addf %arg4, %arg5 : f32
      tt.scan.return %20 : f32
    }) : (tensor<32x64xf32>) -> tensor<32x64xf32>
    tt.store %12, %13 : tensor<32x64x!tt.ptr<f32>>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %15 = tt.addptr %14, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %16 = "tt.scan"(%10) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %20 = arith.mulf %arg4, %arg5 : f32
      tt.scan.return %20 : f32
    }) : (tensor<32x64xf32>) -> tensor<32x64xf32>
    tt.store %15, %16 : tensor<32x64x!tt.ptr<f32>>
    %17 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %18 = tt.addptr %17, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %19 = "tt.scan"(%10) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %20 = arith.addf %arg4, %arg5 : f32
      tt.scan.return %20 : f32
    }) : (tensor<32x64xf32>) -> tensor<32x64xf32>
    tt.store %18, %19 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}
