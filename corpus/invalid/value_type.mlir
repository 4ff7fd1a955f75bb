// Values have the type that their destination has: what a loop carries must not change its layout on the way.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f(%x: tensor<512xf32, #blocked>, %n: i32) {
    %r = scf.for %i = %n to %n step %n iter_args(%acc = %x) -> (tensor<512xf32, #blocked>)  : i32 {
      %moved = ttg.convert_layout %acc : tensor<512xf32, #blocked> -> tensor<512xf32, #wide>
      "scf.yield"(%moved) : (tensor<512xf32, #wide>) -> () // expected-error: operands to region: value #0 has another type than its place
    }
    tt.return
  }
}
