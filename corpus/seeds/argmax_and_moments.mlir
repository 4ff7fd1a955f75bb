module {
  tt.func public @argmax_and_moments(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<1x128xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<2> : tensor<16xi32>
    %cst_2 = arith.constant dense<1> : tensor<16xi32>
    %cst_3 = arith.constant dense<3> : tensor<16xi32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<16x128xf32>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %3 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
    %4 = arith.cmpi slt, %2, %3 : tensor<1x128xi32>
    %5 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %6 = tt.splat %arg4 : i32 -> tensor<16x1xi32>
    %7 = arith.muli %5, %6 : tensor<16x1xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %10 = tt.broadcast %9 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x128x!tt.ptr<f32>>
    %11 = tt.broadcast %2 : tensor<1x128xi32> -> tensor<16x128xi32>
    %12 = tt.addptr %10, %11 : tensor<16x128x!tt.ptr<f32>>, tensor<16x128xi32>
    %13 = tt.broadcast %4 : tensor<1x128xi1> -> tensor<16x128xi1>
    %14 = tt.load %12, %13, %cst_4 : tensor<16x128x!tt.ptr<f32>>
    %15:2 = "tt.reduce"(%14, %11) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: i32, %arg7: f32, %arg8: i32):
      %31 = arith.cmpf oeq, %arg5, %arg7 : f32
      %32 = arith.cmpi slt, %arg6, %arg8 : i32
      %33 = arith.andi %31, %32 : i1
      %34 = arith.cmpf ogt, %arg5, %arg7 : f32
      %35 = arith.ori %34, %33 : i1
      %36 = arith.select %35, %arg5, %arg7 : f32
      %37 = arith.select %35, %arg6, %arg8 : i32
      tt.reduce.return %36, %37 : f32, i32
    }) : (tensor<16x128xf32>, tensor<16x128xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    %16 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %17 = tt.addptr %16, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    tt.store %17, %15#1 : tensor<16x!tt.ptr<i32>>
    %18 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %19 = tt.addptr %18, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %20:2 = "tt.reduce"(%14, %11) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: i32, %arg7: f32, %arg8: i32):
      %31 = arith.cmpf olt, %arg5, %arg7 : f32
      %32 = arith.select %31, %arg5, %arg7 : f32
      %33 = arith.select %31, %arg6, %arg8 : i32
      tt.reduce.return %32, %33 : f32, i32
    }) : (tensor<16x128xf32>, tensor<16x128xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    tt.store %19, %20#1 : tensor<16x!tt.ptr<i32>>
    %21 = arith.uitofp %4 : tensor<1x128xi1> to tensor<1x128xf32>
    %22 = arith.addf %21, %cst : tensor<1x128xf32>
    %23 = tt.broadcast %22 : tensor<1x128xf32> -> tensor<16x128xf32>
    %24:3 = "tt.reduce"(%14, %cst_4, %23) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32, %arg7: f32, %arg8: f32, %arg9: f32, %arg10: f32):
      %31 = arith.subf %arg8, %arg5 : f32
      %32 = arith.addf %arg7, %arg10 : f32
      %33 = arith.cmpf oeq, %32, %cst_0 : f32
      %34 = arith.divf %arg10, %32 : f32
      %35 = arith.select %33, %cst_0, %34 : f32
      %36 = arith.mulf %31, %35 : f32
      %37 = arith.addf %arg5, %36 : f32
      %38 = arith.addf %arg6, %arg9 : f32
      %39 = arith.mulf %31, %31 : f32
      %40 = arith.mulf %39, %arg7 : f32
      %41 = arith.mulf %40, %35 : f32
      %42 = arith.addf %38, %41 : f32
      tt.reduce.return %37, %42, %32 : f32, f32, f32
    }) : (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    %25 = arith.muli %0, %cst_3 : tensor<16xi32>
    %26 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %27 = tt.addptr %26, %25 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %27, %24#0 : tensor<16x!tt.ptr<f32>>
    %28 = tt.addptr %27, %cst_2 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %29 = arith.divf %24#1, %24#2 : tensor<16xf32>
    tt.store %28, %29 : tensor<16x!tt.ptr<f32>>
    %30 = tt.addptr %27, %cst_1 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %30, %15#0 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
