module {
  tt.func public @matmul_int8(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: i32, %arg6: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<64x64xi32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %10 = tt.splat %arg6 : i32 -> tensor<64x1xi32>
    %11 = arith.muli %9, %10 : tensor<64x1xi32>
    %12 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
    %13 = tt.addptr %12, %11 : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
    %14 = tt.broadcast %13 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x64x!tt.ptr<i8>>
    %15 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %16 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
    %17 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %18 = tt.broadcast %17 : tensor<1x64xi32> -> tensor<64x64xi32>
    %19 = scf.for %arg7 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg8 = %cst) -> (tensor<64x64xi32>)  : i32 {
      %42 = tt.splat %arg7 : i32 -> tensor<64xi32>
      %43 = arith.addi %42, %2 : tensor<64xi32>
      %44 = tt.expand_dims %43 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %45 = tt.broadcast %44 : tensor<1x64xi32> -> tensor<64x64xi32>
      %46 = tt.addptr %14, %45 : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
      %47 = tt.load %46 : tensor<64x64x!tt.ptr<i8>>
      %48 = tt.expand_dims %43 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %49 = arith.muli %48, %15 : tensor<64x1xi32>
      %50 = tt.addptr %16, %49 : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
      %51 = tt.broadcast %50 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x64x!tt.ptr<i8>>
      %52 = tt.addptr %51, %18 : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
      %53 = tt.load %52 : tensor<64x64x!tt.ptr<i8>>
      %54 = tt.dot %47, %53, %arg8, inputPrecision = tf32 : tensor<64x64xi8> * tensor<64x64xi8> -> tensor<64x64xi32>
      scf.yield %54 : tensor<64x64xi32>
    }
    %20 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %21 = tt.addptr %20, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %22 = tt.load %21 : tensor<64x!tt.ptr<f32>>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %24 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %25 = tt.addptr %24, %8 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %26 = tt.load %25 : tensor<64x!tt.ptr<f32>>
    %27 = tt.expand_dims %26 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %28 = tt.broadcast %23 : tensor<64x1xf32> -> tensor<64x64xf32>
    %29 = tt.broadcast %27 : tensor<1x64xf32> -> tensor<64x64xf32>
    %30 = arith.mulf %28, %29 : tensor<64x64xf32>
    %31 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %32 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
    %33 = arith.muli %31, %32 : tensor<64x1xi32>
    %34 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %35 = tt.addptr %34, %33 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %36 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %37 = tt.broadcast %35 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %38 = tt.broadcast %36 : tensor<1x64xi32> -> tensor<64x64xi32>
    %39 = tt.addptr %37, %38 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %40 = arith.sitofp %19 : tensor<64x64xi32> to tensor<64x64xf32>
    %41 = arith.mulf %40, %30 : tensor<64x64xf32>
    tt.store %39, %41 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
