#mma = #triton_gpu.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [32, 1, 1], warpsPerCTA = [1, 1, 1], order = [0, 1, 2]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked2 = #triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 1 : i32, "triton_gpu.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%x: tensor<1x1xf32, #mma>, %lower: i32, %ptr: tensor<1x!tt.ptr<i32>, #triton_gpu.slice<{dim = 0, parent = #triton_gpu.slice<{dim = 2, parent = #blocked}>}>>, %ptr_0: tensor<1x1x1x!tt.ptr<f32>, #blocked>, %x_0: tensor<1x1x1xf16, #blocked>, %cond: i1, %ptr_1: tensor<1x!tt.ptr<i32>, #blocked1>, %index: tensor<1xi32, #blocked1>) {
    %x_1 = triton_gpu.convert_layout %x : tensor<1x1xf32, #mma> -> tensor<1x1xf32, #blocked2>
    cf.br ^bb1
  ^bb1:
    scf.for %i = %lower to %lower step %lower : i32 {
      %loaded = tt.load %ptr : tensor<1x!tt.ptr<i32>, #triton_gpu.slice<{dim = 0, parent = #triton_gpu.slice<{dim = 2, parent = #blocked}>}>>
      %loaded_0 = tt.expand_dims %loaded {axis = 0 : i32} : tensor<1xi32, #triton_gpu.slice<{dim = 0, parent = #triton_gpu.slice<{dim = 2, parent = #blocked}>}>> -> tensor<1x1xi32, #triton_gpu.slice<{dim = 2, parent = #blocked}>>
      %loaded_1 = tt.expand_dims %loaded_0 {axis = 2 : i32} : tensor<1x1xi32, #triton_gpu.slice<{dim = 2, parent = #blocked}>> -> tensor<1x1x1xi32, #blocked>
      %ptr_2 = tt.addptr %ptr_0, %loaded_1 : tensor<1x1x1x!tt.ptr<f32>, #blocked>, tensor<1x1x1xi32, #blocked>
      %loaded_2 = tt.load %ptr_2 : tensor<1x1x1x!tt.ptr<f32>, #blocked>
      %combined:2 = "tt.scan"(%loaded_2, %x_0) <{axis = 2 : i32, reverse = false}> ({
      ^bb3(%lhs: f32, %lhs_0: f16, %rhs: f32, %rhs_0: f16):
        tt.scan.return %lhs, %lhs_0 : f32, f16
      }) : (tensor<1x1x1xf32, #blocked>, tensor<1x1x1xf16, #blocked>) -> (tensor<1x1x1xf32, #blocked>, tensor<1x1x1xf16, #blocked>)
    } {tt.num_stages = 4 : i32}
    %picked = scf.if %cond -> (tensor<1x1xf32, #mma>) {
      %x_2 = triton_gpu.convert_layout %x_1 : tensor<1x1xf32, #blocked2> -> tensor<1x1xf32, #mma>
      tt.store %ptr_1, %index : tensor<1x!tt.ptr<i32>, #blocked1>
      scf.yield %x_2 : tensor<1x1xf32, #mma>
    } else {
      scf.yield %x : tensor<1x1xf32, #mma>
    }
    tt.return
  }
}
