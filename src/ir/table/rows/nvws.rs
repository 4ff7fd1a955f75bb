//! NVIDIA warp specialisation before it is lowered (`nvws`), as it stands between passes from 3.4 on.
//!
//! `nvws.aref.*` and `nvws.warp_group` have no rows; they appear only inside the warp-specialisation pass and keep their text.

use super::super::{Row, flags::*};

pub const ROWS: &[Row] = &[
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
