//! Single operations of MLIR's other dialects that TTIR and TTGIR hold: `gpu`, `ub`, `llvm`, `rocdl`, `func`, `builtin`.

use super::super::{Row, flags::*};

/// A position or an extent in the launch grid, an `index`.
const fn grid(name: &'static str) -> Row {
    Row {
        name,
        operands: "-> result='index'",
        props: "dimension:GpuDim upper_bound:index?",
        forms: &["$dimension ['upper_bound' $upper_bound] {}"],
        flags: PURE,
    }
}

/// An instruction with no operands and an effect.
const fn instruction(name: &'static str) -> Row {
    Row { name, operands: "", props: "", forms: &["{}"], flags: 0 }
}

/// A register that ROCDL reads, `rocdl.… : i32`.
const fn register(name: &'static str) -> Row {
    Row { name, operands: "-> result", props: "", forms: &["{} ':' :result"], flags: PURE }
}

pub const ROWS: &[Row] = &[
    grid("gpu.thread_id"),
    grid("gpu.block_id"),
    grid("gpu.block_dim"),
    grid("gpu.grid_dim"),
    grid("gpu.global_id"),
    grid("gpu.cluster_id"),
    grid("gpu.cluster_block_id"),
    Row {
        name: "gpu.lane_id",
        operands: "-> result='index'",
        props: "upper_bound:index?",
        forms: &["['upper_bound' $upper_bound] {}"],
        flags: PURE,
    },
    Row {
        name: "gpu.subgroup_id",
        operands: "-> result",
        props: "upper_bound:index?",
        forms: &["['upper_bound' $upper_bound] {} ':' :result"],
        flags: PURE,
    },
    // With the list of fenced memories that newer versions may write, the form does not fit and the text is kept.
    Row { name: "gpu.barrier", operands: "", props: "address_spaces:any?", forms: &["{}"], flags: 0 },
    Row {
        name: "ub.poison",
        operands: "-> result",
        props: "value:any=#ub.poison",
        forms: &["{} ':' :result"],
        flags: PURE,
    },
    Row {
        name: "llvm.intr.assume",
        operands: "cond",
        props: "op_bundle_sizes:i32s? op_bundle_tags:any?",
        forms: &["%cond {} ':' :cond"],
        flags: VERSIONED,
    },
    instruction("nvvm.barrier0"),
    instruction("nvvm.cluster.wait"),
    instruction("rocdl.barrier"),
    instruction("rocdl.s.barrier"),
    instruction("rocdl.s.barrier.signal"),
    instruction("rocdl.s.barrier.wait"),
    Row { name: "rocdl.s.setprio", operands: "", props: "priority:i16", forms: &["$priority {}"], flags: 0 },
    Row { name: "rocdl.s.waitcnt", operands: "", props: "bitfield:i32", forms: &["$bitfield {}"], flags: 0 },
    Row { name: "rocdl.sched.barrier", operands: "", props: "mask:i32", forms: &["$mask {}"], flags: 0 },
    Row {
        name: "rocdl.sched.group.barrier",
        operands: "",
        props: "mask:i32 size:i32 groupId:i32",
        forms: &["$mask ',' $size ',' $groupId {}"],
        flags: 0,
    },
    Row { name: "rocdl.iglp.opt", operands: "", props: "variant:i32", forms: &["$variant {}"], flags: 0 },
    register("rocdl.workitem.id.x"),
    register("rocdl.workgroup.id.x"),
    register("rocdl.wave.id"),
    Row {
        name: "rocdl.readfirstlane",
        operands: "src -> result",
        props: "",
        forms: &["%src {} ':' :result"],
        flags: PURE,
    },
    Row {
        name: "func.func",
        operands: "",
        props: "sym_name:str function_type:type sym_visibility:str? arg_attrs:any? res_attrs:any? no_inline:unit?",
        forms: &["!func"],
        flags: ISOLATED | SYMBOL,
    },
    Row {
        name: "func.call",
        operands: "operands* -> results*",
        props: "callee:sym arg_attrs:any? res_attrs:any? no_inline:unit?",
        forms: &["$callee '(' [%operands] ')' {} ':' fn(operands -> results)"],
        flags: 0,
    },
    Row {
        name: "func.return",
        operands: "operands*",
        props: "",
        forms: &["{} [%operands ':' :operands]"],
        flags: TERMINATOR,
    },
    Row {
        name: "builtin.unrealized_conversion_cast",
        operands: "inputs* -> outputs*",
        props: "",
        forms: &["[%inputs ':' :inputs] 'to' :outputs {}"],
        flags: PURE,
    },
];
