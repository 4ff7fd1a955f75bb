//! Dimensions of size 1 dropped from every type that has them, so that a tensor has fewer of them. An expansion or reduction
//! along a dimension that goes has nothing left to do.

use super::dimensions::{Dimensions, Goal, integer, order};
use super::flow::retype;
use super::{gain, i32_attr, substitute};
use crate::ir::{Attr, AttrId, FieldValue, LayoutKind, Module, OpKind, Type, TypeId, ValueId};
use tritonsmith_reducer::Site;

/// Classes of dimensions, each by its first node.
pub(super) fn sites(module: &Module) -> Vec<Site> {
    let ranks = Dimensions::of(module, Goal::Drop);
    let classes = ranks.classes.free().into_iter();
    classes
        .map(|class| {
            let (value, dimension) = ranks.owners[class[0]];
            Site::new(u64::from(value.0) << 8 | dimension as u64, gain(class.len()))
        })
        .collect()
}

/// Drops a class.
pub(super) fn drop_dimension(module: &mut Module, site: u64) -> Option<()> {
    let first = (ValueId((site >> 8) as u32), site as usize & 0xff);
    let ranks = Dimensions::of(module, Goal::Drop);
    let class = ranks.classes.free().into_iter().find(|class| ranks.owners[class[0]] == first)?;
    let mut types: Vec<(ValueId, TypeId)> = Vec::new();
    let gone = |value: ValueId| class.iter().map(|&node| ranks.owners[node]).find(|(owner, _)| *owner == value);
    for &node in &class {
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
    let mut no_ops = Vec::new();
    for op in module.walk() {
        let record = module.op(op);
        let (Some(&operand), Some(&result)) = (record.operands.first(), record.results.first()) else { continue };
        let kind = module.kind(op);
        let (wide, narrow) = match kind {
            OpKind::TtReduce | OpKind::TtTrans | OpKind::TtScan => (operand, result),
            OpKind::TtExpandDims => (result, operand),
            _ => continue,
        };
        let Some((_, dimension)) = gone(wide) else { continue };
        if kind == OpKind::TtTrans {
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
            let attr = i32_attr(module, (axis - usize::from(axis > dimension)) as u64);
            module.set_prop(op, "axis", Some(attr));
        } else if module.interners.layout(module.value(wide).ty).is_some() {
            // From a slice of the old layout to the new one.
            module.set_kind(op, OpKind::TtgConvertLayout);
            module.set_prop(op, "axis", None);
        } else {
            debug_assert!(ranks.rank(narrow) + 1 == ranks.rank(wide));
            no_ops.push(op);
        }
    }
    for op in no_ops {
        let operand = *module.op(op).operands.first()?;
        substitute(module, op, &[operand]);
    }
    retype(module, &types);
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
        let slice = module.interners.with_layout_field(layout, "dim", Some((sliced as u64).into()));
        return Some(module.interners.with_layout_field(slice, "parent", Some(FieldValue::Attr(smaller))));
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
        assert_eq!(all_at_once("drop a dimension", text), wanted);
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
        assert_eq!(all_at_once("drop a dimension", text), wanted);
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
        let after = all_at_once("drop a dimension", text);
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
        let after = all_at_once("drop a dimension", text);
        assert!(
            after.contains("sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]"),
            "{after}"
        );
        assert!(after.contains("ttg.convert_layout %arg0"), "{after}");
    }
}
