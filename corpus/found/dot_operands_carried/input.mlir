#blocked = #triton_gpu.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#mma = #triton_gpu.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked2 = #triton_gpu.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 1 : i32, "triton_gpu.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%x: tensor<16x16xf16, #blocked>, %lower: i32, %upper: i32, %b: tensor<16x16xf16, #triton_gpu.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %acc: tensor<16x16xf32, #mma>, %ptr: tensor<16x16x!tt.ptr<f32>, #blocked1>, %x_0: tensor<16x16xf16, #blocked2>) {
    %x_1 = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #blocked2>
    %sum = arith.addf %x_1, %x_1 : tensor<16x16xf16, #blocked2>
    %loop = scf.for %i = %lower to %upper step %lower iter_args(%carried = %sum) -> (tensor<16x16xf16, #blocked2>) : i32 {
      %x_2 = triton_gpu.convert_layout %x_1 : tensor<16x16xf16, #blocked2> -> tensor<16x16xf16, #triton_gpu.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %acc_0 = tt.dot %x_2, %b, %acc : tensor<16x16xf16, #triton_gpu.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x16xf16, #triton_gpu.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x16xf32, #mma>
      %acc_1 = triton_gpu.convert_layout %acc_0 : tensor<16x16xf32, #mma> -> tensor<16x16xf32, #blocked1>
      tt.store %ptr, %acc_1 : tensor<16x16x!tt.ptr<f32>, #blocked1>
      %clampf = tt.clampf %carried, %x_0, %x_0, propagateNan = none : tensor<16x16xf16, #blocked2>
      scf.yield %clampf : tensor<16x16xf16, #blocked2>
    }
    tt.return
  }
}
