module {
  tt.func public @batched_matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<1x64x1xi32>
    %cst_0 = arith.constant dense<4096> : tensor<2x1x1xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x64x64xf32>
    %cst_2 = arith.constant dense<64> : tensor<1x32x1xi32>
    %cst_3 = arith.constant dense<32> : tensor<1x64x1xi32>
    %cst_4 = arith.constant dense<2048> : tensor<2x1x1xi32>
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %2 = tt.expand_dims %1 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = arith.muli %2, %cst_4 : tensor<2x1x1xi32>
    %6 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<2x1x1x!tt.ptr<f16>>
    %7 = tt.addptr %6, %5 : tensor<2x1x1x!tt.ptr<f16>>, tensor<2x1x1xi32>
    %8 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %9 = tt.expand_dims %8 {axis = 2 : i32} : tensor<1x64xi32> -> tensor<1x64x1xi32>
    %10 = arith.muli %9, %cst_3 : tensor<1x64x1xi32>
    %11 = tt.broadcast %7 : tensor<2x1x1x!tt.ptr<f16>> -> tensor<2x64x1x!tt.ptr<f16>>
    %12 = tt.broadcast %10 : tensor<1x64x1xi32> -> tensor<2x64x1xi32>
    %13 = tt.addptr %11, %12 : tensor<2x64x1x!tt.ptr<f16>>, tensor<2x64x1xi32>
    %14 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %15 = tt.expand_dims %14 {axis = 1 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
    %16 = tt.broadcast %13 : tensor<2x64x1x!tt.ptr<f16>> -> tensor<2x64x32x!tt.ptr<f16>>
    %17 = tt.broadcast %15 : tensor<1x1x32xi32> -> tensor<2x64x32xi32>
    %18 = tt.addptr %16, %17 : tensor<2x64x32x!tt.ptr<f16>>, tensor<2x64x32xi32>
    %19 = tt.load %18 : tensor<2x64x32x!tt.ptr<f16>>
    %20 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<2x1x1x!tt.ptr<f16>>
    %21 = tt.addptr %20, %5 : tensor<2x1x1x!tt.ptr<f16>>, tensor<2x1x1xi32>
    %22 = tt.expand_dims %14 {axis = 2 : i32} : tensor<1x32xi32> -> tensor<1x32x1xi32>
    %23 = arith.muli %22, %cst_2 : tensor<1x32x1xi32>
    %24 = tt.broadcast %21 : tensor<2x1x1x!tt.ptr<f16>> -> tensor<2x32x1x!tt.ptr<f16>>
    %25 = tt.broadcast %23 : tensor<1x32x1xi32> -> tensor<2x32x1xi32>
    %26 = tt.addptr %24, %25 : tensor<2x32x1x!tt.ptr<f16>>, tensor<2x32x1xi32>
    %27 = tt.expand_dims %8 {axis = 1 : i32} : tensor<1x64xi32> -> tensor<1x1x64xi32>
    %28 = tt.broadcast %26 : tensor<2x32x1x!tt.ptr<f16>> -> tensor<2x32x64x!tt.ptr<f16>>
    %29 = tt.broadcast %27 : tensor<1x1x64xi32> -> tensor<2x32x64xi32>
    %30 = tt.addptr %28, %29 : tensor<2x32x64x!tt.ptr<f16>>, tensor<2x32x64xi32>
    %31 = tt.load %30 : tensor<2x32x64x!tt.ptr<f16>>
    %32 = tt.dot %19, %31, %cst_1, inputPrecision = tf32 : tensor<2x64x32xf16> * tensor<2x32x64xf16> -> tensor<2x64x64xf32>
    %33 = arith.muli %2, %cst_0 : tensor<2x1x1xi32>
    %34 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2x1x1x!tt.ptr<f32>>
    %35 = tt.addptr %34, %33 : tensor<2x1x1x!tt.ptr<f32>>, tensor<2x1x1xi32>
    %36 = arith.muli %9, %cst : tensor<1x64x1xi32>
    %37 = tt.broadcast %35 : tensor<2x1x1x!tt.ptr<f32>> -> tensor<2x64x1x!tt.ptr<f32>>
    %38 = tt.broadcast %36 : tensor<1x64x1xi32> -> tensor<2x64x1xi32>
    %39 = tt.addptr %37, %38 : tensor<2x64x1x!tt.ptr<f32>>, tensor<2x64x1xi32>
    %40 = tt.broadcast %39 : tensor<2x64x1x!tt.ptr<f32>> -> tensor<2x64x64x!tt.ptr<f32>>
    %41 = tt.broadcast %27 : tensor<1x1x64xi32> -> tensor<2x64x64xi32>
    %42 = tt.addptr %40, %41 : tensor<2x64x64x!tt.ptr<f32>>, tensor<2x64x64xi32>
    tt.store %42, %32 : tensor<2x64x64x!tt.ptr<f32>>
    tt.return
  }
}
