module {
  tt.func public @flash_attention_twice(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg7: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg8: f32, %arg9: f32, %arg10: i32, %arg11: f32, %arg12: i32, %arg13: i32) attributes {noinline = false} {
    %c-766435501_i32 = arith.constant -766435501 : i32
    %c-845247145_i32 = arith.constant -845247145 : i32
    %c32_i64 = arith.constant 32 : i64
    %c4294967295_i64 = arith.constant 4294967295 : i64
    %c-1879881855_i32 = arith.constant -1879881855 : i32
    %c-616729560_i32 = arith.constant -616729560 : i32
    %c534103459_i32 = arith.constant 534103459 : i32
    %c1401181199_i32 = arith.constant 1401181199 : i32
    %c1684936478_i32 = arith.constant 1684936478 : i32
    %c-1253254570_i32 = arith.constant -1253254570 : i32
    %c-1459197799_i32 = arith.constant -1459197799 : i32
    %c387276957_i32 = arith.constant 387276957 : i32
    %c-308364780_i32 = arith.constant -308364780 : i32
    %c2027808484_i32 = arith.constant 2027808484 : i32
    %c842468239_i32 = arith.constant 842468239 : i32
    %c-626627285_i32 = arith.constant -626627285 : i32
    %c1993301258_i32 = arith.constant 1993301258 : i32
    %c1013904242_i32 = arith.constant 1013904242 : i32
    %c-1150833019_i32 = arith.constant -1150833019 : i32
    %c-1640531527_i32 = arith.constant -1640531527 : i32
    %cst = arith.constant dense<-766435501> : tensor<128x64xi32>
    %cst_0 = arith.constant dense<-845247145> : tensor<128x64xi32>
    %cst_1 = arith.constant dense<0> : tensor<128x64xi32>
    %cst_2 = arith.constant dense<4.6566126E-10> : tensor<128x64xf32>
    %cst_3 = arith.constant dense<1> : tensor<128x64xi32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_5 = arith.constant dense<64> : tensor<1x64xi32>
    %cst_6 = arith.constant dense<2.885390e+00> : tensor<128x64xf32>
    %cst_7 = arith.constant dense<1.000000e+00> : tensor<128x64xf32>
    %cst_8 = arith.constant dense<1.44269502> : tensor<128x64xf32>
    %cst_9 = arith.constant dense<0xFF800000> : tensor<128x64xf32>
    %cst_10 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_11 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %cst_12 = arith.constant dense<64> : tensor<64x1xi32>
    %cst_13 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_14 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_15 = arith.constant dense<64> : tensor<128x1xi32>
    %c4_i32 = arith.constant 4 : i32
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.get_program_id y : i32
    %1 = tt.get_program_id z : i32
    %2 = tt.addptr %arg7, %1 : !tt.ptr<i32>, i32
    %3 = tt.load %2 : !tt.ptr<i32>
    %4 = tt.addptr %2, %c1_i32 : !tt.ptr<i32>, i32
    %5 = tt.load %4 : !tt.ptr<i32>
    %6 = arith.subi %5, %3 : i32
    %7 = tt.get_program_id x : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = arith.cmpi sge, %8, %6 : i32
    cf.cond_br %9, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return
  ^bb2:  // pred: ^bb0
    %10 = tt.addptr %arg6, %0 : !tt.ptr<f32>, i32
    %11 = tt.load %10 : !tt.ptr<f32>
    %12 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %13 = tt.splat %8 : i32 -> tensor<128xi32>
    %14 = arith.addi %13, %12 : tensor<128xi32>
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %16 = arith.muli %3, %arg13 : i32
    %17 = arith.muli %0, %6 : i32
    %18 = arith.addi %16, %17 : i32
    %19 = arith.extsi %18 : i32 to i64
    %20 = arith.muli %19, %c64_i64 : i64
    %21 = arith.divsi %0, %c4_i32 : i32
    %22 = arith.muli %21, %6 : i32
    %23 = arith.addi %16, %22 : i32
    %24 = arith.extsi %23 : i32 to i64
    %25 = arith.muli %24, %c64_i64 : i64
    %26 = tt.expand_dims %14 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %27 = tt.splat %6 : i32 -> tensor<128x1xi32>
    %28 = arith.cmpi slt, %26, %27 : tensor<128x1xi32>
    %29 = tt.addptr %arg0, %20 : !tt.ptr<f16>, i64
    %30 = arith.muli %26, %cst_15 : tensor<128x1xi32>
    %31 = tt.splat %29 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %32 = tt.addptr %31, %30 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %33 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %34 = tt.broadcast %32 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %35 = tt.broadcast %33 : tensor<1x64xi32> -> tensor<128x64xi32>
    %36 = tt.addptr %34, %35 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %37 = tt.broadcast %28 : tensor<128x1xi1> -> tensor<128x64xi1>
    %38 = tt.load %36, %37, %cst_11 : tensor<128x64x!tt.ptr<f16>>
    %39 = arith.subi %8, %arg10 : i32
    %40 = arith.maxsi %39, %c0_i32 : i32
    %41 = arith.divsi %40, %c64_i32 : i32
    %42 = arith.muli %41, %c64_i32 : i32
    %43 = arith.addi %8, %c128_i32 : i32
    %44 = arith.minsi %43, %6 : i32
    %45 = scf.for %arg14 = %42 to %44 step %c64_i32 iter_args(%arg15 = %cst_13) -> (tensor<128xf32>)  : i32 {
      %71 = tt.splat %arg14 : i32 -> tensor<64xi32>
      %72 = arith.addi %71, %15 : tensor<64xi32>
      %73 = tt.addptr %arg1, %25 : !tt.ptr<f16>, i64
      %74 = tt.expand_dims %72 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %75 = tt.splat %6 : i32 -> tensor<1x64xi32>
      %76 = arith.cmpi slt, %74, %75 : tensor<1x64xi32>
      %77 = arith.muli %74, %cst_5 : tensor<1x64xi32>
      %78 = tt.splat %73 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
      %79 = tt.addptr %78, %77 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
      %80 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %81 = tt.broadcast %79 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %82 = tt.broadcast %80 : tensor<64x1xi32> -> tensor<64x64xi32>
      %83 = tt.addptr %81, %82 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %84 = tt.broadcast %76 : tensor<1x64xi1> -> tensor<64x64xi1>
      %85 = tt.load %83, %84, %cst_10 : tensor<64x64x!tt.ptr<f16>>
      %86 = tt.dot %38, %85, %cst_14, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %87 = tt.splat %arg8 : f32 -> tensor<128x64xf32>
      %88 = arith.mulf %86, %87 : tensor<128x64xf32>
      %89 = arith.mulf %88, %cst_6 : tensor<128x64xf32>
      %90 = tt.splat %arg9 : f32 -> tensor<128x64xf32>
      %91 = arith.divf %89, %90 : tensor<128x64xf32>
      %92 = math.exp2 %91 : tensor<128x64xf32>
      %93 = arith.subf %92, %cst_7 : tensor<128x64xf32>
      %94 = arith.mulf %90, %93 : tensor<128x64xf32>
      %95 = arith.addf %92, %cst_7 : tensor<128x64xf32>
      %96 = arith.divf %94, %95 : tensor<128x64xf32>
      %97 = tt.broadcast %74 : tensor<1x64xi32> -> tensor<128x64xi32>
      %98 = tt.broadcast %26 : tensor<128x1xi32> -> tensor<128x64xi32>
      %99 = arith.subi %97, %98 : tensor<128x64xi32>
      %100 = arith.sitofp %99 : tensor<128x64xi32> to tensor<128x64xf32>
      %101 = tt.splat %11 : f32 -> tensor<128x64xf32>
      %102 = arith.mulf %101, %100 : tensor<128x64xf32>
      %103 = arith.addf %96, %102 : tensor<128x64xf32>
      %104 = arith.cmpi sge, %98, %97 : tensor<128x64xi32>
      %105 = arith.subi %98, %97 : tensor<128x64xi32>
      %106 = tt.splat %arg10 : i32 -> tensor<128x64xi32>
      %107 = arith.cmpi slt, %105, %106 : tensor<128x64xi32>
      %108 = arith.andi %104, %107 : tensor<128x64xi1>
      %109 = tt.broadcast %76 : tensor<1x64xi1> -> tensor<128x64xi1>
      %110 = arith.andi %108, %109 : tensor<128x64xi1>
      %111 = arith.mulf %103, %cst_8 : tensor<128x64xf32>
      %112 = arith.select %110, %111, %cst_9 : tensor<128x64xi1>, tensor<128x64xf32>
      %113 = "tt.reduce"(%112) <{axis = 1 : i32}> ({
      ^bb0(%arg16: f32, %arg17: f32):
        %115 = arith.maxnumf %arg16, %arg17 : f32
        tt.reduce.return %115 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %114 = arith.maxnumf %arg15, %113 : tensor<128xf32>
      scf.yield %114 : tensor<128xf32>
    }
    %46 = tt.splat %17 : i32 -> tensor<128x1xi32>
    %47 = arith.addi %46, %26 : tensor<128x1xi32>
    %48 = arith.extsi %47 : tensor<128x1xi32> to tensor<128x1xi64>
    %49 = arith.extsi %6 : i32 to i64
    %50 = tt.splat %49 : i64 -> tensor<128x1xi64>
    %51 = arith.muli %48, %50 : tensor<128x1xi64>
    %52 = tt.splat %arg5 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %53 = tt.addptr %52, %51 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi64>
    scf.for %arg14 = %42 to %44 step %c64_i32  : i32 {
      %71 = tt.splat %arg14 : i32 -> tensor<64xi32>
      %72 = arith.addi %71, %15 : tensor<64xi32>
      %73 = tt.addptr %arg1, %25 : !tt.ptr<f16>, i64
      %74 = tt.expand_dims %72 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %75 = tt.splat %6 : i32 -> tensor<1x64xi32>
      %76 = arith.cmpi slt, %74, %75 : tensor<1x64xi32>
      %77 = arith.muli %74, %cst_5 : tensor<1x64xi32>
      %78 = tt.splat %73 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
      %79 = tt.addptr %78, %77 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
      %80 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %81 = tt.broadcast %79 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %82 = tt.broadcast %80 : tensor<64x1xi32> -> tensor<64x64xi32>
      %83 = tt.addptr %81, %82 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %84 = tt.broadcast %76 : tensor<1x64xi1> -> tensor<64x64xi1>
      %85 = tt.load %83, %84, %cst_10 : tensor<64x64x!tt.ptr<f16>>
      %86 = tt.dot %38, %85, %cst_14, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %87 = tt.splat %arg8 : f32 -> tensor<128x64xf32>
      %88 = arith.mulf %86, %87 : tensor<128x64xf32>
      %89 = arith.mulf %88, %cst_6 : tensor<128x64xf32>
      %90 = tt.splat %arg9 : f32 -> tensor<128x64xf32>
      %91 = arith.divf %89, %90 : tensor<128x64xf32>
      %92 = math.exp2 %91 : tensor<128x64xf32>
      %93 = arith.subf %92, %cst_7 : tensor<128x64xf32>
      %94 = arith.mulf %90, %93 : tensor<128x64xf32>
      %95 = arith.addf %92, %cst_7 : tensor<128x64xf32>
      %96 = arith.divf %94, %95 : tensor<128x64xf32>
      %97 = tt.broadcast %74 : tensor<1x64xi32> -> tensor<128x64xi32>
      %98 = tt.broadcast %26 : tensor<128x1xi32> -> tensor<128x64xi32>
      %99 = arith.subi %97, %98 : tensor<128x64xi32>
      %100 = arith.sitofp %99 : tensor<128x64xi32> to tensor<128x64xf32>
      %101 = tt.splat %11 : f32 -> tensor<128x64xf32>
      %102 = arith.mulf %101, %100 : tensor<128x64xf32>
      %103 = arith.addf %96, %102 : tensor<128x64xf32>
      %104 = arith.cmpi sge, %98, %97 : tensor<128x64xi32>
      %105 = arith.subi %98, %97 : tensor<128x64xi32>
      %106 = tt.splat %arg10 : i32 -> tensor<128x64xi32>
      %107 = arith.cmpi slt, %105, %106 : tensor<128x64xi32>
      %108 = arith.andi %104, %107 : tensor<128x64xi1>
      %109 = tt.broadcast %76 : tensor<1x64xi1> -> tensor<128x64xi1>
      %110 = arith.andi %108, %109 : tensor<128x64xi1>
      %111 = arith.mulf %103, %cst_8 : tensor<128x64xf32>
      %112 = arith.select %110, %111, %cst_9 : tensor<128x64xi1>, tensor<128x64xf32>
      %113 = tt.expand_dims %45 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %114 = tt.broadcast %113 : tensor<128x1xf32> -> tensor<128x64xf32>
      %115 = arith.subf %112, %114 : tensor<128x64xf32>
      %116 = math.exp2 %115 : tensor<128x64xf32>
      %117 = arith.andi %37, %109 : tensor<128x64xi1>
      %118 = tt.broadcast %53 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
      %119 = tt.addptr %118, %97 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
      tt.store %119, %116, %117 : tensor<128x64x!tt.ptr<f32>>
    }
    %54:2 = scf.for %arg14 = %42 to %44 step %c64_i32 iter_args(%arg15 = %cst_4, %arg16 = %cst_14) -> (tensor<128xf32>, tensor<128x64xf32>)  : i32 {
      %71 = tt.splat %arg14 : i32 -> tensor<64xi32>
      %72 = arith.addi %71, %15 : tensor<64xi32>
      %73 = tt.expand_dims %72 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %74 = tt.splat %6 : i32 -> tensor<1x64xi32>
      %75 = arith.cmpi slt, %73, %74 : tensor<1x64xi32>
      %76 = tt.broadcast %75 : tensor<1x64xi1> -> tensor<128x64xi1>
      %77 = arith.andi %37, %76 : tensor<128x64xi1>
      %78 = tt.broadcast %53 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
      %79 = tt.broadcast %73 : tensor<1x64xi32> -> tensor<128x64xi32>
      %80 = tt.addptr %78, %79 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
      %81 = tt.load %80, %77, %cst_14 : tensor<128x64x!tt.ptr<f32>>
      %82 = "tt.reduce"(%81) <{axis = 1 : i32}> ({
      ^bb0(%arg17: f32, %arg18: f32):
        %219 = arith.addf %arg17, %arg18 : f32
        tt.reduce.return %219 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %83 = arith.addf %arg15, %82 : tensor<128xf32>
      %84 = arith.muli %47, %27 : tensor<128x1xi32>
      %85 = tt.broadcast %84 : tensor<128x1xi32> -> tensor<128x64xi32>
      %86 = arith.addi %85, %79 : tensor<128x64xi32>
      %87 = arith.extsi %arg12 : i32 to i64
      %88 = arith.shrui %87, %c32_i64 : i64
      %89 = arith.andi %88, %c4294967295_i64 : i64
      %90 = arith.trunci %89 : i64 to i32
      %91 = arith.andi %87, %c4294967295_i64 : i64
      %92 = arith.trunci %91 : i64 to i32
      %93 = tt.mulhiui %c-845247145_i32, %c0_i32 : i32
      %94 = arith.xori %93, %92 : i32
      %95 = tt.mulhiui %cst, %86 : tensor<128x64xi32>
      %96 = tt.splat %90 : i32 -> tensor<128x64xi32>
      %97 = arith.xori %95, %96 : tensor<128x64xi32>
      %98 = arith.muli %86, %cst : tensor<128x64xi32>
      %99 = arith.addi %92, %c-1640531527_i32 : i32
      %100 = arith.addi %90, %c-1150833019_i32 : i32
      %101 = tt.mulhiui %cst_0, %97 : tensor<128x64xi32>
      %102 = tt.splat %99 : i32 -> tensor<128x64xi32>
      %103 = arith.xori %101, %102 : tensor<128x64xi32>
      %104 = tt.mulhiui %c-766435501_i32, %94 : i32
      %105 = tt.splat %104 : i32 -> tensor<128x64xi32>
      %106 = arith.xori %105, %98 : tensor<128x64xi32>
      %107 = tt.splat %100 : i32 -> tensor<128x64xi32>
      %108 = arith.xori %106, %107 : tensor<128x64xi32>
      %109 = arith.muli %97, %cst_0 : tensor<128x64xi32>
      %110 = arith.muli %94, %c-766435501_i32 : i32
      %111 = tt.splat %110 : i32 -> tensor<128x64xi32>
      %112 = arith.addi %92, %c1013904242_i32 : i32
      %113 = arith.addi %90, %c1993301258_i32 : i32
      %114 = tt.mulhiui %cst_0, %108 : tensor<128x64xi32>
      %115 = arith.xori %114, %109 : tensor<128x64xi32>
      %116 = tt.splat %112 : i32 -> tensor<128x64xi32>
      %117 = arith.xori %115, %116 : tensor<128x64xi32>
      %118 = tt.mulhiui %cst, %103 : tensor<128x64xi32>
      %119 = arith.xori %118, %111 : tensor<128x64xi32>
      %120 = tt.splat %113 : i32 -> tensor<128x64xi32>
      %121 = arith.xori %119, %120 : tensor<128x64xi32>
      %122 = arith.muli %108, %cst_0 : tensor<128x64xi32>
      %123 = arith.muli %103, %cst : tensor<128x64xi32>
      %124 = arith.addi %92, %c-626627285_i32 : i32
      %125 = arith.addi %90, %c842468239_i32 : i32
      %126 = tt.mulhiui %cst_0, %121 : tensor<128x64xi32>
      %127 = arith.xori %126, %122 : tensor<128x64xi32>
      %128 = tt.splat %124 : i32 -> tensor<128x64xi32>
      %129 = arith.xori %127, %128 : tensor<128x64xi32>
      %130 = tt.mulhiui %cst, %117 : tensor<128x64xi32>
      %131 = arith.xori %130, %123 : tensor<128x64xi32>
      %132 = tt.splat %125 : i32 -> tensor<128x64xi32>
      %133 = arith.xori %131, %132 : tensor<128x64xi32>
      %134 = arith.muli %121, %cst_0 : tensor<128x64xi32>
      %135 = arith.muli %117, %cst : tensor<128x64xi32>
      %136 = arith.addi %92, %c2027808484_i32 : i32
      %137 = arith.addi %90, %c-308364780_i32 : i32
      %138 = tt.mulhiui %cst_0, %133 : tensor<128x64xi32>
      %139 = arith.xori %138, %134 : tensor<128x64xi32>
      %140 = tt.splat %136 : i32 -> tensor<128x64xi32>
      %141 = arith.xori %139, %140 : tensor<128x64xi32>
      %142 = tt.mulhiui %cst, %129 : tensor<128x64xi32>
      %143 = arith.xori %142, %135 : tensor<128x64xi32>
      %144 = tt.splat %137 : i32 -> tensor<128x64xi32>
      %145 = arith.xori %143, %144 : tensor<128x64xi32>
      %146 = arith.muli %133, %cst_0 : tensor<128x64xi32>
      %147 = arith.muli %129, %cst : tensor<128x64xi32>
      %148 = arith.addi %92, %c387276957_i32 : i32
      %149 = arith.addi %90, %c-1459197799_i32 : i32
      %150 = tt.mulhiui %cst_0, %145 : tensor<128x64xi32>
      %151 = arith.xori %150, %146 : tensor<128x64xi32>
      %152 = tt.splat %148 : i32 -> tensor<128x64xi32>
      %153 = arith.xori %151, %152 : tensor<128x64xi32>
      %154 = tt.mulhiui %cst, %141 : tensor<128x64xi32>
      %155 = arith.xori %154, %147 : tensor<128x64xi32>
      %156 = tt.splat %149 : i32 -> tensor<128x64xi32>
      %157 = arith.xori %155, %156 : tensor<128x64xi32>
      %158 = arith.muli %145, %cst_0 : tensor<128x64xi32>
      %159 = arith.muli %141, %cst : tensor<128x64xi32>
      %160 = arith.addi %92, %c-1253254570_i32 : i32
      %161 = arith.addi %90, %c1684936478_i32 : i32
      %162 = tt.mulhiui %cst_0, %157 : tensor<128x64xi32>
      %163 = arith.xori %162, %158 : tensor<128x64xi32>
      %164 = tt.splat %160 : i32 -> tensor<128x64xi32>
      %165 = arith.xori %163, %164 : tensor<128x64xi32>
      %166 = tt.mulhiui %cst, %153 : tensor<128x64xi32>
      %167 = arith.xori %166, %159 : tensor<128x64xi32>
      %168 = tt.splat %161 : i32 -> tensor<128x64xi32>
      %169 = arith.xori %167, %168 : tensor<128x64xi32>
      %170 = arith.muli %157, %cst_0 : tensor<128x64xi32>
      %171 = arith.muli %153, %cst : tensor<128x64xi32>
      %172 = arith.addi %92, %c1401181199_i32 : i32
      %173 = arith.addi %90, %c534103459_i32 : i32
      %174 = tt.mulhiui %cst_0, %169 : tensor<128x64xi32>
      %175 = arith.xori %174, %170 : tensor<128x64xi32>
      %176 = tt.splat %172 : i32 -> tensor<128x64xi32>
      %177 = arith.xori %175, %176 : tensor<128x64xi32>
      %178 = tt.mulhiui %cst, %165 : tensor<128x64xi32>
      %179 = arith.xori %178, %171 : tensor<128x64xi32>
      %180 = tt.splat %173 : i32 -> tensor<128x64xi32>
      %181 = arith.xori %179, %180 : tensor<128x64xi32>
      %182 = arith.muli %165, %cst : tensor<128x64xi32>
      %183 = arith.addi %90, %c-616729560_i32 : i32
      %184 = tt.mulhiui %cst, %177 : tensor<128x64xi32>
      %185 = arith.xori %184, %182 : tensor<128x64xi32>
      %186 = tt.splat %183 : i32 -> tensor<128x64xi32>
      %187 = arith.xori %185, %186 : tensor<128x64xi32>
      %188 = arith.muli %181, %cst_0 : tensor<128x64xi32>
      %189 = arith.addi %92, %c-1879881855_i32 : i32
      %190 = tt.mulhiui %cst_0, %187 : tensor<128x64xi32>
      %191 = arith.xori %190, %188 : tensor<128x64xi32>
      %192 = tt.splat %189 : i32 -> tensor<128x64xi32>
      %193 = arith.xori %191, %192 : tensor<128x64xi32>
      %194 = tt.bitcast %193 : tensor<128x64xi32> -> tensor<128x64xi32>
      %195 = arith.cmpi slt, %194, %cst_1 : tensor<128x64xi32>
      %196 = arith.subi %cst_1, %194 : tensor<128x64xi32>
      %197 = arith.subi %196, %cst_3 : tensor<128x64xi32>
      %198 = arith.select %195, %197, %194 : tensor<128x64xi1>, tensor<128x64xi32>
      %199 = arith.sitofp %198 : tensor<128x64xi32> to tensor<128x64xf32>
      %200 = arith.mulf %199, %cst_2 : tensor<128x64xf32>
      %201 = tt.splat %arg11 : f32 -> tensor<128x64xf32>
      %202 = arith.cmpf olt, %200, %201 : tensor<128x64xf32>
      %203 = arith.divf %81, %201 : tensor<128x64xf32>
      %204 = arith.select %202, %203, %cst_14 : tensor<128x64xi1>, tensor<128x64xf32>
      %205 = tt.expand_dims %72 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %206 = tt.splat %6 : i32 -> tensor<64x1xi32>
      %207 = arith.cmpi slt, %205, %206 : tensor<64x1xi32>
      %208 = tt.addptr %arg2, %25 : !tt.ptr<f16>, i64
      %209 = arith.muli %205, %cst_12 : tensor<64x1xi32>
      %210 = tt.splat %208 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %211 = tt.addptr %210, %209 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %212 = tt.broadcast %211 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %213 = tt.broadcast %33 : tensor<1x64xi32> -> tensor<64x64xi32>
      %214 = tt.addptr %212, %213 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %215 = tt.broadcast %207 : tensor<64x1xi1> -> tensor<64x64xi1>
      %216 = tt.load %214, %215, %cst_10 : tensor<64x64x!tt.ptr<f16>>
      %217 = arith.truncf %204 : tensor<128x64xf32> to tensor<128x64xf16>
      %218 = tt.dot %217, %216, %arg16, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %83, %218 : tensor<128xf32>, tensor<128x64xf32>
    }
    %55 = tt.expand_dims %54#0 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %56 = tt.broadcast %55 : tensor<128x1xf32> -> tensor<128x64xf32>
    %57 = arith.divf %54#1, %56 : tensor<128x64xf32>
    %58 = tt.addptr %arg4, %18 : !tt.ptr<f32>, i32
    %59 = tt.splat %58 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %60 = tt.addptr %59, %14 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %61 = tt.splat %6 : i32 -> tensor<128xi32>
    %62 = arith.cmpi slt, %14, %61 : tensor<128xi32>
    %63 = math.log2 %54#0 : tensor<128xf32>
    %64 = arith.addf %45, %63 : tensor<128xf32>
    tt.store %60, %64, %62 : tensor<128x!tt.ptr<f32>>
    %65 = tt.addptr %arg3, %20 : !tt.ptr<f16>, i64
    %66 = tt.splat %65 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %67 = tt.addptr %66, %30 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %68 = tt.broadcast %67 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %69 = tt.addptr %68, %35 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %70 = arith.truncf %57 : tensor<128x64xf32> to tensor<128x64xf16>
    tt.store %69, %70, %37 : tensor<128x64x!tt.ptr<f16>>
    tt.return
  }
}
