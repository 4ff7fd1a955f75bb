module {
  tt.func public @linear_recurrence(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x1xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = arith.muli %1, %cst : tensor<64x1xi32>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %5 = tt.broadcast %2 : tensor<64x1xi32> -> tensor<64x32xi32>
    %6 = tt.broadcast %4 : tensor<1x32xi32> -> tensor<64x32xi32>
    %7 = arith.addi %5, %6 : tensor<64x32xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %10 = tt.load %9 : tensor<64x32x!tt.ptr<f32>>
    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %12 = tt.addptr %11, %7 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %13 = tt.load %12 : tensor<64x32x!tt.ptr<f32>>
    %14:2 = "tt.scan"(%10, %13) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32, %arg6: f32):
      %17 = arith.mulf %arg3, %arg5 : f32
      %18 = arith.mulf %arg4, %arg5 : f32
      %19 = arith.addf %18, %arg6 : f32
      tt.scan.return %17, %19 : f32, f32
    }) : (tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>)
    %15 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    %16 = tt.addptr %15, %7 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    tt.store %16, %14#1 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
