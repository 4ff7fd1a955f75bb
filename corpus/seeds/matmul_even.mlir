module {
  tt.func public @matmul_even(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<32> : tensor<64x32xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %8 = tt.splat %6 : i32 -> tensor<128xi32>
    %9 = arith.addi %8, %7 : tensor<128xi32>
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %12 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %13 = arith.muli %11, %12 : tensor<64x1xi32>
    %14 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %15 = tt.addptr %14, %13 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %16 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %17 = tt.broadcast %15 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %18 = tt.broadcast %16 : tensor<1x32xi32> -> tensor<64x32xi32>
    %19 = tt.addptr %17, %18 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %20 = tt.expand_dims %10 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %21 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
    %22 = arith.muli %20, %21 : tensor<32x1xi32>
    %23 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
    %24 = tt.addptr %23, %22 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
    %25 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %26 = tt.broadcast %24 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x128x!tt.ptr<bf16>>
    %27 = tt.broadcast %25 : tensor<1x128xi32> -> tensor<32x128xi32>
    %28 = tt.addptr %26, %27 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
    %29 = arith.muli %arg3, %c32_i32 : i32
    %30 = tt.splat %29 : i32 -> tensor<32x128xi32>
    %31:3 = scf.for %arg5 = %c0_i32 to %arg4 step %c32_i32 iter_args(%arg6 = %cst_0, %arg7 = %19, %arg8 = %28) -> (tensor<64x128xf32>, tensor<64x32x!tt.ptr<bf16>>, tensor<32x128x!tt.ptr<bf16>>)  : i32 {
      %40 = tt.load %arg7 : tensor<64x32x!tt.ptr<bf16>>
      %41 = tt.load %arg8 : tensor<32x128x!tt.ptr<bf16>>
      %42 = tt.dot %40, %41, %arg6, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x128xbf16> -> tensor<64x128xf32>
      %43 = tt.addptr %arg7, %cst : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %44 = tt.addptr %arg8, %30 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
      scf.yield %42, %43, %44 : tensor<64x128xf32>, tensor<64x32x!tt.ptr<bf16>>, tensor<32x128x!tt.ptr<bf16>>
    }
    %32 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %33 = arith.muli %11, %32 : tensor<64x1xi32>
    %34 = tt.splat %arg2 : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %35 = tt.addptr %34, %33 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %36 = tt.broadcast %35 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x128x!tt.ptr<bf16>>
    %37 = tt.broadcast %25 : tensor<1x128xi32> -> tensor<64x128xi32>
    %38 = tt.addptr %36, %37 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
    %39 = arith.truncf %31#0 : tensor<64x128xf32> to tensor<64x128xbf16>
    tt.store %38, %39 : tensor<64x128x!tt.ptr<bf16>>
    tt.return
  }
}
