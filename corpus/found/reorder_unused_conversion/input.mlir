#blocked = #triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 1 : i32, "triton_gpu.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%x: tensor<1xf16, #triton_gpu.slice<{dim = 0, parent = #blocked}>>) {
    %x_0 = triton_gpu.convert_layout %x : tensor<1xf16, #triton_gpu.slice<{dim = 0, parent = #blocked}>> -> tensor<1xf16, #blocked1>
    tt.return
  }
}
