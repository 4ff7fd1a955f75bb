//! AMD's dialect (`amdg`, before 3.6 `amdgpu`).
//!
//! From 3.9 on the buffer operations spell the pointer's type too; their cache modifiers are then part of a policy in the
//! attribute list.

use super::super::{Row, flags::*};

/// An instruction with an effect and no operands.
const fn instruction(name: &'static str, props: &'static str) -> Row {
    Row { name, operands: "", props, forms: &["{}"], flags: 0 }
}

/// A wait on asynchronous copies.
const fn wait(name: &'static str, props: &'static str) -> Row {
    Row { name, operands: "asyncToken* -> retToken='!ttg.async.token'", props, forms: &["[%asyncToken] {}"], flags: 0 }
}

/// `%input scale %scale : in, scale -> out`.
const fn scaled_upcast(name: &'static str, props: &'static str) -> Row {
    Row {
        name,
        operands: "input scale -> output",
        props,
        forms: &["%input 'scale' %scale {} ':' :input ',' :scale '->' :output"],
        flags: PURE,
    }
}

pub const ROWS: &[Row] = &[
    instruction(
        "amdg.instruction_sched_hint",
        "variant:any? numDsReadsA:any? numDsReadsB:any? numDsWritesA:any? numDsWritesB:any? numGlobalLoadsA:any? \
         numGlobalLoadsB:any? isBufferLoadsAEnabled:bool? isBufferLoadsBEnabled:bool? numMMAs:any?",
    ),
    instruction("amdg.cluster_barrier_arrive", ""),
    instruction("amdg.cluster_barrier_wait", ""),
    Row { name: "amdg.cond_barrier", operands: "pred", props: "", forms: &["%pred {}"], flags: 0 },
    // Before 3.3 there was no stride; the segments then count one operand fewer, which only the custom form can say.
    Row {
        name: "amdg.buffer_load",
        operands: "ptr offsets stride? mask? other? -> result",
        props: "cache:CacheModifier=1 contiguity:i32=1 cachePolicy:any?",
        forms: &[
            "%ptr '[' %offsets ']' [',' %mask [',' %other]] ['stride' '=' %stride] {} ':' :ptr '->' :result",
            "%ptr '[' %offsets ']' [',' %mask [',' %other]] ['cacheModifier' '=' $cache] ['stride' '=' %stride] {} \
             ':' :result",
        ],
        flags: READS | ELEMENTWISE | VERSIONED,
    },
    Row {
        name: "amdg.buffer_store",
        operands: "value ptr offsets stride? mask?",
        props: "cache:CacheModifier=1 contiguity:i32=1 cachePolicy:any?",
        forms: &[
            "%value ',' %ptr '[' %offsets ']' [',' %mask] ['stride' '=' %stride] {} ':' :ptr '->' :value",
            "%value ',' %ptr '[' %offsets ']' [',' %mask] ['cacheModifier' '=' $cache] ['stride' '=' %stride] {} \
             ':' :value",
        ],
        flags: ELEMENTWISE | VERSIONED,
    },
    Row {
        name: "amdg.buffer_load_to_local",
        operands: "dest ptr offsets mask? other? stride? -> token='!ttg.async.token'",
        props: "cache:CacheModifier=1 contiguity:i32=1 cachePolicy:any?",
        forms: &[
            "%ptr '[' %offsets ']' ['mask' '=' %mask] ['other' '=' %other] ['stride' '=' %stride] 'into' %dest {} \
             ':' :ptr '[' :offsets ']' [:other] '->' :dest/ttg.memdesc",
            "%ptr '[' %offsets ']' ['mask' '=' %mask] ['other' '=' %other] ['stride' '=' %stride] \
             ['cacheModifier' '=' $cache] 'into' %dest {} ':' :ptr/tt.ptr '[' :offsets ']' [:other] \
             '->' :dest/ttg.memdesc",
        ],
        flags: VERSIONED,
    },
    Row {
        name: "amdg.buffer_atomic_rmw",
        operands: "ptr offsets value stride? mask? -> result",
        props: "atomic_rmw_op:AtomicOp sem:MemSemantic scope:MemScope contiguity:i32=1 cachePolicy:any?",
        forms: &[
            "$atomic_rmw_op ',' $sem ',' $scope ',' %value ',' %ptr '[' %offsets ']' [',' %mask] \
             ['stride' '=' %stride] {} ':' :ptr '->' :result",
            "$atomic_rmw_op ',' $sem ',' $scope ',' %value ',' %ptr '[' %offsets ']' [',' %mask] \
             ['stride' '=' %stride] {} ':' :result",
        ],
        flags: ELEMENTWISE | VERSIONED,
    },
    Row {
        name: "amdg.buffer_atomic_cas",
        operands: "ptr offsets cmp val stride? -> result",
        props: "sem:MemSemantic scope:MemScope cachePolicy:any?",
        forms: &[
            "$sem ',' $scope ',' %cmp ',' %val ',' %ptr '[' %offsets ']' ['stride' '=' %stride] {} ':' :ptr '->' :result",
            "$sem ',' $scope ',' %cmp ',' %val ',' %ptr '[' %offsets ']' ['stride' '=' %stride] {} ':' :result",
        ],
        flags: ELEMENTWISE | VERSIONED,
    },
    Row {
        name: "amdg.upcast_mxfp",
        operands: "src scale -> result",
        props: "fp_type:ScaledType fastMath:bool",
        forms: &["%src ',' %scale 'fp_type' '=' $fp_type {} ':' :src ',' :scale '->' :result"],
        flags: PURE,
    },
    scaled_upcast("amdg.scaled_upcast_fp4", "axis:i32"),
    scaled_upcast("amdg.scaled_upcast_fp8", ""),
    Row {
        name: "amdg.extract_slice",
        operands: "source -> result",
        props: "static_offsets:i64s",
        forms: &["%source $static_offsets {} ':' :source 'to' :result"],
        flags: PURE,
    },
    Row {
        name: "amdg.concat",
        operands: "sources* -> result",
        props: "",
        forms: &["%sources {} ':' :sources '->' :result"],
        flags: PURE,
    },
    Row {
        name: "amdg.in_thread_transpose",
        operands: "src -> result",
        props: "",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "amdg.local_load_packed_tranposed",
        operands: "src token? -> result",
        props: "",
        forms: &["%src ['token' %token] {} ':' :src '->' :result"],
        flags: READS,
    },
    Row {
        name: "amdg.async_copy_local_to_global",
        operands: "src dst mask? -> token='!ttg.async.token'",
        props: "cache:CacheModifier=1 evict:EvictionPolicy=1 contiguity:i32=1",
        forms: &["%src ',' %dst ['mask' %mask] ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' \
             :src '->' :dst"],
        flags: 0,
    },
    wait("amdg.async_wait", "num_inst:i32"),
    wait("amdg.async_tdm_wait", "num:i32"),
    wait("amdg.async_tdm_intrinsic_wait", "count:i32"),
    // 3.6 and 3.7 spell the indices and the predicate; later they are in the descriptor.
    Row {
        name: "amdg.async_tdm_copy_global_to_local",
        operands: "desc result barrier? -> token='!ttg.async.token'",
        props: "cache:CacheModifier=1 warp_used_hint:i32?",
        forms: &["%desc 'into' %result [',' 'barrier' '=' %barrier] {} ':' :desc [',' :barrier] '->' :result"],
        flags: VERSIONED,
    },
    Row {
        name: "amdg.async_tdm_copy_local_to_global",
        operands: "desc src barrier?",
        props: "cache:CacheModifier=1",
        forms: &["%desc 'from' %src [',' 'barrier' '=' %barrier] {} ':' :src [',' :barrier] '->' :desc"],
        flags: VERSIONED,
    },
    Row {
        name: "amdg.async_tdm_gather",
        operands: "desc src_row_indices dst barrier? -> token='!ttg.async.token'",
        props: "",
        forms: &["%desc '[' %src_row_indices ']' 'to' %dst [',' 'barrier' '=' %barrier] {} ':' \
             :src_row_indices ',' :dst [',' :barrier] '->' :desc"],
        flags: 0,
    },
    Row {
        name: "amdg.async_tdm_scatter",
        operands: "desc dst_row_indices src barrier? -> retToken='!ttg.async.token'",
        props: "",
        forms: &["%desc '[' %dst_row_indices ']' 'from' %src [',' 'barrier' '=' %barrier] {} ':' \
             :dst_row_indices ',' :src [',' :barrier] '->' :desc"],
        flags: 0,
    },
    Row {
        name: "amdg.update_tensor_descriptor",
        operands: "desc add_offsets* set_bounds* pred? -> result=desc",
        props: "clamp_bounds:unit?",
        forms: &["%desc ['add_offsets' '=' '[' %add_offsets ']'] ['set_bounds' '=' '[' %set_bounds ']'] \
             ['pred' '=' %pred] {} ':' :desc"],
        flags: PURE,
    },
    Row {
        name: "amdg.tdm_prefetch",
        operands: "desc indices* pred -> maybeOffsets?",
        props: "speculative:bool returnOffsets:unit?",
        forms: &[
            "%desc '[' %indices ']' ',' %pred ',' 'speculative' '=' $speculative ['returnOffsets' $returnOffsets] {} \
             ':' :desc ['->' :maybeOffsets]",
        ],
        flags: 0,
    },
    Row {
        name: "amdg.memory_counter_wait",
        operands: "",
        props: "load:i32? store:i32? ds:i32?",
        forms: &["['load' '(' $load ')'] ['store' '(' $store ')'] ['ds' '(' $ds ')'] {}"],
        flags: 0,
    },
    Row {
        name: "amdg.init_barrier",
        operands: "alloc",
        props: "count:i32",
        forms: &["%alloc ',' $count {} ':' :alloc"],
        flags: 0,
    },
    Row {
        name: "amdg.wait_barrier",
        operands: "alloc phase",
        props: "",
        forms: &["%alloc ',' %phase {} ':' :alloc"],
        flags: 0,
    },
    Row {
        name: "amdg.arrive_barrier",
        operands: "alloc -> result",
        props: "count:i32",
        forms: &["%alloc ',' $count {} ':' :alloc '->' :result"],
        flags: 0,
    },
    Row {
        name: "amdg.async_copy_mbarrier_arrive",
        operands: "barrier",
        props: "",
        forms: &["%barrier {} ':' :barrier"],
        flags: 0,
    },
];
