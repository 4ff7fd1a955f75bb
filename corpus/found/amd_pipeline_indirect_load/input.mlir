#amd_mfma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [32, 32, 8], isTransposed = true}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @kernel(%arg0: i32, %arg1: tensor<256x16xf16, #ttg.dot_op<{opIdx = 0, parent = #amd_mfma, kWidth = 4}>>, %arg2: tensor<256x256xf16, #ttg.dot_op<{opIdx = 1, parent = #amd_mfma, kWidth = 4}>>, %arg3: tensor<16x256x!tt.ptr<f16>, #blocked>, %arg4: tensor<256x256xf16, #ttg.dot_op<{opIdx = 0, parent = #amd_mfma, kWidth = 4}>>, %arg5: tensor<256x!tt.ptr<i32>, #blocked1>, %arg6: tensor<256x!tt.ptr<f32>, #blocked1>, %arg7: tensor<256x256xf32, #blocked>, %arg8: i32, %arg9: tensor<256x256xf32, #amd_mfma>, %arg10: tensor<256xf32, #blocked1>) -> tensor<256x256xf32, #blocked> {
    %0 = scf.for %arg11 = %arg8 to %arg0 step %arg0 iter_args(%arg12 = %arg7) -> (tensor<256x256xf32, #blocked>) : i32 {
      %1 = tt.load %arg5 : tensor<256x!tt.ptr<i32>, #blocked1>
      %2 = ttg.convert_layout %1 : tensor<256xi32, #blocked1> -> tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x256xi32, #blocked>
      %4 = tt.broadcast %3 : tensor<1x256xi32, #blocked> -> tensor<16x256xi32, #blocked>
      %5 = tt.addptr %arg3, %4 : tensor<16x256x!tt.ptr<f16>, #blocked>, tensor<16x256xi32, #blocked>
      %6 = tt.load %5 : tensor<16x256x!tt.ptr<f16>, #blocked>
      %7 = ttg.convert_layout %6 : tensor<16x256xf16, #blocked> -> tensor<16x256xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %8 = ttg.convert_layout %7 : tensor<16x256xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x256xf16, #ttg.dot_op<{opIdx = 1, parent = #amd_mfma, kWidth = 4}>>
      %9 = tt.dot %arg1, %8, %arg9 : tensor<256x16xf16, #ttg.dot_op<{opIdx = 0, parent = #amd_mfma, kWidth = 4}>> * tensor<16x256xf16, #ttg.dot_op<{opIdx = 1, parent = #amd_mfma, kWidth = 4}>> -> tensor<256x256xf32, #amd_mfma>
      %10 = tt.dot %arg4, %arg2, %9 : tensor<256x256xf16, #ttg.dot_op<{opIdx = 0, parent = #amd_mfma, kWidth = 4}>> * tensor<256x256xf16, #ttg.dot_op<{opIdx = 1, parent = #amd_mfma, kWidth = 4}>> -> tensor<256x256xf32, #amd_mfma>
      %11 = ttg.convert_layout %10 : tensor<256x256xf32, #amd_mfma> -> tensor<256x256xf32, #blocked>
      tt.store %arg6, %arg10 : tensor<256x!tt.ptr<f32>, #blocked1>
      scf.yield %11 : tensor<256x256xf32, #blocked>
    } {tt.num_stages = 4 : i32}
    tt.return %0 : tensor<256x256xf32, #blocked>
  }
}
