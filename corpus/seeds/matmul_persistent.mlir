module {
  tt.func public @matmul_persistent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c127_i32 = arith.constant 127 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c108_i32 = arith.constant 108 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg4, %c63_i32 : i32
    %2 = arith.divsi %1, %c64_i32 : i32
    %3 = arith.addi %arg3, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
    %5 = arith.muli %4, %2 : i32
    %6 = arith.addi %arg5, %c63_i32 : i32
    %7 = arith.divsi %6, %c64_i32 : i32
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %10 = tt.splat %arg5 : i32 -> tensor<1x64xi32>
    %11 = tt.splat %arg5 : i32 -> tensor<128x1xi32>
    %12 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %13 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %14 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %15 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %16 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %17 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %18 = tt.splat %arg4 : i32 -> tensor<128x1xi32>
    %19 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    scf.for %arg6 = %0 to %5 step %c108_i32  : i32 {
      %20 = arith.divsi %arg6, %2 : i32
      %21 = arith.muli %20, %c128_i32 : i32
      %22 = tt.splat %21 : i32 -> tensor<128xi32>
      %23 = arith.addi %22, %9 {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<128> : tensor<1xi32>} : tensor<128xi32>
      %24 = arith.remsi %arg6, %2 : i32
      %25 = arith.muli %24, %c64_i32 : i32
      %26 = tt.splat %25 : i32 -> tensor<64xi32>
      %27 = arith.addi %26, %8 : tensor<64xi32>
      %28 = tt.expand_dims %23 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %29 = arith.muli %28, %11 : tensor<128x1xi32>
      %30 = tt.addptr %12, %29 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %31 = tt.broadcast %30 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %32 = tt.expand_dims %27 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %33 = tt.broadcast %32 : tensor<1x64xi32> -> tensor<64x64xi32>
      %34 = scf.for %arg7 = %c0_i32 to %7 step %c1_i32 iter_args(%arg8 = %cst) -> (tensor<128x64xf32>)  : i32 {
        %48 = arith.muli %arg7, %c64_i32 : i32
        %49 = tt.splat %48 : i32 -> tensor<64xi32>
        %50 = arith.addi %49, %8 : tensor<64xi32>
        %51 = tt.expand_dims %50 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %52 = arith.cmpi slt, %51, %10 : tensor<1x64xi32>
        %53 = tt.broadcast %51 : tensor<1x64xi32> -> tensor<128x64xi32>
        %54 = tt.addptr %31, %53 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
        %55 = tt.broadcast %52 : tensor<1x64xi1> -> tensor<128x64xi1>
        %56 = tt.load %54, %55, %cst_1 : tensor<128x64x!tt.ptr<f16>>
        %57 = tt.expand_dims %50 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %58 = arith.cmpi slt, %57, %13 : tensor<64x1xi32>
        %59 = arith.muli %57, %14 : tensor<64x1xi32>
        %60 = tt.addptr %15, %59 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
        %61 = tt.broadcast %60 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %62 = tt.addptr %61, %33 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %63 = tt.broadcast %58 : tensor<64x1xi1> -> tensor<64x64xi1>
        %64 = tt.load %62, %63, %cst_0 : tensor<64x64x!tt.ptr<f16>>
        %65 = tt.dot %56, %64, %arg8, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        scf.yield %65 : tensor<128x64xf32>
      } {tt.num_stages = 3 : i32}
      %35 = tt.expand_dims %23 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %36 = arith.cmpi slt, %35, %16 : tensor<128x1xi32>
      %37 = tt.expand_dims %27 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %38 = arith.cmpi slt, %37, %17 : tensor<1x64xi32>
      %39 = tt.broadcast %36 : tensor<128x1xi1> -> tensor<128x64xi1>
      %40 = tt.broadcast %38 : tensor<1x64xi1> -> tensor<128x64xi1>
      %41 = arith.andi %39, %40 : tensor<128x64xi1>
      %42 = arith.muli %35, %18 : tensor<128x1xi32>
      %43 = tt.addptr %19, %42 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %44 = tt.broadcast %43 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %45 = tt.broadcast %37 : tensor<1x64xi32> -> tensor<128x64xi32>
      %46 = tt.addptr %44, %45 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %47 = arith.truncf %34 : tensor<128x64xf32> to tensor<128x64xf16>
      tt.store %46, %47, %41 : tensor<128x64x!tt.ptr<f16>>
    }
    tt.return
  }
}
