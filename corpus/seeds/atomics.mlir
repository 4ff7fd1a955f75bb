module {
  tt.func public @atomics(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg5: i32) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<true> : tensor<256xi1>
    %cst_0 = arith.constant dense<4> : tensor<256xi32>
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %cst_1 = arith.constant dense<16> : tensor<256xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %1 : i32 -> tensor<256xi32>
    %4 = arith.addi %3, %2 : tensor<256xi32>
    %5 = tt.splat %arg5 : i32 -> tensor<256xi32>
    %6 = arith.cmpi slt, %4, %5 : tensor<256xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %8 = tt.addptr %7, %4 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %9 = tt.load %8, %6, %cst_2 : tensor<256x!tt.ptr<f32>>
    %10 = arith.remsi %4, %cst_1 : tensor<256xi32>
    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %13 = tt.atomic_rmw fadd, relaxed, gpu, %12, %9, %6 : (tensor<256x!tt.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> tensor<256xf32>
    %14 = "tt.reduce"(%9) <{axis = 0 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %39 = arith.maxnumf %arg6, %arg7 : f32
      tt.reduce.return %39 : f32
    }) : (tensor<256xf32>) -> f32
    %15 = tt.bitcast %14 : f32 -> i32
    %16 = tt.bitcast %arg2 : !tt.ptr<f32> -> !tt.ptr<i32>
    %17 = arith.cmpf oge, %14, %cst_3 : f32
    %18 = arith.cmpf olt, %14, %cst_3 : f32
    %19 = tt.atomic_rmw max, acq_rel, gpu, %16, %15, %17 : (!tt.ptr<i32>, i32, i1) -> i32
    %20 = tt.atomic_rmw umin, acq_rel, gpu, %16, %15, %18 : (!tt.ptr<i32>, i32, i1) -> i32
    %21 = arith.cmpf ogt, %9, %cst_2 : tensor<256xf32>
    %22 = arith.extui %21 : tensor<256xi1> to tensor<256xi32>
    %23 = arith.remsi %4, %cst_0 : tensor<256xi32>
    %24 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %25 = tt.addptr %24, %23 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %26 = tt.atomic_rmw or, acq_rel, cta, %25, %22, %cst : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %27 = tt.addptr %arg3, %c4_i32 : !tt.ptr<i32>, i32
    %28 = tt.splat %27 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %29 = tt.addptr %28, %23 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %30 = tt.atomic_rmw xor, release, gpu, %29, %22, %cst : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %31 = tt.addptr %arg3, %c8_i32 : !tt.ptr<i32>, i32
    %32 = tt.splat %31 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %33 = tt.addptr %32, %23 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %34 = tt.atomic_rmw min, acquire, sys, %33, %22, %cst : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    scf.while : () -> () {
      %39 = tt.atomic_cas acq_rel, gpu, %arg4, %c0_i32, %c1_i32 : (!tt.ptr<i32>, i32, i32) -> i32
      %40 = arith.cmpi eq, %39, %c1_i32 : i32
      scf.condition(%40)
    } do {
      scf.yield
    }
    %35 = tt.addptr %arg4, %c1_i32 : !tt.ptr<i32>, i32
    %36 = tt.load %35 {isVolatile = true} : !tt.ptr<i32>
    %37 = arith.addi %36, %c1_i32 : i32
    tt.store %35, %37 : !tt.ptr<i32>
    %38 = tt.atomic_rmw exch, acq_rel, gpu, %arg4, %c0_i32, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}
