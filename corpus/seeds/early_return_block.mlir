// needs 3.6.0
module {
  tt.func public @early_return_block(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<128xf32>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %7 = tt.load %6 : tensor<128x!tt.ptr<f32>>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %9 = tt.addptr %8, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %10 = arith.cmpi eq, %arg2, %c1_i32 : i32
    cf.cond_br %10, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %11 = arith.addf %7, %cst : tensor<128xf32>
    cf.br ^bb3(%11 : tensor<128xf32>)
  ^bb2:  // pred: ^bb0
    %12 = arith.mulf %7, %cst_0 : tensor<128xf32>
    cf.br ^bb3(%12 : tensor<128xf32>)
  ^bb3(%13: tensor<128xf32>):  // 2 preds: ^bb1, ^bb2
    tt.store %9, %13 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
