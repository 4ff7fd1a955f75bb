#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%lower: i32, %ptr: tensor<1x2x!tt.ptr<f32>, #blocked>, %cond: i1, %ptr_0: tensor<1x!tt.ptr<f16>, #blocked1>, %x: tensor<1xf16, #blocked1>) {
    %cst = arith.constant dense<0xFF800000> : tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %loop = scf.for %i = %lower to %lower step %lower iter_args(%carried = %cst) -> (tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) : i32 {
      %loaded = tt.load %ptr : tensor<1x2x!tt.ptr<f32>, #blocked>
      %max = "tt.reduce"(%loaded) <{axis = 1 : i32}> ({
      ^bb2(%lhs: f32, %rhs: f32):
        %max_0 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %max_0 : f32
      }) : (tensor<1x2xf32, #blocked>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %picked = arith.select %cond, %carried, %max : tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      tt.store %ptr_0, %x : tensor<1x!tt.ptr<f16>, #blocked1>
      scf.yield %picked : tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    tt.return
  }
}
