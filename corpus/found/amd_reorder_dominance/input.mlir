#amd_mfma = #triton_gpu.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [32, 32], isTransposed = true}>
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 64], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 1 : i32, "triton_gpu.threads-per-warp" = 64 : i32} {
  tt.func @kernel(%x: tensor<1x1xf32, #amd_mfma>, %cond: i1, %ptr: tensor<1x1x!tt.ptr<f32>, #blocked>, %n: i32, %ptr_0: !tt.ptr<f16>) {
    %x_0 = triton_gpu.convert_layout %x : tensor<1x1xf32, #amd_mfma> -> tensor<1x1xf32, #blocked>
    %picked = scf.if %cond -> (i32) {
      tt.store %ptr, %x_0 : tensor<1x1x!tt.ptr<f32>, #blocked>
      scf.yield %n : i32
    } else {
      scf.yield %n : i32
    }
    %ptr_1 = tt.addptr %ptr_0, %picked : !tt.ptr<f16>, i32
    %ptr_2 = tt.splat %ptr_1 : !tt.ptr<f16> -> tensor<1x!tt.ptr<f16>, #blocked1>
    %loaded = tt.load %ptr_2 : tensor<1x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}
