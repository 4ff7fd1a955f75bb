module {
  tt.func public @matmul_fp8(%arg0: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %3 = arith.muli %1, %2 : tensor<64x1xi32>
    %4 = tt.splat %arg0 : !tt.ptr<f8E5M2> -> tensor<64x1x!tt.ptr<f8E5M2>>
    %5 = tt.addptr %4, %3 : tensor<64x1x!tt.ptr<f8E5M2>>, tensor<64x1xi32>
    %6 = tt.broadcast %5 : tensor<64x1x!tt.ptr<f8E5M2>> -> tensor<64x64x!tt.ptr<f8E5M2>>
    %7 = tt.splat %arg1 : !tt.ptr<f8E5M2> -> tensor<64x1x!tt.ptr<f8E5M2>>
    %8 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %9 = tt.splat %arg5 : i32 -> tensor<1x64xi32>
    %10 = arith.muli %8, %9 : tensor<1x64xi32>
    %11 = tt.broadcast %10 : tensor<1x64xi32> -> tensor<64x64xi32>
    %12 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %33 = tt.splat %arg6 : i32 -> tensor<64xi32>
      %34 = arith.addi %33, %0 : tensor<64xi32>
      %35 = tt.expand_dims %34 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %36 = tt.broadcast %35 : tensor<1x64xi32> -> tensor<64x64xi32>
      %37 = tt.addptr %6, %36 : tensor<64x64x!tt.ptr<f8E5M2>>, tensor<64x64xi32>
      %38 = tt.load %37 : tensor<64x64x!tt.ptr<f8E5M2>>
      %39 = tt.expand_dims %34 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %40 = tt.addptr %7, %39 : tensor<64x1x!tt.ptr<f8E5M2>>, tensor<64x1xi32>
      %41 = tt.broadcast %40 : tensor<64x1x!tt.ptr<f8E5M2>> -> tensor<64x64x!tt.ptr<f8E5M2>>
      %42 = tt.addptr %41, %11 : tensor<64x64x!tt.ptr<f8E5M2>>, tensor<64x64xi32>
      %43 = tt.load %42 : tensor<64x64x!tt.ptr<f8E5M2>>
      %44 = tt.dot %38, %43, %arg7, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf8E5M2> * tensor<64x64xf8E5M2> -> tensor<64x64xf32>
      scf.yield %44 : tensor<64x64xf32>
    }
    %13 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %14 = arith.muli %13, %cst_0 : tensor<64x1xi32>
    %15 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %17 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %18 = tt.broadcast %16 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %19 = tt.broadcast %17 : tensor<1x64xi32> -> tensor<64x64xi32>
    %20 = tt.addptr %18, %19 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %21 = tt.load %20 : tensor<64x64x!tt.ptr<f32>>
    %22 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %23 = tt.addptr %22, %14 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %24 = tt.broadcast %23 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %25 = tt.addptr %24, %19 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %26 = tt.load %25 : tensor<64x64x!tt.ptr<f32>>
    %27 = tt.dot %21, %26, %12, inputPrecision = tf32x3 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %28 = tt.dot %21, %26, %27 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %29 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %30 = tt.addptr %29, %14 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %31 = tt.broadcast %30 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %32 = tt.addptr %31, %19 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %32, %28 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
