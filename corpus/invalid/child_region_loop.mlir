// A mask that is made inside a loop and used behind it, as a pass leaves it that moves a conversion into the loop.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%p: tensor<512x!tt.ptr<f32>, #wide>, %live: tensor<512xi1, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<512xf32, #wide>
    scf.for %i = %c0 to %n step %c1  : i32 {
      %mask = ttg.convert_layout %live : tensor<512xi1, #blocked> -> tensor<512xi1, #wide>
      tt.store %p, %zero, %mask : tensor<512x!tt.ptr<f32>, #wide>
    }
    tt.store %p, %zero, %mask : tensor<512x!tt.ptr<f32>, #wide> // expected-error: operand #2 does not dominate this use: defined in a child region
    tt.return
  }
}
