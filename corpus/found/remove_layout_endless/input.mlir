#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%lower: i32, %ptr: !tt.ptr<f16>, %x: f16) {
    %cst = arith.constant dense<0xFF800000> : tensor<2x2xf32, #blocked>
    %loop = scf.for %i = %lower to %lower step %lower iter_args(%carried = %cst) -> (tensor<2x2xf32, #blocked>) : i32 {
      %carried_0 = tt.trans %carried {order = array<i32: 1, 0>} : tensor<2x2xf32, #blocked> -> tensor<2x2xf32, #blocked1>
      %carried_1 = ttg.convert_layout %carried_0 : tensor<2x2xf32, #blocked1> -> tensor<2x2xf32, #blocked>
      tt.store %ptr, %x : !tt.ptr<f16>
      scf.yield %carried_1 : tensor<2x2xf32, #blocked>
    }
    tt.return
  }
}
