// needs 3.6.0
module {
  tt.func public @matmul_scaled(%arg0: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %cst_0 = arith.constant dense<4> : tensor<128x1xi32>
    %cst_1 = arith.constant dense<128> : tensor<64x1xi32>
    %cst_2 = arith.constant dense<128> : tensor<128x1xi32>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %2 = arith.muli %1, %cst_2 : tensor<128x1xi32>
    %3 = tt.splat %arg0 : !tt.ptr<f8E5M2> -> tensor<128x1x!tt.ptr<f8E5M2>>
    %4 = tt.addptr %3, %2 : tensor<128x1x!tt.ptr<f8E5M2>>, tensor<128x1xi32>
    %5 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %6 = tt.broadcast %4 : tensor<128x1x!tt.ptr<f8E5M2>> -> tensor<128x128x!tt.ptr<f8E5M2>>
    %7 = tt.broadcast %5 : tensor<1x128xi32> -> tensor<128x128xi32>
    %8 = tt.addptr %6, %7 : tensor<128x128x!tt.ptr<f8E5M2>>, tensor<128x128xi32>
    %9 = tt.load %8 : tensor<128x128x!tt.ptr<f8E5M2>>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %12 = arith.muli %11, %cst_1 : tensor<64x1xi32>
    %13 = tt.splat %arg2 : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
    %15 = tt.broadcast %14 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x128x!tt.ptr<i8>>
    %16 = tt.broadcast %5 : tensor<1x128xi32> -> tensor<64x128xi32>
    %17 = tt.addptr %15, %16 : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
    %18 = tt.load %17 : tensor<64x128x!tt.ptr<i8>>
    %19 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %21 = arith.muli %1, %cst_0 : tensor<128x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<128x1x!tt.ptr<i8>>
    %23 = tt.addptr %22, %21 : tensor<128x1x!tt.ptr<i8>>, tensor<128x1xi32>
    %24 = tt.broadcast %23 : tensor<128x1x!tt.ptr<i8>> -> tensor<128x4x!tt.ptr<i8>>
    %25 = tt.broadcast %20 : tensor<1x4xi32> -> tensor<128x4xi32>
    %26 = tt.addptr %24, %25 : tensor<128x4x!tt.ptr<i8>>, tensor<128x4xi32>
    %27 = tt.load %26 : tensor<128x4x!tt.ptr<i8>>
    %28 = tt.splat %arg3 : !tt.ptr<i8> -> tensor<128x1x!tt.ptr<i8>>
    %29 = tt.addptr %28, %21 : tensor<128x1x!tt.ptr<i8>>, tensor<128x1xi32>
    %30 = tt.broadcast %29 : tensor<128x1x!tt.ptr<i8>> -> tensor<128x4x!tt.ptr<i8>>
    %31 = tt.addptr %30, %25 : tensor<128x4x!tt.ptr<i8>>, tensor<128x4xi32>
    %32 = tt.load %31 : tensor<128x4x!tt.ptr<i8>>
    %33 = tt.dot_scaled %9 scale %27, %18 scale %32, %cst lhs = e5m2 rhs = e2m1 {fastMath = false} : tensor<128x128xf8E5M2>, tensor<128x4xi8> * tensor<64x128xi8>, tensor<128x4xi8> -> tensor<128x128xf32>
    %34 = tt.splat %arg4 : !tt.ptr<bf16> -> tensor<128x1x!tt.ptr<bf16>>
    %35 = tt.addptr %34, %2 : tensor<128x1x!tt.ptr<bf16>>, tensor<128x1xi32>
    %36 = tt.broadcast %35 : tensor<128x1x!tt.ptr<bf16>> -> tensor<128x128x!tt.ptr<bf16>>
    %37 = tt.addptr %36, %7 : tensor<128x128x!tt.ptr<bf16>>, tensor<128x128xi32>
    %38 = tt.load %37 : tensor<128x128x!tt.ptr<bf16>>
    %39 = tt.dot_scaled %38, %18 scale %32, %33 lhs = bf16 rhs = e2m1 {fastMath = false} : tensor<128x128xbf16> * tensor<64x128xi8>, tensor<128x4xi8> -> tensor<128x128xf32>
    %40 = tt.splat %arg5 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %41 = tt.addptr %40, %2 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %42 = tt.broadcast %41 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %43 = tt.addptr %42, %7 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    tt.store %43, %39 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}
