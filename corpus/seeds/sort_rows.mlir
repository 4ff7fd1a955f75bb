module {
  tt.func public @sort_rows(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<true> : tensor<4x16xi1>
    %cst_0 = arith.constant dense<0> : tensor<4x16xi32>
    %cst_1 = arith.constant dense<1> : tensor<1x2x1xi32>
    %cst_2 = arith.constant dense<16> : tensor<4x1xi32>
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %2 = arith.muli %1, %cst_2 : tensor<4x1xi32>
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %5 = tt.broadcast %2 : tensor<4x1xi32> -> tensor<4x16xi32>
    %6 = tt.broadcast %4 : tensor<1x16xi32> -> tensor<4x16xi32>
    %7 = arith.addi %5, %6 : tensor<4x16xi32>
    %8 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
    %9 = tt.addptr %8, %7 : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
    %10 = tt.load %9 : tensor<4x16x!tt.ptr<i32>>
    %11 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
    %12 = tt.addptr %11, %7 : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
    %13 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %14 = tt.expand_dims %13 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %15 = tt.expand_dims %14 {axis = 2 : i32} : tensor<1x2xi32> -> tensor<1x2x1xi32>
    %16 = tt.broadcast %15 : tensor<1x2x1xi32> -> tensor<16x2x2xi32>
    %17 = tt.reshape %16 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %18 = tt.reshape %10 : tensor<4x16xi32> -> tensor<32x2x1xi32>
    %19 = arith.subi %cst_1, %15 : tensor<1x2x1xi32>
    %20 = tt.broadcast %19 : tensor<1x2x1xi32> -> tensor<32x2x1xi32>
    %21 = arith.muli %18, %20 : tensor<32x2x1xi32>
    %22 = "tt.reduce"(%21) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %23 = tt.expand_dims %22 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %24 = tt.broadcast %23 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %25 = tt.broadcast %15 : tensor<1x2x1xi32> -> tensor<32x2x1xi32>
    %26 = arith.muli %18, %25 : tensor<32x2x1xi32>
    %27 = "tt.reduce"(%26) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %29 = tt.broadcast %28 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %30 = tt.reshape %24 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %31 = tt.reshape %29 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %32 = arith.cmpi sgt, %30, %31 : tensor<4x16xi32>
    %33 = arith.extui %32 : tensor<4x16xi1> to tensor<4x16xi32>
    %34 = arith.cmpi ne, %33, %17 : tensor<4x16xi32>
    %35 = arith.xori %30, %31 : tensor<4x16xi32>
    %36 = arith.select %34, %35, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %37 = arith.xori %10, %36 : tensor<4x16xi32>
    %38 = tt.broadcast %15 : tensor<1x2x1xi32> -> tensor<8x2x4xi32>
    %39 = tt.reshape %38 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %40 = tt.reshape %37 : tensor<4x16xi32> -> tensor<16x2x2xi32>
    %41 = tt.broadcast %19 : tensor<1x2x1xi32> -> tensor<16x2x2xi32>
    %42 = arith.muli %40, %41 : tensor<16x2x2xi32>
    %43 = "tt.reduce"(%42) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %44 = tt.expand_dims %43 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %45 = tt.broadcast %44 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %46 = arith.muli %40, %16 : tensor<16x2x2xi32>
    %47 = "tt.reduce"(%46) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %49 = tt.broadcast %48 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %50 = tt.reshape %45 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %51 = tt.reshape %49 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %52 = arith.cmpi sgt, %50, %51 : tensor<4x16xi32>
    %53 = arith.extui %52 : tensor<4x16xi1> to tensor<4x16xi32>
    %54 = arith.cmpi ne, %53, %39 : tensor<4x16xi32>
    %55 = arith.xori %50, %51 : tensor<4x16xi32>
    %56 = arith.select %54, %55, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %57 = arith.xori %37, %56 : tensor<4x16xi32>
    %58 = tt.reshape %57 : tensor<4x16xi32> -> tensor<32x2x1xi32>
    %59 = arith.muli %58, %20 : tensor<32x2x1xi32>
    %60 = "tt.reduce"(%59) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %61 = tt.expand_dims %60 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %62 = tt.broadcast %61 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %63 = arith.muli %58, %25 : tensor<32x2x1xi32>
    %64 = "tt.reduce"(%63) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %65 = tt.expand_dims %64 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %66 = tt.broadcast %65 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %67 = tt.reshape %62 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %68 = tt.reshape %66 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %69 = arith.cmpi sgt, %67, %68 : tensor<4x16xi32>
    %70 = arith.extui %69 : tensor<4x16xi1> to tensor<4x16xi32>
    %71 = arith.cmpi ne, %70, %39 : tensor<4x16xi32>
    %72 = arith.xori %67, %68 : tensor<4x16xi32>
    %73 = arith.select %71, %72, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %74 = arith.xori %57, %73 : tensor<4x16xi32>
    %75 = tt.broadcast %15 : tensor<1x2x1xi32> -> tensor<4x2x8xi32>
    %76 = tt.reshape %75 : tensor<4x2x8xi32> -> tensor<4x16xi32>
    %77 = tt.reshape %74 : tensor<4x16xi32> -> tensor<8x2x4xi32>
    %78 = tt.broadcast %19 : tensor<1x2x1xi32> -> tensor<8x2x4xi32>
    %79 = arith.muli %77, %78 : tensor<8x2x4xi32>
    %80 = "tt.reduce"(%79) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<8x2x4xi32>) -> tensor<8x4xi32>
    %81 = tt.expand_dims %80 {axis = 1 : i32} : tensor<8x4xi32> -> tensor<8x1x4xi32>
    %82 = tt.broadcast %81 : tensor<8x1x4xi32> -> tensor<8x2x4xi32>
    %83 = arith.muli %77, %38 : tensor<8x2x4xi32>
    %84 = "tt.reduce"(%83) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<8x2x4xi32>) -> tensor<8x4xi32>
    %85 = tt.expand_dims %84 {axis = 1 : i32} : tensor<8x4xi32> -> tensor<8x1x4xi32>
    %86 = tt.broadcast %85 : tensor<8x1x4xi32> -> tensor<8x2x4xi32>
    %87 = tt.reshape %82 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %88 = tt.reshape %86 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %89 = arith.cmpi sgt, %87, %88 : tensor<4x16xi32>
    %90 = arith.extui %89 : tensor<4x16xi1> to tensor<4x16xi32>
    %91 = arith.cmpi ne, %90, %76 : tensor<4x16xi32>
    %92 = arith.xori %87, %88 : tensor<4x16xi32>
    %93 = arith.select %91, %92, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %94 = arith.xori %74, %93 : tensor<4x16xi32>
    %95 = tt.reshape %94 : tensor<4x16xi32> -> tensor<16x2x2xi32>
    %96 = arith.muli %95, %41 : tensor<16x2x2xi32>
    %97 = "tt.reduce"(%96) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %99 = tt.broadcast %98 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %100 = arith.muli %95, %16 : tensor<16x2x2xi32>
    %101 = "tt.reduce"(%100) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %102 = tt.expand_dims %101 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %103 = tt.broadcast %102 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %104 = tt.reshape %99 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %105 = tt.reshape %103 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %106 = arith.cmpi sgt, %104, %105 : tensor<4x16xi32>
    %107 = arith.extui %106 : tensor<4x16xi1> to tensor<4x16xi32>
    %108 = arith.cmpi ne, %107, %76 : tensor<4x16xi32>
    %109 = arith.xori %104, %105 : tensor<4x16xi32>
    %110 = arith.select %108, %109, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %111 = arith.xori %94, %110 : tensor<4x16xi32>
    %112 = tt.reshape %111 : tensor<4x16xi32> -> tensor<32x2x1xi32>
    %113 = arith.muli %112, %20 : tensor<32x2x1xi32>
    %114 = "tt.reduce"(%113) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %115 = tt.expand_dims %114 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %116 = tt.broadcast %115 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %117 = arith.muli %112, %25 : tensor<32x2x1xi32>
    %118 = "tt.reduce"(%117) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %119 = tt.expand_dims %118 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %120 = tt.broadcast %119 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %121 = tt.reshape %116 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %122 = tt.reshape %120 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %123 = arith.cmpi sgt, %121, %122 : tensor<4x16xi32>
    %124 = arith.extui %123 : tensor<4x16xi1> to tensor<4x16xi32>
    %125 = arith.cmpi ne, %124, %76 : tensor<4x16xi32>
    %126 = arith.xori %121, %122 : tensor<4x16xi32>
    %127 = arith.select %125, %126, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %128 = arith.xori %111, %127 : tensor<4x16xi32>
    %129 = tt.reshape %128 : tensor<4x16xi32> -> tensor<4x2x8xi32>
    %130 = tt.broadcast %19 : tensor<1x2x1xi32> -> tensor<4x2x8xi32>
    %131 = arith.muli %129, %130 : tensor<4x2x8xi32>
    %132 = "tt.reduce"(%131) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<4x2x8xi32>) -> tensor<4x8xi32>
    %133 = tt.expand_dims %132 {axis = 1 : i32} : tensor<4x8xi32> -> tensor<4x1x8xi32>
    %134 = tt.broadcast %133 : tensor<4x1x8xi32> -> tensor<4x2x8xi32>
    %135 = arith.muli %129, %75 : tensor<4x2x8xi32>
    %136 = "tt.reduce"(%135) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<4x2x8xi32>) -> tensor<4x8xi32>
    %137 = tt.expand_dims %136 {axis = 1 : i32} : tensor<4x8xi32> -> tensor<4x1x8xi32>
    %138 = tt.broadcast %137 : tensor<4x1x8xi32> -> tensor<4x2x8xi32>
    %139 = tt.reshape %134 : tensor<4x2x8xi32> -> tensor<4x16xi32>
    %140 = tt.reshape %138 : tensor<4x2x8xi32> -> tensor<4x16xi32>
    %141 = arith.cmpi sgt, %139, %140 : tensor<4x16xi32>
    %142 = arith.extui %141 : tensor<4x16xi1> to tensor<4x16xi32>
    %143 = arith.cmpi ne, %142, %cst_0 : tensor<4x16xi32>
    %144 = arith.xori %139, %140 : tensor<4x16xi32>
    %145 = arith.select %143, %144, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %146 = arith.xori %128, %145 : tensor<4x16xi32>
    %147 = tt.reshape %146 : tensor<4x16xi32> -> tensor<8x2x4xi32>
    %148 = arith.muli %147, %78 : tensor<8x2x4xi32>
    %149 = "tt.reduce"(%148) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<8x2x4xi32>) -> tensor<8x4xi32>
    %150 = tt.expand_dims %149 {axis = 1 : i32} : tensor<8x4xi32> -> tensor<8x1x4xi32>
    %151 = tt.broadcast %150 : tensor<8x1x4xi32> -> tensor<8x2x4xi32>
    %152 = arith.muli %147, %38 : tensor<8x2x4xi32>
    %153 = "tt.reduce"(%152) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<8x2x4xi32>) -> tensor<8x4xi32>
    %154 = tt.expand_dims %153 {axis = 1 : i32} : tensor<8x4xi32> -> tensor<8x1x4xi32>
    %155 = tt.broadcast %154 : tensor<8x1x4xi32> -> tensor<8x2x4xi32>
    %156 = tt.reshape %151 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %157 = tt.reshape %155 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %158 = arith.cmpi sgt, %156, %157 : tensor<4x16xi32>
    %159 = arith.extui %158 : tensor<4x16xi1> to tensor<4x16xi32>
    %160 = arith.cmpi ne, %159, %cst_0 : tensor<4x16xi32>
    %161 = arith.xori %156, %157 : tensor<4x16xi32>
    %162 = arith.select %160, %161, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %163 = arith.xori %146, %162 : tensor<4x16xi32>
    %164 = tt.reshape %163 : tensor<4x16xi32> -> tensor<16x2x2xi32>
    %165 = arith.muli %164, %41 : tensor<16x2x2xi32>
    %166 = "tt.reduce"(%165) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %167 = tt.expand_dims %166 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %168 = tt.broadcast %167 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %169 = arith.muli %164, %16 : tensor<16x2x2xi32>
    %170 = "tt.reduce"(%169) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %171 = tt.expand_dims %170 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %172 = tt.broadcast %171 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %173 = tt.reshape %168 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %174 = tt.reshape %172 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %175 = arith.cmpi sgt, %173, %174 : tensor<4x16xi32>
    %176 = arith.extui %175 : tensor<4x16xi1> to tensor<4x16xi32>
    %177 = arith.cmpi ne, %176, %cst_0 : tensor<4x16xi32>
    %178 = arith.xori %173, %174 : tensor<4x16xi32>
    %179 = arith.select %177, %178, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %180 = arith.xori %163, %179 : tensor<4x16xi32>
    %181 = tt.reshape %180 : tensor<4x16xi32> -> tensor<32x2x1xi32>
    %182 = arith.muli %181, %20 : tensor<32x2x1xi32>
    %183 = "tt.reduce"(%182) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %184 = tt.expand_dims %183 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %185 = tt.broadcast %184 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %186 = arith.muli %181, %25 : tensor<32x2x1xi32>
    %187 = "tt.reduce"(%186) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %188 = tt.expand_dims %187 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %189 = tt.broadcast %188 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %190 = tt.reshape %185 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %191 = tt.reshape %189 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %192 = arith.cmpi sgt, %190, %191 : tensor<4x16xi32>
    %193 = arith.extui %192 : tensor<4x16xi1> to tensor<4x16xi32>
    %194 = arith.cmpi ne, %193, %cst_0 : tensor<4x16xi32>
    %195 = arith.xori %190, %191 : tensor<4x16xi32>
    %196 = arith.select %194, %195, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %197 = arith.xori %180, %196 : tensor<4x16xi32>
    tt.store %12, %197 : tensor<4x16x!tt.ptr<i32>>
    %198 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
    %199 = tt.addptr %198, %7 : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
    %200 = arith.cmpi ne, %141, %cst : tensor<4x16xi1>
    %201 = arith.select %200, %144, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %202 = arith.xori %128, %201 : tensor<4x16xi32>
    %203 = tt.reshape %202 : tensor<4x16xi32> -> tensor<8x2x4xi32>
    %204 = arith.muli %203, %78 : tensor<8x2x4xi32>
    %205 = "tt.reduce"(%204) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<8x2x4xi32>) -> tensor<8x4xi32>
    %206 = tt.expand_dims %205 {axis = 1 : i32} : tensor<8x4xi32> -> tensor<8x1x4xi32>
    %207 = tt.broadcast %206 : tensor<8x1x4xi32> -> tensor<8x2x4xi32>
    %208 = arith.muli %203, %38 : tensor<8x2x4xi32>
    %209 = "tt.reduce"(%208) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<8x2x4xi32>) -> tensor<8x4xi32>
    %210 = tt.expand_dims %209 {axis = 1 : i32} : tensor<8x4xi32> -> tensor<8x1x4xi32>
    %211 = tt.broadcast %210 : tensor<8x1x4xi32> -> tensor<8x2x4xi32>
    %212 = tt.reshape %207 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %213 = tt.reshape %211 : tensor<8x2x4xi32> -> tensor<4x16xi32>
    %214 = arith.cmpi sgt, %212, %213 : tensor<4x16xi32>
    %215 = arith.cmpi ne, %214, %cst : tensor<4x16xi1>
    %216 = arith.xori %212, %213 : tensor<4x16xi32>
    %217 = arith.select %215, %216, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %218 = arith.xori %202, %217 : tensor<4x16xi32>
    %219 = tt.reshape %218 : tensor<4x16xi32> -> tensor<16x2x2xi32>
    %220 = arith.muli %219, %41 : tensor<16x2x2xi32>
    %221 = "tt.reduce"(%220) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %222 = tt.expand_dims %221 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %223 = tt.broadcast %222 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %224 = arith.muli %219, %16 : tensor<16x2x2xi32>
    %225 = "tt.reduce"(%224) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<16x2x2xi32>) -> tensor<16x2xi32>
    %226 = tt.expand_dims %225 {axis = 1 : i32} : tensor<16x2xi32> -> tensor<16x1x2xi32>
    %227 = tt.broadcast %226 : tensor<16x1x2xi32> -> tensor<16x2x2xi32>
    %228 = tt.reshape %223 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %229 = tt.reshape %227 : tensor<16x2x2xi32> -> tensor<4x16xi32>
    %230 = arith.cmpi sgt, %228, %229 : tensor<4x16xi32>
    %231 = arith.cmpi ne, %230, %cst : tensor<4x16xi1>
    %232 = arith.xori %228, %229 : tensor<4x16xi32>
    %233 = arith.select %231, %232, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %234 = arith.xori %218, %233 : tensor<4x16xi32>
    %235 = tt.reshape %234 : tensor<4x16xi32> -> tensor<32x2x1xi32>
    %236 = arith.muli %235, %20 : tensor<32x2x1xi32>
    %237 = "tt.reduce"(%236) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %238 = tt.expand_dims %237 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %239 = tt.broadcast %238 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %240 = arith.muli %235, %25 : tensor<32x2x1xi32>
    %241 = "tt.reduce"(%240) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.addi %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<32x2x1xi32>) -> tensor<32x1xi32>
    %242 = tt.expand_dims %241 {axis = 1 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %243 = tt.broadcast %242 : tensor<32x1x1xi32> -> tensor<32x2x1xi32>
    %244 = tt.reshape %239 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %245 = tt.reshape %243 : tensor<32x2x1xi32> -> tensor<4x16xi32>
    %246 = arith.cmpi sgt, %244, %245 : tensor<4x16xi32>
    %247 = arith.cmpi ne, %246, %cst : tensor<4x16xi1>
    %248 = arith.xori %244, %245 : tensor<4x16xi32>
    %249 = arith.select %247, %248, %cst_0 : tensor<4x16xi1>, tensor<4x16xi32>
    %250 = arith.xori %234, %249 : tensor<4x16xi32>
    tt.store %199, %250 : tensor<4x16x!tt.ptr<i32>>
    %251 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %252 = tt.addptr %251, %0 : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %253 = "tt.reduce"(%10) <{axis = 1 : i32}> ({
    ^bb0(%arg4: i32, %arg5: i32):
      %254 = arith.xori %arg4, %arg5 : i32
      tt.reduce.return %254 : i32
    }) : (tensor<4x16xi32>) -> tensor<4xi32>
    tt.store %252, %253 : tensor<4x!tt.ptr<i32>>
    tt.return
  }
}
