#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [8], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @kernel(%arg0: i32, %arg1: tensor<16xf32, #blocked>, %arg2: tensor<64x16x!tt.ptr<f16>, #blocked1>, %arg3: tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<16xf32, #blocked> {
    %cst = arith.constant dense<1.000000e+00> : tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %0 = tt.load %arg2 : tensor<64x16x!tt.ptr<f16>, #blocked1>
    %1:2 = scf.for %arg4 = %arg0 to %arg0 step %arg0 iter_args(%arg5 = %arg1, %arg6 = %cst) -> (tensor<16xf32, #blocked>, tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>) : i32 {
      %2 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
      ^bb2(%arg7: f16, %arg8: f16):
        %3 = arith.addf %arg7, %arg8 : f16
        tt.reduce.return %3 : f16
      }) : (tensor<64x16xf16, #blocked1>) -> tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %4 = arith.mulf %arg6, %arg3 : tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %5 = arith.addf %4, %2 : tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
      scf.yield %arg1, %5 : tensor<16xf32, #blocked>, tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
    }
    tt.return %1#0 : tensor<16xf32, #blocked>
  }
}
