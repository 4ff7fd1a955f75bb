module {
  tt.func public @newton_while(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<5.000000e-01> : tensor<128xf32>
    %c50_i32 = arith.constant 50 : i32
    %cst_0 = arith.constant 9.99999997E-7 : f32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %cst_2 = arith.constant 1.000000e+00 : f32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.splat %arg2 : i32 -> tensor<128xi32>
    %6 = arith.cmpi slt, %4, %5 : tensor<128xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %9 = tt.load %8, %6, %cst_1 : tensor<128x!tt.ptr<f32>>
    %10:2 = scf.while (%arg3 = %cst_2, %arg4 = %9, %arg5 = %c0_i32) : (f32, tensor<128xf32>, i32) -> (tensor<128xf32>, i32) {
      %13 = arith.cmpf ogt, %arg3, %cst_0 : f32
      %14 = arith.cmpi slt, %arg5, %c50_i32 : i32
      %15 = arith.andi %13, %14 : i1
      scf.condition(%15) %arg4, %arg5 : tensor<128xf32>, i32
    } do {
    ^bb0(%arg3: tensor<128xf32>, %arg4: i32):
      %13 = arith.divf %9, %arg3 : tensor<128xf32>
      %14 = arith.addf %arg3, %13 : tensor<128xf32>
      %15 = arith.mulf %14, %cst : tensor<128xf32>
      %16 = arith.subf %15, %arg3 : tensor<128xf32>
      %17 = math.absf %16 : tensor<128xf32>
      %18 = "tt.reduce"(%17) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %20 = arith.maxnumf %arg5, %arg6 : f32
        tt.reduce.return %20 : f32
      }) : (tensor<128xf32>) -> f32
      %19 = arith.addi %arg4, %c1_i32 : i32
      scf.yield %18, %15, %19 : f32, tensor<128xf32>, i32
    }
    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %12 = tt.addptr %11, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %12, %10#0, %6 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
