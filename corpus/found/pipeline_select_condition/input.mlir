#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"triton_gpu.num-ctas" = 1 : i32, "triton_gpu.num-warps" = 1 : i32, "triton_gpu.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %lower: i32, %mask: tensor<2xi1, #blocked>, %other: tensor<2xi32, #blocked>, %ptr_0: tensor<1x!tt.ptr<i32>, #blocked>) {
    %range = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #blocked>
    %ptr_1 = tt.splat %ptr : !tt.ptr<i32> -> tensor<2x!tt.ptr<i32>, #blocked>
    %ptr_2 = tt.addptr %ptr_1, %range : tensor<2x!tt.ptr<i32>, #blocked>, tensor<2xi32, #blocked>
    scf.for %i = %lower to %lower step %lower : i32 {
      %loaded = tt.load %ptr_2, %mask, %other : tensor<2x!tt.ptr<i32>, #blocked>
      %histogram = tt.histogram %loaded : tensor<2xi32, #blocked> -> tensor<1xi32, #blocked>
      tt.store %ptr_0, %histogram : tensor<1x!tt.ptr<i32>, #blocked>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
}
