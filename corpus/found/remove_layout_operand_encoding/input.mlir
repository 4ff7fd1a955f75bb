#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%x: tensor<1x1xf32, #mma>, %ptr: tensor<1x1x!tt.ptr<f32>, #blocked>) {
    %x_0 = ttg.convert_layout %x : tensor<1x1xf32, #mma> -> tensor<1x1xf32, #blocked>
    %atomic_rmw = tt.atomic_rmw fadd, acq_rel, gpu, %ptr, %x_0 : (tensor<1x1x!tt.ptr<f32>, #blocked>, tensor<1x1xf32, #blocked>) -> tensor<1x1xf32, #blocked>
    %atomic_rmw_0 = ttg.convert_layout %atomic_rmw : tensor<1x1xf32, #blocked> -> tensor<1x1xf32, #blocked1>
    tt.return
  }
}
