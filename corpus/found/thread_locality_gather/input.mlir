#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [1, 2], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%x: tensor<2x1xf32, #blocked>, %index: tensor<2x32xi32, #blocked1>) -> tensor<2x32xf32, #blocked1> {
    %gather = tt.gather %x[%index] {axis = 1 : i32} : (tensor<2x1xf32, #blocked>, tensor<2x32xi32, #blocked1>) -> tensor<2x32xf32, #blocked1>
    tt.return %gather : tensor<2x32xf32, #blocked1>
  }
}
