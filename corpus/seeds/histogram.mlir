module {
  tt.func public @histogram(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<true> : tensor<64xi1>
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.addptr %arg0, %1 : !tt.ptr<i32>, i32
    %3 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %4 = tt.splat %2 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %5 = tt.addptr %4, %3 : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %6 = tt.load %5 : tensor<512x!tt.ptr<i32>>
    %7 = tt.histogram %6 : tensor<512xi32> -> tensor<64xi32>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %9 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %10 = tt.addptr %9, %8 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %11 = tt.atomic_rmw add, acq_rel, gpu, %10, %7, %cst : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
    tt.return
  }
}
