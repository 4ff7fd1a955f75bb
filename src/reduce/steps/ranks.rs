//! Dimensions of size 1 dropped wherever they stand, so that a tensor has fewer of them.
//!
//! As with shapes, dimensions are joined in classes by the operations between them, but what is joined here is what must
//! go together: both sides of a broadcast, for instance, and nothing across a reshape. A class goes if all of it has size
//! 1 and nothing in it is bound to its rank. An expansion or reduction along a dimension that goes has nothing left to do.

use super::classes::Classes;
use super::dimensions::{integer, order};
use super::flow::{Flows, remove_idle, retype, values};
use super::{Candidate, edit_each, substitute};
use crate::ir::table::flags;
use crate::ir::{Attr, AttrId, LayoutKind, Module, OpId, Type, TypeId, ValueId};
use tritonsmith_reducer::{Site, Step};

/// Drops a class of dimensions.
#[derive(Debug)]
pub struct DropRank;

impl Step<Candidate> for DropRank {
    fn name(&self) -> &str {
        "drop a dimension"
    }

    fn promise(&self) -> f64 {
        0.8
    }

    fn late(&self) -> bool {
        true
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let ranks = Ranks::of(&candidate.module);
        let classes = ranks.classes.free().into_iter();
        classes
            .map(|class| {
                let (value, dimension) = ranks.owners[class[0]];
                let gain = u32::try_from(class.len()).unwrap_or(u32::MAX);
                Site::new(u64::from(value.0) << 8 | dimension as u64, gain)
            })
            .collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let first = (ValueId((site >> 8) as u32), site as usize & 0xff);
            let ranks = Ranks::of(module);
            let class = ranks.classes.free().into_iter().find(|class| ranks.owners[class[0]] == first);
            class.is_some_and(|class| drop_class(module, &ranks, &class).is_some())
        })
    }

    fn chunkable(&self) -> bool {
        // Positions move when a dimension goes.
        false
    }
}

struct Ranks {
    starts: Vec<Option<usize>>,
    owners: Vec<(ValueId, usize)>,
    sizes: Vec<u64>,
    ranks: Vec<usize>,
    classes: Classes,
}

impl Ranks {
    fn of(module: &Module) -> Ranks {
        let count = module.value_count();
        let mut all = Ranks {
            starts: vec![None; count],
            owners: Vec::new(),
            sizes: Vec::new(),
            ranks: vec![0; count],
            classes: Classes::default(),
        };
        for value in values(module) {
            let ty = module.value(value).ty;
            let Some(sizes) = module.interners.sizes(ty) else { continue };
            let plain = matches!(module.interners.type_data(ty), Type::Tensor { .. }) && layout_allows(module, ty);
            all.starts[value.index()] = Some(all.sizes.len());
            all.ranks[value.index()] = sizes.len();
            for (dimension, &size) in sizes.iter().enumerate() {
                all.owners.push((value, dimension));
                all.sizes.push(size);
                // No tensor goes without any dimension.
                all.classes.add(!plain || sizes.len() < 2 || size != 1);
            }
        }
        let flows = Flows::of(module);
        flows.pairs.into_iter().for_each(|(a, b)| all.same(a, b));
        flows.fixed.into_iter().for_each(|value| all.fix(value));
        module.walk().into_iter().for_each(|op| all.operation(module, op));
        all
    }

    fn node(&self, value: ValueId, dimension: usize) -> Option<usize> {
        let start = (*self.starts.get(value.index())?)?;
        (dimension < self.ranks[value.index()]).then_some(start + dimension)
    }

    fn join(&mut self, a: (ValueId, usize), b: (ValueId, usize)) {
        let (Some(a), Some(b)) = (self.node(a.0, a.1), self.node(b.0, b.1)) else { return };
        self.classes.join(a, b);
    }

    fn fix(&mut self, value: ValueId) {
        (0..self.ranks[value.index()]).for_each(|dimension| self.fix_one(value, dimension));
    }

    fn fix_one(&mut self, value: ValueId, dimension: usize) {
        if let Some(node) = self.node(value, dimension) {
            self.classes.fix(node);
        }
    }

    fn same(&mut self, a: ValueId, b: ValueId) {
        let (rank, other) = (self.ranks[a.index()], self.ranks[b.index()]);
        if rank == other {
            (0..rank).for_each(|dimension| self.join((a, dimension), (b, dimension)));
        } else if rank > 0 && other > 0 {
            self.fix(a);
            self.fix(b);
        }
    }

    fn operation(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let (operands, results) = (record.operands.as_slice(), record.results.as_slice());
        let shaped: Vec<ValueId> =
            operands.iter().chain(results).copied().filter(|value| self.ranks[value.index()] > 0).collect();
        let axis = integer(module, op, "axis").and_then(|axis| usize::try_from(axis).ok());
        match module.canonical_name(op) {
            "tt.splat" | "tt.return" | "tt.call" | "tt.print" | "ub.poison" | "tt.func" | "builtin.module" => {}
            name if name.starts_with("scf.") || name.starts_with("cf.") || name.ends_with(".return") => {}
            "arith.constant" => {
                // Lists are nested as deep as the tensor.
                let value = module.attribute(op, "value").map(|value| module.interners.attr_data(value));
                if !matches!(value, Some(Attr::Dense(_, body, _)) if !body.contains(['[', '"'])) {
                    results.iter().for_each(|&result| self.fix(result));
                }
            }
            "tt.scan" => {
                shaped.windows(2).for_each(|pair| self.same(pair[0], pair[1]));
                shaped.iter().for_each(|&value| self.fix_one(value, axis.unwrap_or(0)));
            }
            "tt.broadcast" | "ttg.convert_layout" => shaped.windows(2).for_each(|pair| self.same(pair[0], pair[1])),
            "tt.reshape" => {
                // With layouts, one side's follows from the other's.
                if shaped.iter().any(|&value| module.interners.layout(module.value(value).ty).is_some()) {
                    shaped.iter().for_each(|&value| self.fix(value));
                }
            }
            // Of one element either dimension may be the one that stays.
            "tt.expand_dims" if operands.iter().all(|&operand| self.is_one_element(operand)) => {}
            name @ ("tt.expand_dims" | "tt.reduce") => {
                operands.windows(2).for_each(|pair| self.same(pair[0], pair[1]));
                for (&operand, &result) in operands.iter().zip(results) {
                    let (more, fewer) = if name == "tt.reduce" { (operand, result) } else { (result, operand) };
                    self.without(more, fewer, axis);
                    let layout = module.interners.layout(module.value(more).ty);
                    // A reduction that has nothing to do would have to become a conversion of layouts.
                    if name == "tt.reduce" && (layout.is_some() || operands.len() > 1) {
                        self.fix_one(more, axis.unwrap_or(0));
                    }
                }
            }
            "tt.trans" => match (order(module, op), operands, results) {
                (Some(order), &[from], &[to])
                    if order.len() == self.ranks[from.index()]
                        && module.interners.layout(module.value(from).ty).is_none() =>
                {
                    order.iter().enumerate().for_each(|(place, &source)| self.join((from, source), (to, place)));
                }
                _ => shaped.iter().for_each(|&value| self.fix(value)),
            },
            _ if module.has_flags(op, flags::ELEMENTWISE) => {
                shaped.windows(2).for_each(|pair| self.same(pair[0], pair[1]));
                if module.attribute(op, "packed_element").is_some() {
                    shaped.iter().for_each(|&value| self.fix(value));
                }
            }
            _ => shaped.iter().for_each(|&value| self.fix(value)),
        }
        // An attribute may speak of dimensions, as the list of divisibilities does.
        let spoken = module.interners.attrs_data(record.attrs).iter().any(|(name, _)| {
            let name = module.interners.name_text(*name);
            ["tt.divisibility", "tt.contiguity", "tt.constancy"].contains(&name)
        });
        if spoken {
            results.iter().for_each(|&result| self.fix(result));
        }
        for (place, list) in module.argument_attrs(op).into_iter().enumerate() {
            if !module.interners.attrs_data(list).is_empty()
                && let Some(&argument) = module.entry(op).and_then(|block| module.block(block).arguments.get(place))
            {
                self.fix(argument);
            }
        }
    }

    fn is_one_element(&self, value: ValueId) -> bool {
        self.ranks[value.index()] == 1 && self.node(value, 0).is_some_and(|node| self.sizes[node] == 1)
    }

    fn without(&mut self, more: ValueId, fewer: ValueId, axis: Option<usize>) {
        match axis.filter(|_| self.ranks[more.index()] == self.ranks[fewer.index()] + 1) {
            Some(axis) => {
                for dimension in 0..self.ranks[fewer.index()] {
                    self.join((more, dimension + usize::from(dimension >= axis)), (fewer, dimension));
                }
            }
            None => {
                self.fix(more);
                self.fix(fewer);
            }
        }
    }
}

/// Whether a dimension can be taken out of a type's layout.
fn layout_allows(module: &Module, ty: TypeId) -> bool {
    let mut layout = module.interners.layout(ty);
    while let Some(at) = layout {
        match module.interners.layout_kind(at) {
            LayoutKind::Blocked => return module.interners.layout_field(at, "CGALayout").is_none(),
            LayoutKind::Slice => layout = module.interners.parent_layout(at),
            _ => return false,
        }
    }
    true
}

fn drop_class(module: &mut Module, ranks: &Ranks, class: &[usize]) -> Option<()> {
    let mut types: Vec<(ValueId, TypeId)> = Vec::new();
    let gone = |value: ValueId| class.iter().map(|&node| ranks.owners[node]).find(|(owner, _)| *owner == value);
    for &node in class {
        let (value, dimension) = ranks.owners[node];
        // Twice the same value in one class would need two turns.
        if types.iter().any(|(known, _)| *known == value) {
            return None;
        }
        let ty = module.value(value).ty;
        let Type::Tensor { mut shape, element, encoding } = module.interners.type_data(ty).clone() else { return None };
        shape.remove(dimension);
        let encoding = match encoding {
            Some(layout) => Some(layout_without(module, layout, dimension)?),
            None => None,
        };
        types.push((value, module.interners.ty(Type::Tensor { shape, element, encoding })));
    }
    // What has nothing left to do goes last: an operation that uses it is still seen with its old operand.
    let mut idle = Vec::new();
    for op in module.walk() {
        let record = module.op(op);
        let (Some(&operand), Some(&result)) = (record.operands.first(), record.results.first()) else { continue };
        let name = module.canonical_name(op).to_owned();
        let (wide, narrow) = match name.as_str() {
            "tt.reduce" | "tt.trans" | "tt.scan" => (operand, result),
            "tt.expand_dims" => (result, operand),
            _ => continue,
        };
        let Some((_, dimension)) = gone(wide) else { continue };
        if name == "tt.trans" {
            let order = order(module, op)?;
            let kept = order.into_iter().filter(|&source| source != dimension);
            let renumbered: Vec<String> =
                kept.map(|source| (source - usize::from(source > dimension)).to_string()).collect();
            let ty = module.name("i32");
            let attr = module.interners.attr(Attr::DenseArray(ty, renumbered));
            module.set_prop(op, "order", Some(attr));
            continue;
        }
        let axis = usize::try_from(integer(module, op, "axis")?).ok()?;
        if axis != dimension && gone(narrow).is_some() {
            let ty = module.interners.integer("i32");
            let axis = axis - usize::from(axis > dimension);
            let attr = module.interners.attr(Attr::Integer(axis.to_string(), ty));
            module.set_prop(op, "axis", Some(attr));
        } else if module.interners.layout(module.value(wide).ty).is_some() {
            // From a slice of the old layout to the new one.
            let convert = module.name("ttg.convert_layout");
            module.op_mut(op).name = convert;
            module.set_prop(op, "axis", None);
        } else {
            debug_assert!(ranks.ranks[narrow.index()] + 1 == ranks.ranks[wide.index()]);
            idle.push(op);
        }
    }
    for op in idle {
        let operand = *module.op(op).operands.first()?;
        substitute(module, op, &[operand]);
    }
    retype(module, &types);
    remove_idle(module);
    Some(())
}

/// A layout without a dimension; what lay along it lies along the fastest that is left.
fn layout_without(module: &mut Module, layout: AttrId, dimension: usize) -> Option<AttrId> {
    let interners = &mut module.interners;
    if interners.layout_kind(layout) == LayoutKind::Slice {
        let parent = interners.parent_layout(layout)?;
        let sliced = usize::try_from(interners.layout_field(layout, "dim")?.number()?).ok()?;
        let place = dimension + usize::from(dimension >= sliced);
        let smaller = layout_without(module, parent, place)?;
        let sliced = sliced - usize::from(sliced > place);
        return Some(module.interners.slice_layout(sliced as u64, smaller));
    }
    let order = interners.layout_numbers(layout, "order")?;
    let fastest = usize::try_from(*order.iter().find(|&&other| other != dimension as u64)?).ok()?;
    let mut layout = layout;
    for field in ["sizePerThread", "threadsPerWarp", "warpsPerCTA", "CTAsPerCGA", "CTASplitNum"] {
        let Some(mut numbers) = interners.layout_numbers(layout, field) else { continue };
        let along = *numbers.get(dimension)?;
        if field != "sizePerThread" {
            *numbers.get_mut(fastest)? *= along;
        }
        numbers.remove(dimension);
        layout = interners.with_layout_numbers(layout, field, &numbers);
    }
    for field in ["order", "CTAOrder"] {
        let Some(numbers) = interners.layout_numbers(layout, field) else { continue };
        let kept = numbers.into_iter().filter(|&other| other != dimension as u64);
        let renumbered: Vec<u64> = kept.map(|other| other - u64::from(other > dimension as u64)).collect();
        layout = interners.with_layout_numbers(layout, field, &renumbered);
    }
    Some(layout)
}

#[cfg(test)]
mod tests {
    use super::super::tests::all_at_once;
    use super::*;

    #[test]
    fn an_expansion_along_a_dimension_that_goes_goes_too() {
        let text = "\
module {
  tt.func @f(%arg0: tensor<8xf32>) -> tensor<1x8xf32> {
    %0 = tt.expand_dims %arg0 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %1 = arith.negf %0 : tensor<1x8xf32>
    tt.return %1 : tensor<1x8xf32>
  }
}
";
        let wanted = "\
module {
  tt.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = arith.negf %arg0 : tensor<8xf32>
    tt.return %0 : tensor<8xf32>
  }
}
";
        assert_eq!(all_at_once(&DropRank, text), wanted);
    }

    #[test]
    fn one_element_stays_where_it_is_expanded_from() {
        let text = "\
module {
  tt.func @f(%arg0: tensor<1xf32>, %arg1: tensor<8xf32>) -> tensor<1x8xf32> {
    %0 = tt.expand_dims %arg0 {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
    %1 = tt.broadcast %0 : tensor<1x1xf32> -> tensor<1x8xf32>
    %2 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
    %3 = arith.addf %1, %2 : tensor<1x8xf32>
    tt.return %3 : tensor<1x8xf32>
  }
}
";
        let wanted = "\
module {
  tt.func @f(%arg0: tensor<1xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %0 = tt.broadcast %arg0 : tensor<1xf32> -> tensor<8xf32>
    %1 = arith.addf %0, %arg1 : tensor<8xf32>
    tt.return %1 : tensor<8xf32>
  }
}
";
        assert_eq!(all_at_once(&DropRank, text), wanted);
    }

    #[test]
    fn a_reduction_of_what_goes_is_along_the_dimension_that_stays() {
        let text = "\
module {
  tt.func @f(%arg0: tensor<1x8xf32>) -> tensor<1x1xf32> {
    %0 = tt.expand_dims %arg0 {axis = 0 : i32} : tensor<1x8xf32> -> tensor<1x1x8xf32>
    %1 = \"tt.reduce\"(%0) <{axis = 2 : i32}> ({
    ^bb1(%arg1: f32, %arg2: f32):
      %2 = arith.addf %arg1, %arg2 : f32
      tt.reduce.return %2 : f32
    }) : (tensor<1x1x8xf32>) -> tensor<1x1xf32>
    tt.return %1 : tensor<1x1xf32>
  }
}
";
        let after = all_at_once(&DropRank, text);
        assert!(after.contains("axis = 1 : i32"), "{after}");
        assert!(after.contains("(tensor<1x8xf32>) -> tensor<1xf32>"), "{after}");
    }

    #[test]
    fn with_layouts_it_becomes_a_conversion() {
        let text = "\
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {\"ttg.num-warps\" = 4 : i32} {
  tt.func @f(%arg0: tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x8xf32, #blocked> {
    %0 = tt.expand_dims %arg0 {axis = 0 : i32} : tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x8xf32, #blocked>
    tt.return %0 : tensor<1x8xf32, #blocked>
  }
}
";
        let after = all_at_once(&DropRank, text);
        assert!(
            after.contains("sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]"),
            "{after}"
        );
        assert!(after.contains("ttg.convert_layout %arg0"), "{after}");
    }
}
