module {
  tt.func public @matmul_masked(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.00999999977> : tensor<128x128xf32>
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x128xf16>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<64> : tensor<128x64xi32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg4, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c128_i32 : i32
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %16 = tt.splat %14 : i32 -> tensor<128xi32>
    %17 = arith.addi %16, %15 : tensor<128xi32>
    %18 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %19 = arith.remsi %17, %18 : tensor<128xi32>
    %20 = arith.muli %13, %c128_i32 : i32
    %21 = tt.splat %20 : i32 -> tensor<128xi32>
    %22 = arith.addi %21, %15 : tensor<128xi32>
    %23 = tt.splat %arg4 : i32 -> tensor<128xi32>
    %24 = arith.remsi %22, %23 : tensor<128xi32>
    %25 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %26 = tt.expand_dims %19 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %27 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %28 = arith.muli %26, %27 : tensor<128x1xi32>
    %29 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %30 = tt.addptr %29, %28 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %31 = tt.expand_dims %25 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %32 = tt.broadcast %30 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %33 = tt.broadcast %31 : tensor<1x64xi32> -> tensor<128x64xi32>
    %34 = tt.addptr %32, %33 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %36 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %37 = arith.muli %35, %36 : tensor<64x1xi32>
    %38 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %39 = tt.addptr %38, %37 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %40 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %41 = tt.broadcast %39 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x128x!tt.ptr<f16>>
    %42 = tt.broadcast %40 : tensor<1x128xi32> -> tensor<64x128xi32>
    %43 = tt.addptr %41, %42 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
    %44 = arith.addi %arg5, %c63_i32 : i32
    %45 = arith.divsi %44, %c64_i32 : i32
    %46 = arith.muli %arg7, %c64_i32 : i32
    %47 = tt.splat %46 : i32 -> tensor<64x128xi32>
    %48:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %cst_0, %arg11 = %34, %arg12 = %43) -> (tensor<128x128xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>)  : i32 {
      %69 = arith.muli %arg9, %c64_i32 : i32
      %70 = arith.subi %arg5, %69 : i32
      %71 = tt.splat %70 : i32 -> tensor<1x64xi32>
      %72 = arith.cmpi slt, %31, %71 : tensor<1x64xi32>
      %73 = tt.broadcast %72 : tensor<1x64xi1> -> tensor<128x64xi1>
      %74 = tt.load %arg11, %73, %cst_2 : tensor<128x64x!tt.ptr<f16>>
      %75 = tt.splat %70 : i32 -> tensor<64x1xi32>
      %76 = arith.cmpi slt, %35, %75 : tensor<64x1xi32>
      %77 = tt.broadcast %76 : tensor<64x1xi1> -> tensor<64x128xi1>
      %78 = tt.load %arg12, %77, %cst_1 : tensor<64x128x!tt.ptr<f16>>
      %79 = tt.dot %74, %78, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      %80 = tt.addptr %arg11, %cst_3 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %81 = tt.addptr %arg12, %47 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
      scf.yield %79, %80, %81 : tensor<128x128xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>
    }
    %49 = arith.cmpf oge, %48#0, %cst_0 : tensor<128x128xf32>
    %50 = arith.mulf %48#0, %cst : tensor<128x128xf32>
    %51 = arith.select %49, %48#0, %50 : tensor<128x128xi1>, tensor<128x128xf32>
    %52 = arith.truncf %51 : tensor<128x128xf32> to tensor<128x128xf16>
    %53 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %54 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %55 = arith.muli %53, %54 : tensor<128x1xi32>
    %56 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %57 = tt.addptr %56, %55 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %58 = tt.expand_dims %22 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %59 = tt.broadcast %57 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %60 = tt.broadcast %58 : tensor<1x128xi32> -> tensor<128x128xi32>
    %61 = tt.addptr %59, %60 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %62 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %63 = arith.cmpi slt, %53, %62 : tensor<128x1xi32>
    %64 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
    %65 = arith.cmpi slt, %58, %64 : tensor<1x128xi32>
    %66 = tt.broadcast %63 : tensor<128x1xi1> -> tensor<128x128xi1>
    %67 = tt.broadcast %65 : tensor<1x128xi1> -> tensor<128x128xi1>
    %68 = arith.andi %66, %67 : tensor<128x128xi1>
    tt.store %61, %52, %68 : tensor<128x128x!tt.ptr<f16>>
    tt.return
  }
}
