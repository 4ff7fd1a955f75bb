module {
  tt.func public @early_return(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = arith.cmpi sge, %1, %arg2 : i32
    cf.cond_br %2, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return
  ^bb2:  // pred: ^bb0
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %4 = tt.splat %1 : i32 -> tensor<128xi32>
    %5 = arith.addi %4, %3 : tensor<128xi32>
    %6 = tt.splat %arg2 : i32 -> tensor<128xi32>
    %7 = arith.cmpi slt, %5, %6 : tensor<128xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %9 = tt.addptr %8, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %10 = tt.load %9, %7 : tensor<128x!tt.ptr<f32>>
    %11 = arith.cmpi sgt, %arg3, %c4_i32 : i32
    cf.cond_br %11, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    %12 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %13 = tt.addptr %12, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %13, %10, %7 : tensor<128x!tt.ptr<f32>>
    tt.return
  ^bb4:  // pred: ^bb2
    %14 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %10) -> (tensor<128xf32>)  : i32 {
      %24 = arith.sitofp %arg4 : i32 to f32
      %25 = tt.splat %24 : f32 -> tensor<128xf32>
      %26 = arith.addf %arg5, %25 : tensor<128xf32>
      scf.yield %26 : tensor<128xf32>
    }
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %16 = tt.addptr %15, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %17 = "tt.reduce"(%14) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %24 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %24 : f32
    }) : (tensor<128xf32>) -> f32
    %18 = arith.cmpi eq, %arg3, %c1_i32 : i32
    cf.cond_br %18, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    %19 = arith.addf %17, %cst : f32
    cf.br ^bb7(%19 : f32)
  ^bb6:  // pred: ^bb4
    %20 = arith.mulf %17, %cst_0 : f32
    cf.br ^bb7(%20 : f32)
  ^bb7(%21: f32):  // 2 preds: ^bb5, ^bb6
    %22 = tt.splat %21 : f32 -> tensor<128xf32>
    %23 = arith.mulf %14, %22 : tensor<128xf32>
    tt.store %16, %23, %7 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
