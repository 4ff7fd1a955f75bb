//! Triton's GPU dialect, with layouts and shared memory (`ttg`, before 3.3 `triton_gpu`).
//!
//! `ttg.barrier` has no row: it lists the address spaces as `local|global_read`, which no kind of property can say.

use super::super::{Row, flags::*};

/// Another view of the same shared memory.
const fn view(name: &'static str) -> Row {
    Row { name, operands: "src -> result", props: "", forms: &["%src {} ':' :src '->' :result"], flags: PURE }
}

/// An instruction with an effect and no operands.
const fn instruction(name: &'static str) -> Row {
    Row { name, operands: "", props: "", forms: &["{}"], flags: 0 }
}

pub const ROWS: &[Row] = &[
    Row {
        name: "ttg.convert_layout",
        operands: "src -> result",
        props: "force_warp_shuffle:unit?",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttg.local_alloc",
        operands: "src? -> result",
        props: "alignment:i32?",
        forms: &["[%src] {} ':' fn(src -> result)"],
        flags: READS,
    },
    Row { name: "ttg.local_dealloc", operands: "src", props: "", forms: &["%src {} ':' :src"], flags: 0 },
    Row {
        name: "ttg.local_load",
        operands: "src token? -> result",
        props: "",
        forms: &["%src ['token' %token] {} ':' :src '->' :result"],
        flags: READS,
    },
    Row {
        name: "ttg.local_store",
        operands: "src dst",
        props: "",
        forms: &["%src ',' %dst {} ':' :src '->' :dst"],
        flags: 0,
    },
    Row {
        name: "ttg.local_gather",
        operands: "src indices token? -> result",
        props: "axis:i32",
        forms: &["%src '[' %indices ']' ['token' %token] {} ':' :src ',' :indices '->' :result"],
        flags: READS,
    },
    Row {
        name: "ttg.local_scatter",
        operands: "dst values indices token?",
        props: "axis:i32",
        forms: &["%dst '[' %indices ']' ',' %values ['token' %token] {} ':' :dst ',' :indices ',' :values"],
        flags: 0,
    },
    Row {
        name: "ttg.local_atomic_scatter_rmw",
        operands: "dst values indices mask? -> result",
        props: "atomic_rmw_op:AtomicOp axis:i32",
        forms: &["$atomic_rmw_op ',' %dst '[' %indices ']' ',' %values [',' %mask] {} ':' \
             fn(dst,values,indices,mask -> result)"],
        flags: 0,
    },
    Row {
        name: "ttg.memdesc_subview",
        operands: "src offsets* -> result",
        props: "",
        forms: &["%src '[' %offsets ']' {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttg.memdesc_index",
        operands: "src index -> result",
        props: "",
        forms: &["%src '[' %index ']' {} ':' :src '->' :result", "%src ',' %index {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttg.memdesc_subslice",
        operands: "src -> result",
        props: "offsets:i32s",
        forms: &["%src $offsets {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttg.memdesc_trans",
        operands: "src -> result",
        props: "order:i32s?",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE | VERSIONED,
    },
    view("ttg.memdesc_reshape"),
    view("ttg.memdesc_reinterpret"),
    Row {
        name: "ttg.async_copy_global_to_local",
        operands: "src result mask? other? -> token='!ttg.async.token'",
        props: "cache:CacheModifier=1 evict:EvictionPolicy=1 cachePolicy:any? isVolatile:bool=false contiguity:i32=1",
        forms: &["%src ',' %result ['mask' %mask] ['other' %other] ['cacheModifier' '=' $cache] \
             ['evictionPolicy' '=' $evict] {} ':' :src '->' :result/ttg.memdesc"],
        flags: 0,
    },
    Row {
        name: "ttg.async_commit_group",
        operands: "inputTokens* -> asyncToken='!ttg.async.token'",
        props: "",
        // The last form is for a value's name at the beginning of the next line.
        forms: &["'tokens' %inputTokens {}", "%inputTokens {}", "{}"],
        flags: 0,
    },
    Row {
        name: "ttg.async_wait",
        operands: "asyncToken* -> retToken='!ttg.async.token'",
        props: "num:i32",
        forms: &["[%asyncToken] {}"],
        flags: 0,
    },
    Row {
        name: "ttg.fp4_to_fp",
        operands: "src -> result",
        props: "axis:i32",
        forms: &["%src {} ':' :src '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttg.upcast_mxfp",
        operands: "src scale -> result",
        props: "fp_type:ScaledType",
        forms: &["%src ',' %scale 'fp_type' '=' $fp_type {} ':' :src ',' :scale '->' :result"],
        flags: PURE,
    },
    Row {
        name: "ttg.global_scratch_alloc",
        operands: "-> result",
        props: "nbytes:i32 alignment:i32 backend:str?",
        forms: &["{} ':' :result"],
        flags: READS,
    },
    Row {
        name: "ttg.predicate_stage",
        operands: "iv ub step -> result",
        props: "maxStage:i32 stage:i32",
        forms: &["%iv ',' %ub ',' %step 'maxStage' $maxStage 'stage' $stage {} ':' :iv '->' :result"],
        flags: PURE,
    },
    Row { name: "ttg.mask", operands: "pred -> result*", props: "", forms: &[], flags: 0 },
    Row {
        name: "ttg.mask.return",
        operands: "result*",
        props: "",
        forms: &["%result {} ':' :result"],
        flags: PURE | TERMINATOR,
    },
    Row {
        name: "ttg.warp_id",
        operands: "-> result='i32'",
        props: "omitUniformHint:unit?",
        forms: &["{}"],
        flags: PURE,
    },
    Row {
        name: "ttg.inline_asm",
        operands: "args* -> result*",
        props: "asm_string:str constraints:str pure:bool",
        forms: &["$asm_string {} [%args] ':' fn(args -> result)"],
        flags: 0,
    },
    instruction("ttg.local_barrier"),
    Row {
        name: "ttg.warp_specialize",
        operands: "explicitCaptures* -> defaultPassthrough*",
        props: "partitionNumWarps:i32s warpGroupStartIds:i32s? requestedRegisters:i32s? actualRegisters:i32s?",
        forms: &["!warp_specialize"],
        flags: VERSIONED,
    },
    Row {
        name: "ttg.warp_specialize.partitions",
        operands: "explicitCaptures*",
        props: "",
        forms: &[],
        flags: ISOLATED | TERMINATOR,
    },
    Row {
        name: "ttg.warp_yield",
        operands: "values*",
        props: "",
        forms: &["[%values] {} [':' :values]"],
        flags: PURE | TERMINATOR,
    },
    Row { name: "ttg.warp_return", operands: "", props: "", forms: &["{}"], flags: PURE | TERMINATOR },
    Row {
        name: "gluon.set_auto_layout",
        operands: "src -> result",
        props: "",
        forms: &["%src {} ':' :src '->' :result"],
        flags: 0,
    },
];
