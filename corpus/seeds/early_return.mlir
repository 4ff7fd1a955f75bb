module {
  tt.func public @early_return(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<128xf32>
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
      %21 = tt.call @pick__fp32S128S_i32__(%arg5, %arg4) : (tensor<128xf32>, i32) -> tensor<128xf32>
      scf.yield %21 : tensor<128xf32>
    }
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %16 = tt.addptr %15, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %17 = arith.cmpi eq, %arg3, %c1_i32 : i32
    cf.cond_br %17, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    %18 = arith.addf %14, %cst : tensor<128xf32>
    cf.br ^bb7(%18 : tensor<128xf32>)
  ^bb6:  // pred: ^bb4
    %19 = arith.mulf %14, %cst_0 : tensor<128xf32>
    cf.br ^bb7(%19 : tensor<128xf32>)
  ^bb7(%20: tensor<128xf32>):  // 2 preds: ^bb5, ^bb6
    tt.store %16, %20, %7 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @pick__fp32S128S_i32__(%arg0: tensor<128xf32>, %arg1: i32) -> tensor<128xf32> attributes {noinline = false} {
    %cst = arith.constant dense<2.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.cmpi eq, %arg1, %c1_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %1 = arith.addf %arg0, %cst_0 : tensor<128xf32>
    tt.return %1 : tensor<128xf32>
  ^bb2:  // pred: ^bb0
    %2 = arith.mulf %arg0, %cst : tensor<128xf32>
    tt.return %2 : tensor<128xf32>
  }
}
