// needs 3.6.0
module {
  tt.func public @map_scalars(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %3 = tt.load %2 : tensor<256x!tt.ptr<i32>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %6 = tt.load %5 : tensor<256x!tt.ptr<i32>>
    %7 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %8 = tt.addptr %7, %0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %9 = "tt.map_elementwise"(%3, %6) <{pack = 1 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %10 = arith.cmpi slt, %arg3, %arg4 : i32
      cf.cond_br %10, ^bb2(%c-1_i32 : i32), ^bb1
    ^bb1:  // pred: ^bb0
      %11 = arith.cmpi eq, %arg3, %arg4 : i32
      cf.cond_br %11, ^bb2(%c0_i32 : i32), ^bb2(%c1_i32 : i32)
    ^bb2(%12: i32):  // 3 preds: ^bb0, ^bb1, ^bb1
      tt.map_elementwise.return %12 : i32
    }) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    tt.store %8, %9 : tensor<256x!tt.ptr<i32>>
    tt.return
  }
}
