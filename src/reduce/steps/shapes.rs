//! Shapes made smaller: a dimension is divided wherever it stands, through everything that depends on it.

use super::dimensions::{Dimensions, Goal};
use super::flow::retype;
use super::gain;
use crate::ir::{Module, ValueId};
use tritonsmith_reducer::Site;

/// Classes of dimensions (`Dimensions`), each by its first node and the size, a power of two, that this is to have: the
/// least that is allowed, half, or one between.
pub(super) fn sites(module: &Module) -> Vec<Site> {
    let dimensions = Dimensions::of(module, Goal::Shrink);
    let mut sites = Vec::new();
    for class in dimensions.classes() {
        let most = class.most.trailing_zeros();
        let mut steps = vec![most, most.div_ceil(2), 1];
        steps.dedup();
        let (value, dimension) = class.first;
        sites.extend(steps.into_iter().map(|halvings| {
            let exponent = class.size.trailing_zeros() - halvings;
            let id = u64::from(value.0) << 16 | (dimension as u64) << 8 | u64::from(exponent);
            Site::new(id, gain(dimensions.gain(&class, 1 << halvings)))
        }));
    }
    sites
}

/// Divides a class so that its first node has that size.
pub(super) fn shrink(module: &mut Module, site: u64) -> Option<()> {
    let (value, dimension, exponent) = (ValueId((site >> 16) as u32), (site >> 8) as usize & 0xff, site as u32 & 63);
    let dimensions = Dimensions::of(module, Goal::Shrink);
    let class = dimensions.class_of(value, dimension)?;
    let factor = Some(class.size >> exponent).filter(|factor| (2..=class.most).contains(factor))?;
    let types = dimensions.divided(module, &class, factor);
    retype(module, &types);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::all_at_once;

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
        assert_eq!(all_at_once("shrink a dimension", COPY), COPY.replace("<64x", "<1x").replace("end = 64", "end = 1"));
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
        assert_eq!(all_at_once("shrink a dimension", dot), wanted);
    }

    #[test]
    fn what_lists_its_elements_stays() {
        let listed = COPY.replace("tt.make_range {end = 64 : i32, start = 0 : i32}", "test.unknown");
        let module =
            crate::ir::parse(&listed.replace("test.unknown :", "\"test.unknown\"() : () ->")).expect("a module");
        assert_eq!(super::sites(&module), []);
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
        assert_eq!(all_at_once("shrink a dimension", text), text.replace("<64x", "<1x"));
        let narrow = all_at_once("narrow a element type", text);
        assert_eq!(narrow, text.replace("xf32", "xf16"));
    }
}
