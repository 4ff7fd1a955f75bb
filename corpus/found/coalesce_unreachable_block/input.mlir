#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 8], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%arg0: tensor<1024x64xi32, #blocked>, %arg1: tensor<1024x64x!tt.ptr<i32>, #blocked>) {
    %0 = arith.constant false
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:
    %1 = tt.addptr %arg1, %arg0 : tensor<1024x64x!tt.ptr<i32>, #blocked>, tensor<1024x64xi32, #blocked>
    tt.store %1, %arg0 : tensor<1024x64x!tt.ptr<i32>, #blocked>
    tt.return
  ^bb2:
    tt.return
  }
}
