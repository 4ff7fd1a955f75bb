//! The launch configuration made smaller: fewer warps and CTAs, with every layout rewritten to match in the same
//! edit; and layouts in which a thread holds one element at a time.

use super::flow::{is_conversion, remove_no_ops, values};
use super::layouts::is_bound;
use super::{gain, i32_attr, layouts_of, pair, unpair};
use crate::ir::{Attr, AttrId, FieldValue, LayoutKind, Module, OpKind, Substitution};
use tritonsmith_reducer::Site;

/// What a module says of the launch configuration, by the end of the attribute's name, with the fields of layouts that multiply up to
/// it and the input of linear layouts that it counts.
const COUNTS: [(&str, &str, &str); 3] = [
    (".num-warps", "warpsPerCTA", "warp"),
    (".threads-per-warp", "threadsPerWarp", "lane"),
    (".num-ctas", "CTAsPerCGA", "block"),
];
/// Which of them a site is about.
const WARPS: usize = 0;
const CTAS: usize = 2;
/// Tensor cores from Hopper on take the warps in groups of four.
const GROUP: u64 = 4;

/// Smaller numbers of warps and of CTAs. That of threads in a warp is the target's: gfx942 has no warp of 32.
pub(super) fn counts(module: &Module) -> Vec<Site> {
    let mut sites = Vec::new();
    for which in [WARPS, CTAS].into_iter().filter(|&which| can_change(module, which)) {
        let (Some(now), least) = (count(module, which), least(module, which)) else { continue };
        let mut wanted = vec![least, now / 2];
        wanted.dedup();
        let smaller = wanted.into_iter().filter(|&wanted| wanted >= least && wanted < now && now % wanted == 0);
        sites.extend(smaller.map(|wanted| Site::new(pair(which as u32, wanted as u32), gain(now / wanted.max(1)))));
    }
    sites
}

/// The attribute of the module that says how many.
fn attribute(module: &Module, which: usize) -> Option<(String, AttrId)> {
    let list = module.interners.attrs_data(module.op(module.root()).attrs);
    let named = list.iter().map(|&(name, value)| (module.interners.name_text(name), value));
    let (name, value) = named.into_iter().find(|(name, _)| name.ends_with(COUNTS.get(which).map_or("?", |c| c.0)))?;
    // `ttg.total-num-warps` counts those of partitions too.
    Some((name.to_owned(), value))
}

fn count(module: &Module, which: usize) -> Option<u64> {
    match module.interners.attr_data(attribute(module, which)?.1) {
        Attr::Integer(digits, _) => digits.parse().ok(),
        _ => None,
    }
}

fn least(module: &Module, which: usize) -> u64 {
    match which {
        CTAS => 1,
        _ if module.walk().into_iter().any(|op| module.kind(op).dialect() == "ttng") => GROUP,
        _ => layouts(module).into_iter().map(|layout| least_warps(module, layout)).max().unwrap_or(1),
    }
}

fn least_warps(module: &Module, layout: AttrId) -> u64 {
    let version = module.interners.layout_field(layout, "versionMajor").and_then(FieldValue::number);
    let is_nvidia = module.interners.layout_kind(layout) == LayoutKind::NvidiaMma;
    if is_nvidia && version.is_some_and(|version| version >= 3) { GROUP } else { 1 }
}

/// Whether nothing in the module depends on the number but what is rewritten here.
fn can_change(module: &Module, which: usize) -> bool {
    let bound = |op| match module.kind(op) {
        // The layout of one side follows from the other's by way of the shape.
        OpKind::TtReshape => {
            module.attribute(op, "allow_reorder").is_none()
                && module.op(op).operands.iter().any(|&from| module.interners.layout(module.value(from).ty).is_some())
        }
        OpKind::TtTrans | OpKind::TtJoin | OpKind::TtSplit => {
            let record = module.op(op);
            record.operands.iter().chain(&record.results).any(|&value| {
                let layout = module.interners.layout(module.value(value).ty);
                layout.is_some_and(|layout| module.interners.layout_kind(layout) != LayoutKind::Blocked)
            })
        }
        OpKind::TtgWarpSpecialize | OpKind::TtgWarpSpecializePartitions | OpKind::TtgWarpId => true,
        _ => module.op_name(op).starts_with("nvws."),
    };
    let known = |&layout: &AttrId| match module.interners.layout_kind(layout) {
        LayoutKind::Blocked | LayoutKind::Slice | LayoutKind::Linear => true,
        LayoutKind::DotOperand => which != CTAS || module.interners.parent_layout(layout).is_some(),
        LayoutKind::NvidiaMma | LayoutKind::AmdMfma | LayoutKind::AmdWmma => true,
        LayoutKind::SwizzledShared | LayoutKind::NvmmaShared | LayoutKind::Shared => true,
        _ => false,
    };
    !module.walk().into_iter().any(bound) && layouts(module).iter().all(known)
}

/// Every layout that a value has, with those it is nested in, in reading order.
fn layouts(module: &Module) -> Vec<AttrId> {
    let mut found: Vec<AttrId> = Vec::new();
    for layout in values(module).into_iter().flat_map(|value| layouts_of(&module.interners, module.value(value).ty)) {
        if !found.contains(&layout) {
            found.push(layout);
        }
    }
    found
}

/// The number becomes less, with every layout that is not nested in another.
pub(super) fn lower(module: &mut Module, site: u64) -> Option<()> {
    let (which, wanted) = unpair(site);
    let (which, wanted) = (which as usize, u64::from(wanted));
    let now = count(module, which).filter(|&now| can_change(module, which) && now > wanted)?;
    if wanted < least(module, which) || now % wanted != 0 {
        return None;
    }
    let (name, _) = attribute(module, which)?;
    let mut substitution = Substitution::new();
    for layout in layouts(module) {
        if module.interners.parent_layout(layout).is_none() {
            substitution = substitution.attr(layout, divided(module, layout, which, now / wanted)?);
        }
    }
    substitution.apply(module);
    let number = i32_attr(module, wanted);
    module.set_attr(module.root(), &name, Some(number));
    remove_no_ops(module, is_conversion);
    Some(())
}

/// A layout for so many times fewer of what is counted; none if it cannot be divided.
fn divided(module: &mut Module, layout: AttrId, which: usize, factor: u64) -> Option<AttrId> {
    let &(_, field, input) = COUNTS.get(which)?;
    let interners = &mut module.interners;
    if interners.layout_kind(layout) == LayoutKind::Linear {
        let mut bases = interners.layout_field(layout, input)?.list()?.to_vec();
        let mut registers = interners.layout_field(layout, "register")?.list()?.to_vec();
        let keep = bases.len().checked_sub(factor.trailing_zeros() as usize)?;
        // What the warps held the registers hold now, so that every element is still somewhere.
        registers.extend(bases.drain(keep..));
        let layout = interners.with_layout_field(layout, input, Some(FieldValue::List(bases)));
        return Some(interners.with_layout_field(layout, "register", Some(FieldValue::List(registers))));
    }
    if which == CTAS {
        let mut layout = layout;
        for field in ["CTAsPerCGA", "CTASplitNum"] {
            if let Some(numbers) = interners.layout_numbers(layout, field) {
                layout = interners.with_layout_numbers(layout, field, &vec![1; numbers.len()]);
            }
        }
        return Some(interners.with_layout_field(layout, "CGALayout", None));
    }
    let Some(mut numbers) = interners.layout_numbers(layout, field) else { return Some(layout) };
    let order = interners.layout_numbers(layout, "order").unwrap_or_default();
    for _ in 0..factor.trailing_zeros() {
        // The largest number is halved; among equals, that of the dimension that runs slowest, so that a layout and its
        // transposed stay each other's.
        let slowness = |dimension: usize| order.iter().position(|&d| d == dimension as u64).unwrap_or(0);
        let largest = (0..numbers.len()).max_by_key(|&dimension| (numbers[dimension], slowness(dimension)))?;
        if numbers[largest] < 2 {
            return None;
        }
        numbers[largest] /= 2;
    }
    Some(interners.with_layout_numbers(layout, field, &numbers))
}

/// Layouts whose threads hold several elements at a time.
pub(super) fn holding(module: &Module) -> Vec<Site> {
    if !can_change(module, WARPS) || is_bound(module) {
        return Vec::new();
    }
    let held = |layout| held(module, layout).filter(|&elements| elements > 1);
    let layouts = layouts(module).into_iter().filter_map(|layout| Some((layout, held(layout)?)));
    layouts.map(|(layout, held)| Site::new(layout.0.into(), gain(held))).collect()
}

/// Such a layout's threads hold one element at a time, one after the other along every dimension.
pub(super) fn simplify(module: &mut Module, site: u64) -> Option<()> {
    let layout = layouts(module).into_iter().find(|layout| u64::from(layout.0) == site)?;
    let numbers = module.interners.layout_numbers(layout, "sizePerThread")?;
    let simple = module.interners.with_layout_numbers(layout, "sizePerThread", &vec![1; numbers.len()]);
    Substitution::new().attr(layout, simple).apply(module);
    remove_no_ops(module, is_conversion);
    Some(())
}

/// How many elements a thread holds at a time in a blocked layout.
fn held(module: &Module, layout: AttrId) -> Option<u64> {
    module.interners.layout_numbers(layout, "sizePerThread").map(|numbers| numbers.iter().product())
}

/// What a layout costs beyond its name: warps, threads and CTAs of the module, and elements that threads hold at a time.
pub(in crate::reduce) fn machine(module: &Module) -> (u64, u64) {
    let threads = (0..COUNTS.len()).filter_map(|which| count(module, which)).product();
    (threads, layouts(module).into_iter().filter_map(|layout| held(module, layout)).sum())
}

#[cfg(test)]
mod tests {
    use super::super::tests::all_at_once;

    const COPY: &str = "\
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, \"ttg.threads-per-warp\" = 64 : i32} {
  tt.func @f(%arg0: tensor<8x64x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %arg0 : tensor<8x64x!tt.ptr<f32>, #blocked>
    tt.store %arg0, %0 : tensor<8x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
";

    #[test]
    fn layouts_follow_the_number_of_warps_and_threads_stay_as_the_target_has_them() {
        let wanted =
            COPY.replace("warpsPerCTA = [2, 2]", "warpsPerCTA = [1, 1]").replace("num-warps\" = 4", "num-warps\" = 1");
        assert_eq!(all_at_once("lower the number of warps", COPY), wanted);
    }

    #[test]
    fn threads_hold_one_element() {
        assert_eq!(all_at_once("simplify a layout", COPY), COPY.replace("[1, 4]", "[1, 1]"));
    }
}
