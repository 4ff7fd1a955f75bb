// needs 3.4.0
module {
  tt.func public @histogram_masked(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<512xi32>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %1 = tt.splat %arg2 : i32 -> tensor<512xi32>
    %2 = arith. : tensor<512xi32>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %4 = tt.addptr %3, %0 : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %5 = tt.load %4, %2, %cst : tensor<512x!tt.ptr<i32>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %7 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %8 = tt.addptr %7, %6 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %9 = tt.histogram %5, %2 : tensor<512xi32> -> tensor<64xi32>
    tt.store %8, %9 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
