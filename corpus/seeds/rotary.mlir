module {
  tt.func public @rotary(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32>
    %cst_0 = arith.constant dense<64> : tensor<32x1xi32>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %2 = arith.muli %1, %cst_0 : tensor<32x1xi32>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %5 = tt.broadcast %2 : tensor<32x1xi32> -> tensor<32x64xi32>
    %6 = tt.broadcast %4 : tensor<1x64xi32> -> tensor<32x64xi32>
    %7 = arith.addi %5, %6 : tensor<32x64xi32>
    %8 = arith.muli %1, %cst : tensor<32x1xi32>
    %9 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %10 = tt.broadcast %8 : tensor<32x1xi32> -> tensor<32x32xi32>
    %11 = tt.broadcast %9 : tensor<1x32xi32> -> tensor<32x32xi32>
    %12 = arith.addi %10, %11 : tensor<32x32xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %14 = tt.addptr %13, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %15 = tt.load %14 : tensor<32x64x!tt.ptr<f32>>
    %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %17 = tt.addptr %16, %12 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %18 = tt.load %17 : tensor<32x32x!tt.ptr<f32>>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %20 = tt.addptr %19, %12 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %21 = tt.load %20 : tensor<32x32x!tt.ptr<f32>>
    %22 = tt.reshape %15 : tensor<32x64xf32> -> tensor<32x32x2xf32>
    %outLHS, %outRHS = tt.split %22 : tensor<32x32x2xf32> -> tensor<32x32xf32>
    %23 = arith.mulf %outLHS, %18 : tensor<32x32xf32>
    %24 = arith.mulf %outRHS, %21 : tensor<32x32xf32>
    %25 = arith.subf %23, %24 : tensor<32x32xf32>
    %26 = arith.mulf %outLHS, %21 : tensor<32x32xf32>
    %27 = arith.mulf %outRHS, %18 : tensor<32x32xf32>
    %28 = arith.addf %26, %27 : tensor<32x32xf32>
    %29 = tt.join %25, %28 : tensor<32x32xf32> -> tensor<32x32x2xf32>
    %30 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %31 = tt.addptr %30, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %32 = tt.reshape %29 : tensor<32x32x2xf32> -> tensor<32x64xf32>
    tt.store %31, %32 : tensor<32x64x!tt.ptr<f32>>
    %33 = tt.addptr %arg3, %c2048_i32 : !tt.ptr<f32>, i32
    %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %35 = tt.addptr %34, %7 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %36 = tt.join %outLHS, %outRHS : tensor<32x32xf32> -> tensor<32x32x2xf32>
    %37 = tt.reshape %36 : tensor<32x32x2xf32> -> tensor<32x64xf32>
    tt.store %35, %37 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}
