module {
  tt.func public @fp8_convert(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<255> : tensor<256xi32>
    %cst_0 = arith.constant dense<3> : tensor<256xi32>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %3 = tt.load %2 : tensor<256x!tt.ptr<f32>>
    %4 = tt.fp_to_fp %3, rounding = rtne : tensor<256xf32> -> tensor<256xf8E5M2>
    %5 = tt.splat %arg1 : !tt.ptr<f8E5M2> -> tensor<256x!tt.ptr<f8E5M2>>
    %6 = tt.addptr %5, %0 : tensor<256x!tt.ptr<f8E5M2>>, tensor<256xi32>
    tt.store %6, %4 : tensor<256x!tt.ptr<f8E5M2>>
    %7 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %8 = tt.addptr %7, %0 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %9 = tt.fp_to_fp %3, rounding = rtz : tensor<256xf32> -> tensor<256xbf16>
    %10 = arith.extf %9 : tensor<256xbf16> to tensor<256xf32>
    %11 = arith.truncf %10 : tensor<256xf32> to tensor<256xf16>
    tt.store %8, %11 : tensor<256x!tt.ptr<f16>>
    %12 = tt.bitcast %3 : tensor<256xf32> -> tensor<256xi32>
    %13 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %14 = tt.addptr %13, %0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %15 = arith.shrui %12, %cst_0 : tensor<256xi32>
    tt.store %14, %15 : tensor<256x!tt.ptr<i32>>
    %16 = arith.fptosi %3 : tensor<256xf32> to tensor<256xi32>
    %17 = arith.sitofp %16 : tensor<256xi32> to tensor<256xf32>
    %18 = arith.andi %12, %cst : tensor<256xi32>
    %19 = arith.uitofp %18 : tensor<256xi32> to tensor<256xf32>
    %20 = arith.addf %17, %19 : tensor<256xf32>
    %21 = tt.fp_to_fp %4 : tensor<256xf8E5M2> -> tensor<256xf32>
    %22 = arith.addf %20, %21 : tensor<256xf32>
    %23 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %24 = tt.addptr %23, %0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %25 = arith.fptosi %22 : tensor<256xf32> to tensor<256xi64>
    %26 = arith.sitofp %25 : tensor<256xi64> to tensor<256xf64>
    %27 = arith.truncf %26 : tensor<256xf64> to tensor<256xf32>
    tt.store %24, %27 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
