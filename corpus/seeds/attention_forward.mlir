module {
  tt.func public @attention_forward(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: f32, %arg6: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %cst_2 = arith.constant dense<64> : tensor<64x1xi32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<128x64xf32>
    %cst_4 = arith.constant dense<64> : tensor<1x64xi32>
    %cst_5 = arith.constant 1.44269502 : f32
    %cst_6 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_8 = arith.constant dense<64> : tensor<128x1xi32>
    %c64_i64 = arith.constant 64 : i64
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.extsi %2 : i32 to i64
    %4 = arith.extsi %arg6 : i32 to i64
    %5 = arith.muli %3, %4 : i64
    %6 = arith.muli %5, %c64_i64 : i64
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %8 = tt.splat %1 : i32 -> tensor<128xi32>
    %9 = arith.addi %8, %7 : tensor<128xi32>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %11 = tt.expand_dims %9 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %12 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %13 = arith.cmpi slt, %11, %12 : tensor<128x1xi32>
    %14 = tt.addptr %arg0, %6 : !tt.ptr<f16>, i64
    %15 = arith.muli %11, %cst_8 : tensor<128x1xi32>
    %16 = tt.splat %14 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %17 = tt.addptr %16, %15 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %18 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %19 = tt.broadcast %17 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %20 = tt.broadcast %18 : tensor<1x64xi32> -> tensor<128x64xi32>
    %21 = tt.addptr %19, %20 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %22 = tt.broadcast %13 : tensor<128x1xi1> -> tensor<128x64xi1>
    %23 = tt.load %21, %22, %cst_1 : tensor<128x64x!tt.ptr<f16>>
    %24 = arith.mulf %arg5, %cst_5 : f32
    %25 = arith.addi %1, %c128_i32 : i32
    %26 = tt.splat %arg6 : i32 -> tensor<1x64xi32>
    %27 = tt.addptr %arg1, %6 : !tt.ptr<f16>, i64
    %28 = tt.splat %27 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
    %29 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %30 = tt.broadcast %29 : tensor<64x1xi32> -> tensor<64x64xi32>
    %31 = tt.splat %24 : f32 -> tensor<128x64xf32>
    %32 = tt.broadcast %11 : tensor<128x1xi32> -> tensor<128x64xi32>
    %33 = tt.splat %arg6 : i32 -> tensor<64x1xi32>
    %34 = tt.addptr %arg2, %6 : !tt.ptr<f16>, i64
    %35 = tt.splat %34 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %36 = tt.broadcast %18 : tensor<1x64xi32> -> tensor<64x64xi32>
    %37:3 = scf.for %arg7 = %c0_i32 to %25 step %c64_i32 iter_args(%arg8 = %cst, %arg9 = %cst_7, %arg10 = %cst_6) -> (tensor<128xf32>, tensor<128x64xf32>, tensor<128xf32>)  : i32 {
      %55 = tt.splat %arg7 : i32 -> tensor<64xi32>
      %56 = arith.addi %55, %10 : tensor<64xi32>
      %57 = tt.expand_dims %56 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %58 = arith.cmpi slt, %57, %26 : tensor<1x64xi32>
      %59 = arith.muli %57, %cst_4 : tensor<1x64xi32>
      %60 = tt.addptr %28, %59 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
      %61 = tt.broadcast %60 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %62 = tt.addptr %61, %30 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %63 = tt.broadcast %58 : tensor<1x64xi1> -> tensor<64x64xi1>
      %64 = tt.load %62, %63, %cst_0 : tensor<64x64x!tt.ptr<f16>>
      %65 = tt.dot %23, %64, %cst_7, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %66 = arith.mulf %65, %31 : tensor<128x64xf32>
      %67 = tt.broadcast %57 : tensor<1x64xi32> -> tensor<128x64xi32>
      %68 = arith.cmpi sge, %32, %67 : tensor<128x64xi32>
      %69 = arith.select %68, %66, %cst_3 : tensor<128x64xi1>, tensor<128x64xf32>
      %70 = "tt.reduce"(%69) <{axis = 1 : i32}> ({
      ^bb0(%arg11: f32, %arg12: f32):
        %94 = arith.maxnumf %arg11, %arg12 : f32
        tt.reduce.return %94 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %71 = arith.maxnumf %arg10, %70 : tensor<128xf32>
      %72 = tt.expand_dims %71 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %73 = tt.broadcast %72 : tensor<128x1xf32> -> tensor<128x64xf32>
      %74 = arith.subf %69, %73 : tensor<128x64xf32>
      %75 = math.exp2 %74 : tensor<128x64xf32>
      %76 = arith.subf %arg10, %71 : tensor<128xf32>
      %77 = math.exp2 %76 : tensor<128xf32>
      %78 = arith.mulf %arg8, %77 : tensor<128xf32>
      %79 = "tt.reduce"(%75) <{axis = 1 : i32}> ({
      ^bb0(%arg11: f32, %arg12: f32):
        %94 = arith.addf %arg11, %arg12 : f32
        tt.reduce.return %94 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %80 = arith.addf %78, %79 : tensor<128xf32>
      %81 = tt.expand_dims %56 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %82 = arith.cmpi slt, %81, %33 : tensor<64x1xi32>
      %83 = arith.muli %81, %cst_2 : tensor<64x1xi32>
      %84 = tt.addptr %35, %83 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %85 = tt.broadcast %84 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %86 = tt.addptr %85, %36 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %87 = tt.broadcast %82 : tensor<64x1xi1> -> tensor<64x64xi1>
      %88 = tt.load %86, %87, %cst_0 : tensor<64x64x!tt.ptr<f16>>
      %89 = arith.truncf %75 : tensor<128x64xf32> to tensor<128x64xf16>
      %90 = tt.expand_dims %77 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %91 = tt.broadcast %90 : tensor<128x1xf32> -> tensor<128x64xf32>
      %92 = arith.mulf %arg9, %91 : tensor<128x64xf32>
      %93 = tt.dot %89, %88, %92, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %80, %93, %71 : tensor<128xf32>, tensor<128x64xf32>, tensor<128xf32>
    } {tt.divisibility_arg1 = dense<64> : tensor<1xi32>}
    %38 = tt.expand_dims %37#0 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %39 = tt.broadcast %38 : tensor<128x1xf32> -> tensor<128x64xf32>
    %40 = arith.divf %37#1, %39 : tensor<128x64xf32>
    %41 = tt.splat %arg6 : i32 -> tensor<128xi32>
    %42 = arith.cmpi slt, %9, %41 : tensor<128xi32>
    %43 = arith.muli %2, %arg6 : i32
    %44 = tt.addptr %arg4, %43 : !tt.ptr<f32>, i32
    %45 = tt.splat %44 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %46 = tt.addptr %45, %9 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %47 = math.log2 %37#0 : tensor<128xf32>
    %48 = arith.addf %37#2, %47 : tensor<128xf32>
    tt.store %46, %48, %42 : tensor<128x!tt.ptr<f32>>
    %49 = tt.addptr %arg3, %6 : !tt.ptr<f16>, i64
    %50 = tt.splat %49 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %51 = tt.addptr %50, %15 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %52 = tt.broadcast %51 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %53 = tt.addptr %52, %20 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %54 = arith.truncf %40 : tensor<128x64xf32> to tensor<128x64xf16>
    tt.store %53, %54, %22 : tensor<128x64x!tt.ptr<f16>>
    tt.return
  }
}
