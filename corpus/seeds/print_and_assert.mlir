module {
  tt.func public @print_and_assert(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<128xi32>
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %3 = tt.load %2 : tensor<128x!tt.ptr<i32>>
    tt.print " start" {hex = false, isSigned = array<i32>}
    tt.print " values: " {hex = true, isSigned = array<i32: 1, 1>} : %3, %0 : tensor<128xi32>, tensor<128xi32>
    tt.print " count: " {hex = false, isSigned = array<i32: 1>} : %arg2 : i32
    %4 = arith.cmpi sge, %3, %cst : tensor<128xi32>
    tt.assert %4, "a value is negative" : tensor<128xi1>
    %5 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    tt.assert %5, "nothing to do" : i1
    %6 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %7 = tt.addptr %6, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    tt.store %7, %3 : tensor<128x!tt.ptr<i32>>
    tt.return
  }
}
