// until 3.7.1
module {
  tt.func public @matmul_block_pointer(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i64 {tt.divisibility = 16 : i32}, %arg7: i64 {tt.divisibility = 16 : i32}, %arg8: i64 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i64 = arith.constant 32 : i64
    %cst = arith.constant dense<0> : tensor<1x64xi64>
    %cst_0 = arith.constant dense<0> : tensor<32x1xi64>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %cst_2 = arith.constant dense<0> : tensor<1x32xi64>
    %cst_3 = arith.constant dense<0> : tensor<64x1xi64>
    %c0_i64 = arith.constant 0 : i64
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %c64_i32 : i32
    %4 = arith.extsi %arg3 : i32 to i64
    %5 = arith.extsi %arg5 : i32 to i64
    %6 = arith.extsi %1 : i32 to i64
    %7 = arith.extsi %arg4 : i32 to i64
    %8 = arith.extsi %3 : i32 to i64
    %9 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %10 = tt.splat %6 : i64 -> tensor<64xi64>
    %11 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %12 = arith.extsi %11 : tensor<64xi32> to tensor<64xi64>
    %13 = arith.addi %10, %12 : tensor<64xi64>
    %14 = tt.expand_dims %13 {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
    %15 = tt.splat %arg6 : i64 -> tensor<64x1xi64>
    %16 = arith.muli %14, %15 : tensor<64x1xi64>
    %17 = tt.broadcast %16 : tensor<64x1xi64> -> tensor<64x32xi64>
    %18 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %19 = arith.extsi %18 : tensor<32xi32> to tensor<32xi64>
    %20 = arith.cmpi sge, %14, %cst_3 : tensor<64x1xi64>
    %21 = tt.splat %4 : i64 -> tensor<64x1xi64>
    %22 = arith.cmpi slt, %14, %21 : tensor<64x1xi64>
    %23 = arith.andi %20, %22 : tensor<64x1xi1>
    %24 = tt.broadcast %23 : tensor<64x1xi1> -> tensor<64x32xi1>
    %25 = tt.splat %5 : i64 -> tensor<1x32xi64>
    %26 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %27 = tt.splat %arg7 : i64 -> tensor<32x1xi64>
    %28 = tt.splat %8 : i64 -> tensor<64xi64>
    %29 = arith.addi %28, %12 : tensor<64xi64>
    %30 = tt.expand_dims %29 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %31 = tt.broadcast %30 : tensor<1x64xi64> -> tensor<32x64xi64>
    %32 = tt.splat %5 : i64 -> tensor<32x1xi64>
    %33 = arith.cmpi sge, %30, %cst : tensor<1x64xi64>
    %34 = tt.splat %7 : i64 -> tensor<1x64xi64>
    %35 = arith.cmpi slt, %30, %34 : tensor<1x64xi64>
    %36 = arith.andi %33, %35 : tensor<1x64xi1>
    %37 = tt.broadcast %36 : tensor<1x64xi1> -> tensor<32x64xi1>
    %38:3 = scf.for %arg9 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg10 = %cst_4, %arg11 = %c0_i64, %arg12 = %c0_i64) -> (tensor<64x64xf32>, i64, i64)  : i32 {
      %66 = tt.splat %arg11 : i64 -> tensor<32xi64>
      %67 = arith.addi %66, %19 : tensor<32xi64>
      %68 = tt.expand_dims %67 {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
      %69 = tt.broadcast %68 : tensor<1x32xi64> -> tensor<64x32xi64>
      %70 = arith.addi %17, %69 : tensor<64x32xi64>
      %71 = tt.addptr %9, %70 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi64>
      %72 = arith.cmpi sge, %68, %cst_2 : tensor<1x32xi64>
      %73 = arith.cmpi slt, %68, %25 : tensor<1x32xi64>
      %74 = arith.andi %72, %73 : tensor<1x32xi1>
      %75 = tt.broadcast %74 : tensor<1x32xi1> -> tensor<64x32xi1>
      %76 = arith.andi %24, %75 : tensor<64x32xi1>
      %77 = tt.load %71, %76, %cst_1 : tensor<64x32x!tt.ptr<f16>>
      %78 = tt.splat %arg12 : i64 -> tensor<32xi64>
      %79 = arith.addi %78, %19 : tensor<32xi64>
      %80 = tt.expand_dims %79 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
      %81 = arith.muli %80, %27 : tensor<32x1xi64>
      %82 = tt.broadcast %81 : tensor<32x1xi64> -> tensor<32x64xi64>
      %83 = arith.addi %82, %31 : tensor<32x64xi64>
      %84 = tt.addptr %26, %83 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
      %85 = arith.cmpi sge, %80, %cst_0 : tensor<32x1xi64>
      %86 = arith.cmpi slt, %80, %32 : tensor<32x1xi64>
      %87 = arith.andi %85, %86 : tensor<32x1xi1>
      %88 = tt.broadcast %87 : tensor<32x1xi1> -> tensor<32x64xi1>
      %89 = arith.andi %88, %37 : tensor<32x64xi1>
      %90 = tt.load %84, %89 : tensor<32x64x!tt.ptr<f16>>
      %91 = tt.dot %77, %90, %arg10, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %92 = arith.addi %arg11, %c32_i64 : i64
      %93 = arith.addi %arg12, %c32_i64 : i64
      scf.yield %91, %92, %93 : tensor<64x64xf32>, i64, i64
    }
    %39 = arith.truncf %38#0 : tensor<64x64xf32> to tensor<64x64xf16>
    %40 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %41 = tt.splat %6 : i64 -> tensor<64xi64>
    %42 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %43 = arith.extsi %42 : tensor<64xi32> to tensor<64xi64>
    %44 = arith.addi %41, %43 : tensor<64xi64>
    %45 = tt.expand_dims %44 {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
    %46 = tt.splat %arg8 : i64 -> tensor<64x1xi64>
    %47 = arith.muli %45, %46 : tensor<64x1xi64>
    %48 = tt.broadcast %47 : tensor<64x1xi64> -> tensor<64x64xi64>
    %49 = tt.splat %8 : i64 -> tensor<64xi64>
    %50 = arith.addi %49, %43 : tensor<64xi64>
    %51 = tt.expand_dims %50 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %52 = tt.broadcast %51 : tensor<1x64xi64> -> tensor<64x64xi64>
    %53 = arith.addi %48, %52 : tensor<64x64xi64>
    %54 = tt.addptr %40, %53 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi64>
    %55 = arith.cmpi sge, %45, %cst_3 : tensor<64x1xi64>
    %56 = tt.splat %4 : i64 -> tensor<64x1xi64>
    %57 = arith.cmpi slt, %45, %56 : tensor<64x1xi64>
    %58 = arith.andi %55, %57 : tensor<64x1xi1>
    %59 = tt.broadcast %58 : tensor<64x1xi1> -> tensor<64x64xi1>
    %60 = arith.cmpi sge, %51, %cst : tensor<1x64xi64>
    %61 = tt.splat %7 : i64 -> tensor<1x64xi64>
    %62 = arith.cmpi slt, %51, %61 : tensor<1x64xi64>
    %63 = arith.andi %60, %62 : tensor<1x64xi1>
    %64 = tt.broadcast %63 : tensor<1x64xi1> -> tensor<64x64xi1>
    %65 = arith.andi %59, %64 : tensor<64x64xi1>
    tt.store %54, %39, %65 : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
