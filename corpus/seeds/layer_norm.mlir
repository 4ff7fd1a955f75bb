// until 3.8.0
module {
  tt.func public @layer_norm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32, %arg7: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf16>
    %c1024_i32 = arith.constant 1024 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg6 : i32
    %2 = tt.addptr %arg0, %1 : !tt.ptr<f16>, i32
    %3 = tt.addptr %arg1, %1 : !tt.ptr<f16>, i32
    %4 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %5 = tt.splat %arg6 : i32 -> tensor<1024xi32>
    %6 = tt.splat %2 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %7 = scf.for %arg8 = %c0_i32 to %arg6 step %c1024_i32 iter_args(%arg9 = %cst_0) -> (tensor<1024xf32>)  : i32 {
      %30 = tt.splat %arg8 : i32 -> tensor<1024xi32>
      %31 = arith.addi %30, %4 : tensor<1024xi32>
      %32 = arith.cmpi slt, %31, %5 : tensor<1024xi32>
      %33 = tt.addptr %6, %31 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %34 = tt.load %33, %32, %cst evictionPolicy = evict_last : tensor<1024x!tt.ptr<f16>>
      %35 = arith.extf %34 : tensor<1024xf16> to tensor<1024xf32>
      %36 = arith.addf %arg9, %35 : tensor<1024xf32>
      scf.yield %36 : tensor<1024xf32>
    }
    %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %30 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %30 : f32
    }) : (tensor<1024xf32>) -> f32
    %9 = arith.sitofp %arg6 : i32 to f32
    %10 = arith.divf %8, %9 : f32
    %11 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %12 = tt.splat %arg6 : i32 -> tensor<1024xi32>
    %13 = tt.splat %2 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %14 = tt.splat %10 : f32 -> tensor<1024xf32>
    %15 = scf.for %arg8 = %c0_i32 to %arg6 step %c1024_i32 iter_args(%arg9 = %cst_0) -> (tensor<1024xf32>)  : i32 {
      %30 = tt.splat %arg8 : i32 -> tensor<1024xi32>
      %31 = arith.addi %30, %11 : tensor<1024xi32>
      %32 = arith.cmpi slt, %31, %12 : tensor<1024xi32>
      %33 = tt.addptr %13, %31 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %34 = tt.load %33, %32, %cst : tensor<1024x!tt.ptr<f16>>
      %35 = arith.extf %34 : tensor<1024xf16> to tensor<1024xf32>
      %36 = arith.subf %35, %14 : tensor<1024xf32>
      %37 = arith.select %32, %36, %cst_0 : tensor<1024xi1>, tensor<1024xf32>
      %38 = arith.mulf %37, %37 : tensor<1024xf32>
      %39 = arith.addf %arg9, %38 : tensor<1024xf32>
      scf.yield %39 : tensor<1024xf32>
    }
    %16 = "tt.reduce"(%15) <{axis = 0 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %30 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %30 : f32
    }) : (tensor<1024xf32>) -> f32
    %17 = arith.divf %16, %9 : f32
    %18 = arith.addf %17, %arg7 : f32
    %19 = math.rsqrt %18 : f32
    %20 = tt.addptr %arg4, %0 : !tt.ptr<f32>, i32
    tt.store %20, %10 : !tt.ptr<f32>
    %21 = tt.addptr %arg5, %0 : !tt.ptr<f32>, i32
    tt.store %21, %19 : !tt.ptr<f32>
    %22 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %23 = tt.splat %arg6 : i32 -> tensor<1024xi32>
    %24 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %25 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %26 = tt.splat %2 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %27 = tt.splat %3 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %28 = tt.splat %10 : f32 -> tensor<1024xf32>
    %29 = tt.splat %19 : f32 -> tensor<1024xf32>
    scf.for %arg8 = %c0_i32 to %arg6 step %c1024_i32  : i32 {
      %30 = tt.splat %arg8 : i32 -> tensor<1024xi32>
      %31 = arith.addi %30, %22 : tensor<1024xi32>
      %32 = arith.cmpi slt, %31, %23 : tensor<1024xi32>
      %33 = tt.addptr %24, %31 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %34 = tt.load %33, %32 : tensor<1024x!tt.ptr<f32>>
      %35 = tt.addptr %25, %31 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %36 = tt.load %35, %32 : tensor<1024x!tt.ptr<f32>>
      %37 = tt.addptr %26, %31 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %38 = tt.load %37, %32, %cst cacheModifier = cg : tensor<1024x!tt.ptr<f16>>
      %39 = arith.extf %38 : tensor<1024xf16> to tensor<1024xf32>
      %40 = tt.addptr %27, %31 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %41 = arith.subf %39, %28 : tensor<1024xf32>
      %42 = arith.mulf %41, %29 : tensor<1024xf32>
      %43 = arith.mulf %42, %34 : tensor<1024xf32>
      %44 = arith.addf %43, %36 : tensor<1024xf32>
      %45 = arith.truncf %44 : tensor<1024xf32> to tensor<1024xf16>
      tt.store %40, %45, %32 : tensor<1024x!tt.ptr<f16>>
    }
    tt.return
  }
}
