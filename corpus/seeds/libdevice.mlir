// targets cuda:80 cuda:90 cuda:100
module {
  tt.func public @libdevice(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<256xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %3 = tt.load %2 : tensor<256x!tt.ptr<f32>>
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %5 = tt.addptr %4, %0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %6 = tt.load %5 : tensor<256x!tt.ptr<f32>>
    %7 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_asinf"} : (tensor<256xf32>) -> tensor<256xf32>
    %8 = tt.extern_elementwise %3, %6 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %9 = arith.addf %7, %8 : tensor<256xf32>
    %10 = tt.extern_elementwise %6 {libname = "", libpath = "", pure = true, symbol = "__nv_acoshf"} : (tensor<256xf32>) -> tensor<256xf32>
    %11 = arith.addf %9, %10 : tensor<256xf32>
    %12 = math.sin %3 : tensor<256xf32>
    %13 = math.cos %3 : tensor<256xf32>
    %14 = arith.addf %12, %13 : tensor<256xf32>
    %15 = math.exp %3 : tensor<256xf32>
    %16 = arith.addf %14, %15 : tensor<256xf32>
    %17 = math.log %3 : tensor<256xf32>
    %18 = arith.addf %16, %17 : tensor<256xf32>
    %19 = math.exp2 %6 : tensor<256xf32>
    %20 = arith.addf %18, %19 : tensor<256xf32>
    %21 = math.log2 %6 : tensor<256xf32>
    %22 = arith.addf %20, %21 : tensor<256xf32>
    %23 = math.erf %3 : tensor<256xf32>
    %24 = arith.addf %22, %23 : tensor<256xf32>
    %25 = math.sqrt %6 : tensor<256xf32>
    %26 = arith.addf %24, %25 : tensor<256xf32>
    %27 = math.rsqrt %6 : tensor<256xf32>
    %28 = arith.addf %26, %27 : tensor<256xf32>
    %29 = math.floor %3 : tensor<256xf32>
    %30 = math.ceil %6 : tensor<256xf32>
    %31 = arith.addf %29, %30 : tensor<256xf32>
    %32 = math.absf %3 : tensor<256xf32>
    %33 = arith.addf %31, %32 : tensor<256xf32>
    %34 = math.fma %3, %6, %11 : tensor<256xf32>
    %35 = arith.addf %33, %34 : tensor<256xf32>
    %36 = tt.precise_divf %3, %6 : tensor<256xf32>
    %37 = arith.addf %35, %36 : tensor<256xf32>
    %38 = tt.precise_sqrt %3 : tensor<256xf32>
    %39 = arith.addf %37, %38 : tensor<256xf32>
    %40 = tt.clampf %3, %cst_0, %cst, propagateNan = none : tensor<256xf32>
    %41 = arith.minimumf %3, %6 : tensor<256xf32>
    %42 = arith.addf %40, %41 : tensor<256xf32>
    %43 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %44 = tt.addptr %43, %0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %45 = arith.addf %11, %28 : tensor<256xf32>
    %46 = arith.addf %45, %39 : tensor<256xf32>
    %47 = arith.addf %46, %42 : tensor<256xf32>
    tt.store %44, %47 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
