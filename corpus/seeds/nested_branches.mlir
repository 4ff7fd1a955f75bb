module {
  tt.func public @nested_branches(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant 8.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = arith.cmpi eq, %arg3, %c0_i32 : i32
    %2:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst, %arg6 = %cst_2) -> (tensor<128xf32>, f32)  : i32 {
      %7 = arith.muli %arg4, %c128_i32 : i32
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %10 = tt.addptr %9, %0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %11 = tt.load %10 : tensor<128x!tt.ptr<f32>>
      %12:2 = scf.if %1 -> (tensor<128xf32>, f32) {
        %13 = arith.addf %arg5, %11 : tensor<128xf32>
        scf.yield %13, %arg6 : tensor<128xf32>, f32
      } else {
        %13 = arith.cmpi slt, %arg3, %c3_i32 : i32
        %14:2 = scf.if %13 -> (tensor<128xf32>, f32) {
          %15 = arith.remsi %arg4, %c2_i32 : i32
          %16 = arith.cmpi eq, %15, %c0_i32 : i32
          %17:2 = scf.if %16 -> (tensor<128xf32>, f32) {
            %18 = arith.maxnumf %arg5, %11 : tensor<128xf32>
            %19 = arith.mulf %arg6, %cst_1 : f32
            scf.yield %18, %19 : tensor<128xf32>, f32
          } else {
            %18 = arith.subf %arg5, %11 : tensor<128xf32>
            scf.yield %18, %arg6 : tensor<128xf32>, f32
          }
          scf.yield %17#0, %17#1 : tensor<128xf32>, f32
        } else {
          %15 = "tt.reduce"(%11) <{axis = 0 : i32}> ({
          ^bb0(%arg7: f32, %arg8: f32):
            %16 = arith.addf %arg7, %arg8 : f32
            tt.reduce.return %16 : f32
          }) : (tensor<128xf32>) -> f32
          scf.yield %arg5, %15 : tensor<128xf32>, f32
        }
        scf.yield %14#0, %14#1 : tensor<128xf32>, f32
      }
      scf.yield %12#0, %12#1 : tensor<128xf32>, f32
    }
    %3 = arith.cmpf ogt, %2#1, %cst_0 : f32
    %4 = scf.if %3 -> (tensor<128xf32>) {
      %7 = tt.splat %2#1 : f32 -> tensor<128xf32>
      %8 = arith.divf %2#0, %7 : tensor<128xf32>
      scf.yield %8 : tensor<128xf32>
    } else {
      scf.yield %2#0 : tensor<128xf32>
    }
    %5 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %6 = tt.addptr %5, %0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %6, %4 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
