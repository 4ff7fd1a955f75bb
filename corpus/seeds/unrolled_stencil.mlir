module {
  tt.func public @unrolled_stencil(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<2> : tensor<256xi32>
    %cst_0 = arith.constant dense<1> : tensor<256xi32>
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant dense<-1> : tensor<256xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %cst_3 = arith.constant dense<0> : tensor<256xi32>
    %cst_4 = arith.constant dense<-2> : tensor<256xi32>
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %1 : i32 -> tensor<256xi32>
    %4 = arith.addi %3, %2 : tensor<256xi32>
    %5 = tt.load %arg1 : !tt.ptr<i64>
    %6 = tt.int_to_ptr %5 : i64 -> !tt.ptr<f32>
    %7 = arith.addi %4, %cst_4 : tensor<256xi32>
    %8 = arith.cmpi sge, %7, %cst_3 : tensor<256xi32>
    %9 = tt.splat %arg3 : i32 -> tensor<256xi32>
    %10 = arith.cmpi slt, %7, %9 : tensor<256xi32>
    %11 = arith.andi %8, %10 : tensor<256xi1>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %13 = tt.addptr %12, %7 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %14 = tt.load %13, %11, %cst_2 : tensor<256x!tt.ptr<f32>>
    %15 = tt.addptr %6, %c0_i32 : !tt.ptr<f32>, i32
    %16 = tt.load %15 : !tt.ptr<f32>
    %17 = tt.splat %16 : f32 -> tensor<256xf32>
    %18 = arith.mulf %14, %17 : tensor<256xf32>
    %19 = arith.addf %18, %cst_2 : tensor<256xf32>
    %20 = arith.addi %4, %cst_1 : tensor<256xi32>
    %21 = arith.cmpi sge, %20, %cst_3 : tensor<256xi32>
    %22 = arith.cmpi slt, %20, %9 : tensor<256xi32>
    %23 = arith.andi %21, %22 : tensor<256xi1>
    %24 = tt.addptr %12, %20 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %25 = tt.load %24, %23, %cst_2 : tensor<256x!tt.ptr<f32>>
    %26 = tt.addptr %6, %c1_i32 : !tt.ptr<f32>, i32
    %27 = tt.load %26 : !tt.ptr<f32>
    %28 = tt.splat %27 : f32 -> tensor<256xf32>
    %29 = arith.mulf %25, %28 : tensor<256xf32>
    %30 = arith.addf %19, %29 : tensor<256xf32>
    %31 = arith.cmpi sge, %4, %cst_3 : tensor<256xi32>
    %32 = arith.cmpi slt, %4, %9 : tensor<256xi32>
    %33 = arith.andi %31, %32 : tensor<256xi1>
    %34 = tt.addptr %12, %4 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %35 = tt.load %34, %33, %cst_2 : tensor<256x!tt.ptr<f32>>
    %36 = tt.addptr %6, %c2_i32 : !tt.ptr<f32>, i32
    %37 = tt.load %36 : !tt.ptr<f32>
    %38 = tt.splat %37 : f32 -> tensor<256xf32>
    %39 = arith.mulf %35, %38 : tensor<256xf32>
    %40 = arith.addf %30, %39 : tensor<256xf32>
    %41 = arith.addi %4, %cst_0 : tensor<256xi32>
    %42 = arith.cmpi sge, %41, %cst_3 : tensor<256xi32>
    %43 = arith.cmpi slt, %41, %9 : tensor<256xi32>
    %44 = arith.andi %42, %43 : tensor<256xi1>
    %45 = tt.addptr %12, %41 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %46 = tt.load %45, %44, %cst_2 : tensor<256x!tt.ptr<f32>>
    %47 = tt.addptr %6, %c3_i32 : !tt.ptr<f32>, i32
    %48 = tt.load %47 : !tt.ptr<f32>
    %49 = tt.splat %48 : f32 -> tensor<256xf32>
    %50 = arith.mulf %46, %49 : tensor<256xf32>
    %51 = arith.addf %40, %50 : tensor<256xf32>
    %52 = arith.addi %4, %cst : tensor<256xi32>
    %53 = arith.cmpi sge, %52, %cst_3 : tensor<256xi32>
    %54 = arith.cmpi slt, %52, %9 : tensor<256xi32>
    %55 = arith.andi %53, %54 : tensor<256xi1>
    %56 = tt.addptr %12, %52 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %57 = tt.load %56, %55, %cst_2 : tensor<256x!tt.ptr<f32>>
    %58 = tt.addptr %6, %c4_i32 : !tt.ptr<f32>, i32
    %59 = tt.load %58 : !tt.ptr<f32>
    %60 = tt.splat %59 : f32 -> tensor<256xf32>
    %61 = arith.mulf %57, %60 : tensor<256xf32>
    %62 = arith.addf %51, %61 : tensor<256xf32>
    %63 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %64 = tt.addptr %63, %4 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %64, %62, %32 : tensor<256x!tt.ptr<f32>>
    %65 = tt.get_num_programs x : i32
    %66 = arith.subi %65, %c1_i32 : i32
    %67 = arith.cmpi eq, %0, %66 : i32
    scf.if %67 {
      %68 = tt.addptr %arg1, %c1_i32 : !tt.ptr<i64>, i32
      %69 = tt.addptr %arg2, %arg3 : !tt.ptr<f32>, i32
      %70 = tt.ptr_to_int %69 : !tt.ptr<f32> -> i64
      tt.store %68, %70 : !tt.ptr<i64>
    }
    tt.return
  }
}
