// targets cuda:80 cuda:90 cuda:100
module {
  tt.func public @inline_assembly(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<512x!tt.ptr<i8>>
    %2 = tt.addptr %1, %0 : tensor<512x!tt.ptr<i8>>, tensor<512xi32>
    %3 = tt.load %2 : tensor<512x!tt.ptr<i8>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %6 = tt.load %5 : tensor<512x!tt.ptr<i32>>
    %7 = tt.elementwise_inline_asm "shl.b32 $0, $0, 3;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %3 : tensor<512xi8> -> tensor<512xi8>
    %8 = arith.extsi %7 : tensor<512xi8> to tensor<512xi32>
    %9:2 = tt.elementwise_inline_asm "\0A        {\0A            add.s32 $0, $2, $3;\0A            sub.s32 $1, $2, $3;\0A        }\0A        " {constraints = "=r,=r,r,r", packed_element = 1 : i32, pure = false} %6, %8 : tensor<512xi32>, tensor<512xi32> -> tensor<512xi32>, tensor<512xi32>
    %10 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %11 = tt.addptr %10, %0 : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %12 = arith.muli %9#0, %9#1 : tensor<512xi32>
    tt.store %11, %12 : tensor<512x!tt.ptr<i32>>
    tt.return
  }
}
