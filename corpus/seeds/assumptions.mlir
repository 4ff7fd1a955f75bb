module {
  tt.func public @assumptions(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<2.000000e+00> : tensor<1024xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %c1024_i32 = arith.constant 1024 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    llvm.intr.assume %0 : i1
    %1 = arith.remsi %arg3, %c8_i32 : i32
    %2 = arith.cmpi eq, %1, %c0_i32 : i32
    llvm.intr.assume %2 : i1
    %3 = tt.get_program_id x : i32
    %4 = arith.cmpi sge, %3, %c0_i32 : i32
    llvm.intr.assume %4 : i1
    %5 = arith.muli %3, %c1024_i32 : i32
    %6 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %7 = tt.splat %5 : i32 -> tensor<1024xi32>
    %8 = arith.addi %7, %6 {tt.contiguity = dense<1024> : tensor<1xi32>, tt.divisibility = dense<1024> : tensor<1xi32>} : tensor<1024xi32>
    %9 = tt.splat %arg2 : i32 -> tensor<1024xi32>
    %10 = arith.cmpi slt, %8, %9 : tensor<1024xi32>
    %11 = tt.splat %arg3 : i32 -> tensor<1024xi32>
    %12 = arith.muli %8, %11 : tensor<1024xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %15 = tt.load %14, %10, %cst_0 : tensor<1024x!tt.ptr<f32>>
    %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %17 = tt.addptr %16, %8 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %18 = arith.mulf %15, %cst : tensor<1024xf32>
    tt.store %17, %18, %10 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}
