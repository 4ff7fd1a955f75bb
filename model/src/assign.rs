//! Layout assignment: every tensor gets a layout that its shape decides. Operations that constrain the layouts of their
//! operands and results (reductions, expansions, broadcasts, products, transpositions) are surrounded by conversions. The
//! launch configuration is recorded in attributes of the module; a module that has them already is not changed.

use super::fault::Fault;
use super::layout::{Blocked, axis_of, convert, convert_operand, in_layout, layout_of};
use super::pass::{Context, PassError, PassResult};
use rustc_hash::FxHashMap;
use tritonsmith_ir::{
    Attr, AttrId, Module, OpId, OpKind, Substitution, Syntax, TemplateSegment, Type, TypeId, ValueId,
};

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    let root = module.root();
    if ["ttg.num-warps", "triton_gpu.num-warps"].iter().any(|name| module.attribute(root, name).is_some()) {
        return Ok(());
    }
    let setup = context.setup;
    for (what, count) in [("warps", setup.warps), ("threads in a warp", setup.threads_per_warp)] {
        if !count.is_power_of_two() {
            return Err(PassError::Error { op: root, message: format!("the number of {what} must be a power of two") });
        }
    }
    assign_layouts(module, context);
    let mut after = AfterResults::default();
    for op in module.walk() {
        context.step()?;
        tie(module, context, op, &mut after);
    }
    after.finish(module);
    set_attributes(module, context);
    Ok(())
}

fn set_attributes(module: &mut Module, context: &Context) {
    let (root, setup) = (module.root(), context.setup);
    let number = module.interners.integer("i32");
    for (name, value) in
        [("ttg.num-ctas", setup.ctas), ("ttg.num-warps", setup.warps), ("ttg.threads-per-warp", setup.threads_per_warp)]
    {
        let value = module.interners.attr(Attr::Integer(value.to_string(), number));
        module.set_attr(root, name, Some(value));
    }
    let target = module.interners.attr(Attr::String(setup.target.clone()));
    module.set_attr(root, "ttg.target", Some(target));
}

/// Assigns every tensor type the layout of its shape, wherever the type is named.
fn assign_layouts(module: &mut Module, context: &Context) {
    let mut types: Vec<TypeId> = Vec::new();
    let mut signatures = Vec::new();
    for op in module.walk() {
        let record = module.op(op);
        types.extend(record.results.iter().map(|&value| module.value(value).ty));
        for &region in &record.regions {
            for &block in &module.region(region).blocks {
                types.extend(module.block(block).arguments.iter().map(|&value| module.value(value).ty));
            }
        }
        if let Syntax::Text(segments) = &record.syntax {
            types.extend(
                segments
                    .iter()
                    .filter_map(|segment| if let TemplateSegment::Type(ty) = segment { Some(*ty) } else { None }),
            );
        }
        if let Some((inputs, results)) = module.function_type(op) {
            types.extend(inputs.iter().chain(&results).copied());
            signatures.push((op, inputs, results));
        }
    }
    types.sort_unstable();
    types.dedup();
    let mut substitution = Substitution::new();
    for ty in types {
        substitution = match module.interners.type_data(ty).clone() {
            Type::Tensor { shape, element, encoding: None } => {
                let sizes: Option<Vec<u64>> = shape.iter().copied().collect();
                let Some(sizes) = sizes.filter(|sizes| !sizes.is_empty()) else { continue };
                let layout = Blocked::default_of(&sizes, context.setup).attr(module);
                let new = module.interners.ty(Type::Tensor { shape, element, encoding: Some(layout) });
                substitution.ty(ty, new)
            }
            // The block of a descriptor or a block pointer is in memory and has no distributed layout.
            Type::Dialect { .. } | Type::MemDesc { .. } | Type::TensorDesc { .. } => substitution.ty(ty, ty),
            _ => substitution,
        };
    }
    substitution.apply(module);
    if context.has(Fault::SignatureWithoutLayouts) {
        for (function, inputs, results) in signatures {
            module.set_function_type(function, inputs, results);
        }
    }
}

/// Conversions of results. Users are updated at the end, all at once.
#[derive(Default)]
struct AfterResults {
    conversions: Vec<(OpId, ValueId)>,
    map: FxHashMap<ValueId, ValueId>,
}

impl AfterResults {
    /// Gives a result another layout, and its users a conversion back.
    fn add(&mut self, module: &mut Module, op: OpId, result: ValueId, layout: AttrId, before: bool) {
        let old = module.value(result).ty;
        let Some(new) = in_layout(module, old, layout).filter(|&new| new != old) else { return };
        let (Some(block), Some(position)) = (module.op(op).parent, module.position(op)) else { return };
        let Some(conversion) = convert(module, result, old, op) else { return };
        module.value_mut(result).ty = new;
        module.insert(conversion, block, position + usize::from(!before));
        self.map.extend(module.op(conversion).results.first().map(|&converted| (result, converted)));
        self.conversions.push((conversion, result));
    }

    fn finish(self, module: &mut Module) {
        module.replace_many(&self.map);
        for (conversion, source) in self.conversions {
            if let Some(operand) = module.op_mut(conversion).operands.first_mut() {
                *operand = source;
            }
        }
    }
}

/// Inserts conversions so that an operation's layouts fit together.
fn tie(module: &mut Module, context: &Context, op: OpId, after: &mut AfterResults) {
    let operands = module.op(op).operands.clone();
    let results = module.op(op).results.clone();
    match (module.kind(op), operands.as_slice(), results.as_slice()) {
        (OpKind::TtReduce, &[source, ..], _) => {
            let (Some(axis), Some(parent)) = (axis_of(module, op), layout_of(module, source)) else { return };
            let before = context.has(Fault::ConversionBeforeReduction);
            for result in results {
                if layout_of(module, result).is_some() {
                    let layout = module.interners.slice_layout(axis as u64, parent);
                    after.add(module, op, result, layout, before);
                }
            }
        }
        (OpKind::TtExpandDims, &[_], &[result]) => {
            let (Some(axis), Some(parent)) = (axis_of(module, op), layout_of(module, result)) else { return };
            let layout = module.interners.slice_layout(axis as u64, parent);
            convert_to(module, op, 0, layout);
        }
        (OpKind::TtBroadcast, &[_], &[result]) => {
            let Some(layout) = layout_of(module, result) else { return };
            convert_to(module, op, 0, layout);
        }
        (OpKind::TtDot, &[_, _, _], &[result]) => {
            let Some(parent) = layout_of(module, result) else { return };
            for side in [0, 1] {
                let layout = module.interners.dot_operand_layout(side as u64, parent);
                convert_to(module, op, side, layout);
            }
            convert_to(module, op, 2, parent);
        }
        (OpKind::TtTrans, &[source], &[result]) => {
            let (Some(order), Some(shape)) = (order_of(module, op), shape_of(module, source)) else { return };
            let Some(layout) = Blocked::default_of(&shape, context.setup).transposed(&order) else { return };
            let layout = layout.attr(module);
            after.add(module, op, result, layout, false);
        }
        (OpKind::TtJoin, &[left, _], &[result]) => {
            let Some(shape) = shape_of(module, left) else { return };
            let layout = Blocked::default_of(&shape, context.setup).joined().attr(module);
            after.add(module, op, result, layout, false);
        }
        (OpKind::TtSplit, &[_], &[left, _]) => {
            let Some(shape) = shape_of(module, left) else { return };
            let layout = Blocked::default_of(&shape, context.setup).joined().attr(module);
            convert_to(module, op, 0, layout);
        }
        _ => {}
    }
}

fn convert_to(module: &mut Module, op: OpId, operand: usize, layout: AttrId) {
    let Some(&value) = module.op(op).operands.get(operand) else { return };
    let ty = module.value(value).ty;
    if let Some(wanted) = in_layout(module, ty, layout) {
        convert_operand(module, op, operand, wanted);
    }
}

fn shape_of(module: &Module, value: ValueId) -> Option<Vec<u64>> {
    module.interners.shape(module.value(value).ty).filter(|shape| !shape.is_empty())
}

/// The permutation of `tt.trans`.
fn order_of(module: &Module, op: OpId) -> Option<Vec<usize>> {
    match module.interners.attr_data(module.attribute(op, "order")?) {
        Attr::DenseArray(_, items) => items.iter().map(|item| item.parse().ok()).collect(),
        _ => None,
    }
}
