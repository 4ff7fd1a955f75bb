module {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<1024xi32>
    %4 = arith.muli %0, %arg2 : i32
    %5 = tt.addptr %arg1, %4 : !tt.ptr<f32>, i32
    %6 = tt.splat %5 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %7 = tt.addptr %6, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %8 = tt.load %7, %3, %cst : tensor<1024x!tt.ptr<f32>>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %19 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<1024xf32>
    %11 = arith.subf %8, %10 : tensor<1024xf32>
    %12 = math.exp %11 : tensor<1024xf32>
    %13 = tt.addptr %arg0, %4 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %15 = tt.addptr %14, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %19 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<1024xf32>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<1024xf32>
    %18 = arith.divf %12, %17 : tensor<1024xf32>
    tt.store %15, %18, %3 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}
