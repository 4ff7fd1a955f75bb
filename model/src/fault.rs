//! Faults that can be planted in the model, by name.
//!
//! Each breaks one pass in one way that compilers really break: a missing check, a reversed order, a stale table. An oracle
//! can see the effect (dominance, structure, a crash, a hang) without knowing the fault, so the share of faults that a
//! campaign finds is its mutation score.

use super::ModelPass;
use strum::{Display, EnumString, VariantArray};

/// One way to break one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownFault, parse_err_fn = unknown)]
pub enum Fault {
    /// Dead-code removal counts only the uses in a value's own block.
    DeadCodeIgnoresRegions,
    /// An unused carried value is removed from the loop, and stays in the yield.
    DeadArgumentKeepsYield,
    /// A branch becomes an `arith.select`, and the operations of its regions are dropped.
    SelectWithoutHoisting,
    /// Constants move to the right operand even if that is a constant already.
    SwapForever,
    /// An equal operation is reused out of a region that has ended.
    ReuseAcrossRegions,
    /// An equal operation is reused out of a block that does not dominate.
    ReuseAcrossBlocks,
    /// Of two equal operations the later one is kept.
    KeepLater,
    /// An operation is hoisted if its first operand is invariant.
    HoistDependent,
    /// The induction variable counts as invariant.
    HoistInductionVariable,
    /// Hoisted operations arrive in reverse order.
    HoistInReverse,
    /// The conversion of a reduction's result is inserted before the reduction.
    ConversionBeforeReduction,
    /// Arguments and results of functions get layouts, the functions' types do not.
    SignatureWithoutLayouts,
    /// The result of a load changes its layout, and a terminator that yields it is not updated.
    YieldedUnconverted,
    /// A rematerialised value is reused wherever it was made, even in a child region.
    ReuseFromChild,
    /// The backward slice of a conversion follows carried values around their loop.
    SliceThroughCarried,
    /// The operations of a slice are erased even if they have other users.
    EraseSharedSlice,
    /// The new update is inserted at the reduction, though the rescale factor may come after it.
    UpdateAtReduction,
    /// An accumulator is widened although the loop reads it.
    AccumulatorRead,
    /// The result of the loop is believed to be used once.
    AccumulatorUsedTwice,
}

impl Fault {
    /// The name on the command line, the pass that it breaks, and what it does there.
    fn facts(self) -> (ModelPass, &'static str) {
        match self {
            Fault::DeadCodeIgnoresRegions => {
                (ModelPass::Canonicalize, "an operation goes though a region further down uses its result")
            }
            Fault::DeadArgumentKeepsYield => {
                (ModelPass::Canonicalize, "a loop carries one value less than its body yields")
            }
            Fault::SelectWithoutHoisting => {
                (ModelPass::Canonicalize, "a selection takes values from the branches that it replaced")
            }
            Fault::SwapForever => (ModelPass::Canonicalize, "the operands of one operator are swapped without end"),
            Fault::ReuseAcrossRegions => (ModelPass::Cse, "a result is reused out of a region that has ended"),
            Fault::ReuseAcrossBlocks => (ModelPass::Cse, "a result is reused out of a block that does not dominate"),
            Fault::KeepLater => (ModelPass::Cse, "of two equal operations the first goes"),
            Fault::HoistDependent => {
                (ModelPass::LoopInvariantCodeMotion, "an operation leaves a loop that one of its operands is made in")
            }
            Fault::HoistInductionVariable => {
                (ModelPass::LoopInvariantCodeMotion, "a use of the induction variable leaves the loop")
            }
            Fault::HoistInReverse => {
                (ModelPass::LoopInvariantCodeMotion, "of two operations that leave a loop the user comes first")
            }
            Fault::ConversionBeforeReduction => {
                (ModelPass::ConvertToGpu, "a reduction's result is converted before the reduction")
            }
            Fault::SignatureWithoutLayouts => {
                (ModelPass::ConvertToGpu, "a function's type no longer fits its arguments and results")
            }
            Fault::YieldedUnconverted => {
                (ModelPass::Coalesce, "a terminator yields a loaded value with another layout than its parent takes")
            }
            Fault::ReuseFromChild => (
                ModelPass::RemoveLayoutConversions,
                "a rematerialised value is reused out of a child region by a later use",
            ),
            Fault::SliceThroughCarried => {
                (ModelPass::RemoveLayoutConversions, "the slice of a conversion goes round a loop without end")
            }
            Fault::EraseSharedSlice => {
                (ModelPass::RemoveLayoutConversions, "an operation is destroyed that others still use")
            }
            Fault::UpdateAtReduction => (
                ModelPass::OptimizeThreadLocality,
                "a loop's new update is at the reduction, before the factor that rescales it",
            ),
            Fault::AccumulatorRead => {
                (ModelPass::OptimizeThreadLocality, "the body of a loop reads what is known only after the loop")
            }
            Fault::AccumulatorUsedTwice => {
                (ModelPass::OptimizeThreadLocality, "an assertion that the loop's result has one use does not hold")
            }
        }
    }

    /// The pass that it breaks.
    pub fn pass(self) -> ModelPass {
        self.facts().0
    }

    /// What goes wrong, in half a sentence.
    pub fn breaks(self) -> &'static str {
        self.facts().1
    }
}

/// A word that names no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model has no fault `{0}`: there are {known}", known = names().join(", "))]
pub struct UnknownFault(pub String);

fn unknown(name: &str) -> UnknownFault {
    UnknownFault(name.to_owned())
}

fn names() -> Vec<String> {
    Fault::VARIANTS.iter().map(Fault::to_string).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FaultSet(u32);

impl FaultSet {
    /// No fault: every pass is right.
    pub const NONE: FaultSet = FaultSet(0);

    pub fn has(self, fault: Fault) -> bool {
        self.0 & (1 << fault as u32) != 0
    }

    #[must_use]
    pub fn with(self, fault: Fault) -> FaultSet {
        FaultSet(self.0 | 1 << fault as u32)
    }

    /// Those that are on, in the order of the variants.
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::VARIANTS.iter().copied().filter(move |&fault| self.has(fault))
    }
}

impl FromIterator<Fault> for FaultSet {
    fn from_iter<I: IntoIterator<Item = Fault>>(faults: I) -> Self {
        faults.into_iter().fold(FaultSet::NONE, FaultSet::with)
    }
}

impl From<Fault> for FaultSet {
    fn from(fault: Fault) -> Self {
        FaultSet::NONE.with(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_by_its_name_and_stands_once() {
        for (index, &fault) in Fault::VARIANTS.iter().enumerate() {
            assert_eq!(fault as usize, index);
            assert_eq!(fault.to_string().parse(), Ok(fault));
        }
        assert!("no-such-fault".parse::<Fault>().unwrap_err().to_string().contains("update-at-reduction"));
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set: FaultSet = [Fault::KeepLater, Fault::UpdateAtReduction].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Fault::KeepLater, Fault::UpdateAtReduction]);
        assert!(!set.has(Fault::SwapForever));
    }
}
