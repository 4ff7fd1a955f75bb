#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 1 : i32, "triton_gpu.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%cond: i1, %x: tensor<1xf16, #blocked>, %x_0: tensor<1xf16, #blocked>, %x_1: f16) -> f16 {
    %picked = arith.select %cond, %x, %x_0 : tensor<1xf16, #blocked>
    %picked_0 = scf.if %cond -> (f16) {
      %combined = "tt.reduce"(%picked) <{axis = 0 : i32}> ({
      ^bb2(%lhs: f16, %rhs: f16):
        tt.reduce.return %lhs : f16
      }) : (tensor<1xf16, #blocked>) -> f16
      scf.yield %combined : f16
    } else {
      scf.yield %x_1 : f16
    }
    tt.return %picked_0 : f16
  }
}
