//! Shapes made smaller: a dimension is divided wherever it stands, through everything that depends on it.

use super::dimensions::{Class, Dimensions, Goal, integer};
use super::flow::{remove_no_ops, retype};
use super::{Candidate, edit_each};
use crate::ir::{Attr, Module, OpKind, ValueId};
use tritonsmith_reducer::{Site, Step};

/// Divides a class of dimensions (`Dimensions`) so that its first has another size: the least that is allowed, half, or
/// a power of two between.
#[derive(Debug)]
pub struct ShrinkShapes;

impl Step<Candidate> for ShrinkShapes {
    fn name(&self) -> &str {
        "shrink a dimension"
    }

    fn prior(&self) -> f64 {
        0.75
    }

    fn late(&self) -> bool {
        true
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let dimensions = Dimensions::of(&candidate.module, Goal::Shrink);
        let mut sites = Vec::new();
        for class in dimensions.classes() {
            let most = class.most.trailing_zeros();
            let mut steps = vec![most, most.div_ceil(2), 1];
            steps.dedup();
            for halvings in steps {
                let gain = dimensions.gain(&class, 1 << halvings);
                sites.push(Site::new(site(&class, halvings), u32::try_from(gain).unwrap_or(u32::MAX)));
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (value, dimension, exponent) = place(site);
            let dimensions = Dimensions::of(module, Goal::Shrink);
            let Some(class) = dimensions.class_of(value, dimension) else { return false };
            let factor = class.size >> exponent;
            (2..=class.most).contains(&factor) && {
                divide(module, &dimensions, &class, factor);
                true
            }
        })
    }
}

/// A class by its first node and the size, a power of two, that this is to have.
fn site(class: &Class, halvings: u32) -> u64 {
    let (value, dimension) = class.first;
    let exponent = class.size.trailing_zeros() - halvings;
    u64::from(value.0) << 16 | u64::from(dimension) << 8 | u64::from(exponent)
}

fn place(site: u64) -> (ValueId, u8, u32) {
    (ValueId((site >> 16) as u32), (site >> 8) as u8, site as u32 & 63)
}

fn divide(module: &mut Module, dimensions: &Dimensions, class: &Class, factor: u64) {
    let types = dimensions.divided(module, class, factor);
    retype(module, &types);
    for op in module.walk() {
        if module.kind(op) == OpKind::TtMakeRange
            && let Some(&result) = module.op(op).results.first()
            && let Some(&[size]) = module.interners.sizes(module.value(result).ty).as_deref()
            && let Some(start) = integer(module, op, "start")
            && let Some(&Attr::Integer(_, ty)) = module.attribute(op, "end").map(|end| module.interners.attr_data(end))
        {
            let end = start.saturating_add_unsigned(size);
            let end = module.interners.attr(Attr::Integer(end.to_string(), ty));
            module.set_prop(op, "end", Some(end));
        }
    }
    remove_no_ops(module);
}

#[cfg(test)]
mod tests {
    use super::super::tests::all_at_once;
    use super::*;

    const COPY: &str = "\
module {
  tt.func @f(%arg0: tensor<64x!tt.ptr<f32>>) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.addptr %arg0, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %2 = tt.load %1 : tensor<64x!tt.ptr<f32>>
    tt.store %1, %2 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
";

    #[test]
    fn a_dimension_shrinks_wherever_it_stands() {
        assert_eq!(all_at_once(&ShrinkShapes, COPY), COPY.replace("<64x", "<1x").replace("end = 64", "end = 1"));
    }

    #[test]
    fn a_dot_keeps_what_the_front_end_asks_for() {
        let dot = "\
module {
  tt.func @f(%arg0: tensor<64x32xf16>, %arg1: tensor<32x128xf16>, %arg2: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %0 = tt.dot %arg0, %arg1, %arg2 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    tt.return %0 : tensor<64x128xf32>
  }
}
";
        let wanted = dot.replace("64x32x", "16x16x").replace("32x128x", "16x16x").replace("64x128x", "16x16x");
        assert_eq!(all_at_once(&ShrinkShapes, dot), wanted);
    }

    #[test]
    fn what_lists_its_elements_stays() {
        let listed = COPY.replace("tt.make_range {end = 64 : i32, start = 0 : i32}", "test.unknown");
        let module =
            crate::ir::parse(&listed.replace("test.unknown :", "\"test.unknown\"() : () ->")).expect("a module");
        assert_eq!(ShrinkShapes.sites(&Candidate::new(module)), []);
    }

    /// The worked example of ARCHITECTURE.md: its entry is all that is known of the operation.
    #[test]
    fn an_operation_that_triton_does_not_have_shrinks() {
        let text = "\
module {
  tt.func @f(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %0 = test.lerp %arg0 to %arg1 by %arg0 : tensor<64xf32>
    tt.return %0 : tensor<64xf32>
  }
}
";
        assert_eq!(all_at_once(&ShrinkShapes, text), text.replace("<64x", "<1x"));
        let narrow = all_at_once(&super::super::NarrowElements, text);
        assert_eq!(narrow, text.replace("xf32", "xf16"));
    }
}
