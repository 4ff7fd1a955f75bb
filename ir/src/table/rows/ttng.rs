//! NVIDIA's dialect: tensor cores, barriers, TMA and tensor memory (`ttng`, before 3.3 `triton_nvidia_gpu`).

use super::super::{Row, flags::*};

/// An instruction with an effect and no operands, with a flag of some kind in its dictionary.
const fn instruction(name: &'static str, props: &'static str) -> Row {
    Row { name, operands: "", props, forms: &["{}"], flags: 0 }
}

/// The tail of the type list that older releases print with the leading `!tt.memdesc` left out.
const fn on_barrier(name: &'static str, props: &'static str) -> Row {
    Row {
        name,
        operands: "alloc",
        props,
        forms: &["%alloc {} ':' :alloc", "%alloc {} ':' :alloc/ttg.memdesc"],
        flags: 0,
    }
}

pub const ROWS: &[Row] = &[
    instruction("ttng.fence_async_shared", "bCluster:bool"),
    instruction("ttng.fence_mbarrier_init_release_cluster", ""),
    instruction("ttng.cluster_arrive", "relaxed:bool?"),
    instruction("ttng.cluster_wait", ""),
    instruction("ttng.cluster_barrier", "relaxed:bool=false"),
    instruction("ttng.async_tma_store_wait", "pendings:i32 read_only:unit?"),
    Row {
        name: "ttng.warp_group_dot",
        operands: "a b c useC? -> d",
        props: "inputPrecision:InputPrecision=2 maxNumImpreciseAcc:i32=0 isAsync:bool=false",
        forms: &["%a ',' %b ',' %c [',' %useC] {} ':' :a '*' :b '->' :d"],
        flags: READS,
    },
    Row {
        name: "ttng.warp_group_dot_wait",
        operands: "inputs* -> outputs*=inputs",
        props: "pendings:i32 warpGroupLocal:unit?",
        forms: &["%inputs {} ':' :inputs"],
        flags: 0,
    },
    // The names of these two up to 3.1.
    Row {
        name: "ttng.dot_async",
        operands: "a b c -> d",
        props: "inputPrecision:InputPrecision maxNumImpreciseAcc:i32",
        forms: &["%a ',' %b ',' %c {} ':' :a '*' :b '->' :d"],
        flags: READS,
    },
    Row {
        name: "ttng.dot_wait",
        operands: "inputs* -> outputs*=inputs",
        props: "pendings:i32",
        forms: &["%inputs {} ':' :inputs"],
        flags: 0,
    },
    Row {
        name: "ttng.init_barrier",
        operands: "alloc",
        props: "count:i32",
        forms: &["%alloc ',' $count {} ':' :alloc", "%alloc ',' $count {} ':' :alloc/ttg.memdesc"],
        flags: 0,
    },
    on_barrier("ttng.inval_barrier", ""),
    Row {
        name: "ttng.barrier_expect",
        operands: "alloc pred",
        props: "size:i32 fromCTA:i32?",
        forms: &["%alloc ',' $size {} ',' %pred ':' :alloc", "%alloc ',' $size {} ',' %pred ':' :alloc/ttg.memdesc"],
        flags: 0,
    },
    Row {
        name: "ttng.wait_barrier",
        operands: "alloc phase pred? deps*",
        props: "",
        forms: &[
            "%alloc ',' %phase [',' %pred] ['deps' %deps] {} ':' :alloc [',' :deps]",
            "%alloc ',' %phase {} [',' %pred] ':' :alloc",
            "%alloc ',' %phase {} ':' :alloc/ttg.memdesc",
        ],
        flags: VERSIONED,
    },
    Row {
        name: "ttng.arrive_barrier",
        operands: "alloc pred?",
        props: "count:i32 fromCTA:i32? multicastCTA:i32=0",
        forms: &["%alloc ',' $count [',' %pred] {} ':' :alloc"],
        flags: 0,
    },
    on_barrier("ttng.async_copy_mbarrier_arrive", "noIncrement:unit?"),
    Row {
        name: "ttng.async_tma_copy_global_to_local",
        operands: "desc coord* offsets* barrier result pred",
        props: "multicast:unit? cache:CacheModifier=1 evict:EvictionPolicy=1 cachePolicy:any? isVolatile:bool=false \
                tensorMode:TensorMode=0",
        forms: &[
            "%desc '[' %coord ']' ['offsets' '=' '[' %offsets ']'] %result ',' %barrier ',' %pred \
             ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] ['tensorMode' '=' $tensorMode] {} ':' \
             :desc ',' :barrier '->' :result",
            "%desc '[' %coord ']' %result ',' %barrier ',' %pred \
             ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' \
             :desc/tt.ptr ',' :barrier/ttg.memdesc '->' :result/ttg.memdesc",
        ],
        flags: VERSIONED,
    },
    Row {
        name: "ttng.async_tma_copy_local_to_global",
        operands: "desc coord* src",
        props: "cachePolicy:any?",
        forms: &[
            "%desc '[' %coord ']' %src {} ':' :desc ',' :src",
            "%desc '[' %coord ']' %src {} ':' :desc/tt.ptr ',' :src/ttg.memdesc",
        ],
        flags: 0,
    },
    Row {
        name: "ttng.async_tma_reduce",
        operands: "desc coord* src",
        props: "kind:DescriptorReduction",
        forms: &["$kind ',' %desc '[' %coord ']' %src {} ':' :desc ',' :src"],
        flags: 0,
    },
    Row {
        name: "ttng.async_tma_gather",
        operands: "desc x_offsets y_offset barrier result pred",
        props: "multicast:unit? cachePolicy:any?",
        forms: &["%desc '[' %x_offsets ',' %y_offset ']' %result ',' %barrier ',' %pred {} ':' \
             :desc ',' :x_offsets ',' :y_offset ',' :barrier ',' :result ',' :pred"],
        flags: 0,
    },
    Row {
        name: "ttng.async_tma_scatter",
        operands: "desc x_offsets y_offset src",
        props: "cachePolicy:any?",
        forms: &["%desc '[' %x_offsets ',' %y_offset ']' %src {} ':' :desc ',' :x_offsets ',' :y_offset ',' :src"],
        flags: 0,
    },
    Row {
        name: "ttng.tensor_desc_to_tma_ptr",
        operands: "desc -> ptr",
        props: "",
        forms: &["%desc {} ':' :desc 'to' :ptr"],
        flags: PURE,
    },
    Row {
        name: "ttng.reinterpret_tensor_descriptor",
        operands: "rawDesc -> result",
        props: "",
        forms: &["%rawDesc {} ':' :rawDesc 'to' :result"],
        flags: PURE,
    },
    Row {
        name: "ttng.tensormap_create",
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
        name: "ttng.tensormap_fenceproxy_acquire",
        operands: "desc_ptr",
        props: "",
        forms: &["%desc_ptr {} ':' :desc_ptr"],
        flags: 0,
    },
    // From 3.4 on the accumulator's token stands in brackets after it, with nothing between them when there is a token
    // result but no operand; before, there was at most one barrier.
    Row {
        name: "ttng.tc_gen5_mma",
        operands: "a b d acc_dep? useD pred barriers* barrier_preds* -> token?='!ttg.async.token'",
        props: "is_async:unit? two_ctas:unit? multicast:unit? is_unsigned:unit?",
        forms: &[
            "%a ',' %b ',' %d ['[' @token [%acc_dep] ']'] ',' %useD ',' %pred \
             (',' %barriers '[' %barrier_preds ']')* {} ':' :a ',' :b ',' :d [',' :barriers]",
            "%a ',' %b ',' %d ',' %useD ',' %pred [',' %barriers] {} ':' fn(a,b,d,useD,pred,barriers -> )",
        ],
        flags: VERSIONED,
    },
    Row {
        name: "ttng.tc_gen5_mma_scaled",
        operands: "a b d acc_dep? a_scale b_scale useD pred barriers* barrier_preds* -> token?='!ttg.async.token'",
        props: "a_type:ScaledType b_type:ScaledType is_async:unit? two_ctas:unit? multicast:unit?",
        forms: &[
            "%a ',' %b ',' %d ['[' @token [%acc_dep] ']'] ',' %a_scale ',' %b_scale ',' %useD ',' %pred \
             'lhs' '=' $a_type 'rhs' '=' $b_type (',' %barriers '[' %barrier_preds ']')* {} ':' \
             :a ',' :b ',' :d ',' :a_scale ',' :b_scale [',' :barriers]",
            "%a ',' %b ',' %d ',' %a_scale ',' %b_scale ',' %useD ',' %pred 'lhs' '=' $a_type 'rhs' '=' $b_type \
             [',' %barriers] {} ':' fn(a,b,d,a_scale,b_scale,useD,pred,barriers -> )",
        ],
        flags: VERSIONED,
    },
    Row {
        name: "ttng.tc_gen5_commit",
        operands: "barrier pred? descs*",
        props: "two_ctas:unit?",
        forms: &["%barrier [',' %pred] ['descs' %descs] {} ':' :barrier [',' :descs]"],
        flags: VERSIONED,
    },
    Row {
        name: "ttng.tmem_alloc",
        operands: "src? -> result token?",
        props: "",
        forms: &["[%src] {} ':' fn(src -> result,token)"],
        flags: READS,
    },
    Row {
        name: "ttng.tmem_load",
        operands: "src dep? -> result token?='!ttg.async.token' red?",
        props: "redOp:i32? abs:bool? NaN:bool?",
        forms: &["%src ['[' @token [%dep] ']'] {} ':' :src '->' :result [',' :red]"],
        flags: READS | RESULT_SEGMENTS | VERSIONED,
    },
    Row {
        name: "ttng.tmem_store",
        operands: "dst dep? src pred -> token?='!ttg.async.token'",
        props: "",
        forms: &["%src ',' %dst ['[' @token [%dep] ']'] ',' %pred {} ':' :src '->' :dst"],
        flags: 0,
    },
    Row {
        name: "ttng.tmem_copy",
        operands: "src dst barrier?",
        props: "",
        forms: &[
            "%src ',' %dst [',' %barrier] {} ':' :src ',' :dst [',' :barrier]",
            "%src ',' %dst ',' [%barrier] {} ':' fn(src,dst,barrier -> )",
        ],
        flags: 0,
    },
    Row {
        name: "ttng.tmem_subslice",
        operands: "src -> result",
        props: "offset:i32? N:i32? dim:i32?",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE | VERSIONED,
    },
    Row {
        name: "ttng.async_shared_store",
        operands: "src dst mbarrier",
        props: "",
        forms: &["%src ',' %dst ',' %mbarrier {} ':' :src '->' :dst ',' :mbarrier"],
        flags: 0,
    },
    Row {
        name: "ttng.clc_try_cancel",
        operands: "result mbarrier",
        props: "",
        forms: &["%result ',' %mbarrier {} ':' :result ',' :mbarrier"],
        flags: 0,
    },
    Row {
        name: "ttng.clc_try_cancel_sync",
        operands: "-> response",
        props: "",
        forms: &["{} ':' :response"],
        flags: 0,
    },
    Row {
        name: "ttng.clc_load_result",
        operands: "src -> clcResult",
        props: "",
        forms: &["%src {} ':' :src '->' :clcResult"],
        flags: READS,
    },
    Row {
        name: "ttng.clc_is_canceled",
        operands: "clcResult -> is_canceled",
        props: "",
        forms: &["%clcResult {} ':' :clcResult '->' :is_canceled"],
        flags: PURE,
    },
    Row {
        name: "ttng.clc_get_program_id",
        operands: "clcResult -> result",
        props: "dim:ProgramDim",
        forms: &["%clcResult ',' $dim {} ':' :clcResult '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttng.packed_arith",
        operands: "operands* -> result",
        props: "op_kind:PackedOp",
        forms: &["$op_kind %operands {} ':' fn(operands -> result)"],
        flags: PURE,
    },
    Row { name: "ttng.tmem_wait", operands: "", props: "kind:TmemWait", forms: &["$kind {}"], flags: 0 },
];
