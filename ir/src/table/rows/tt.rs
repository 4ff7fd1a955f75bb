//! Triton's own dialect, above layouts (`tt`): structure, memory, shapes and the rest that is not elementwise.
//!
//! `tt.dot_scaled` of 3.2 does not fit its row: it has other operands, and it keeps its text.

use super::super::{Row, flags::*};

/// `%src : from -> to`, a change of shape.
const fn reshaping(name: &'static str) -> Row {
    Row { name, operands: "src -> result", props: "", forms: &["%src {} ':' :src '->' :result"], flags: PURE }
}

/// `%lhs, %rhs : from -> to`.
const fn joining(name: &'static str) -> Row {
    Row {
        name,
        operands: "lhs rhs -> result",
        props: "",
        forms: &["%lhs ',' %rhs {} ':' :lhs '->' :result"],
        flags: PURE,
    }
}

/// A terminator that hands values to the operation around it.
const fn handing_over(name: &'static str) -> Row {
    Row { name, operands: "result*", props: "", forms: &["%result {} ':' :result"], flags: PURE | TERMINATOR }
}

/// A question to the launch grid.
const fn grid(name: &'static str) -> Row {
    Row { name, operands: "-> result", props: "axis:ProgramDim", forms: &["$axis {} ':' :result"], flags: PURE }
}

/// An instruction with an effect and no operands.
const fn instruction(name: &'static str) -> Row {
    Row { name, operands: "", props: "", forms: &["{}"], flags: 0 }
}

/// A load of a block through a tensor descriptor (before 3.3, through a pointer to one).
const fn descriptor_load(name: &'static str) -> Row {
    Row {
        name,
        operands: "desc indices* -> result",
        props: "cache:CacheModifier=1 evict:EvictionPolicy=1 cachePolicy:any?",
        forms: &[
            "%desc '[' %indices ']' ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' :desc '->' :result",
        ],
        flags: READS,
    }
}

/// A store of a block through a tensor descriptor.
const fn descriptor_store(name: &'static str) -> Row {
    Row {
        name,
        operands: "desc src indices*",
        props: "",
        forms: &["%desc '[' %indices ']' ',' %src {} ':' :desc ',' :src"],
        flags: 0,
    }
}

/// A load of rows that a tensor of indices names.
const fn descriptor_gather(name: &'static str) -> Row {
    Row {
        name,
        operands: "desc x_offsets y_offset -> result",
        props: "",
        forms: &["%desc '[' %x_offsets ',' %y_offset ']' {} ':' fn(desc,x_offsets,y_offset -> result)"],
        flags: READS,
    }
}

/// A store of rows that a tensor of indices names.
const fn descriptor_scatter(name: &'static str) -> Row {
    Row {
        name,
        operands: "desc x_offsets y_offset src",
        props: "",
        forms: &["%desc '[' %x_offsets ',' %y_offset ']' ',' %src {} ':' :desc ',' :x_offsets ',' :y_offset ',' :src"],
        flags: 0,
    }
}

pub const ROWS: &[Row] = &[
    Row { name: "builtin.module", operands: "", props: "sym_name:str?", forms: &["!module"], flags: ISOLATED | GRAPH },
    Row {
        name: "tt.func",
        operands: "",
        props: "sym_name:str function_type:type sym_visibility:str? arg_attrs:any? res_attrs:any?",
        forms: &["!func"],
        flags: ISOLATED | SYMBOL,
    },
    Row {
        name: "tt.call",
        operands: "operands* -> results*",
        props: "callee:sym arg_attrs:any? res_attrs:any?",
        forms: &["$callee '(' [%operands] ')' {} ':' fn(operands -> results)"],
        flags: 0,
    },
    Row { name: "tt.return", operands: "srcs*", props: "", forms: &["{} [%srcs ':' :srcs]"], flags: TERMINATOR },
    Row {
        name: "tt.load",
        operands: "ptr mask? other? -> result=pointee(ptr)",
        props: "boundaryCheck:i32s=array<i32> padding:Padding? cache:CacheModifier=1 evict:EvictionPolicy=1 \
                cachePolicy:any? isVolatile:bool=false",
        forms: &[
            "%ptr [',' %mask [',' %other]] ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' :ptr",
        ],
        flags: READS | ELEMENTWISE,
    },
    Row {
        name: "tt.store",
        operands: "ptr value mask?",
        props: "boundaryCheck:i32s=array<i32> cache:CacheModifier=1 evict:EvictionPolicy=1 cachePolicy:any? \
                ignore_cta:unit?",
        forms: &["%ptr ',' %value [',' %mask] ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' :ptr"],
        flags: ELEMENTWISE,
    },
    Row {
        name: "tt.atomic_rmw",
        operands: "ptr val mask? -> result",
        props: "atomic_rmw_op:AtomicOp sem:MemSemantic scope:MemScope",
        forms: &["$atomic_rmw_op ',' $sem ',' $scope ',' %ptr ',' %val [',' %mask] {} ':' fn(ptr,val,mask -> result)"],
        flags: ELEMENTWISE,
    },
    Row {
        name: "tt.atomic_cas",
        operands: "ptr cmp val -> result",
        props: "sem:MemSemantic scope:MemScope",
        forms: &["$sem ',' $scope ',' %ptr ',' %cmp ',' %val {} ':' fn(ptr,cmp,val -> result)"],
        flags: ELEMENTWISE,
    },
    Row {
        name: "tt.atomic_load",
        operands: "ptr mask? -> result",
        props: "sem:MemSemantic scope:MemScope",
        forms: &["$sem ',' $scope ',' %ptr [',' %mask] {} ':' fn(ptr,mask -> result)"],
        flags: ELEMENTWISE,
    },
    Row {
        name: "tt.atomic_store",
        operands: "ptr value mask?",
        props: "sem:MemSemantic scope:MemScope",
        forms: &["$sem ',' $scope ',' %ptr ',' %value [',' %mask] {} ':' :ptr"],
        flags: ELEMENTWISE,
    },
    Row {
        name: "tt.atomic_poll",
        operands: "ptr expected timeout? -> result",
        props: "sem:MemSemantic scope:MemScope",
        forms: &["$sem ',' $scope ',' %ptr ',' %expected ['timeout' %timeout] {} ':' :ptr ',' :expected '->' :result"],
        flags: 0,
    },
    Row {
        name: "tt.make_tensor_ptr",
        operands: "base shape* strides* offsets* -> result",
        props: "order:i32s",
        forms: &["%base ',' '[' %shape ']' ',' '[' %strides ']' ',' '[' %offsets ']' {} ':' :result/tt.ptr"],
        flags: PURE | NO_SEGMENTS,
    },
    Row {
        name: "tt.advance",
        operands: "ptr offsets* -> result",
        props: "",
        forms: &["%ptr ',' '[' %offsets ']' {} ':' :result/tt.ptr"],
        flags: PURE,
    },
    Row {
        name: "tt.make_tensor_descriptor",
        operands: "base shape* strides* -> result",
        props: "padding:Padding=1",
        forms: &["%base ',' '[' %shape ']' ',' '[' %strides ']' {} ':' :base/tt.ptr ',' :result/tt.tensordesc"],
        flags: PURE | NO_SEGMENTS,
    },
    Row {
        name: "tt.reinterpret_tensor_descriptor",
        operands: "rawDesc -> result",
        props: "",
        forms: &["%rawDesc {} ':' :rawDesc 'to' :result"],
        flags: PURE,
    },
    descriptor_load("tt.descriptor_load"),
    descriptor_load("tt.experimental_descriptor_load"),
    descriptor_store("tt.descriptor_store"),
    descriptor_store("tt.experimental_descriptor_store"),
    descriptor_gather("tt.descriptor_gather"),
    descriptor_gather("tt.experimental_descriptor_gather"),
    descriptor_scatter("tt.descriptor_scatter"),
    descriptor_scatter("tt.experimental_descriptor_scatter"),
    Row {
        name: "tt.descriptor_reduce",
        operands: "desc src indices*",
        props: "kind:DescriptorReduction",
        forms: &["$kind ',' %desc '[' %indices ']' ',' %src {} ':' :desc ',' :src"],
        flags: 0,
    },
    Row {
        name: "tt.experimental_tensormap_create",
        operands: "desc_ptr global_address box_dim* global_dim* global_stride* element_stride*",
        props: "elem_type:i32 interleave_layout:i32 swizzle_mode:i32 fill_mode:i32",
        forms: &[
            "%desc_ptr ',' %global_address ',' '[' %box_dim ']' ',' '[' %global_dim ']' ',' '[' %global_stride ']' ',' \
             '[' %element_stride ']' {} ':' \
             fn(desc_ptr,global_address,box_dim,global_dim,global_stride,element_stride -> )",
        ],
        flags: 0,
    },
    Row {
        name: "tt.experimental_tensormap_fenceproxy_acquire",
        operands: "desc_ptr",
        props: "",
        forms: &["%desc_ptr {} ':' :desc_ptr"],
        flags: 0,
    },
    grid("tt.get_program_id"),
    grid("tt.get_num_programs"),
    Row {
        name: "tt.make_range",
        operands: "-> result",
        props: "start:i32 end:i32",
        forms: &["{} ':' :result"],
        flags: PURE,
    },
    reshaping("tt.splat"),
    reshaping("tt.broadcast"),
    Row {
        name: "tt.unsplat",
        operands: "src -> result=element(src)",
        props: "",
        forms: &["%src {} ':' :src"],
        flags: PURE,
    },
    Row {
        name: "tt.expand_dims",
        operands: "src -> result",
        props: "axis:i32",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "tt.reshape",
        operands: "src -> result",
        props: "allow_reorder:unit? efficient_layout:unit?",
        forms: &[
            // Up to 3.1 `allow_reorder` is a bool in the attribute list.
            "%src {} ':' :src '->' :result",
            "%src ['allow_reorder' $allow_reorder] ['efficient_layout' $efficient_layout] {} ':' :src '->' :result",
        ],
        flags: PURE,
    },
    Row {
        name: "tt.trans",
        operands: "src -> result",
        props: "order:i32s",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE,
    },
    joining("tt.cat"),
    joining("tt.join"),
    Row {
        name: "tt.split",
        operands: "src -> outLHS outRHS=outLHS",
        props: "",
        forms: &["%src {} ':' :src '->' :outLHS"],
        flags: PURE,
    },
    Row {
        name: "tt.dot",
        operands: "a b c -> d",
        props: "inputPrecision:InputPrecision=2 maxNumImpreciseAcc:i32=0",
        forms: &["%a ',' %b ',' %c [',' 'inputPrecision' '=' $inputPrecision] {} ':' :a '*' :b '->' :d"],
        flags: PURE,
    },
    Row {
        name: "tt.dot_scaled",
        operands: "a b c a_scale? b_scale? -> d",
        props: "a_elem_type:ScaledType b_elem_type:ScaledType fastMath:bool lhs_k_pack:bool=true rhs_k_pack:bool=true",
        forms: &[
            "%a ['scale' %a_scale] ',' %b ['scale' %b_scale] ',' %c 'lhs' '=' $a_elem_type 'rhs' '=' $b_elem_type {} \
             ':' :a [',' :a_scale] '*' :b [',' :b_scale] '->' :d",
        ],
        flags: PURE,
    },
    // Reductions and scans are always printed in the generic form.
    Row { name: "tt.reduce", operands: "srcs* -> result*", props: "axis:i32", forms: &[], flags: PURE },
    Row {
        name: "tt.scan",
        operands: "srcs* -> result*",
        props: "axis:i32 reverse:bool",
        forms: &[],
        flags: PURE | ELEMENTWISE,
    },
    Row { name: "tt.map_elementwise", operands: "srcs* -> result*", props: "pack:i32", forms: &[], flags: ELEMENTWISE },
    handing_over("tt.reduce.return"),
    handing_over("tt.scan.return"),
    Row {
        name: "tt.map_elementwise.return",
        operands: "result*",
        props: "",
        forms: &["{} [%result ':' :result]"],
        flags: PURE | TERMINATOR,
    },
    Row {
        name: "tt.histogram",
        operands: "src mask? -> result",
        props: "",
        forms: &["%src [',' %mask] {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "tt.gather",
        operands: "src indices -> result",
        props: "axis:i32 efficient_layout:unit?",
        forms: &["%src '[' %indices ']' {} ':' fn(src,indices -> result)"],
        flags: PURE,
    },
    Row {
        name: "tt.print",
        operands: "args*",
        props: "prefix:str hex:bool isSigned:i32s?",
        forms: &["$prefix {} [':' %args ':' :args]"],
        flags: VERSIONED,
    },
    Row {
        name: "tt.assert",
        operands: "condition",
        props: "message:str file:str? func:str? line:i32?",
        forms: &[
            "%condition ',' $message {} ':' :condition",
            "%condition ',' $message ',' $file ',' $func ',' $line {} ':' :condition",
        ],
        flags: VERSIONED,
    },
    instruction("tt.grid_dependency_wait"),
    instruction("tt.grid_dependency_launch_dependents"),
];
