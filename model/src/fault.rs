//! Faults that can be planted in the model, by name.
//!
//! Each breaks one pass in one way that compilers really break: a check left out, an order turned round, a table not kept in
//! step. What a fault makes is something that an oracle can see (dominance, structure, a crash, a hang) without knowing
//! that it was planted, so the share of faults that a campaign finds measures the campaign: its mutation score.

use super::Pass;
use std::fmt;
use std::str::FromStr;

/// One way to break one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// Dead-code removal counts only the uses in a value's own block.
    DeadCodeIgnoresRegions,
    /// A value that is carried in vain goes, its place in the yield stays.
    DeadArgumentKeepsYield,
    /// A branch becomes a selection, what its regions compute goes with them.
    SelectWithoutHoisting,
    /// Constants move to the right of an operator that has one there already.
    SwapForever,
    /// An equal operation is reused out of a region that has ended.
    ReuseAcrossRegions,
    /// An equal operation is reused out of a block that does not dominate.
    ReuseAcrossBlocks,
    /// Of two equal operations the later one is kept.
    KeepLater,
    /// An operation leaves a loop if its first operand is invariant.
    HoistDependent,
    /// The induction variable counts as invariant.
    HoistInductionVariable,
    /// Operations that leave a loop arrive in reverse order.
    HoistInReverse,
    /// The conversion of a reduction's result stands before the reduction.
    ConversionBeforeReduction,
    /// Arguments and results of functions get layouts, the functions' types do not.
    SignatureWithoutLayouts,
    /// The result of a load changes its layout, what a terminator hands on of it is not converted back.
    HandedOnUnconverted,
    /// A rematerialised value is reused wherever it was made, in a child region too.
    ReuseFromChild,
    /// The slice of a conversion follows carried values round their loop.
    SliceThroughCarried,
    /// The operations of a slice are erased with it, other users or not.
    EraseSharedSlice,
    /// The new update of a loop stands at the reduction, though the rescale factor may come after it.
    UpdateAtReduction,
    /// An accumulator is widened although the loop reads it.
    AccumulatorRead,
    /// The result of the loop is believed to be used once.
    AccumulatorUsedTwice,
}

impl Fault {
    /// Every fault, in the order of the passes.
    pub const ALL: [Fault; 19] = [
        Fault::DeadCodeIgnoresRegions,
        Fault::DeadArgumentKeepsYield,
        Fault::SelectWithoutHoisting,
        Fault::SwapForever,
        Fault::ReuseAcrossRegions,
        Fault::ReuseAcrossBlocks,
        Fault::KeepLater,
        Fault::HoistDependent,
        Fault::HoistInductionVariable,
        Fault::HoistInReverse,
        Fault::ConversionBeforeReduction,
        Fault::SignatureWithoutLayouts,
        Fault::HandedOnUnconverted,
        Fault::ReuseFromChild,
        Fault::SliceThroughCarried,
        Fault::EraseSharedSlice,
        Fault::UpdateAtReduction,
        Fault::AccumulatorRead,
        Fault::AccumulatorUsedTwice,
    ];

    /// The name on the command line, the pass that it breaks, and what it does there.
    fn facts(self) -> (&'static str, Pass, &'static str) {
        match self {
            Fault::DeadCodeIgnoresRegions => (
                "dead-code-ignores-regions",
                Pass::Canonicalize,
                "an operation goes though a region further down uses its result",
            ),
            Fault::DeadArgumentKeepsYield => (
                "dead-argument-keeps-yield",
                Pass::Canonicalize,
                "a loop carries one value less than its body hands on",
            ),
            Fault::SelectWithoutHoisting => (
                "select-without-hoisting",
                Pass::Canonicalize,
                "a selection takes values from the branches that it replaced",
            ),
            Fault::SwapForever => {
                ("swap-forever", Pass::Canonicalize, "the operands of one operator are swapped without end")
            }
            Fault::ReuseAcrossRegions => {
                ("reuse-across-regions", Pass::Cse, "a result is reused out of a region that has ended")
            }
            Fault::ReuseAcrossBlocks => {
                ("reuse-across-blocks", Pass::Cse, "a result is reused out of a block that does not dominate")
            }
            Fault::KeepLater => ("keep-later", Pass::Cse, "of two equal operations the first goes"),
            Fault::HoistDependent => (
                "hoist-dependent",
                Pass::LoopInvariantCodeMotion,
                "an operation leaves a loop that one of its operands is made in",
            ),
            Fault::HoistInductionVariable => (
                "hoist-induction-variable",
                Pass::LoopInvariantCodeMotion,
                "a use of the induction variable leaves the loop",
            ),
            Fault::HoistInReverse => (
                "hoist-in-reverse",
                Pass::LoopInvariantCodeMotion,
                "of two operations that leave a loop the user comes first",
            ),
            Fault::ConversionBeforeReduction => (
                "conversion-before-reduction",
                Pass::ConvertToGpu,
                "a reduction's result is converted before the reduction",
            ),
            Fault::SignatureWithoutLayouts => (
                "signature-without-layouts",
                Pass::ConvertToGpu,
                "a function's type no longer fits its arguments and results",
            ),
            Fault::HandedOnUnconverted => (
                "handed-on-unconverted",
                Pass::Coalesce,
                "a terminator hands on a loaded value with another layout than is taken",
            ),
            Fault::ReuseFromChild => (
                "reuse-from-child",
                Pass::RemoveLayoutConversions,
                "a rematerialised value is reused out of a child region by a later use",
            ),
            Fault::SliceThroughCarried => (
                "slice-through-carried",
                Pass::RemoveLayoutConversions,
                "the slice of a conversion goes round a loop without end",
            ),
            Fault::EraseSharedSlice => {
                ("erase-shared-slice", Pass::RemoveLayoutConversions, "an operation is destroyed that others still use")
            }
            Fault::UpdateAtReduction => (
                "update-at-reduction",
                Pass::OptimizeThreadLocality,
                "a loop's new update stands at the reduction, before the factor that rescales it",
            ),
            Fault::AccumulatorRead => (
                "accumulator-read",
                Pass::OptimizeThreadLocality,
                "the body of a loop reads what is known only after the loop",
            ),
            Fault::AccumulatorUsedTwice => (
                "accumulator-used-twice",
                Pass::OptimizeThreadLocality,
                "an assertion that the loop's result has one use does not hold",
            ),
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// The pass that is broken.
    pub fn pass(self) -> Pass {
        self.facts().1
    }

    /// What goes wrong, in half a sentence.
    pub fn breaks(self) -> &'static str {
        self.facts().2
    }

    /// Every fault, for lists.
    pub fn all() -> impl Iterator<Item = Fault> {
        Fault::ALL.into_iter()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model has no fault `{0}`: there are {known}", known = Fault::ALL.map(Fault::name).join(", "))]
pub struct UnknownFault(pub String);

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        Fault::all().find(|fault| fault.name() == text).ok_or_else(|| UnknownFault(text.to_owned()))
    }
}

/// The faults that are switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FaultSet(u32);

impl FaultSet {
    /// No fault: every pass is right.
    pub const NONE: FaultSet = FaultSet(0);

    /// Whether a fault is on.
    pub fn has(self, fault: Fault) -> bool {
        self.0 & (1 << fault as u32) != 0
    }

    /// The same with one more.
    #[must_use]
    pub fn with(self, fault: Fault) -> FaultSet {
        FaultSet(self.0 | 1 << fault as u32)
    }

    /// Those that are on, in the order of [`Fault::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::all().filter(move |&fault| self.has(fault))
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
        for (index, fault) in Fault::all().enumerate() {
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
