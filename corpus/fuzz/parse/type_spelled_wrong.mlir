// needs 3.4.0
module {
  tt.func public @topk_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1> : tensor<1x1x1x1x2xi32>
    %cst_0 = arith.constant dense<1> : tensor<1x1x1x2x1xi32>
    %cst_1 = arith.constant dense<4> : tensor<8x1xi32>
    %cst_2 = arith.constant dense<32> : tensor<8x1xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = arith.muli %1, %cst_2 : tensor<8x1xi32>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %5 = tt.broadcast %2 : tensor<8x1xi32> -> tensor<8x32xi32>
    %6 = tt.broadcast %4 : tensor<1x32xi32> -> tensor<8x32xi32>
    %7 = arith.addi %5, %6 : tensor<8x32xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
    %10 = tt.load %9 : tensor<8x32x!tt.ptr<f32>>
    %11 = arith.muli %1, %cst_1 : tensor<8x1xi32>
    %12 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %13 = tt.addptr %12, %11 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %14 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %16 = tt.broadcast %13 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
    %17 = tt.broadcast %15 : tensor<1x4xi32> -> tensor<8x4xi32>
    %18 = tt.addptr %16, %17 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %19 = tt.reshape %10 : tensor<8x32xf32> -> tensor<2x2x2x2x2x2x2x2xf32>
    %20 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %21 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2x1xi32>
    %22 = tt.bitcast %19 : tensor<2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %23 = "tt.reduce"(%22) <{axis = 7 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2xi32>
    %24 = tt.expand_dims %23 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1xi32>
    %25 = tt.broadcast %24 : tensor<2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %26 = arith.xori %22, %25 : tensor<2x2x2x2x2x2x2x2xi32>
    %27 = tt.bitcast %26 : tensor<2x2x2x2x2x2x2x2xi32> -> tensorims %77 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x12x2x2xf32>
    %28 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x1x1x1x2xi32>
    %29 = arith.cmpf ogt, %19, %27 : tensor<2x2x2x2x2x2x2x2xf32>
    %30 = tt.broadcast %21 : tensor<1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x1x2x2xi32>
    %31 = tt.broadcast %28 : tensor<1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x1x2x2xi32>
    %32 = arith.xori %30, %31 : tensor<1x1x1x1x1x1x2x2xi32>
    %33 = arith.extui %29 : tensor<2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2xi32>
    %34 = tt.broadcast %32 : tensor<1x1x1x1x1x1x2x2xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %35 = arith.cmpi ne, %33, %34 : tensor<2x2x2x2x2x2x2x2xi32>
    %36 = arith.select %35, %27, %19 : tensor<2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2xf32>
    %37 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1x1xi32>
    %38 = tt.bitcast %36 : tensor<2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %39 = "tt.reduce"(%38) <{axis = 6 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2xi32>
    %40 = tt.expand_dims %39 {axis = 6 : i32} : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1x2xi32>
    %41 = tt.broadcast %40 : tensor<2x2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %42 = arith.xori %38, %41 : tensor<2x2x2x2x2x2x2x2xi32>
    %43 = tt.bitcast %42 : tensor<2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2xf32>
    %44 = arith.cmpf ogt, %36, %43 : tensor<2x2x2x2x2x2x2x2xf32>
    %45 = tt.broadcast %37 : tensor<1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x2x2x1xi32>
    %46 = tt.broadcast %21 : tensor<1x1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x1x2x2x1xi32>
    %47 = arith.xori %45, %46 : tensor<1x1x1x1x1x2x2x1xi32>
    %48 = arith.extui %44 : tensor<2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2xi32>
    %49 = tt.broadcast %47 : tensor<1x1x1x1x1x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %50 = arith.cmpi ne, %48, %49 : tensor<2x2x2x2x2x2x2x2xi32>
    %51 = arith.select %50, %43, %36 : tensor<2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2xf32>
    %52 = tt.bitcast %51 : tensor<2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %53 = "tt.reduce"(%52) <{axis = 7 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2x2xi32>
    %54 = tt.expand_dims %53 {axis = 7 : i32} : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x1xi32>
    %55 = tt.broadcast %54 : tensor<2x2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %56 = arith.xori %52, %55 : tensor<2x2x2x2x2x2x2x2xi32>
    %57 = tt.bitcast %56 : tensor<2x2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2x2xf32>
    %58 = arith.cmpf ogt, %51, %57 : tensor<2x2x2x2x2x2x2x2xf32>
    %59 = tt.broadcast %37 : tensor<1x1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x1x2x1x2xi32>
    %60 = tt.broadcast %28 : tensor<1x1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x1x2x1x2xi32>
    %61 = arith.xori %59, %60 : tensor<1x1x1x1x1x2x1x2xi32>
    %62 = arith.extui %58 : tensor<2x2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2x2xi32>
    %63 = tt.broadcast %61 : tensor<1x1x1x1x1x2x1x2xi32> -> tensor<2x2x2x2x2x2x2x2xi32>
    %64 = arith.cmpi ne, %62, %63 : tensor<2x2x2x2x2x2x2x2xi32>
    %65 = arith.select %64, %57, %51 : tensor<2x2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2x2xf32>
    %66 = "tt.reduce"(%65) <{axis = 5 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %184 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %184 : f32
    }) : (tensor<2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32>
    %67 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x2x1x1xi32>
    %68 = tt.bitcast %66 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %69 = "tt.reduce"(%68) <{axis = 5 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %70 = tt.expand_dims %69 {axis = 5 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1x2xi32>
    %71 = tt.broadcast %70 : tensor<2x2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %72 = arith.xori %68, %71 : tensor<2x2x2x2x2x2x2xi32>
    %73 = tt.bitcast %72 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %74 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x1x2x1xi32>
    %75 = arith.cmpf ogt, %66, %73 : tensor<2x2x2x2x2x2x2xf32>
    %76 = tt.broadcast %67 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %77 = tt.broadcast %74 : tensor<1x1x1x1x1x2x1xi32> -> tensor<1x1x1x1x2x2x1xi32>
    %78 = arith.xori %76, %77 : tensor<1x1x1x1x2x2x1xi32>
    %79 = arith.extui %75 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %80 = tt.broadcast %78 : tensor<1x1x1x1x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %81 = arith.cmpi ne, %79, %80 : tensor<2x2x2x2x2x2x2xi32>
    %82 = arith.select %81, %73, %66 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %83 = tt.bitcast %82 : tensor<2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2x2xi32>
    %84 = "tt.reduce"(%83) <{axis = 6 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
    %85 = tt.expand_dims %84 {axis = 6 : i32} : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x1xi32>
    %86 = tt.broadcast %85 : tensor<2x2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %87 = arith.xori %83, %86 : tensor<2x2x2x2x2x2x2xi32>
    %88 = tt.bitcast %87 : tensor<2x2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2x2xf32>
    %89 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x1x1x2xi32>
    %90 = arith.cmpf ogt, %82, %88 : tensor<2x2x2x2x2x2x2xf32>
    %91 = tt.broadcast %67 : tensor<1x1x1x1x2x1x1xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %92 = tt.broadcast %89 : tensor<1x1x1x1x1x1x2xi32> -> tensor<1x1x1x1x2x1x2xi32>
    %93 = arith.xori %91, %92 : tensor<1x1x1x1x2x1x2xi32>
    %94 = arith.extui %90 : tensor<2x2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2x2xi32>
    %95 = tt.broadcast %93 : tensor<1x1x1x1x2x1x2xi32> -> tensor<2x2x2x2x2x2x2xi32>
    %96 = arith.cmpi ne, %94, %95 : tensor<2x2x2x2x2x2x2xi32>
    %97 = arith.select %96, %88, %82 : tensor<2x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>
    %98 = "tt.reduce"(%97) <{axis = 4 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %184 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %184 : f32
    }) : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
    %99 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %100 = tt.bitcast %98 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %101 = "tt.reduce"(%100) <{axis = 4 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %102 = tt.expand_dims %101 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %103 = tt.broadcast %102 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %104 = arith.xori %100, %103 : tensor<2x2x2x2x2x2xi32>
    %105 = tt.bitcast %104 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %106 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %107 = arith.cmpf ogt, %98, %105 : tensor<2x2x2x2x2x2xf32>
    %108 = tt.broadcast %99 : tensor<1x1x1x2x1x1xi32> -> tensor<1x1x1x2x2x1xi32>
    %109 = tt.broadcast %106 : tensor<1x1x1x1x2x1xi32> -> tensor<1x1x1x2x2x1xi32>
    %110 = arith.xori %108, %109 : tensor<1x1x1x2x2x1xi32>
    %111 = arith.extui %107 : tensor<2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2xi32>
    %112 = tt.broadcast %110 : tensor<1x1x1x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %113 = arith.cmpi ne, %111, %112 : tensor<2x2x2x2x2x2xi32>
    %114 = arith.select %113, %105, %98 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %115 = tt.bitcast %114 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %116 = "tt.reduce"(%115) <{axis = 5 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %117 = tt.expand_dims %116 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %118 = tt.broadcast %117 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %119 = arith.xori %115, %118 : tensor<2x2x2x2x2x2xi32>
    %120 = tt.bitcast %119 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %121 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %122 = arith.cmpf ogt, %114, %120 : tensor<2x2x2x2x2x2xf32>
    %123 = tt.broadcast %99 : tensor<1x1x1x2x1x1xi32> -> tensor<1x1x1x2x1x2xi32>
    %124 = tt.broadcast %121 : tensor<1x1x1x1x1x2xi32> -> tensor<1x1x1x2x1x2xi32>
    %125 = arith.xori %123, %124 : tensor<1x1x1x2x1x2xi32>
    %126 = arith.extui %122 : tensor<2x2x2x2x2x2xi1> to tensor<2x2x2x2x2x2xi32>
    %127 = tt.broadcast %125 : tensor<1x1x1x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %128 = arith.cmpi ne, %126, %127 : tensor<2x2x2x2x2x2xi32>
    %129 = arith.select %128, %120, %114 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %130 = "tt.reduce"(%129) <{axis = 3 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %184 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %184 : f32
    }) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
    %131 = tt.bitcast %130 : tensor<2x2x2x2x2xf32> -> tensor<2x2x2x2x2xi32>
    %132 = "tt.reduce"(%131) <{axis = 3 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2xi32>
    %133 = tt.expand_dims %132 {axis = 3 : i32} : tensor<2x2x2x2xi32> -> tensor<2x2x2x1x2xi32>
    %134 = tt.broadcast %133 : tensor<2x2x2x1x2xi32> -> tensor<2x2x2x2x2xi32>
    %135 = arith.xori %131, %134 : tensor<2x2x2x2x2xi32>
    %136 = tt.bitcast %135 : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2xf32>
    %137 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x2x1xi32>
    %138 = arith.cmpf ogt, %130, %136 : tensor<2x2x2x2x2xf32>
    %139 = arith.xori %137, %cst_0 : tensor<1x1x1x2x1xi32>
    %140 = arith.extui %138 : tensor<2x2x2x2x2xi1> to tensor<2x2x2x2x2xi32>
    %141 = tt.broadcast %139 : tensor<1x1x1x2x1xi32> -> tensor<2x2x2x2x2xi32>
    %142 = arith.cmpi ne, %140, %141 : tensor<2x2x2x2x2xi32>
    %143 = arith.select %142, %136, %130 : tensor<2x2x2x2x2xi1>, tensor<2x2x2x2x2xf32>
    %144 = tt.bitcast %143 : tensor<2x2x2x2x2xf32> -> tensor<2x2x2x2x2xi32>
    %145 = "tt.reduce"(%144) <{axis = 4 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<2x2x2x2x2xi32>) -> tensor<2x2x2x2xi32>
    %146 = tt.expand_dims %145 {axis = 4 : i32} : tensor<2x2x2x2xi32> -> tensor<2x2x2x2x1xi32>
    %147 = tt.broadcast %146 : tensor<2x2x2x2x1xi32> -> tensor<2x2x2x2x2xi32>
    %148 = arith.xori %144, %147 : tensor<2x2x2x2x2xi32>
    %149 = tt.bitcast %148 : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2xf32>
    %150 = tt.reshape %20 : tensor<2xi32> -> tensor<1x1x1x1x2xi32>
    %151 = arith.cmpf ogt, %143, %149 : tensor<2x2x2x2x2xf32>
    %152 = arith.xori %150, %cst : tensor<1x1x1x1x2xi32>
    %153 = arith.extui %151 : tensor<2x2x2x2x2xi1> to tensor<2x2x2x2x2xi32>
    %154 = tt.broadcast %152 : tensor<1x1x1x1x2xi32> -> tensor<2x2x2x2x2xi32>
    %155 = arith.cmpi ne, %153, %154 : tensor<2x2x2x2x2xi32>
    %156 = arith.select %155, %149, %143 : tensor<2x2x2x2x2xi1>, tensor<2x2x2x2x2xf32>
    %157 = tt.reshape %156 : tensor<2x2x2x2x2xf32> -> tensor<8x4xf32>
    tt.store %18, %157 : tensor<8x4x!tt.ptr<f32>>
    %158 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
    %159 = tt.addptr %158, %7 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
    %160 = tt.bitcast %10 : tensor<8x32xf32> -> tensor<8x32xi32>
    %161 = tt.reshape %160 : tensor<8x32xi32> -> tensor<8x2x2x2x2x2xi32>
    %162 = "tt.reduce"(%161) <{axis = 1 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<8x2x2x2x2x2xi32>) -> tensor<8x2x2x2x2xi32>
    %163 = tt.expand_dims %162 {axis = 1 : i32} : tensor<8x2x2x2x2xi32> -> tensor<8x1x2x2x2x2xi32>
    %164 = tt.broadcast %163 : tensor<8x1x2x2x2x2xi32> -> tensor<8x2x2x2x2x2xi32>
    %165 = arith.xori %161, %164 : tensor<8x2x2x2x2x2xi32>
    %166 = "tt.reduce"(%165) <{axis = 2 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<8x2x2x2x2x2xi32>) -> tensor<8x2x2x2x2xi32>
    %167 = tt.expand_dims %166 {axis = 2 : i32} : tensor<8x2x2x2x2xi32> -> tensor<8x2x1x2x2x2xi32>
    %168 = tt.broadcast %167 : tensor<8x2x1x2x2x2xi32> -> tensor<8x2x2x2x2x2xi32>
    %169 = arith.xori %165, %168 : tensor<8x2x2x2x2x2xi32>
    %170 = "tt.reduce"(%169) <{axis = 3 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<8x2x2x2x2x2xi32>) -> tensor<8x2x2x2x2xi32>
    %171 = tt.expand_dims %170 {axis = 3 : i32} : tensor<8x2x2x2x2xi32> -> tensor<8x2x2x1x2x2xi32>
    %172 = tt.broadcast %171 : tensor<8x2x2x1x2x2xi32> -> tensor<8x2x2x2x2x2xi32>
    %173 = arith.xori %169, %172 : tensor<8x2x2x2x2x2xi32>
    %174 = "tt.reduce"(%173) <{axis = 4 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<8x2x2x2x2x2xi32>) -> tensor<8x2x2x2x2xi32>
    %175 = tt.expand_dims %174 {axis = 4 : i32} : tensor<8x2x2x2x2xi32> -> tensor<8x2x2x2x1x2xi32>
    %176 = tt.broadcast %175 : tensor<8x2x2x2x1x2xi32> -> tensor<8x2x2x2x2x2xi32>
    %177 = arith.xori %173, %176 : tensor<8x2x2x2x2x2xi32>
    %178 = "tt.reduce"(%177) <{axis = 5 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %184 = arith.xori %arg3, %arg4 : i32
      tt.reduce.return %184 : i32
    }) : (tensor<8x2x2x2x2x2xi32>) -> tensor<8x2x2x2x2xi32>
    %179 = tt.expand_dims %178 {axis = 5 : i32} : tensor<8x2x2x2x2xi32> -> tensor<8x2x2x2x2x1xi32>
    %180 = tt.broadcast %179 : tensor<8x2x2x2x2x1xi32> -> tensor<8x2x2x2x2x2xi32>
    %181 = arith.xori %177, %180 : tensor<8x2x2x2x2x2xi32>
    %182 = tt.reshape %181 : tensor<8x2x2x2x2x2xi32> -> tensor<8x32xi32>
    %183 = tt.bitcast %182 : tensor<8x32xi32> -> tensor<8x32xf32>
    tt.store %159, %183 : tensor<8x32x!tt.ptr<f32>>
    tt.return
  }
}
