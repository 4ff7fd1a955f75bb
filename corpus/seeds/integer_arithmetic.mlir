module {
  tt.func public @integer_arithmetic(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<5> : tensor<128xi32>
    %cst_0 = arith.constant dense<9> : tensor<128xi32>
    %cst_1 = arith.constant dense<3> : tensor<128xi16>
    %cst_2 = arith.constant dense<0> : tensor<128xi32>
    %cst_3 = arith.constant dense<-1> : tensor<128xi32>
    %cst_4 = arith.constant dense<3> : tensor<128xi32>
    %cst_5 = arith.constant dense<1> : tensor<128xi32>
    %cst_6 = arith.constant dense<2> : tensor<128xi32>
    %cst_7 = arith.constant dense<7> : tensor<128xi32>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %3 = tt.load %2 : tensor<128x!tt.ptr<i32>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %6 = tt.load %5 : tensor<128x!tt.ptr<i32>>
    %7 = arith.divsi %3, %cst_7 : tensor<128xi32>
    %8 = arith.remsi %3, %cst_7 : tensor<128xi32>
    %9 = arith.addi %7, %8 : tensor<128xi32>
    %10 = arith.shrsi %3, %cst_6 : tensor<128xi32>
    %11 = arith.addi %9, %10 : tensor<128xi32>
    %12 = arith.shli %3, %cst_5 : tensor<128xi32>
    %13 = arith.addi %11, %12 : tensor<128xi32>
    %14 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %15 = arith.xori %3, %14 : tensor<128xi32>
    %16 = arith.addi %13, %15 : tensor<128xi32>
    %17 = arith.ori %3, %cst_4 : tensor<128xi32>
    %18 = arith.addi %16, %17 : tensor<128xi32>
    %19 = arith.xori %3, %cst_3 : tensor<128xi32>
    %20 = arith.addi %18, %19 : tensor<128xi32>
    %21 = arith.divui %6, %cst_7 : tensor<128xi32>
    %22 = arith.remui %6, %cst_7 : tensor<128xi32>
    %23 = arith.addi %21, %22 : tensor<128xi32>
    %24 = arith.shrui %6, %cst_6 : tensor<128xi32>
    %25 = arith.addi %23, %24 : tensor<128xi32>
    %26 = arith.addi %6, %cst_5 : tensor<128xi32>
    %27 = tt.mulhiui %6, %26 : tensor<128xi32>
    %28 = arith.addi %25, %27 : tensor<128xi32>
    %29 = arith.cmpi slt, %3, %14 : tensor<128xi32>
    %30 = arith.cmpi ule, %6, %cst_0 : tensor<128xi32>
    %31 = arith.andi %29, %30 : tensor<128xi1>
    %32 = arith.subi %cst_2, %3 : tensor<128xi32>
    %33 = arith.maxsi %3, %14 : tensor<128xi32>
    %34 = arith.select %31, %32, %33 : tensor<128xi1>, tensor<128xi32>
    %35 = arith.cmpi ne, %3, %cst_4 : tensor<128xi32>
    %36 = arith.cmpi ugt, %6, %cst : tensor<128xi32>
    %37 = arith.ori %35, %36 : tensor<128xi1>
    %38 = arith.minsi %3, %cst_6 : tensor<128xi32>
    %39 = arith.select %37, %cst_5, %38 : tensor<128xi1>, tensor<128xi32>
    %40 = arith.addi %34, %39 : tensor<128xi32>
    %41 = arith.trunci %20 : tensor<128xi32> to tensor<128xi16>
    %42 = arith.muli %41, %cst_1 : tensor<128xi16>
    %43 = arith.extsi %42 : tensor<128xi16> to tensor<128xi64>
    %44 = arith.addi %arg3, %c2_i32 : i32
    %45 = arith.divsi %44, %c3_i32 : i32
    %46 = arith.extsi %45 : i32 to i64
    %47 = tt.splat %46 : i64 -> tensor<128xi64>
    %48 = arith.addi %43, %47 : tensor<128xi64>
    %49 = arith.cmpi eq, %3, %14 : tensor<128xi32>
    %50 = arith.extui %49 : tensor<128xi1> to tensor<128xi64>
    %51 = arith.addi %48, %50 : tensor<128xi64>
    %52 = tt.splat %arg2 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>>
    %53 = tt.addptr %52, %0 : tensor<128x!tt.ptr<i64>>, tensor<128xi32>
    %54 = arith.extui %28 : tensor<128xi32> to tensor<128xi64>
    %55 = arith.addi %51, %54 : tensor<128xi64>
    %56 = arith.extsi %40 : tensor<128xi32> to tensor<128xi64>
    %57 = arith.addi %55, %56 : tensor<128xi64>
    tt.store %53, %57 : tensor<128x!tt.ptr<i64>>
    tt.return
  }
}
