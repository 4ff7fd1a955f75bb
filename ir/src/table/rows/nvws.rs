//! NVIDIA warp specialisation before it is lowered (`nvws`), as it stands between passes from 3.4 on.
//!
//! `nvws.warp_group` has no row: it lists its partitions as `ttg.warp_specialize` does, and keeps its text.

use super::super::{Row, flags::*};

/// The begin of an access to a buffer ring; buffers, then a token. In 3.4 there is no token.
const fn enter(name: &'static str) -> Row {
    Row {
        name,
        operands: "aref stage? phase? -> buffers*",
        props: "",
        forms: &["%aref ['[' %stage ',' %phase ']'] {} ':' :aref/nvws.aref '->' :buffers"],
        flags: VERSIONED,
    }
}

/// The end of an access to a buffer ring.
const fn exit(name: &'static str) -> Row {
    Row {
        name,
        operands: "aref token? stage?",
        props: "async_ops:any?",
        forms: &[
            "%aref ['[' %stage ']'] ',' %token $async_ops {} ':' :aref/nvws.aref ',' :token",
            "%aref '[' %stage ']' {} ':' :aref/nvws.aref",
        ],
        flags: NO_SEGMENTS | VERSIONED,
    }
}

pub const ROWS: &[Row] = &[
    Row {
        name: "nvws.aref.create",
        operands: "buffers* -> result",
        props: "",
        forms: &["%buffers {} ':' :result/nvws.aref"],
        flags: READS,
    },
    enter("nvws.aref.get.enter"),
    enter("nvws.aref.put.enter"),
    exit("nvws.aref.get.exit"),
    exit("nvws.aref.put.exit"),
    Row {
        name: "nvws.aref.buffer",
        operands: "aref token stage? -> buffers*",
        props: "",
        forms: &["%aref ['[' %stage ']'] ',' %token {} ':' :aref/nvws.aref ',' :token '->' :buffers"],
        flags: 0,
    },
    Row {
        name: "nvws.create_token",
        operands: "-> result",
        props: "numBuffers:i32 loadType:any",
        forms: &["{} ':' :result"],
        flags: READS,
    },
    Row {
        name: "nvws.producer_acquire",
        operands: "token idx phase",
        props: "constraints:any?",
        forms: &["%token ',' %idx ',' %phase {} ':' :token ',' :idx ',' :phase"],
        flags: 0,
    },
    Row {
        name: "nvws.producer_commit",
        operands: "token idx",
        props: "constraints:any?",
        forms: &["%token ',' %idx {} ':' :token ',' :idx"],
        flags: 0,
    },
    Row {
        name: "nvws.consumer_wait",
        operands: "token idx phase",
        props: "constraints:any?",
        forms: &["%token ',' %idx ',' %phase {} ':' :token ',' :idx ',' :phase"],
        flags: 0,
    },
    Row {
        name: "nvws.consumer_release",
        operands: "token idx",
        props: "constraints:any?",
        forms: &["%token ',' %idx {} ':' :token ',' :idx"],
        flags: 0,
    },
    Row { name: "nvws.warp_group.return", operands: "", props: "", forms: &["{}"], flags: PURE | TERMINATOR },
    Row {
        name: "nvws.warp_group.yield",
        operands: "values*",
        props: "",
        forms: &["[%values] {} [':' :values]"],
        flags: PURE | TERMINATOR,
    },
    Row {
        name: "nvws.descriptor_load",
        operands: "desc indices* result",
        props: "txCount:i32 cache:CacheModifier=1 evict:EvictionPolicy=1",
        forms: &[
            "%desc '[' %indices ']' $txCount %result ['cacheModifier' '=' $cache] ['evictionPolicy' '=' $evict] {} ':' \
             :desc ',' :indices ',' :result",
        ],
        flags: 0,
    },
    Row {
        name: "nvws.descriptor_gather",
        operands: "desc x_offsets y_offset result",
        props: "txCount:i32",
        forms: &["%desc '[' %x_offsets ',' %y_offset ']' $txCount %result {} ':' \
             :desc ',' :x_offsets ',' :y_offset ',' :result"],
        flags: 0,
    },
];
