// needs 3.6.0
// until 3.7.1
module {
  tt.func public @matmul_descriptor(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<1x128xi64>
    %cst_0 = arith.constant dense<0> : tensor<1x64xi64>
    %cst_1 = arith.constant dense<0> : tensor<128x1xi64>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = arith.extsi %arg3 : i32 to i64
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.get_program_id x : i32
    %4 = arith.muli %3, %c128_i32 : i32
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst_3) -> (tensor<128x128xf32>)  : i32 {
      %37 = arith.extsi %4 : i32 to i64
      %38 = arith.extsi %arg6 : i32 to i64
      %39 = tt.splat %37 : i64 -> tensor<128xi64>
      %40 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %41 = arith.extsi %40 : tensor<128xi32> to tensor<128xi64>
      %42 = arith.addi %39, %41 : tensor<128xi64>
      %43 = tt.expand_dims %42 {axis = 1 : i32} : tensor<128xi64> -> tensor<128x1xi64>
      %44 = tt.splat %38 : i64 -> tensor<64xi64>
      %45 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %46 = arith.extsi %45 : tensor<64xi32> to tensor<64xi64>
      %47 = arith.addi %44, %46 : tensor<64xi64>
      %48 = tt.expand_dims %47 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
      %49 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
      %50 = tt.splat %0 : i64 -> tensor<128x1xi64>
      %51 = arith.muli %43, %50 : tensor<128x1xi64>
      %52 = tt.broadcast %51 : tensor<128x1xi64> -> tensor<128x64xi64>
      %53 = tt.broadcast %48 : tensor<1x64xi64> -> tensor<128x64xi64>
      %54 = arith.addi %52, %53 : tensor<128x64xi64>
      %55 = tt.addptr %49, %54 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi64>
      %56 = arith.cmpi sge, %43, %cst_1 : tensor<128x1xi64>
      %57 = tt.splat %1 : i64 -> tensor<128x1xi64>
      %58 = arith.cmpi slt, %43, %57 : tensor<128x1xi64>
      %59 = arith.andi %56, %58 : tensor<128x1xi1>
      %60 = tt.broadcast %59 : tensor<128x1xi1> -> tensor<128x64xi1>
      %61 = arith.cmpi sge, %48, %cst_0 : tensor<1x64xi64>
      %62 = tt.splat %0 : i64 -> tensor<1x64xi64>
      %63 = arith.cmpi slt, %48, %62 : tensor<1x64xi64>
      %64 = arith.andi %61, %63 : tensor<1x64xi1>
      %65 = tt.broadcast %64 : tensor<1x64xi1> -> tensor<128x64xi1>
      %66 = arith.andi %60, %65 : tensor<128x64xi1>
      %67 = tt.load %55, %66, %cst_2 : tensor<128x64x!tt.ptr<f16>>
      %68 = arith.extsi %6 : i32 to i64
      %69 = tt.splat %68 : i64 -> tensor<128xi64>
      %70 = arith.addi %69, %41 : tensor<128xi64>
      %71 = tt.expand_dims %70 {axis = 1 : i32} : tensor<128xi64> -> tensor<128x1xi64>
      %72 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
      %73 = arith.muli %71, %50 : tensor<128x1xi64>
      %74 = tt.broadcast %73 : tensor<128x1xi64> -> tensor<128x64xi64>
      %75 = arith.addi %74, %53 : tensor<128x64xi64>
      %76 = tt.addptr %72, %75 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi64>
      %77 = arith.cmpi sge, %71, %cst_1 : tensor<128x1xi64>
      %78 = tt.splat %2 : i64 -> tensor<128x1xi64>
      %79 = arith.cmpi slt, %71, %78 : tensor<128x1xi64>
      %80 = arith.andi %77, %79 : tensor<128x1xi1>
      %81 = tt.broadcast %80 : tensor<128x1xi1> -> tensor<128x64xi1>
      %82 = arith.andi %81, %65 : tensor<128x64xi1>
      %83 = tt.load %76, %82, %cst_2 : tensor<128x64x!tt.ptr<f16>>
      %84 = tt.trans %83 {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
      %85 = tt.dot %67, %84, %arg7, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %85 : tensor<128x128xf32>
    }
    %8 = arith.truncf %7 : tensor<128x128xf32> to tensor<128x128xf16>
    %9 = arith.extsi %4 : i32 to i64
    %10 = arith.extsi %6 : i32 to i64
    %11 = tt.splat %9 : i64 -> tensor<128xi64>
    %12 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %13 = arith.extsi %12 : tensor<128xi32> to tensor<128xi64>
    %14 = arith.addi %11, %13 : tensor<128xi64>
    %15 = tt.expand_dims %14 {axis = 1 : i32} : tensor<128xi64> -> tensor<128x1xi64>
    %16 = tt.splat %10 : i64 -> tensor<128xi64>
    %17 = arith.addi %16, %13 : tensor<128xi64>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<128xi64> -> tensor<1x128xi64>
    %19 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x128x!tt.ptr<f16>>
    %20 = tt.splat %2 : i64 -> tensor<128x1xi64>
    %21 = arith.muli %15, %20 : tensor<128x1xi64>
    %22 = tt.broadcast %21 : tensor<128x1xi64> -> tensor<128x128xi64>
    %23 = tt.broadcast %18 : tensor<1x128xi64> -> tensor<128x128xi64>
    %24 = arith.addi %22, %23 : tensor<128x128xi64>
    %25 = tt.addptr %19, %24 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi64>
    %26 = arith.cmpi sge, %15, %cst_1 : tensor<128x1xi64>
    %27 = tt.splat %1 : i64 -> tensor<128x1xi64>
    %28 = arith.cmpi slt, %15, %27 : tensor<128x1xi64>
    %29 = arith.andi %26, %28 : tensor<128x1xi1>
    %30 = tt.broadcast %29 : tensor<128x1xi1> -> tensor<128x128xi1>
    %31 = arith.cmpi sge, %18, %cst : tensor<1x128xi64>
    %32 = tt.splat %2 : i64 -> tensor<1x128xi64>
    %33 = arith.cmpi slt, %18, %32 : tensor<1x128xi64>
    %34 = arith.andi %31, %33 : tensor<1x128xi1>
    %35 = tt.broadcast %34 : tensor<1x128xi1> -> tensor<128x128xi1>
    %36 = arith.andi %30, %35 : tensor<128x128xi1>
    tt.store %25, %8, %36 : tensor<128x128x!tt.ptr<f16>>
    tt.return
  }
}
