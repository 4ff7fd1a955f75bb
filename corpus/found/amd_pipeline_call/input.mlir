module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @kernel(%lower: i32, %x: f16) {
    scf.for %i = %lower to %lower step %lower : i32 {
      %call:2 = tt.call @device_0__i32_fp32_fp32__(%i, %x, %x) : (i32, f16, f16) -> (i32, i32)
    } {tt.scheduled_max_stage = 3 : i32}
    tt.return
  }
  tt.func @device_0__i32_fp32_fp32__(%n: i32, %x: f16, %x_0: f16) -> (i32, i32) {
    tt.return %n, %n : i32, i32
  }
}
